/**
 * Invented quotes of the sample's partner, and what became of them, so that the funnel of the demo is one. They go in
 * through the ports that real ones use, and their ids begin with `qt_sample`.
 */
import { DAY_MS, formatLocalDate, type EpochDay, MINUTE_MS } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { formatStoredBreakdown } from '../../../partner/quotes/present-quote.ts';
import type { HandoffVisit } from '../../../storage/attribution/store.ts';
import type { ConversionReport } from '../../../storage/conversions/store.ts';
import type { QuoteRow } from '../../../storage/quotes/store.ts';
import type { Storage } from '../../../storage/storage.ts';

/** Numbers below `end`. */
type Draw = (end: number) => number;

export type SampleQuoteStores = Pick<Storage, 'insertQuote' | 'recordVisits' | 'recordConversion'>;

interface SampleQuotes {
  /** Whose quotes they are. */
  readonly names: Pick<QuoteRow, 'partnerId' | 'credentialId'>;
  readonly days: readonly EpochDay[];
  readonly draw: Draw;
}

/** A property of the sample, with a type of it. */
const PROPERTY = { propertyId: 'hotel-ponte-venezia', inventoryTypeId: 'double' };
const QUOTES_PER_DAY = 8;
const TTL_MS = 1_800_000;
const RATE = 12_000;

/** Two of three are opened, one of eight at another price; half of those go on, and a third of these book. */
export async function writeSampleQuotes(
  storage: SampleQuoteStores,
  { names, days, draw }: SampleQuotes,
): Promise<void> {
  const quotes = days.flatMap((day) =>
    Array.from({ length: QUOTES_PER_DAY + draw(QUOTES_PER_DAY) }, (_, index) =>
      quoteOf(names, day, index, draw),
    ),
  );
  await Promise.all(quotes.map((quote) => storage.insertQuote(quote)));
  const visits = quotes.filter(() => draw(3) > 0).map((quote) => visitOf(quote, draw));
  await storage.recordVisits(visits);
  const booked = visits.filter(({ continuedAtMs }) => continuedAtMs !== null && draw(3) === 0);
  for (const visit of booked) await storage.recordConversion(bookingOf(visit, draw));
}

function quoteOf(names: SampleQuotes['names'], day: EpochDay, index: number, draw: Draw): QuoteRow {
  const quoteId = `qt_sample${String(day * 100 + index).padStart(15, '0')}`;
  const createdAtMs = day * DAY_MS + draw(DAY_MS - TTL_MS);
  const expiresAtMs = createdAtMs + TTL_MS;
  const first = day + 10 + draw(60);
  const count = 1 + draw(5);
  const date = (night: EpochDay): string => formatLocalDate(night);
  const rate = formatMoney(RATE);
  const total = formatMoney(RATE * count);
  const nights = Array.from({ length: count }, (_, night) => ({
    date: date(first + night),
    rate,
    extraGuests: formatMoney(0),
    price: rate,
  }));
  const stay = { checkIn: date(first), checkOut: date(first + count), nights: count, guests: 2 };
  const costs = { accommodation: total, cleaningFee: formatMoney(0), taxes: formatMoney(0), total };
  const answer = {
    quoteId,
    propertyId: PROPERTY.propertyId,
    stay: { ...stay, timezone: 'Europe/Rome' },
    pricing: { mode: 'indicative', ...costs, pricePreservedInHandoff: false },
    currency: 'EUR',
    expiresAt: new Date(expiresAtMs).toISOString(),
    // No link: nobody was given one.
    handoffUrl: '',
  };
  return {
    quoteId,
    ...PROPERTY,
    ...names,
    locale: 'en-GB',
    createdAtMs,
    expiresAtMs,
    isTest: false,
    answer: JSON.stringify(answer),
    breakdown: formatStoredBreakdown({ discount: null, nights, taxes: [] }),
  };
}

function visitOf({ quoteId, createdAtMs }: QuoteRow, draw: Draw): HandoffVisit {
  const firstOpenedAtMs = createdAtMs + (1 + draw(20)) * MINUTE_MS;
  const outcome = draw(8) === 0 ? 'price_changed' : 'unchanged';
  const priceChangePerMille = outcome === 'price_changed' ? draw(200) - 50 : null;
  const continuedAtMs = draw(2) === 0 ? firstOpenedAtMs + MINUTE_MS : null;
  const openedCount = 1 + draw(2);
  return { quoteId, openedCount, firstOpenedAtMs, outcome, priceChangePerMille, continuedAtMs };
}

function bookingOf({ quoteId, continuedAtMs }: HandoffVisit, draw: Draw): ConversionReport {
  const reference = `sample-${quoteId.slice(-9)}`;
  const atMs = (continuedAtMs ?? 0) + 10 * MINUTE_MS;
  return { quoteId, reference, status: 'booked', total: RATE * (1 + draw(5)), currency: 'EUR', atMs };
}
