/** What happened: traffic, requests, demand. */
import { DAY_MS } from '../../domain/local-date.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { change, ordinary, type Program, type ProgramRunner, rows, type Value } from '../programs/program.ts';
import {
  type ActivitySlice,
  type ActivityStore,
  type DayRange,
  type DemandRow,
  DURATION_BUCKETS,
  type RequestFilter,
  type RequestRow,
  type TrafficRow,
  type UnknownPlaceRow,
} from './store.ts';

type Sum = number | string;

/** Columns as they are written and read: the first `keyLength` are the primary key, the rest are added up. */
interface Counted<Row> {
  readonly table: string;
  readonly columns: readonly string[];
  readonly keyLength: number;
  readonly values: (row: Row) => readonly Value[];
}

export const DURATION_COLUMNS = Array.from({ length: DURATION_BUCKETS }, (_, bucket) => `d${bucket}`);

const TRAFFIC: Omit<Counted<TrafficRow>, 'table'> = {
  columns: ['from_ms', 'partner_id', 'credential_id', 'operation', 'code', ...DURATION_COLUMNS],
  keyLength: 5,
  values: (row) => [
    ...[row.fromMs, row.partnerId, row.credentialId, row.operation, row.code],
    ...row.durations,
  ],
};
const MINUTES: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_minutes' };
const DAYS: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_days' };

const DEMAND: Counted<DemandRow> = {
  table: 'demand_days',
  columns: [
    ...['day', 'city', 'country', 'arrival_week', 'nights', 'guests', 'partner_id'],
    ...['searches', 'empty', 'looks'],
  ],
  keyLength: 7,
  values: (row) => [
    ...[row.day, row.city, row.country, row.arrivalWeek, row.nights, row.guests, row.partnerId],
    ...[row.searches, row.empty, row.looks],
  ],
};

const PLACES: Counted<UnknownPlaceRow> = {
  table: 'unknown_places',
  columns: ['day', 'place', 'searches'],
  keyLength: 2,
  values: (row) => [row.day, row.place, row.searches],
};

/** A request is written once: nothing of it is added up. */
const REQUESTS: Counted<RequestRow> = {
  table: 'request_log',
  columns: [
    ...[
      'at_ms',
      'correlation_id',
      'partner_id',
      'credential_id',
      'operation',
      'status',
      'code',
      'duration_us',
    ],
    ...['city', 'property_id', 'check_in', 'check_out', 'guests', 'page', 'total', 'quote_id'],
  ],
  keyLength: 2,
  values: (row) => [
    ...[row.atMs, row.correlationId, row.partnerId, row.credentialId, row.operation, row.status, row.code],
    ...[row.durationUs, row.city, row.propertyId, row.checkIn, row.checkOut, row.guests, row.page],
    ...[row.total, row.quoteId],
  ],
};

/** Rows of one statement: few lengths, so that few texts are prepared. */
const ROWS_AT_ONCE = [32, 8, 1] as const;

const recordActivity = ordinary('recordActivity', function* (slice: ActivitySlice) {
  const { writer, number, writtenAtMs, traffic, requests, demand, unknownPlaces } = slice;
  const taken = yield* change(
    `INSERT INTO activity_writers AS stored (writer, last_slice, written_at_ms) VALUES (?, ?, ?)
     ON CONFLICT (writer) DO UPDATE SET last_slice = excluded.last_slice, written_at_ms = excluded.written_at_ms
     WHERE stored.last_slice < excluded.last_slice`,
    [writer, number, writtenAtMs],
  );
  if (taken === 0) return rollBack(false);
  yield* addRows(MINUTES, traffic);
  yield* addRows(DEMAND, demand);
  yield* addRows(PLACES, unknownPlaces);
  yield* addRows(REQUESTS, requests, 'NOTHING');
  return commit(true);
});

/** What is deleted is what is added: a slice that adds to the same minute meanwhile is either in it or stays behind. */
const rollUpTraffic = ordinary('rollUpTraffic', function* (beforeMs: number, limit: number) {
  const { table, columns, keyLength } = MINUTES;
  const keys = columns.slice(0, keyLength).join(', ');
  const deleted = yield* selectTraffic(
    `DELETE FROM ${table} WHERE (${keys}) IN
       (SELECT ${keys} FROM ${table} WHERE from_ms < ? ORDER BY from_ms LIMIT ?)
     RETURNING ${columns.join(', ')}`,
    [beforeMs, limit],
  );
  if (deleted.length === 0) return rollBack(0);
  yield* addRows(DAYS, addUpByDay(deleted));
  return commit(deleted.length);
});

const deleteTraffic = deletion('deleteTraffic', 'traffic_days', 'from_ms', MINUTES.columns.slice(0, 5));
const deleteRequests = deletion('deleteRequests', 'request_log', 'at_ms', ['at_ms', 'correlation_id']);
const deleteDemand = deletion('deleteDemand', 'demand_days', 'day', DEMAND.columns.slice(0, 7));
const deletePlaces = deletion('deleteUnknownPlaces', 'unknown_places', 'day', ['day', 'place']);
const deleteWriters = deletion('deleteWriters', 'activity_writers', 'written_at_ms', ['writer']);

export const ACTIVITY_WRITES = [
  ...[recordActivity, rollUpTraffic, deleteTraffic, deleteRequests, deleteDemand, deletePlaces],
  deleteWriters,
];

export function activityStore({ read, write }: ProgramRunner): ActivityStore {
  return {
    recordActivity: (slice) => write(recordActivity, slice),
    readTraffic: (range) => read(readTraffic(range)),
    readDemand: (range) => read(readDemand(range)),
    readUnknownPlaces: (range) => read(readUnknownPlaces(range)),
    readRequests: (filter) => read(readRequests(filter)),
    rollUpTraffic: (beforeMs, limit) => write(rollUpTraffic, beforeMs, limit),
    deleteTraffic: (beforeMs, limit) => write(deleteTraffic, beforeMs, limit),
    deleteRequests: (beforeMs, limit) => write(deleteRequests, beforeMs, limit),
    deleteDemand: (beforeDay, limit) => write(deleteDemand, beforeDay, limit),
    deleteUnknownPlaces: (beforeDay, limit) => write(deletePlaces, beforeDay, limit),
    deleteWriters: (beforeMs, limit) => write(deleteWriters, beforeMs, limit),
  };
}

/** In the order of their keys, the same for all: of two that add at once, one waits for the other and never both. */
function* addRows<Row>(counted: Counted<Row>, added: readonly Row[], onConflict?: 'NOTHING'): Program<void> {
  const { table, columns, keyLength, values } = counted;
  const sorted = added.map(values).toSorted((one, other) => compareKeys(one, other, keyLength));
  const keys = columns.slice(0, keyLength).join(', ');
  const sums = columns.slice(keyLength).map((name) => `${name} = stored.${name} + excluded.${name}`);
  const action = onConflict ?? `UPDATE SET ${sums.join(', ')}`;
  let done = 0;
  while (done < sorted.length) {
    const count = ROWS_AT_ONCE.find((length) => length <= sorted.length - done)!;
    const places = Array.from({ length: count }, () => `(${columns.map(() => '?').join(', ')})`);
    yield* change(
      `INSERT INTO ${table} AS stored (${columns.join(', ')}) VALUES ${places.join(', ')}
       ON CONFLICT (${keys}) DO ${action}`,
      sorted.slice(done, done + count).flat(),
    );
    done += count;
  }
}

function compareKeys(one: readonly Value[], other: readonly Value[], keyLength: number): number {
  for (let index = 0; index < keyLength; index += 1) {
    const left = one[index]!;
    const right = other[index]!;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function addUpByDay(minutes: readonly TrafficRow[]): TrafficRow[] {
  const days = minutes.map((row) => ({ ...row, fromMs: Math.floor(row.fromMs / DAY_MS) * DAY_MS }));
  const keyOf = (row: TrafficRow): string => JSON.stringify(TRAFFIC.values(row).slice(0, TRAFFIC.keyLength));
  return [...Map.groupBy(days, keyOf).values()].map((same) => ({
    ...same[0]!,
    durations: DURATION_COLUMNS.map((_, bucket) =>
      same.reduce((sum, row) => sum + row.durations[bucket]!, 0),
    ),
  }));
}

/** The oldest `limit` rows before a bound, by key. */
function deletion(name: string, table: string, column: string, key: readonly string[]) {
  const keys = key.join(', ');
  return ordinary(name, function* (before: number, limit: number) {
    const deleted = yield* change(
      `DELETE FROM ${table} WHERE (${keys}) IN
         (SELECT ${keys} FROM ${table} WHERE ${column} < ? ORDER BY ${column} LIMIT ?)`,
      [before, limit],
    );
    return commit(deleted);
  });
}

function* readTraffic({ from, to, partnerId, rowsMax }: DayRange): Program<TrafficRow[]> {
  const { columns, keyLength } = MINUTES;
  const ofPartner = partnerId === undefined ? '' : ' AND partner_id = ?';
  const one = (table: string): string =>
    `SELECT ${columns.join(', ')} FROM ${table} WHERE from_ms >= ? AND from_ms < ?${ofPartner}`;
  const values = [from * DAY_MS, (to + 1) * DAY_MS, ...(partnerId === undefined ? [] : [partnerId])];
  return yield* selectTraffic(
    `${one('traffic_days')} UNION ALL ${one('traffic_minutes')}
     ORDER BY ${columns.slice(0, keyLength).join(', ')} LIMIT ?`,
    [...values, ...values, rowsMax],
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

function* readDemand(range: DayRange & { readonly country?: string | undefined }): Program<DemandRow[]> {
  const { from, to, partnerId, country, rowsMax } = range;
  const { columns, keyLength } = DEMAND;
  const wanted = { partner_id: partnerId, country };
  const filters = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const found = yield* rows<Omit<DemandRow, 'arrivalWeek' | 'partnerId'> & StoredDemand>(
    `SELECT ${columns.join(', ')} FROM demand_days
     WHERE day BETWEEN ? AND ?${filters.map((name) => ` AND ${name} = ?`).join('')}
     ORDER BY ${columns.slice(0, keyLength).join(', ')} LIMIT ?`,
    [from, to, ...[partnerId, country].filter((value) => value !== undefined), rowsMax],
  );
  return found.map(({ arrival_week: arrivalWeek, partner_id: stored, ...row }) => ({
    ...row,
    arrivalWeek,
    partnerId: stored,
  }));
}

interface StoredDemand {
  readonly arrival_week: string;
  readonly partner_id: string;
}

function* readUnknownPlaces(
  range: Omit<DayRange, 'partnerId'> & { readonly searchesMin: number },
): Program<Omit<UnknownPlaceRow, 'day'>[]> {
  const found = yield* rows<{ readonly place: string; readonly asked: Sum }>(
    `SELECT place, sum(searches) AS asked FROM unknown_places WHERE day BETWEEN ? AND ?
     GROUP BY place HAVING sum(searches) >= ? ORDER BY asked DESC, place LIMIT ?`,
    [range.from, range.to, range.searchesMin, range.rowsMax],
  );
  return found.map(({ place, asked }) => ({ place, searches: Number(asked) }));
}

type StoredRequest = Readonly<Record<string, never>>;

function* readRequests(filter: RequestFilter): Program<RequestRow[]> {
  const conditions: readonly (readonly [string, Value | undefined])[] = [
    ['partner_id = ?', filter.partnerId],
    ['credential_id = ?', filter.credentialId],
    ['operation = ?', filter.operation],
    ['status >= ?', filter.statuses?.[0]],
    ['status <= ?', filter.statuses?.[1]],
    ['code = ?', filter.code],
    ['at_ms >= ?', filter.sinceMs],
    ['correlation_id = ?', filter.correlationId],
  ];
  const asked = conditions.filter(([, value]) => value !== undefined);
  const where = asked.length === 0 ? '' : `WHERE ${asked.map(([text]) => text).join(' AND ')}`;
  const found = yield* rows<StoredRequest>(
    `SELECT ${REQUESTS.columns.join(', ')} FROM request_log ${where}
     ORDER BY at_ms DESC, correlation_id DESC LIMIT ?`,
    [...asked.map(([, value]) => value!), filter.limit],
  );
  return found.map(presentRequest);
}

function presentRequest(row: StoredRequest): RequestRow {
  return {
    atMs: row['at_ms']!,
    correlationId: row['correlation_id']!,
    partnerId: row['partner_id']!,
    credentialId: row['credential_id']!,
    operation: row['operation']!,
    status: row['status']!,
    code: row['code']!,
    durationUs: row['duration_us']!,
    city: row['city']!,
    propertyId: row['property_id']!,
    checkIn: row['check_in']!,
    checkOut: row['check_out']!,
    guests: row['guests']!,
    page: row['page']!,
    total: row['total']!,
    quoteId: row['quote_id']!,
  };
}
