import { inEnglish } from '../domain/wrong.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../test/kit/temporary-storage.ts';
import { valueOf } from '../../test/kit/value-of.ts';
import type { OperatorScope } from '../contract/operator/operator-scopes.ts';
import { authorizeOperator, buildAccessDirectory } from './access-directory.ts';
import { issueOperatorToken, listOperatorTokens, revokeOperatorToken } from './operator-tokens.ts';
import { systemRandom } from '../runtime/random.ts';

const START_MS = Date.UTC(2026, 10, 20);
const START = '2026-11-20T00:00:00.000Z';

let database: TemporaryStorage;
let nowMs = START_MS;
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
});
after(() => database.close());
afterEach(() => {
  nowMs = START_MS;
});

const deps = () => ({ storage: database.storage, clock: () => nowMs, random: systemRandom });
const issue = async (options: Omit<Parameters<typeof issueOperatorToken>[1], 'name'> = {}) =>
  valueOf(await issueOperatorToken(deps(), { name: 'web shop', ...options }));
async function authorize(token: string | undefined, scope: OperatorScope, atMs = nowMs) {
  const directory = buildAccessDirectory(await database.storage.readAccess());
  const authorization = authorizeOperator(directory, token, scope, atMs);
  return authorization.ok ? authorization.operator.operatorTokenId : authorization.reason;
}

describe('operator tokens', () => {
  it('carry all scopes, no source and no expiry unless told otherwise', async () => {
    const { operatorTokenId, token, ...rest } = await issue();
    assert.match(token, /^sp_oper_/);
    assert.deepEqual(rest, {
      name: 'web shop',
      scopes: ['handoff:resolve', 'supply:read', 'supply:write'],
      source: null,
      expiresAt: null,
    });
    for (const scope of ['handoff:resolve', 'supply:read', 'supply:write'] as const) {
      assert.equal(await authorize(token, scope), operatorTokenId);
    }
  });

  it('carry the scopes that are named, in one order and once each, and no others', async () => {
    const { operatorTokenId, token, scopes } = await issue({
      scopes: ['supply:write', 'supply:read', 'supply:write'],
      source: 'channex',
    });
    assert.deepEqual(scopes, ['supply:read', 'supply:write']);
    assert.equal(await authorize(token, 'supply:read'), operatorTokenId);
    assert.equal(await authorize(token, 'handoff:resolve'), 'scope');
    const operator = buildAccessDirectory(await database.storage.readAccess()).authenticateOperator(
      token,
      nowMs,
    );
    assert.equal(operator?.source, 'channex');
  });

  it('end at their expiry, not before', async () => {
    const { operatorTokenId, token, expiresAt } = await issue({ expiresAtMs: START_MS + 5 });
    assert.equal(expiresAt, '2026-11-20T00:00:00.005Z');
    assert.equal(await authorize(token, 'supply:read', START_MS + 4), operatorTokenId);
    assert.equal(await authorize(token, 'supply:read', START_MS + 5), 'invalid');
  });

  it('end when they are revoked, for good, at the first instant', async () => {
    const { operatorTokenId, token } = await issue({ source: 'channex' });
    nowMs += 1;
    const view = {
      operatorTokenId,
      name: 'web shop',
      scopes: ['handoff:resolve', 'supply:read', 'supply:write'],
      source: 'channex',
      createdAt: START,
      expiresAt: null,
      revokedAt: '2026-11-20T00:00:00.001Z',
    };
    assert.deepEqual(valueOf(await revokeOperatorToken(deps(), operatorTokenId)), view);
    nowMs += 1;
    assert.deepEqual(valueOf(await revokeOperatorToken(deps(), operatorTokenId)), view);
    assert.equal(await authorize(token, 'handoff:resolve'), 'invalid');
    const listed = await listOperatorTokens(deps());
    assert.deepEqual(
      listed.find((row) => row.operatorTokenId === operatorTokenId),
      view,
    );
  });

  it('are nothing on the partner listener, and partner tokens nothing here', async () => {
    const { token } = await issue();
    const directory = buildAccessDirectory(await database.storage.readAccess());
    assert.equal(directory.authenticate(token, nowMs).ok, false);
    assert.equal(await authorize(token.replace('sp_oper_', 'sp_live_'), 'supply:read'), 'invalid');
    assert.equal(await authorize(undefined, 'supply:read'), 'missing');
  });

  it('are refused with a reason', async () => {
    const problemOf = async (options: object) => {
      const outcome = await issueOperatorToken(deps(), { name: 'web', ...options });
      assert.ok(!outcome.ok);
      return inEnglish(outcome.problem);
    };
    assert.match(await problemOf({ name: '' }), /a name is one line/);
    assert.match(await problemOf({ source: 'a\nb' }), /a source must be 1 to 64 of/);
    assert.match(await problemOf({ scopes: ['quotes:write'] }), /"quotes:write" is not a scope; there are/);
    assert.match(await problemOf({ expiresAtMs: START_MS }), /expires in the future/);
    const unknown = await revokeOperatorToken(deps(), 'ot_nothing');
    assert.ok(!unknown.ok && inEnglish(unknown.problem) === 'there is no operator token "ot_nothing"');
  });
});
