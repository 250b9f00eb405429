/** Answers by partner, operation, code and duration: per minute, per day, and per day over all partners. */
import { DAY_MS } from '../../domain/local-date.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { change, ordinary, type Program, rows, type Value } from '../portable-sql/program.ts';
import { addRows, type Counted, deleteOldest, limited, type Sum } from './counted-rows.ts';
import type { DayRange, RefusalCount, TrafficRow } from './store.ts';
import { DURATION_COLUMNS, readLastKeptDay } from './sums.ts';

const TRAFFIC: Omit<Counted<TrafficRow>, 'table'> = {
  columns: ['from_ms', 'partner_id', 'credential_id', 'operation', 'code', ...DURATION_COLUMNS],
  keyLength: 5,
  values: (row) => [row.fromMs, row.partnerId, row.credentialId, row.operation, row.code, ...row.durations],
};
export const MINUTES: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_minutes' };
const DAYS: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_days' };

const SUMS: Counted<TrafficOfCode> = {
  table: 'traffic_sums',
  columns: ['from_ms', 'operation', 'code', ...DURATION_COLUMNS],
  keyLength: 3,
  values: (row) => [row.fromMs, row.operation, row.code, ...row.durations],
};
type TrafficOfCode = Omit<TrafficRow, 'partnerId' | 'credentialId'>;

/**
 * Adds exactly the rows that it deletes. A slice that is added to the same minute meanwhile is either included or
 * stays.
 */
export const rollUpTraffic = ordinary('rollUpTraffic', function* (beforeMs: number, limit: number) {
  const { table, columns, keyLength } = MINUTES;
  const keys = columns.slice(0, keyLength).join(', ');
  const deleted = yield* selectTraffic(
    `DELETE FROM ${table} WHERE (${keys}) IN
       (SELECT ${keys} FROM ${table} WHERE from_ms < ? ORDER BY from_ms LIMIT ?)
     RETURNING ${columns.join(', ')}`,
    [beforeMs, limit],
  );
  if (deleted.length === 0) return rollBack(0);
  const days = addUp(
    DAYS,
    deleted.map((row) => ({ ...row, fromMs: Math.floor(row.fromMs / DAY_MS) * DAY_MS })),
  );
  yield* addRows(DAYS, days);
  // Minutes written after their day was already summed.
  const lastKept = (yield* readLastKeptDay()) * DAY_MS;
  const late = days.filter(({ fromMs }) => fromMs <= lastKept);
  yield* addRows(SUMS, addUp<TrafficOfCode>(SUMS, late));
  return commit(deleted.length);
});

/** Sums one day, the first without sums. So every day before the last summed one is summed too. */
export const keepTrafficSums = ordinary('keepTrafficSums', function* (beforeMs: number) {
  const sums = DURATION_COLUMNS.map((name) => `CAST(sum(${name}) AS bigint)`).join(', ');
  const kept = yield* change(
    `INSERT INTO traffic_sums (${SUMS.columns.join(', ')})
     SELECT from_ms, operation, code, ${sums} FROM traffic_days
     WHERE from_ms = (SELECT min(from_ms) FROM traffic_days WHERE from_ms >= ? AND from_ms < ?)
     GROUP BY from_ms, operation, code`,
    [((yield* readLastKeptDay()) + 1) * DAY_MS, beforeMs],
  );
  return kept === 0 ? rollBack(0) : commit(kept);
});

export const deleteTraffic = ordinary('deleteTraffic', function* (beforeMs: number, limit: number) {
  const deleted = yield* deleteOldest(DAYS, 'from_ms', { before: beforeMs, limit });
  // Delete the sums of a day only when all of its rows are gone: they could not be added up again.
  if (deleted < limit) yield* change('DELETE FROM traffic_sums WHERE from_ms < ?', [beforeMs]);
  return commit(deleted);
});

/** Adds up rows with the same key. */
function addUp<Row extends Pick<TrafficRow, 'durations'>>(
  { values, keyLength }: Counted<Row>,
  added: readonly Row[],
): Row[] {
  const keyOf = (row: Row): string => JSON.stringify(values(row).slice(0, keyLength));
  return [...Map.groupBy(added, keyOf).values()].map((same) => ({
    ...same[0]!,
    durations: DURATION_COLUMNS.map((_, bucket) =>
      same.reduce((sum, row) => sum + row.durations[bucket]!, 0),
    ),
  }));
}

export function* readTraffic({ from, to, partnerId, rowsMax }: DayRange): Program<TrafficRow[]> {
  const { columns, keyLength } = MINUTES;
  const ofPartner = partnerId === undefined ? '' : ' AND partner_id = ?';
  const one = (table: string): string =>
    `SELECT ${columns.join(', ')} FROM ${table} WHERE from_ms >= ? AND from_ms < ?${ofPartner}`;
  const values = [from * DAY_MS, (to + 1) * DAY_MS, ...(partnerId === undefined ? [] : [partnerId])];
  const limit = limited({ rowsMax });
  return yield* selectTraffic(
    `${one('traffic_days')} UNION ALL ${one('traffic_minutes')}
     ORDER BY ${columns.slice(0, keyLength).join(', ')}${limit.text}`,
    [...values, ...values, ...limit.values],
  );
}

type StoredTraffic = Readonly<Record<string, number>> & {
  readonly [name in 'partner_id' | 'credential_id' | 'operation' | 'code']: string;
};

function* selectTraffic(text: string, values: readonly Value[]): Program<TrafficRow[]> {
  const found = yield* rows<StoredTraffic>(text, values);
  return found.map((row) => ({
    fromMs: row['from_ms']!,
    partnerId: row.partner_id,
    credentialId: row.credential_id,
    operation: row.operation,
    code: row.code,
    durations: DURATION_COLUMNS.map((name) => row[name]!),
  }));
}

export function* countRefusals({
  fromMs,
  toMs,
  rowsMax,
}: {
  readonly fromMs: number;
  readonly toMs: number;
  readonly rowsMax: number;
}): Program<RefusalCount[]> {
  const found = yield* rows<{ partner_id: string; code: string; refused: Sum }>(
    `SELECT partner_id, code, sum(${DURATION_COLUMNS.join(' + ')}) AS refused FROM traffic_minutes
     WHERE from_ms >= ? AND from_ms < ? AND code <> '' AND code <> 'RATE_LIMIT_EXCEEDED'
     GROUP BY partner_id, code ORDER BY refused DESC, partner_id, code LIMIT ?`,
    [fromMs, toMs, rowsMax],
  );
  return found.map(({ partner_id: partnerId, code, refused }) => {
    return { partnerId, code, count: Number(refused) };
  });
}
