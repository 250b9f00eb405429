/** Activity: traffic, requests, demand, and searches that found nothing. */
import { DAY_MS } from '../../domain/local-date.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { type Days, readActiveDays, readByParts } from '../portable-sql/days-by-parts.ts';
import { change, ordinary, type Program, type ProgramRunner } from '../portable-sql/program.ts';
import { addRows, deletion } from './counted-rows.ts';
import {
  deleteDemand,
  deletePlaces,
  DEMAND,
  PLACES,
  readDemand,
  readDemandCities,
  readUnknownPlaces,
} from './demand.ts';
import { selectLastPartnerDays, selectPartnerDays, selectPartnerUse } from './partner-use.ts';
import { deleteRequests, readRequests, REQUESTS } from './request-log.ts';
import type { ActivitySlice, ActivityStore, DaysAtOnce } from './store.ts';
import { addUpDemand, addUpPlaces, addUpTraffic, sumDemand, sumTraffic } from './sums.ts';
import {
  countRefusals,
  deleteTraffic,
  keepTrafficSums,
  MINUTES,
  readTraffic,
  rollUpTraffic,
} from './traffic.ts';
import {
  countOtherUnmet,
  deleteOldUnmet,
  deletePassedUnmet,
  readUnmet,
  recordJudgements,
  trimUnmet,
  UNMET,
} from './unmet.ts';

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

const WRITERS = { table: 'activity_writers', columns: ['writer'], keyLength: 1 };
const deleteWriters = deletion('deleteWriters', WRITERS, 'written_at_ms');

const DAY_TABLES = {
  demand: [{ name: 'demand_days', time: 'day', unit: 1 }],
  traffic: ['traffic_days', 'traffic_minutes'].map((name) => ({ name, time: 'from_ms', unit: DAY_MS })),
  places: [{ name: 'unknown_places', time: 'day', unit: 1 }],
} as const;

const ALL_PLACES = { searchesMin: 1, rowsMax: Number.MAX_SAFE_INTEGER };

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
  /** Days that one statement adds up, unless the caller asks for fewer. Absent: all days at once, for every caller. */
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
    sumPartnerDays: async (range) => (await sumByParts('traffic', range, selectPartnerDays)).flat(),
    readLastPartnerDays: (partnerIds, range) => read(selectLastPartnerDays(partnerIds, range)),
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
