import { inEnglish } from '../domain/wrong.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../test/kit/temporary-storage.ts';
import { systemRandom } from '../runtime/random.ts';
import { buildHandoffKeyring } from './handoff-keys.ts';
import { type Handoff, openHandoff, sealHandoff } from './handoff-value.ts';
import { ensureHandoffKey, listHandoffKeys, retireHandoffKey, rotateHandoffKey } from './key-changes.ts';

const START_MS = Date.UTC(2026, 10, 20);
const QUOTE_TTL_SECONDS = 1800;
const OPENS_MS = QUOTE_TTL_SECONDS * 1000 + 86_400_000;
const HANDOFF: Handoff = {
  quoteId: 'qt_1',
  propertyId: 'hotel-ponte',
  checkIn: 20_000,
  checkOut: 20_001,
  guests: 2,
  locale: 'it-IT',
  partnerId: 'acme',
  total: '1.00',
  currency: 'EUR',
  expiresAtMs: START_MS + QUOTE_TTL_SECONDS * 1000,
};

let database: TemporaryStorage;
let nowMs = START_MS;
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
});
after(() => database.close());

const deps = () => ({
  storage: database.storage,
  clock: () => nowMs,
  random: systemRandom,
  quoteTtlSeconds: QUOTE_TTL_SECONDS,
});
async function opens(value: string, atMs: number): Promise<boolean> {
  const { handoffKeys } = await database.storage.readAccess();
  const keyring = buildHandoffKeyring(handoffKeys, QUOTE_TTL_SECONDS);
  assert.ok(keyring);
  return (await openHandoff(keyring, value, atMs)).ok;
}
const states = async () => (await listHandoffKeys(deps())).map(({ keyId, state }) => [keyId, state]);

describe('stored handoff keys', () => {
  it('end a day after the last quote of before the rotation, or when they are retired', async () => {
    const first = await ensureHandoffKey(deps());
    const value = sealHandoff(first, HANDOFF);
    assert.ok(await opens(value, Number.MAX_SAFE_INTEGER), 'the key that seals opens for ever');

    nowMs += 1000;
    const rotatedAtMs = nowMs;
    const { keyId } = await rotateHandoffKey(deps());
    assert.ok(await opens(value, rotatedAtMs + OPENS_MS - 1));
    assert.ok(!(await opens(value, rotatedAtMs + OPENS_MS)));
    assert.deepEqual(await listHandoffKeys(deps()), [
      {
        keyId,
        state: 'sealing',
        createdAt: new Date(rotatedAtMs).toISOString(),
        opensUntil: null,
        retiredAt: null,
      },
      {
        keyId: first.signing.keyId,
        state: 'opening',
        createdAt: new Date(START_MS).toISOString(),
        opensUntil: new Date(rotatedAtMs + OPENS_MS).toISOString(),
        retiredAt: null,
      },
    ]);

    const retired = await retireHandoffKey(deps(), first.signing.keyId);
    assert.ok(retired.ok && retired.value.state === 'ended');
    assert.ok(!(await opens(value, nowMs)));
    assert.deepEqual(new Map((await states()) as [string, string][]).get(keyId), 'sealing');
  });

  it('refuse to be retired while they seal, or when there is no such key', async () => {
    const keyring = await ensureHandoffKey(deps());
    const sealing = await retireHandoffKey(deps(), keyring.signing.keyId);
    assert.match(
      sealing.ok ? '' : inEnglish(sealing.problem),
      /seals new quotes: run "stayport handoff rotate-key" first/,
    );
    const unknown = await retireHandoffKey(deps(), 'hk_none');
    assert.equal(unknown.ok ? '' : inEnglish(unknown.problem), 'there is no handoff key "hk_none"');
  });
});
