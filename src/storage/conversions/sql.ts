/** Bookings of quotes. */
import { DAY_MS } from '../../domain/local-date.ts';
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack, type WriteResult } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Days, readByParts } from '../portable-sql/days-by-parts.ts';
import { change, ordinary, type Program, rows } from '../portable-sql/program.ts';
import { storeQuoteEvent } from '../webhooks/outbox.ts';
import {
  type Conversion,
  CONVERSIONS_PER_QUOTE_MAX,
  type ConversionConflict,
  type ConversionDay,
  type ConversionOutcome,
  type ConversionReport,
  type ConversionStore,
  type ConversionTotal,
} from './store.ts';

/** PostgreSQL gives integers of 64 bits as numbers, but sums and counts as text. */
type Sum = number | string;

interface ConversionRow {
  readonly quote_id: string;
  readonly booked_at_ms: number | null;
  readonly cancelled_at_ms: number | null;
  readonly total: number | null;
  readonly currency: string | null;
}

interface QuoteOfConversion {
  readonly partner_id: string;
  readonly property_id: string;
  readonly created_at_ms: number;
  readonly is_test: number;
  readonly answer: string;
}

const KNOWN = { kind: 'known' } as const;
const RECORDED = { kind: 'recorded' } as const;

const record = ordinary('recordConversion', function* (report: ConversionReport) {
  const before = yield* findConversion(report.reference);
  if (before !== undefined) return yield* applyToKnown(report, before);
  const quote = yield* findQuote(report.quoteId);
  if (quote === undefined) return rollBack<ConversionOutcome>({ kind: 'quoteUnknown' });
  const currency = currencyOf(quote);
  if (report.currency !== null && report.currency !== currency)
    return rollBack<ConversionOutcome>({ kind: 'currencyDiffers', currency });
  if ((yield* countOfQuote(report.quoteId)) >= CONVERSIONS_PER_QUOTE_MAX)
    return rollBack<ConversionOutcome>({ kind: 'conflict', reason: 'tooMany' });
  if (yield* insertConversion(report, quote)) {
    yield* announceFirstBooking(report, quote);
    return commit<ConversionOutcome>(RECORDED);
  }
  // Somebody else reported the reference since the first look.
  return yield* applyToKnown(report, (yield* findConversion(report.reference))!);
});

const WRITES = [record];

const TABLES = [{ name: 'conversions', time: 'day', unit: 1 }];

export const conversionConcern = concern(WRITES, conversionStore);

function conversionStore({ read, write, daysAtOnce }: RunnerOf<typeof WRITES>): ConversionStore {
  return {
    async recordConversion(report) {
      assertStorableRow(report);
      return write(record, report);
    },
    listConversions: (quoteId) => read(selectOfQuote(quoteId)),
    async readConversions(from, to) {
      const parts = await readByParts({ from, to }, { read, daysAtOnce, tables: TABLES }, selectConversions);
      return {
        days: parts.flatMap(({ days }) => days),
        totals: parts.flatMap(({ totals }) => totals),
      };
    },
  };
}

function* applyToKnown(
  report: ConversionReport,
  before: ConversionRow,
): Program<WriteResult<ConversionOutcome>> {
  const reason = findConflict(report, before);
  if (reason !== undefined) return rollBack<ConversionOutcome>({ kind: 'conflict', reason });
  if (report.status === 'booked') return rollBack<ConversionOutcome>(KNOWN);
  const changed = yield* change(
    'UPDATE conversions SET cancelled_at_ms = ? WHERE reference = ? AND cancelled_at_ms IS NULL',
    [report.atMs, report.reference],
  );
  return changed === 0 ? rollBack<ConversionOutcome>(KNOWN) : commit<ConversionOutcome>(RECORDED);
}

/** A cancellation may leave its total out; a booking says it again, or is another booking. */
function findConflict(
  { quoteId, status, total, currency }: ConversionReport,
  before: ConversionRow,
): ConversionConflict | undefined {
  if (before.quote_id !== quoteId) return 'otherQuote';
  if (status === 'booked' && before.cancelled_at_ms !== null) return 'cancelledBefore';
  const isTotalTold = status === 'booked' || total !== null;
  return isTotalTold && (before.total !== total || before.currency !== currency) ? 'otherTotal' : undefined;
}

function* selectOfQuote(quoteId: string): Program<Conversion[]> {
  const found = yield* rows<Conversion>(
    `SELECT reference, total, currency, booked_at_ms AS "bookedAtMs", cancelled_at_ms AS "cancelledAtMs"
     FROM conversions WHERE quote_id = ? ORDER BY reference`,
    [quoteId],
  );
  return found.map((row) => ({ ...row }));
}

function* findConversion(reference: string): Program<ConversionRow | undefined> {
  const found = yield* rows<ConversionRow>(
    'SELECT quote_id, booked_at_ms, cancelled_at_ms, total, currency FROM conversions WHERE reference = ?',
    [reference],
  );
  return found[0];
}

function* findQuote(quoteId: string): Program<QuoteOfConversion | undefined> {
  const found = yield* rows<QuoteOfConversion>(
    'SELECT partner_id, property_id, created_at_ms, is_test, answer FROM quotes WHERE quote_id = ?',
    [quoteId],
  );
  return found[0];
}

function* countOfQuote(quoteId: string): Program<number> {
  const found = yield* rows<{ readonly n: Sum }>('SELECT count(*) AS n FROM conversions WHERE quote_id = ?', [
    quoteId,
  ]);
  return Number(found[0]!.n);
}

/** The stored answer is the contract's quote. */
function currencyOf({ answer }: QuoteOfConversion): string {
  return (JSON.parse(answer) as { readonly currency: string }).currency;
}

/** False when the reference is there by now. */
function* insertConversion(report: ConversionReport, quote: QuoteOfConversion): Program<boolean> {
  const { reference, quoteId, status, total, currency, atMs } = report;
  const isBooked = status === 'booked';
  const inserted = yield* change(
    `INSERT INTO conversions
       (reference, quote_id, partner_id, day, is_test, booked_at_ms, cancelled_at_ms, total, currency)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
    [
      reference,
      quoteId,
      quote.partner_id,
      Math.floor(quote.created_at_ms / DAY_MS),
      quote.is_test,
      isBooked ? atMs : null,
      isBooked ? null : atMs,
      total,
      currency,
    ],
  );
  return inserted > 0;
}

function* announceFirstBooking(
  { quoteId, status, atMs }: ConversionReport,
  { is_test, partner_id: partnerId, property_id: propertyId }: QuoteOfConversion,
): Program<void> {
  if (status !== 'booked' || is_test === 1) return;
  const [booked] = yield* rows<{ readonly n: Sum }>(
    'SELECT count(*) AS n FROM conversions WHERE quote_id = ? AND booked_at_ms IS NOT NULL',
    [quoteId],
  );
  if (Number(booked!.n) === 1)
    yield* storeQuoteEvent({ event: 'quote.converted', quoteId, propertyId, partnerId, atMs });
}

/** A quote counts once, however many bookings it has; its totals are added up. */
function* selectConversions({
  from,
  to,
}: Days): Program<{ days: ConversionDay[]; totals: ConversionTotal[] }> {
  const days = yield* rows<{ day: number; partner_id: string; converted: Sum; cancelled: Sum }>(
    `SELECT day, partner_id,
       count(DISTINCT CASE WHEN booked_at_ms IS NOT NULL THEN quote_id END) AS converted,
       count(DISTINCT CASE WHEN cancelled_at_ms IS NOT NULL THEN quote_id END) AS cancelled
     FROM conversions WHERE day BETWEEN ? AND ? AND is_test = 0 GROUP BY day, partner_id`,
    [from, to],
  );
  const totals = yield* rows<{ day: number; partner_id: string; currency: string; total: Sum }>(
    `SELECT day, partner_id, currency, sum(total) AS total
     FROM conversions
     WHERE day BETWEEN ? AND ? AND is_test = 0 AND total IS NOT NULL AND cancelled_at_ms IS NULL
     GROUP BY day, partner_id, currency`,
    [from, to],
  );
  return {
    days: days.map((row) => ({
      day: row.day,
      partnerId: row.partner_id,
      converted: Number(row.converted),
      cancelled: Number(row.cancelled),
    })),
    totals: totals.map((row) => ({
      day: row.day,
      partnerId: row.partner_id,
      currency: row.currency,
      total: Number(row.total),
    })),
  };
}
