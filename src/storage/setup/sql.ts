/** Setup progress of an installation, from a few rows of each table, in both engines. */
import { EMPTY_CALENDAR } from '../../domain/calendar.ts';
import { encodeRates } from '../../domain/calendar-codec.ts';
import { lowestRateAt } from '../../domain/lowest-rates.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Program, rows, type Value } from '../portable-sql/program.ts';
import type { SetupFacts, SetupStore } from './store.ts';

/** Recently changed properties to check for a price and a picture. */
export const SETUP_PROPERTIES_MAX = 1_000;

export const setupConcern = concern([], setupStore);

function setupStore({ read }: RunnerOf<[]>): SetupStore {
  return {
    readSetup: (today, nowMs) => read(readSetup(today, nowMs)),
    hasQuote: () => read(hasQuote()),
  };
}

function* readSetup(today: number, nowMs: number): Program<SetupFacts> {
  return {
    hasPasskey: yield* hasRow('SELECT 1 FROM passkeys'),
    hasProperties: yield* hasRow('SELECT 1 FROM properties WHERE withdrawn = 0'),
    hasPictures: yield* hasDetail('%"images":[{%'),
    hasBookingSites: yield* hasDetail('%"bookingUrl":"http%'),
    hasPrices: yield* hasPrices(today),
    unpricedCount: yield* countUnpriced(),
    hasCalendars:
      (yield* hasRow('SELECT 1 FROM ical_feeds')) || (yield* hasRow('SELECT 1 FROM connection_rooms')),
    hasPartner: yield* hasRow('SELECT 1 FROM partners WHERE disabled = 0'),
    hasCredential: yield* hasRow(
      `SELECT 1 FROM credentials
       WHERE revoked_at_ms IS NULL AND is_test = 0 AND (expires_at_ms IS NULL OR expires_at_ms > ?)`,
      [nowMs],
    ),
    hasQuote: yield* hasQuote(),
  };
}

function* hasQuote(): Program<boolean> {
  return yield* hasRow('SELECT 1 FROM quotes WHERE is_test = 0');
}

function* hasRow(select: string, values: readonly Value[] = []): Program<boolean> {
  return (yield* rows(`${select} LIMIT 1`, values)).length > 0;
}

const LAST_CHANGED = `SELECT property_id, lowest_rates FROM properties
  WHERE withdrawn = 0 ORDER BY revision DESC, property_id DESC LIMIT ${SETUP_PROPERTIES_MAX}`;

/** Stored JSON escapes quotes within texts, so no text can look like a name. */
function* hasDetail(pattern: string): Program<boolean> {
  return yield* hasRow(
    `SELECT 1 FROM (${LAST_CHANGED}) AS newest JOIN property_details d ON d.property_id = newest.property_id
     WHERE d.details LIKE ?`,
    [pattern],
  );
}

/** A stored calendar without rates has just these bytes, and one with rates more. */
const NO_RATES_BYTES = encodeRates(EMPTY_CALENDAR).length;

function* countUnpriced(): Program<number> {
  const [found] = yield* rows<{ readonly count: number | bigint }>(
    `SELECT COUNT(*) AS count FROM (${LAST_CHANGED}) AS newest WHERE NOT EXISTS (
       SELECT 1 FROM inventory_types t WHERE t.property_id = newest.property_id AND length(t.rates) > ${NO_RATES_BYTES})`,
  );
  return Number(found?.count ?? 0);
}

function* hasPrices(today: number): Program<boolean> {
  const found = yield* rows<{ readonly lowest_rates: Uint8Array }>(LAST_CHANGED);
  return found.some((row) => lowestRateAt(row.lowest_rates, today) !== null);
}
