import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { accessRows, NOW_MS, TOKENS } from '../../../test/kit/http-fixtures.ts';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import { rememberingAuthenticator } from './authenticator.ts';

describe('the token of a connection', () => {
  const directory = buildAccessDirectory(accessRows());
  const authenticator = rememberingAuthenticator(
    () => directory,
    () => NOW_MS,
  );

  /** Whether the connection keeps anything after an accepted request. */
  function isKept(authorization: string): boolean {
    const socket = new Socket();
    const before = Object.getOwnPropertySymbols(socket).length;
    const request = Object.assign(new IncomingMessage(socket), { headers: { authorization } });
    assert.equal(authenticator.authenticate(request)?.ok, true);
    assert.equal(authenticator.authenticate(request)?.ok, true);
    return Object.getOwnPropertySymbols(socket).length > before;
  }

  it('is remembered with its header, but not with kilobytes of blanks before it', () => {
    assert.ok(isKept(`Bearer ${TOKENS.full}`));
    assert.ok(!isKept(`Bearer ${' '.repeat(10_000)}${TOKENS.full}`));
  });

  it('counts for its own header alone, for the present directory, and until it expires', () => {
    let rows = accessRows();
    let present = buildAccessDirectory(rows);
    let nowMs = NOW_MS;
    const remembering = rememberingAuthenticator(
      () => present,
      () => nowMs,
    );
    const socket = new Socket();
    const ask = (token: string): string | undefined => {
      const headers = { authorization: `Bearer ${token}` };
      const request = Object.assign(new IncomingMessage(socket), { headers });
      const found = remembering.authenticate(request);
      // The two ways to ask agree.
      assert.equal(
        remembering.findAccepted(request)?.credentialId,
        found?.ok ? found.credential.credentialId : undefined,
      );
      return found?.ok ? found.credential.credentialId : found?.reason;
    };
    const [full, other] = [TOKENS.full, TOKENS.otherPartner];
    const first = ask(full);
    assert.equal(ask(full), first);
    // A proxy sends the requests of many partners over one connection.
    const second = ask(other);
    assert.notEqual(second, first);
    assert.equal(ask(full), first);
    assert.equal(ask('unknown'), 'invalid');
    const credentials = rows.credentials.map((row) =>
      row.credentialId === first ? { ...row, revokedAtMs: NOW_MS } : { ...row, expiresAtMs: NOW_MS + 1_000 },
    );
    rows = { ...rows, credentials };
    assert.equal(ask(full), first);
    present = buildAccessDirectory(rows);
    assert.equal(ask(full), 'revoked');
    assert.equal(ask(other), second);
    nowMs += 999;
    assert.equal(ask(other), second);
    nowMs += 1;
    assert.equal(ask(other), 'invalid');
  });
});
