import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../test/kit/temporary-storage.ts';
import { valueOf } from '../../test/kit/value-of.ts';
import { retireHandoffKey, rotateHandoffKey } from '../handoff/key-changes.ts';
import { systemRandom } from '../runtime/random.ts';
import { NEW_PARTNER } from '../storage/access/store.ts';
import { findAuditEvents } from './audit-events.ts';
import {
  issueCredential,
  revokeCredential,
  rotateCredential,
  updateCredential,
} from './credential-changes.ts';
import { issueOperatorToken, revokeOperatorToken } from './operator-tokens.ts';
import { createPartner, updatePartner } from './partner-changes.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());
const deps = () => ({ storage: database.storage, clock: () => NOW_MS, random: systemRandom });

/** The acts of real commands, each as its kind and ids. */
async function actsOf(work: () => Promise<unknown>): Promise<[string, Record<string, unknown>][]> {
  const earlier = await database.storage.readAccess();
  await work();
  const acts = findAuditEvents(earlier, await database.storage.readAccess());
  return acts.map(({ act, about }) => [act, about]);
}
const kindsOf = async (work: () => Promise<unknown>) => (await actsOf(work)).map(([act]) => act);
describe('administrative acts', () => {
  it('are none where nothing happened', async () => {
    assert.deepEqual(await actsOf(() => Promise.resolve()), []);
  });

  it('name what happened to a partner', async () => {
    const update = (changes: Parameters<typeof updatePartner>[2]) => () =>
      updatePartner(deps(), 'acme', changes);
    const { disabled: _disabled, ...terms } = NEW_PARTNER;
    const acme = { partnerId: 'acme', name: 'Acme', ...terms };
    assert.deepEqual(await actsOf(() => createPartner(deps(), { name: 'Acme', partnerId: 'acme' })), [
      ['partner_created', acme],
    ]);
    assert.deepEqual(await actsOf(update({ name: 'Acme Ltd' })), [
      ['partner_changed', { ...acme, name: 'Acme Ltd' }],
    ]);
    assert.deepEqual(await kindsOf(update({ origins: ['https://a.example'] })), ['partner_changed']);
    assert.deepEqual(await actsOf(update({ disabled: true })), [['partner_disabled', { partnerId: 'acme' }]]);
    assert.deepEqual(await kindsOf(update({ disabled: true })), []);
    assert.deepEqual(await kindsOf(update({ disabled: false, name: 'Acme' })), [
      'partner_changed',
      'partner_enabled',
    ]);
  });

  it('name what happened to a credential, and no token', async () => {
    let issued = '';
    const [issue] = await actsOf(async () => {
      const credential = valueOf(await issueCredential(deps(), { partnerId: 'acme', quota: 7 }));
      issued = credential.credentialId;
    });
    const scopes = ['properties:read', 'availability:read', 'quotes:write'];
    const about = {
      credentialId: issued,
      partnerId: 'acme',
      scopes,
      quota: 7,
      networks: [],
      expiresAt: null,
    };
    assert.deepEqual(issue, ['credential_issued', about]);
    const networks = ['192.0.2.0/24'];
    assert.deepEqual(await actsOf(() => updateCredential(deps(), issued, { networks })), [
      ['credential_changed', { credentialId: issued, partnerId: 'acme', quota: 7, networks }],
    ]);
    assert.deepEqual(await actsOf(() => updateCredential(deps(), issued, { quota: 7 })), []);
    const rotation = await actsOf(() => rotateCredential(deps(), issued, { overlapMs: 3_600_000 }));
    assert.deepEqual(rotation.map(([act]) => act).toSorted(), ['credential_ends', 'credential_issued']);
    assert.ok(
      rotation.some(
        ([act, { expiresAt }]) => act === 'credential_ends' && expiresAt === '2026-11-20T01:00:00.000Z',
      ),
    );
    const ids = { credentialId: issued, partnerId: 'acme' };
    assert.deepEqual(await actsOf(() => revokeCredential(deps(), issued)), [['credential_revoked', ids]]);
    assert.deepEqual(await actsOf(() => revokeCredential(deps(), issued)), []);
  });

  it('name what happened to handoff keys and operator tokens, and no secret', async () => {
    let keyId = '';
    const made = await actsOf(async () => {
      ({ keyId } = await rotateHandoffKey(deps()));
    });
    assert.deepEqual(made, [['handoff_key_made', { keyId }]]);
    await rotateHandoffKey(deps());
    const retired = await actsOf(() => retireHandoffKey({ ...deps(), quoteTtlSeconds: 1_800 }, keyId));
    assert.deepEqual(retired, [['handoff_key_retired', { keyId }]]);
    let operatorTokenId = '';
    const [issue] = await actsOf(async () => {
      ({ operatorTokenId } = valueOf(await issueOperatorToken(deps(), { name: 'web' })));
    });
    assert.equal(issue?.[0], 'operator_token_issued');
    assert.deepEqual(Object.keys(issue[1]), ['operatorTokenId', 'name', 'scopes', 'source', 'expiresAt']);
    const revoked = await actsOf(() => revokeOperatorToken(deps(), operatorTokenId));
    assert.deepEqual(revoked, [['operator_token_revoked', { operatorTokenId }]]);
  });
});
