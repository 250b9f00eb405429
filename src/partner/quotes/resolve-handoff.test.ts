import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { makeDiscount } from '../../../test/kit/property-fixtures.ts';
import type { Property } from '../../domain/property.ts';
import { systemRandom } from '../../runtime/random.ts';
import { createQuote } from './create-quote.ts';
import {
  bridgeHotel,
  december,
  HORIZON_NIGHTS,
  makeKeyring,
  NOW_MS,
  QUOTE_TTL_SECONDS,
  quoteDeps,
  quoteRequest,
} from '../../../test/kit/quote-fixtures.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { ensureHandoffKey, rotateHandoffKey } from '../../handoff/key-changes.ts';
import { openHandoff, sealHandoff } from '../../handoff/handoff-value.ts';
import { inspectHandoff } from '../../handoff/inspect-handoff.ts';
import type { CheckDeps } from './check-handoff.ts';
import { resolveHandoff } from './resolve-handoff.ts';

const KEYRING = makeKeyring('hk_1');
const EXPIRES_AT_MS = NOW_MS + QUOTE_TTL_SECONDS * 1000;

let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());
beforeEach(() => write({ visibleTo: ['acme'] }));

const write = (changes: Partial<Property> = {}, rate = 12_000) =>
  database.storage.writeProperties([
    bridgeHotel({ visibleTo: ['acme'], ...changes }, [[december({ rate })], []]),
  ]);
const deps = (changes: Partial<CheckDeps> = {}): CheckDeps => ({
  storage: database.storage,
  findTestProperty: async () => undefined,
  handoffKeys: () => KEYRING,
  horizonNights: HORIZON_NIGHTS,
  clock: () => NOW_MS,
  ...changes,
});

async function quotedValue(keyring: HandoffKeyring = KEYRING) {
  const created = await createQuote(
    quoteDeps(database.storage, { handoffKeys: () => keyring }),
    quoteRequest(),
  );
  assert.ok(created.refusal === undefined);
  const value = new URL(created.quote.handoffUrl).searchParams.get('handoff');
  assert.ok(value);
  return { value, quote: created.quote };
}
async function resolved(value: string, changes: Partial<CheckDeps> = {}) {
  const resolution = await resolveHandoff(deps(changes), value);
  assert.ok(resolution.refusal === undefined);
  return resolution;
}

const invalid = async (value: string, changes: Partial<CheckDeps> = {}) =>
  assert.deepEqual(await resolveHandoff(deps(changes), value), { refusal: 'HANDOFF_INVALID' });

const keyDeps = () => ({
  storage: database.storage,
  clock: () => NOW_MS,
  random: systemRandom,
  quoteTtlSeconds: QUOTE_TTL_SECONDS,
});
const readKeyring = async () => {
  const keyring = buildHandoffKeyring((await database.storage.readAccess()).handoffKeys, QUOTE_TTL_SECONDS);
  assert.ok(keyring);
  return keyring;
};

describe('resolveHandoff', () => {
  it('answers unchanged, with what the quote bound and the price of now', async () => {
    const { value, quote } = await quotedValue();
    assert.deepEqual(await resolveHandoff(deps(), value), {
      outcome: 'unchanged',
      quoteId: quote.quoteId,
      propertyId: 'hotel-ponte',
      stay: quote.stay,
      locale: 'it-IT',
      partnerId: 'acme',
      currency: 'EUR',
      quotedTotal: '464.00',
      currentTotal: '464.00',
      pricing: quote.pricing,
      currentCurrency: 'EUR',
      expiresAt: quote.expiresAt,
      test: false,
    });
  });

  it('answers price_changed with the old total, the new one and its parts', async () => {
    const { value } = await quotedValue();
    await write({}, 13_000);
    const resolution = await resolved(value);
    assert.equal(resolution.outcome, 'price_changed');
    assert.equal(resolution.quotedTotal, '464.00');
    assert.equal(resolution.currentTotal, '497.00');
    assert.equal(resolution.pricing?.accommodation, '390.00');
    assert.equal(resolution.pricing.total, '497.00');
  });

  it('answers price_changed with both totals when a discount ended, began or is another one', async () => {
    const discount = makeDiscount({ percent: '12.5', bookTo: '2026-11-20' });
    await write({ discounts: [discount] });
    const { value } = await quotedValue();
    assert.equal((await resolved(value)).outcome, 'unchanged');
    const totalsAfter = async (discounts: Property['discounts']) => {
      await write(discounts === undefined ? {} : { discounts });
      const { outcome, quotedTotal, currentTotal, pricing } = await resolved(value);
      return [outcome, quotedTotal, currentTotal, pricing?.accommodation];
    };
    assert.deepEqual(await totalsAfter(undefined), ['price_changed', '414.50', '464.00', '360.00']);
    const higher = { ...discount, percent: '50' };
    assert.deepEqual(await totalsAfter([higher]), ['price_changed', '414.50', '266.00', '180.00']);
    const ended = { ...discount, bookTo: '2026-11-19' };
    assert.deepEqual(await totalsAfter([ended]), ['price_changed', '414.50', '464.00', '360.00']);
    const begun = { ...discount, code: 'better', percent: '25' };
    assert.deepEqual(await totalsAfter([discount, begun]), ['price_changed', '414.50', '365.00', '270.00']);
    // The name of a discount is not a price.
    const renamed = { ...discount, code: 'other', name: 'Other' };
    assert.deepEqual(await totalsAfter([renamed]), ['unchanged', '414.50', '414.50', '315.00']);
  });

  it('answers price_changed when the last day of a discount ends before the quote does', async () => {
    // Ten minutes before midnight in Rome.
    const quotedAtMs = Date.UTC(2026, 10, 20, 22, 50);
    await write({ discounts: [makeDiscount({ percent: '12.5', bookTo: '2026-11-20' })] });
    const at = (minutes: number) => ({ clock: () => quotedAtMs + minutes * 60_000 });
    const deps = quoteDeps(database.storage, { handoffKeys: () => KEYRING, ...at(0) });
    const created = await createQuote(deps, quoteRequest());
    assert.ok(created.refusal === undefined);
    const value = new URL(created.quote.handoffUrl).searchParams.get('handoff') ?? '';
    assert.equal((await resolved(value, at(9))).outcome, 'unchanged');
    const { outcome, quotedTotal, currentTotal } = await resolved(value, at(10));
    assert.deepEqual([outcome, quotedTotal, currentTotal], ['price_changed', '414.50', '464.00']);
  });

  it('answers price_changed when the currency is another one', async () => {
    const { value } = await quotedValue();
    await write({ currency: 'CHF' });
    const resolution = await resolved(value);
    assert.equal(resolution.outcome, 'price_changed');
    assert.deepEqual([resolution.currency, resolution.currentCurrency], ['EUR', 'CHF']);
  });

  it('answers unchanged again when the price came back', async () => {
    const { value } = await quotedValue();
    await write({}, 13_000);
    await write();
    assert.equal((await resolved(value)).outcome, 'unchanged');
  });

  const losses: Record<string, () => Promise<unknown>> = {
    'the nights are sold': () => database.storage.writeProperties([bridgeHotel({}, [[], []])]),
    'a night lost its rate': () => database.storage.writeProperties([bridgeHotel({}, [[december()], []])]),
    'the property is hidden from the partner': () => write({ visibleTo: ['beta'] }),
    'the property no longer quotes': () => write({ quoting: false }),
    'the property is withdrawn': () => database.storage.withdrawProperties(['hotel-ponte']),
  };
  for (const [what, lose] of Object.entries(losses)) {
    it(`answers unavailable when ${what}`, async () => {
      const { value, quote } = await quotedValue();
      await lose();
      const resolution = await resolved(value);
      assert.equal(resolution.outcome, 'unavailable');
      assert.deepEqual(
        [resolution.currentTotal, resolution.pricing, resolution.currentCurrency],
        [null, null, null],
      );
      assert.equal(resolution.quotedTotal, '464.00');
      assert.deepEqual(resolution.stay, quote.stay);
    });
  }

  it('answers expired from the instant of expiry, whatever became of the stay', async () => {
    const { value } = await quotedValue();
    const at = (nowMs: number) => resolved(value, { clock: () => nowMs });
    assert.equal((await at(EXPIRES_AT_MS - 1)).outcome, 'unchanged');
    const { outcome, currentTotal, pricing, currentCurrency } = await at(EXPIRES_AT_MS);
    assert.deepEqual([outcome, currentTotal, pricing, currentCurrency], ['expired', null, null, null]);
    await database.storage.withdrawProperties(['hotel-ponte']);
    const resolution = await at(EXPIRES_AT_MS);
    assert.equal(resolution.outcome, 'expired');
    assert.equal(resolution.currentTotal, null);
  });
});

describe('HANDOFF_INVALID', () => {
  it('is the answer to anything that we did not seal', async () => {
    const { value } = await quotedValue();
    for (const text of ['', 'x', value.slice(1), `${value}A`, value.toUpperCase()]) await invalid(text);
    await invalid(value, { handoffKeys: () => makeKeyring('hk_1') });
  });

  it('is the answer to a forged value also after the quote has expired', async () => {
    const { value } = await quotedValue();
    await invalid(`${value}A`, { clock: () => EXPIRES_AT_MS });
  });

  it('is the answer to a value of ours whose quote is not stored here', async () => {
    const value = sealHandoff(KEYRING, {
      ...quoteRequest(),
      quoteId: 'qt_elsewhere',
      total: '464.00',
      currency: 'EUR',
      expiresAtMs: EXPIRES_AT_MS,
    });
    await invalid(value);
  });

  it('is the answer to a value that differs from the stored quote in any field, though it is sealed', async () => {
    const { value } = await quotedValue();
    const opened = await openHandoff(KEYRING, value, NOW_MS);
    assert.ok(opened.ok);
    const { handoff } = opened;
    const other = await quotedValue();
    const forged = {
      quoteId: other.quote.quoteId,
      propertyId: 'other',
      checkIn: handoff.checkIn - 1,
      checkOut: handoff.checkOut + 1,
      guests: 1,
      locale: 'en-GB',
      partnerId: 'beta',
      total: '4.64',
      currency: 'USD',
      expiresAtMs: handoff.expiresAtMs + 1,
    } as const;
    assert.deepEqual(Object.keys(forged).toSorted(), Object.keys(handoff).toSorted());
    assert.equal((await resolved(sealHandoff(KEYRING, handoff))).outcome, 'unchanged');
    for (const [name, wrong] of Object.entries(forged)) {
      // The other quote says the same of the same stay, so it vouches for a value that names it.
      if (name === 'quoteId') continue;
      await invalid(sealHandoff(KEYRING, { ...handoff, [name]: wrong }));
    }
  });
});

describe('handoff keys in the database', () => {
  it('processes that start at once create one handoff key together', async () => {
    const keyrings = await Promise.all([ensureHandoffKey(keyDeps()), ensureHandoffKey(keyDeps())]);
    assert.equal(keyrings[0].signing.keyId, keyrings[1].signing.keyId);
    assert.equal((await database.storage.readAccess()).handoffKeys.length, 1);
    assert.equal((await ensureHandoffKey(keyDeps())).signing.keyId, keyrings[0].signing.keyId);
  });

  it('rotate: the new one signs, values of the old one still resolve', async () => {
    const first = await ensureHandoffKey(keyDeps());
    const { value } = await quotedValue(first);
    const { keyId } = await rotateHandoffKey(keyDeps());
    const rotated = await readKeyring();
    assert.equal(rotated.signing.keyId, keyId);
    assert.equal((await resolved(value, { handoffKeys: () => rotated })).outcome, 'unchanged');
  });

  it('are looked for when a value names one that this process has not seen yet', async () => {
    const stale = await readKeyring();
    await rotateHandoffKey(keyDeps());
    const { value } = await quotedValue(await readKeyring());
    const resolution = await resolved(value, { handoffKeys: () => stale, findNewHandoffKeys: readKeyring });
    assert.equal(resolution.outcome, 'unchanged');
    assert.deepEqual(await resolveHandoff(deps({ handoffKeys: () => stale }), value), {
      refusal: 'HANDOFF_INVALID',
    });
  });
});

describe('inspectHandoff', () => {
  it('shows what a value says, expired or not', async () => {
    const { value, quote } = await quotedValue();
    const shown = {
      valid: true,
      expired: false,
      quoteId: quote.quoteId,
      propertyId: 'hotel-ponte',
      checkIn: '2026-12-01',
      checkOut: '2026-12-04',
      guests: 2,
      locale: 'it-IT',
      partnerId: 'acme',
      total: '464.00',
      currency: 'EUR',
      expiresAt: quote.expiresAt,
      keyId: 'hk_1',
    };
    assert.deepEqual(await inspectHandoff(KEYRING, value, NOW_MS), shown);
    assert.deepEqual(await inspectHandoff(KEYRING, value, EXPIRES_AT_MS), { ...shown, expired: true });
  });

  it('shows nothing of a value that is not ours', async () => {
    assert.equal(await inspectHandoff(KEYRING, 'x', NOW_MS), undefined);
  });
});
