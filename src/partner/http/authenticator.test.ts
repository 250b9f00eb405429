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
});
