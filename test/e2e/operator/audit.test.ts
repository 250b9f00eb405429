/** Who did what: the log lines and metrics of a running server, and that no secret is in them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type IssuedCredential,
  issueCredential,
  revokeCredential,
} from '../../../src/access/credential-changes.ts';
import { issueOperatorToken } from '../../../src/access/operator-tokens.ts';
import { createPartner, updatePartner } from '../../../src/access/partner-changes.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type RunningServer, startServer, until, Workplace } from '../../kit/command-line.ts';
import { closeConnections, exchange } from '../../kit/http-exchange.ts';
import { valueOf } from '../../kit/installation.ts';

const workplace = new Workplace({ LOG_LEVEL: 'debug' });
let server: RunningServer;
let storage: Storage;
let credential: IssuedCredential;
let operatorToken: string;
before(async () => {
  server = await startServer(workplace);
  storage = await openStorage(`sqlite:${workplace.databasePath}`, { clock: systemClock });
  const deps = { storage, clock: systemClock, random: systemRandom };
  valueOf(await createPartner(deps, { name: 'Acme', partnerId: 'acme' }));
  credential = valueOf(await issueCredential(deps, { partnerId: 'acme', quota: 2 }));
  await until(async () => (await search(credential.token)) === 200);
  // Once more, then beyond the quota.
  await search(credential.token);
  assert.equal(await search(credential.token), 429);
  valueOf(await revokeCredential(deps, credential.credentialId));
  await until(async () => (await search(credential.token)) === 401);
  for (let count = 0; count < 5; count++) await search(credential.token);
  for (let count = 0; count < 5; count++) await search(`sp_live_${'A'.repeat(43)}`);
  operatorToken = valueOf(await issueOperatorToken(deps, { name: 'web' })).token;
  await until(async () => (await resolve(operatorToken)) !== 401);
  valueOf(await updatePartner(deps, 'acme', { disabled: true }));
  await until(() => Promise.resolve(linesOf('access changed').length >= 5));
});
after(async () => {
  closeConnections();
  await storage.close();
  await workplace.remove();
});

async function search(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await exchange(server.partnerUrl, { path: '/v1/properties?city=Venezia', headers })).status;
}

async function resolve(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const asked = { method: 'POST', path: '/handoff/resolve', headers, body: '{"handoff":"not-ours"}' };
  return (await exchange(server.operatorUrl, asked)).status;
}

type Line = Readonly<Record<string, unknown>>;
function linesOf(message: string): readonly Line[] {
  const whole = server.printed.stderr.split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === message);
}

describe('Who did what', () => {
  it('is a log line for each administrative act', () => {
    const acts = linesOf('access changed').map(({ act, partnerId, credentialId }) => [
      act,
      partnerId,
      credentialId,
    ]);
    const { credentialId } = credential;
    assert.deepEqual(acts, [
      ['partner_created', 'acme', undefined],
      ['credential_issued', 'acme', credentialId],
      ['credential_revoked', 'acme', credentialId],
      ['operator_token_issued', undefined, undefined],
      ['partner_disabled', 'acme', undefined],
    ]);
  });

  it('is in the line of each request', () => {
    const answered = linesOf('answered');
    const ids = { credentialId: credential.credentialId, partnerId: 'acme' };
    for (const status of [200, 429, 401]) {
      const mine = answered.filter((line) => line['status'] === status && line['credentialId'] !== undefined);
      assert.ok(mine.length > 0, String(status));
      for (const { credentialId, partnerId } of mine) assert.deepEqual({ credentialId, partnerId }, ids);
    }
    const resolved = answered.find(
      ({ status, operatorTokenId }) => status === 400 && operatorTokenId !== undefined,
    );
    assert.match(String(resolved?.['operatorTokenId']), /^ot_/);
  });

  it('is a bounded number of lines for refused tokens', () => {
    const refused = linesOf('credential refused').map(({ credentialId, code, count }) => [
      credentialId,
      code,
      count,
    ]);
    assert.deepEqual(refused, [[credential.credentialId, 'PARTNER_ACCESS_REVOKED', 1]]);
    assert.ok(linesOf('unknown token refused').length >= 1);
  });

  it('is in the metrics, by credential and by act', async () => {
    const text = Buffer.from((await exchange(server.operatorUrl, { path: '/metrics' })).body).toString();
    const series = (outcome: string): string =>
      `stayport_credential_requests_total{partner="acme",credential="${credential.credentialId}",outcome="${outcome}"}`;
    assert.ok(text.includes(`${series('answered')} 2\n`), text);
    // Asked again until the revocation was seen.
    for (const outcome of ['limited', 'refused']) {
      const line = text.split('\n').find((candidate) => candidate.startsWith(series(outcome)));
      assert.match(line ?? '', / [1-9]\d*$/);
    }
    assert.ok(text.includes('stayport_access_acts_total{act="credential_revoked"} 1\n'));
  });

  it('shows no token, nor what a token is known by', async () => {
    const { credentials, operatorTokens, handoffKeys } = await storage.readAccess();
    const secrets = [
      ...[credential.token, operatorToken].map((token) => token.slice(8)),
      ...[...credentials, ...operatorTokens].map(({ tokenHash }) => tokenHash),
      ...handoffKeys.map(({ secret }) => secret),
    ];
    assert.ok(secrets.length >= 5);
    for (const secret of secrets) assert.ok(!server.printed.stderr.includes(secret));
  });
});
