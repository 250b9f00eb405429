/** What happened: traffic, requests, demand, and what found nothing. */
import { DAY_MS } from '../../domain/local-date.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { change, ordinary, type Program, type ProgramRunner, rows, type Value } from '../programs/program.ts';
import { type Days, readActiveDays, readByParts } from '../programs/days-by-parts.ts';
import { selectPartnerUse } from './partner-use.ts';
import { demandCondition, DURATION_COLUMNS, readLastKeptDay, sumDemand, sumTraffic } from './sums.ts';
import { addUpDemand, addUpPlaces, addUpTraffic } from './sums-by-parts.ts';
import {
  type ActivitySlice,
  type ActivityStore,
  type DayRange,
  type DaysAtOnce,
  type DemandRange,
  type DemandRow,
  type JudgedUnmet,
  OTHER,
  type PlaceSum,
  type RefusalCount,
  type RequestFilter,
  type RequestRow,
  type StoredUnmet,
  type TrafficRow,
  type UnknownPlaceRow,
  type UnknownRange,
  type UnmetRow,
} from './store.ts';

type Sum = number | string;

/** Columns as they are written and read: the first `keyLength` are the primary key, the rest are added up. */
interface Counted<Row> {
  readonly table: string;
  readonly columns: readonly string[];
  readonly keyLength: number;
  /** A column whose highest value is kept, in place of a sum. */
  readonly highest?: string;
  readonly values: (row: Row) => readonly Value[];
}

const TRAFFIC: Omit<Counted<TrafficRow>, 'table'> = {
  columns: ['from_ms', 'partner_id', 'credential_id', 'operation', 'code', ...DURATION_COLUMNS],
  keyLength: 5,
  values: (row) => [row.fromMs, row.partnerId, row.credentialId, row.operation, row.code, ...row.durations],
};
const MINUTES: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_minutes' };
const DAYS: Counted<TrafficRow> = { ...TRAFFIC, table: 'traffic_days' };

const SUMS: Counted<TrafficOfCode> = {
  table: 'traffic_sums',
  columns: ['from_ms', 'operation', 'code', ...DURATION_COLUMNS],
  keyLength: 3,
  values: (row) => [row.fromMs, row.operation, row.code, ...row.durations],
};
type TrafficOfCode = Omit<TrafficRow, 'partnerId' | 'credentialId'>;

const DEMAND: Counted<DemandRow> = {
  table: 'demand_days',
  columns: [
    'day',
    'city',
    'country',
    'arrival_week',
    'nights',
    'guests',
    'partner_id',
    'searches',
    'empty',
    'looks',
  ],
  keyLength: 7,
  values: (row) => [
    row.day,
    row.city,
    row.country,
    row.arrivalWeek,
    row.nights,
    row.guests,
    row.partnerId,
    row.searches,
    row.empty,
    row.looks,
  ],
};

const PLACES: Counted<UnknownPlaceRow> = {
  table: 'unknown_places',
  columns: ['day', 'place', 'searches'],
  keyLength: 2,
  values: (row) => [row.day, row.place, row.searches],
};

const UNMET: Counted<UnmetRow> = {
  table: 'unmet_stays',
  columns: ['city', 'country', 'check_in', 'nights', 'guests', 'searches', 'last_day'],
  keyLength: 5,
  highest: 'last_day',
  values: (row) => [row.city, row.country, row.checkIn, row.nights, row.guests, row.searches, row.day],
};
/** That of an index, backwards: nothing is sorted for the few stays that are read. */
const UNMET_ORDER = ['searches', ...UNMET.columns.slice(0, UNMET.keyLength)];
const UNMET_KEY = UNMET.columns.slice(0, UNMET.keyLength);

/** No country is called so. */
const NOT_OTHER = ` AND country <> '${OTHER}'`;

/** A request is written once: nothing of it is added up. */
const REQUESTS: Counted<RequestRow> = {
  table: 'request_log',
  columns: [
    'at_ms',
    'correlation_id',
    'partner_id',
    'credential_id',
    'operation',
    'status',
    'code',
    'duration_us',
    'city',
    'property_id',
    'check_in',
    'check_out',
    'guests',
    'page',
    'total',
    'quote_id',
  ],
  keyLength: 2,
  values: (row) => [
    row.atMs,
    row.correlationId,
    row.partnerId,
    row.credentialId,
    row.operation,
    row.status,
    row.code,
    row.durationUs,
    row.city,
    row.propertyId,
    row.checkIn,
    row.checkOut,
    row.guests,
    row.page,
    row.total,
    row.quoteId,
  ],
};

/** Rows of one statement: few lengths, so that few texts are prepared. */
const ROWS_AT_ONCE = [32, 8, 1] as const;

const recordActivity = ordinary('recordActivity', function* (slice: ActivitySlice) {
  const { writer, number, writtenAtMs, traffic, requests, demand, unknownPlaces, unmet } = slice;
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
  yield* addRows(UNMET, unmet);
  yield* addRows(REQUESTS, requests, 'NOTHING');
  return commit(true);
});

const recordJudgements = ordinary('recordJudgements', function* (judged: readonly JudgedUnmet[]) {
  const keys = judged.map((row) => [row.city, row.country, row.checkIn, row.nights, row.guests] as const);
  const order = judged.map((_, index) => index);
  // In the order of the keys, as `addRows` takes them.
  for (const index of order.toSorted((a, b) => compareKeys(keys[a]!, keys[b]!, UNMET.keyLength)))
    yield* change(
      `UPDATE unmet_stays SET judged_at_ms = ?, judgement = ?
       WHERE city = ? AND country = ? AND check_in = ? AND nights = ? AND guests = ?`,
      [judged[index]!.judgedAtMs, judged[index]!.judgement, ...keys[index]!],
    );
  return commit(undefined);
});

const trimUnmet = ordinary('trimUnmet', function* (rowsMax: number, limit: number) {
  const [counted] = yield* rows<{ readonly stays: Sum }>('SELECT count(*) AS stays FROM unmet_stays');
  const excess = Math.min(limit, Number(counted!.stays) - rowsMax);
  if (excess <= 0) return rollBack(0);
  const keys = UNMET_KEY.join(', ');
  const deleted = yield* rows<{ readonly searches: number; readonly last_day: number }>(
    `DELETE FROM unmet_stays WHERE (${keys}) IN
       (SELECT ${keys} FROM unmet_stays WHERE searches >= 0${NOT_OTHER} ORDER BY searches, last_day LIMIT ?)
     RETURNING searches, last_day`,
    [excess],
  );
  const searches = deleted.reduce((sum, row) => sum + row.searches, 0);
  const day = Math.max(...deleted.map((row) => row.last_day));
  const other = { city: OTHER, country: OTHER, checkIn: 0, nights: 0, guests: 0 };
  if (deleted.length > 0) yield* addRows(UNMET, [{ ...other, searches, day }]);
  return commit(deleted.length);
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
  const days = addUp(
    DAYS,
    deleted.map((row) => ({ ...row, fromMs: Math.floor(row.fromMs / DAY_MS) * DAY_MS })),
  );
  yield* addRows(DAYS, days);
  // Minutes that were written so late that the sums of their day are there.
  const lastKept = (yield* readLastKeptDay()) * DAY_MS;
  const late = days.filter(({ fromMs }) => fromMs <= lastKept);
  yield* addRows(SUMS, addUp<TrafficOfCode>(SUMS, late));
  return commit(deleted.length);
});

/** Of one day, the first that has no sums: so all days before the last one that has any have theirs. */
const keepTrafficSums = ordinary('keepTrafficSums', function* (beforeMs: number) {
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

const deleteTraffic = ordinary('deleteTraffic', function* (beforeMs: number, limit: number) {
  const deleted = yield* deleteOldest('traffic_days', 'from_ms', DAYS.columns.slice(0, DAYS.keyLength), {
    before: beforeMs,
    limit,
  });
  // A day is one or the other, whole: sums go when none of its rows is left to be added up again.
  if (deleted < limit) yield* change('DELETE FROM traffic_sums WHERE from_ms < ?', [beforeMs]);
  return commit(deleted);
});
const deleteRequests = deletion('deleteRequests', 'request_log', 'at_ms', ['at_ms', 'correlation_id']);
const deleteDemand = deletion('deleteDemand', 'demand_days', 'day', DEMAND.columns.slice(0, 7));
const deletePlaces = deletion('deleteUnknownPlaces', 'unknown_places', 'day', ['day', 'place']);
const deletePassedUnmet = deletion('deletePassedUnmet', 'unmet_stays', 'check_in', UNMET_KEY, NOT_OTHER);
const deleteOldUnmet = deletion('deleteOldUnmet', 'unmet_stays', 'last_day', UNMET_KEY);
const deleteWriters = deletion('deleteWriters', 'activity_writers', 'written_at_ms', ['writer']);

export const ACTIVITY_WRITES = [
  recordActivity,
  rollUpTraffic,
  keepTrafficSums,
  deleteTraffic,
  deleteRequests,
  deleteDemand,
  deletePlaces,
  deletePassedUnmet,
  deleteOldUnmet,
  trimUnmet,
  recordJudgements,
  deleteWriters,
];

export interface ActivityStoreOptions {
  /** Of one statement that adds up, unless the caller wants fewer; absent: all, for every caller. */
  readonly daysAtOnce?: number;
}

export function activityStore(
  { read, write }: ProgramRunner,
  { daysAtOnce = Infinity }: ActivityStoreOptions = {},
): ActivityStore {
  const sumByParts = <Range extends Days & DaysAtOnce, Row>(
    what: keyof typeof DAY_TABLES,
    range: Range,
    sum: (part: Range) => Program<readonly Row[]>,
  ): Promise<readonly (readonly Row[])[]> => {
    const length = daysAtOnce === Infinity ? Infinity : (range.daysAtOnce ?? daysAtOnce);
    return readByParts(range, { read, daysAtOnce: length, tables: DAY_TABLES[what] }, sum);
  };
  return {
    recordActivity: (slice) => write(recordActivity, slice),
    readTraffic: (range) => read(readTraffic(range)),
    readDemand: (range) => read(readDemand(range)),
    readActiveDays: (what, range) => read(readActiveDays(DAY_TABLES[what], range)),
    sumDemand: async (by, range) =>
      addUpDemand(by, await sumByParts('demand', range, (part) => sumDemand(by, part))),
    sumTraffic: async (by, range) =>
      addUpTraffic(by, await sumByParts('traffic', range, (part) => sumTraffic(by, part))),
    countRefusals: (range) => read(countRefusals(range)),
    readDemandCities: (range) => read(readDemandCities(range)),
    sumUnknownPlaces: async (range) =>
      addUpPlaces(await sumByParts('places', range, (part) => readUnknownPlaces({ ...part, ...ALL_PLACES }))),
    readUnknownPlaces: (range) => read(readUnknownPlaces(range)),
    readPartnerUse: (partnerId, nowMs) => read(selectPartnerUse(partnerId, nowMs)),
    readUnmet: (range) => read(readUnmet(range)),
    countOtherUnmet: () => read(countOtherUnmet()),
    recordJudgements: (judged) => write(recordJudgements, judged),
    readRequests: (filter) => read(readRequests(filter)),
    rollUpTraffic: (beforeMs, limit) => write(rollUpTraffic, beforeMs, limit),
    keepTrafficSums: (beforeMs) => write(keepTrafficSums, beforeMs),
    deleteTraffic: (beforeMs, limit) => write(deleteTraffic, beforeMs, limit),
    deleteRequests: (beforeMs, limit) => write(deleteRequests, beforeMs, limit),
    deleteDemand: (beforeDay, limit) => write(deleteDemand, beforeDay, limit),
    deleteUnknownPlaces: (beforeDay, limit) => write(deletePlaces, beforeDay, limit),
    deletePassedUnmet: (beforeDay, limit) => write(deletePassedUnmet, beforeDay, limit),
    deleteOldUnmet: (beforeDay, limit) => write(deleteOldUnmet, beforeDay, limit),
    trimUnmet: (rowsMax, limit) => write(trimUnmet, rowsMax, limit),
    deleteWriters: (beforeMs, limit) => write(deleteWriters, beforeMs, limit),
  };
}

/** In the order of their keys, the same for all: of two that add at once, one waits for the other and never both. */
function* addRows<Row>(counted: Counted<Row>, added: readonly Row[], onConflict?: 'NOTHING'): Program<void> {
  const { table, columns, keyLength, highest, values } = counted;
  const sorted = added.map(values).toSorted((one, other) => compareKeys(one, other, keyLength));
  const keys = columns.slice(0, keyLength).join(', ');
  const sums = columns.slice(keyLength).map((name) => {
    const [here, more] = [`stored.${name}`, `excluded.${name}`];
    if (name !== highest) return `${name} = ${here} + ${more}`;
    return `${name} = CASE WHEN ${here} > ${more} THEN ${here} ELSE ${more} END`;
  });
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

/** Rows of one key as one. */
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

function deletion(name: string, table: string, column: string, key: readonly string[], also = '') {
  return ordinary(name, function* (before: number, limit: number) {
    return commit(yield* deleteOldest(table, column, key, { before, limit, also }));
  });
}

/** The oldest `limit` rows before a bound, by key. */
function deleteOldest(
  table: string,
  column: string,
  key: readonly string[],
  { before, limit, also = '' }: { readonly before: number; readonly limit: number; readonly also?: string },
): Program<number> {
  const keys = key.join(', ');
  return change(
    `DELETE FROM ${table} WHERE (${keys}) IN
       (SELECT ${keys} FROM ${table} WHERE ${column} < ?${also} ORDER BY ${column} LIMIT ?)`,
    [before, limit],
  );
}

function* readTraffic({ from, to, partnerId, rowsMax }: DayRange): Program<TrafficRow[]> {
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

function* readDemand(range: DemandRange): Program<DemandRow[]> {
  const { columns, keyLength } = DEMAND;
  const { where, values } = demandCondition(range);
  const limit = limited(range);
  const found = yield* rows<StoredDemand>(
    `SELECT ${columns.join(', ')} FROM demand_days WHERE ${where}
     ORDER BY ${columns.slice(0, keyLength).join(', ')}${limit.text}`,
    [...values, ...limit.values],
  );
  return found.map(presentDemand);
}

function limited({ rowsMax }: Pick<DayRange, 'rowsMax'>): {
  readonly text: string;
  readonly values: readonly Value[];
} {
  return rowsMax === undefined ? { text: '', values: [] } : { text: ' LIMIT ?', values: [rowsMax] };
}

type StoredDemand = Omit<DemandRow, 'arrivalWeek' | 'partnerId'> & {
  readonly [name in 'arrival_week' | 'partner_id']: string;
};

/** Field by field: of 200,000 rows a spread takes three times as long. */
function presentDemand(row: StoredDemand): DemandRow {
  const { day, city, country, nights, guests, searches, empty, looks } = row;
  return {
    day,
    city,
    country,
    arrivalWeek: row.arrival_week,
    nights,
    guests,
    partnerId: row.partner_id,
    searches,
    empty,
    looks,
  };
}

function* readDemandCities({ from, to }: Pick<DayRange, 'from' | 'to'>): Program<string[]> {
  const found = yield* rows<{ readonly city: string }>(
    'SELECT DISTINCT city FROM demand_days WHERE day BETWEEN ? AND ?',
    [from, to],
  );
  return found.map(({ city }) => city);
}

const DAY_TABLES = {
  demand: [{ name: 'demand_days', time: 'day', unit: 1 }],
  traffic: ['traffic_days', 'traffic_minutes'].map((name) => ({ name, time: 'from_ms', unit: DAY_MS })),
  places: [{ name: 'unknown_places', time: 'day', unit: 1 }],
} as const;

function* countRefusals({
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

const ALL_PLACES = { searchesMin: 1, rowsMax: Number.MAX_SAFE_INTEGER };

function* readUnknownPlaces(range: UnknownRange): Program<PlaceSum[]> {
  const found = yield* rows<{ readonly place: string; readonly asked: Sum }>(
    `SELECT place, sum(searches) AS asked FROM unknown_places WHERE day BETWEEN ? AND ?
     GROUP BY place HAVING sum(searches) >= ? ORDER BY asked DESC, place LIMIT ?`,
    [range.from, range.to, range.searchesMin, range.rowsMax],
  );
  return found.map(({ place, asked }) => ({ place, searches: Number(asked) }));
}

function* readUnmet(range: {
  readonly checkInFrom: number;
  readonly rowsMax: number;
}): Program<StoredUnmet[]> {
  type Stored = Omit<StoredUnmet, 'checkIn' | 'judgedAtMs'> &
    Readonly<Record<'check_in', number> & Record<'judged_at_ms', number | null>>;
  const found = yield* rows<Stored>(
    `SELECT ${UNMET_KEY.join(', ')}, searches, judged_at_ms, judgement FROM unmet_stays
     WHERE check_in >= ?${NOT_OTHER} ORDER BY ${UNMET_ORDER.join(' DESC, ')} DESC LIMIT ?`,
    [range.checkInFrom, range.rowsMax],
  );
  return found.map(({ check_in: checkIn, judged_at_ms: judgedAtMs, ...row }) => ({
    ...row,
    checkIn,
    judgedAtMs,
  }));
}

function* countOtherUnmet(): Program<number> {
  const [found] = yield* rows<{ readonly other: Sum | null }>(
    'SELECT sum(searches) AS other FROM unmet_stays WHERE country = ?',
    [OTHER],
  );
  return Number(found?.other ?? 0);
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
  const { before } = filter;
  const asked = conditions.filter(([, value]) => value !== undefined);
  const texts = [
    ...asked.map(([text]) => text),
    ...(before === undefined ? [] : ['(at_ms, correlation_id) < (?, ?)']),
  ];
  const where = texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`;
  const found = yield* rows<StoredRequest>(
    `SELECT ${REQUESTS.columns.join(', ')} FROM request_log ${where}
     ORDER BY at_ms DESC, correlation_id DESC LIMIT ?`,
    [
      ...asked.map(([, value]) => value!),
      ...(before === undefined ? [] : [before.atMs, before.correlationId]),
      filter.limit,
    ],
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
