/** Activity: traffic, requests, demand, and searches that found nothing. */
import { DAY_MS } from '../../domain/local-date.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Days, readActiveDays, readByParts } from '../portable-sql/days-by-parts.ts';
import { change, ordinary, type Program } from '../portable-sql/program.ts';
import { addRows, deletion } from './counted-rows.ts';
import * as demand from './demand.ts';
import { selectLastPartnerDays, selectPartnerDays, selectPartnerUse } from './partner-use.ts';
import { deleteRequests, readRequests, REQUESTS } from './request-log.ts';
import type { ActivitySlice, ActivityStore, DaysAtOnce } from './store.ts';
import { addUpDemand, addUpPlaces, addUpTraffic, sumDemand, sumTraffic } from './sums.ts';
import * as traffic from './traffic.ts';
import * as unmet from './unmet.ts';

const recordActivity = ordinary('recordActivity', function* (slice: ActivitySlice) {
  const { writer, number, writtenAtMs } = slice;
  const taken = yield* change(
    `INSERT INTO activity_writers AS stored (writer, last_slice, written_at_ms) VALUES (?, ?, ?)
     ON CONFLICT (writer) DO UPDATE SET last_slice = excluded.last_slice, written_at_ms = excluded.written_at_ms
     WHERE stored.last_slice < excluded.last_slice`,
    [writer, number, writtenAtMs],
  );
  if (taken === 0) return rollBack(false);
  yield* addRows(traffic.MINUTES, slice.traffic);
  yield* addRows(demand.DEMAND, slice.demand);
  yield* addRows(demand.PLACES, slice.unknownPlaces);
  yield* addRows(unmet.UNMET, slice.unmet);
  yield* addRows(REQUESTS, slice.requests, 'NOTHING');
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

const WRITES = [
  recordActivity,
  traffic.rollUpTraffic,
  traffic.keepTrafficSums,
  traffic.deleteTraffic,
  deleteRequests,
  demand.deleteDemand,
  demand.deletePlaces,
  unmet.deletePassedUnmet,
  unmet.deleteOldUnmet,
  unmet.trimUnmet,
  unmet.recordJudgements,
  deleteWriters,
];

export const activityConcern = concern(WRITES, activityStore);

function activityStore({ read, write, daysAtOnce }: RunnerOf<typeof WRITES>): ActivityStore {
  const sumByParts = <Range extends Days & DaysAtOnce, Row>(
    what: keyof typeof DAY_TABLES,
    range: Range,
    sum: (part: Range) => Program<readonly Row[]>,
  ): Promise<readonly (readonly Row[])[]> => {
    // Callers may ask for fewer, but not where all days are added up at once.
    const length = daysAtOnce === Infinity ? Infinity : (range.daysAtOnce ?? daysAtOnce);
    return readByParts(range, { read, daysAtOnce: length, tables: DAY_TABLES[what] }, sum);
  };
  return {
    recordActivity: (slice) => write(recordActivity, slice),
    readTraffic: (range) => read(traffic.readTraffic(range)),
    readDemand: (range) => read(demand.readDemand(range)),
    readActiveDays: (what, range) => read(readActiveDays(DAY_TABLES[what], range)),
    sumDemand: async (by, range) =>
      addUpDemand(by, await sumByParts('demand', range, (part) => sumDemand(by, part))),
    sumTraffic: async (by, range) =>
      addUpTraffic(by, await sumByParts('traffic', range, (part) => sumTraffic(by, part))),
    countRefusals: (range) => read(traffic.countRefusals(range)),
    readDemandCities: (range) => read(demand.readDemandCities(range)),
    sumUnknownPlaces: async (range) =>
      addUpPlaces(
        await sumByParts('places', range, (part) => demand.readUnknownPlaces({ ...part, ...ALL_PLACES })),
      ),
    readUnknownPlaces: (range) => read(demand.readUnknownPlaces(range)),
    readPartnerUse: (partnerId, nowMs) => read(selectPartnerUse(partnerId, nowMs)),
    sumPartnerDays: async (range) => (await sumByParts('traffic', range, selectPartnerDays)).flat(),
    readLastPartnerDays: (partnerIds, range) => read(selectLastPartnerDays(partnerIds, range)),
    readUnmet: (range) => read(unmet.readUnmet(range)),
    countOtherUnmet: () => read(unmet.countOtherUnmet()),
    recordJudgements: (judged) => write(unmet.recordJudgements, judged),
    readRequests: (filter) => read(readRequests(filter)),
    rollUpTraffic: (beforeMs, limit) => write(traffic.rollUpTraffic, beforeMs, limit),
    keepTrafficSums: (beforeMs) => write(traffic.keepTrafficSums, beforeMs),
    deleteTraffic: (beforeMs, limit) => write(traffic.deleteTraffic, beforeMs, limit),
    deleteRequests: (beforeMs, limit) => write(deleteRequests, beforeMs, limit),
    deleteDemand: (beforeDay, limit) => write(demand.deleteDemand, beforeDay, limit),
    deleteUnknownPlaces: (beforeDay, limit) => write(demand.deletePlaces, beforeDay, limit),
    deletePassedUnmet: (beforeDay, limit) => write(unmet.deletePassedUnmet, beforeDay, limit),
    deleteOldUnmet: (beforeDay, limit) => write(unmet.deleteOldUnmet, beforeDay, limit),
    trimUnmet: (rowsMax, limit) => write(unmet.trimUnmet, rowsMax, limit),
    deleteWriters: (beforeMs, limit) => write(deleteWriters, beforeMs, limit),
  };
}
