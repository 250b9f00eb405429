import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSettings } from '../app/settings/settings.ts';
import { sealHandoff } from './handoff-value.ts';
import { inspectHandoff } from './inspect-handoff.ts';

const EXPIRES_MS = Date.UTC(2026, 10, 21, 12);
function keyringOf(keyId: string, byte: number) {
  const parsed = parseSettings({ HANDOFF_KEYS: `${keyId}:${Buffer.alloc(32, byte).toString('base64')}` });
  assert.ok(parsed.ok);
  return parsed.settings.handoffKeys!;
}
const KEYS = keyringOf('k1', 1);
const VALUE = sealHandoff(KEYS, {
  quoteId: 'qt_1',
  propertyId: 'hotel-ponte',
  checkIn: 20_788,
  checkOut: 20_791,
  guests: 2,
  locale: 'en-GB',
  partnerId: 'acme',
  total: '300.00',
  currency: 'EUR',
  expiresAtMs: EXPIRES_MS,
});

describe('handoff inspect', () => {
  it('says everything that a value of ours says, and until when it is valid', async () => {
    const shown = {
      valid: true,
      quoteId: 'qt_1',
      propertyId: 'hotel-ponte',
      checkIn: '2026-12-01',
      checkOut: '2026-12-04',
      guests: 2,
      locale: 'en-GB',
      partnerId: 'acme',
      total: '300.00',
      currency: 'EUR',
      expiresAt: '2026-11-21T12:00:00.000Z',
      keyId: 'k1',
    };
    assert.deepEqual(await inspectHandoff(KEYS, VALUE, EXPIRES_MS - 1), { ...shown, expired: false });
    assert.deepEqual(await inspectHandoff(KEYS, VALUE, EXPIRES_MS), { ...shown, expired: true });
  });

  it('says nothing of a value of other keys', async () => {
    assert.equal(await inspectHandoff(keyringOf('k1', 2), VALUE, 0), undefined);
    assert.equal(await inspectHandoff(keyringOf('k2', 1), VALUE, 0), undefined);
  });
});
