/**
 * Makes quotes inside one process, on a SQLite of its own: of a property without discounts, and of the same property
 * with twenty, in turn. Everything is in them but HTTP: read, decide, price, seal, store.
 */
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../../src/handoff/handoff-keys.ts';
import { createQuote, type QuoteDeps } from '../../src/quotes/create-quote.ts';
import { decideStored } from '../../src/domain/quote-decision.ts';
import type { StoredProperty } from '../../src/storage/catalogue/store.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { parsePropertyDocument } from '../../src/supply/native/property-document.ts';
import { encodeProperty } from '../../src/supply/run/encode-property.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';
import { median } from '../measure/statistics.ts';

const TIMEZONE = 'Europe/Rome';
const TTL_SECONDS = 1800;
const NIGHTS = 7;
const DISCOUNTS = 20;
/** Quotes that are under way at once share their commits, as under load. */
const AT_ONCE = 50;
/** Long turns, because the system counts processor time in steps of milliseconds. */
const QUOTES_A_TURN = 400;
const DECISIONS_A_TURN = 3000;

const PLAIN = 'hotel-0';
const DISCOUNTED = 'hotel-1';

const today = localToday(TIMEZONE, systemClock());
const stay = { checkIn: today + 30, checkOut: today + 30 + NIGHTS, guests: 3 };

export interface DiscountTimes {
  /** Processor time of a quote, all threads, with twenty discounts against none: the median of the rounds. */
  readonly quoteRatio: number;
  readonly quoteMicros: number;
  /** Processor time of the decision alone, this thread. */
  readonly decisionMicros: number;
  readonly discountedDecisionMicros: number;
}

obeyOrders({
  ...DIAGNOSTICS,
  async time({ folder, rounds }: { folder: string; rounds: number }): Promise<DiscountTimes> {
    const storage = await openStorage(`sqlite:${join(folder, 'discounts.db')}`, { clock: systemClock });
    try {
      await storage.migrate();
      await storage.writeProperties([makeWrite(PLAIN, []), makeWrite(DISCOUNTED, makeDiscounts())]);
      return await timeQuotes(storage, rounds);
    } finally {
      await storage.close();
    }
  },
});

async function timeQuotes(storage: Storage, rounds: number): Promise<DiscountTimes> {
  const deps = makeDeps(storage);
  const plain = (await storage.findProperty(PLAIN))!;
  const discounted = (await storage.findProperty(DISCOUNTED))!;
  const ratios: number[] = [];
  const quotes: number[] = [];
  const decisions: number[] = [];
  const discountedDecisions: number[] = [];
  // The first rounds are for the compiler.
  for (let round = -Math.ceil(rounds / 4); round < rounds; round++) {
    // Who comes first changes, so that neither always meets what the other one left behind.
    const order = round % 2 === 0 ? [PLAIN, DISCOUNTED] : [DISCOUNTED, PLAIN];
    const micros: Record<string, number> = {};
    for (const propertyId of order) micros[propertyId] = await timeQuotesOf(deps, propertyId);
    const decision = timeDecisions(plain);
    const discountedDecision = timeDecisions(discounted);
    if (round < 0) continue;
    ratios.push(micros[DISCOUNTED]! / micros[PLAIN]!);
    quotes.push(micros[PLAIN]!);
    decisions.push(decision);
    discountedDecisions.push(discountedDecision);
  }
  return {
    quoteRatio: median(ratios),
    quoteMicros: median(quotes),
    decisionMicros: median(decisions),
    discountedDecisionMicros: median(discountedDecisions),
  };
}

async function timeQuotesOf(deps: QuoteDeps, propertyId: string): Promise<number> {
  const request = {
    ...stay,
    propertyId,
    locale: 'en-GB' as const,
    partnerId: 'partner',
    credentialId: 'credential',
  };
  const before = process.cpuUsage();
  for (let made = 0; made < QUOTES_A_TURN; made += AT_ONCE) {
    const created = await Promise.all(Array.from({ length: AT_ONCE }, () => createQuote(deps, request)));
    if (created.some(({ refusal }) => refusal !== undefined)) throw new Error('a quote was refused');
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / QUOTES_A_TURN;
}

function timeDecisions(stored: StoredProperty): number {
  const moment = { nowMs: systemClock(), horizonNights: HORIZON_NIGHTS };
  const before = process.threadCpuUsage();
  for (let made = 0; made < DECISIONS_A_TURN; made++) decideStored(stored, stay, moment);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / DECISIONS_A_TURN;
}

function makeDeps(storage: Storage): QuoteDeps {
  const secret = Buffer.from(systemRandom(32)).toString('base64');
  const key = { keyId: 'hk_1', secret, createdAtMs: systemClock(), retiredAtMs: null, revision: 1 };
  const keyring: HandoffKeyring = buildHandoffKeyring([key], TTL_SECONDS)!;
  return {
    storage,
    isVisible: () => true,
    handoffKeys: () => keyring,
    handoffBaseUrl: 'https://stay.example/handoff',
    quoteTtlSeconds: TTL_SECONDS,
    horizonNights: HORIZON_NIGHTS,
    isTest: false,
    noteStored: () => undefined,
    clock: systemClock,
    random: systemRandom,
  };
}

/** All apply to the stay; the one that counts is the last one listed. */
function makeDiscounts(): object[] {
  const dates = { stayFrom: formatLocalDate(today), stayTo: formatLocalDate(today + HORIZON_NIGHTS) };
  return Array.from({ length: DISCOUNTS }, (_, index) => ({
    code: `discount-${index}`,
    percent: `${index + 1}.5`,
    minNights: 2,
    maxAdvanceDays: 365,
    ...(index % 2 === 0 ? dates : { bookTo: formatLocalDate(today + 1) }),
    ...(index % 4 === 0 ? { inventoryTypeIds: ['double'] } : {}),
  }));
}

/** Two types, extra guests, weekends, two taxes: as hotels have it. */
function makeWrite(propertyId: string, discounts: readonly object[]) {
  const [dateFrom, dateTo] = [formatLocalDate(today), formatLocalDate(today + HORIZON_NIGHTS)];
  const read = parsePropertyDocument({
    propertyId,
    name: 'Bridge Hotel',
    propertyType: 'hotel',
    location: { city: 'Venezia', country: 'IT' },
    bathrooms: 1,
    currency: 'EUR',
    timezone: TIMEZONE,
    cleaningFee: '40.00',
    taxes: [
      { code: 'city-tax', kind: 'city_tax', logic: 'per_person_per_night', amount: '4.00', maxNights: 5 },
      { code: 'vat', kind: 'tax', logic: 'percent', percent: '10' },
    ],
    discounts,
    inventoryTypes: ['double', 'suite'].map((inventoryTypeId, index) => ({
      inventoryTypeId,
      name: inventoryTypeId,
      guestsMax: 4,
      includedGuests: 2,
      extraGuestRate: '15.00',
      calendar: [
        { dateFrom, dateTo, availability: 3, rate: `${120 + 40 * index}.00` },
        { dateFrom, dateTo, weekdays: ['fri', 'sat'], rate: `${150 + 40 * index}.00` },
      ],
    })),
  });
  if (!read.ok) throw new Error(`${read.field}: ${read.reason}`);
  return encodeProperty(read.property, read.entries, { source: 'bench', horizonNights: HORIZON_NIGHTS });
}
