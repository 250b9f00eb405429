/**
 * The part of the storage port that keeps what happened: traffic, requests and demand. Its tables are its own: on
 * SQLite in a file beside the database, so that no quote ever waits for them.
 *
 * Each thread that serves writes slices of what it counted since the last one. It numbers them, and the transaction
 * that adds a slice also keeps its number: one whose answer was lost is sent again, and counts once.
 */
import type { EpochDay } from '../../domain/local-date.ts';

/** In place of every name of a row that found no room in memory. */
export const OTHER = '(other)';

/** Durations are counted in so many buckets, one column each. */
export const DURATION_BUCKETS = 16;

/** Answers within one minute or, later, one day. */
export interface TrafficRow {
  /** Start of the minute or day. */
  readonly fromMs: number;
  readonly partnerId: string;
  readonly credentialId: string;
  /** The operationId. */
  readonly operation: string;
  /** The problem's code; empty for a success. */
  readonly code: string;
  /** Answers by how long they took, DURATION_BUCKETS of them: `traffic-table.ts` says which took how long. */
  readonly durations: readonly number[];
}

/** Dated searches, and what was looked at, on one day (UTC). */
export interface DemandRow {
  readonly day: EpochDay;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO week of arrival: `2026-W50`. */
  readonly arrivalWeek: string;
  /** The band: `5-7`. */
  readonly nights: string;
  /** The band: `1-2`. */
  readonly guests: string;
  readonly partnerId: string;
  readonly searches: number;
  /** Searches that found nothing. */
  readonly empty: number;
  /** Availability answers and quotes. */
  readonly looks: number;
}

/** A place that was searched for and does not exist here. */
export interface UnknownPlaceRow {
  readonly day: EpochDay;
  /** Folded as searches fold. */
  readonly place: string;
  readonly searches: number;
}

/** An exact stay in a city. */
export interface UnmetStay {
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly checkIn: EpochDay;
  readonly nights: number;
  readonly guests: number;
}

/** Searches of a stay that found nothing, on one day (UTC). Of what found no room, the numbers of the stay are 0. */
export interface UnmetRow extends UnmetStay {
  readonly day: EpochDay;
  readonly searches: number;
}

/** All searches of a stay that found nothing, and why. */
export interface StoredUnmet extends UnmetStay {
  readonly searches: number;
  /** Null until it is judged. */
  readonly judgedAtMs: number | null;
  /** JSON text; null until it is judged, and when its check-in had passed. */
  readonly judgement: string | null;
}

export interface JudgedUnmet extends UnmetStay {
  readonly judgedAtMs: number;
  readonly judgement: string | null;
}

/** One answer; null is what does not apply. */
export interface RequestRow {
  readonly atMs: number;
  readonly correlationId: string;
  readonly partnerId: string;
  readonly credentialId: string;
  /** The operationId. */
  readonly operation: string;
  readonly status: number;
  /** Null for a success. */
  readonly code: string | null;
  readonly durationUs: number;
  /** As typed. */
  readonly city: string | null;
  readonly propertyId: string | null;
  readonly checkIn: EpochDay | null;
  readonly checkOut: EpochDay | null;
  readonly guests: number | null;
  readonly page: number | null;
  readonly total: number | null;
  readonly quoteId: string | null;
}

/** Of a request, in the order in which they are stored and listed. */
export const REQUEST_FIELDS = [
  'atMs',
  'correlationId',
  'partnerId',
  'credentialId',
  'operation',
  'status',
  'code',
  'durationUs',
  'city',
  'propertyId',
  'checkIn',
  'checkOut',
  'guests',
  'page',
  'total',
  'quoteId',
] as const satisfies readonly (keyof RequestRow)[];

export interface ActivityRows {
  /** No two of one key, as in each of these lists. */
  readonly traffic: readonly TrafficRow[];
  readonly requests: readonly RequestRow[];
  readonly demand: readonly DemandRow[];
  readonly unknownPlaces: readonly UnknownPlaceRow[];
  readonly unmet: readonly UnmetRow[];
}

export interface ActivitySlice extends ActivityRows {
  /** One run of one thread: no two have the same. */
  readonly writer: string;
  /** From 1 on. */
  readonly number: number;
  readonly writtenAtMs: number;
}

export interface DayRange {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
  readonly partnerId?: string | undefined;
  readonly rowsMax?: number | undefined;
}

export interface UnknownRange extends Pick<DayRange, 'from' | 'to'> {
  readonly searchesMin: number;
  readonly rowsMax: number;
}

/** Searches for one place over some days. */
export type PlaceSum = Omit<UnknownPlaceRow, 'day'>;

/** For a caller in a thread that answers partners as well. */
export interface DaysAtOnce {
  /** Of one statement, where the engine adds up in the caller's thread; absent: as many as cost it least. */
  readonly daysAtOnce?: number;
}

/** What demand is added up by. */
export type DemandName = 'day' | 'city' | 'country' | 'arrivalWeek' | 'nights' | 'guests' | 'partnerId';
/** The rows that have these names in common. */
export type DemandSum<Name extends DemandName> = Pick<DemandRow, Name | 'searches' | 'empty' | 'looks'>;

/** What traffic is added up by. */
export type TrafficName = 'day' | 'partnerId' | 'credentialId' | 'operation' | 'code';
export type TrafficSum<Name extends TrafficName> = Pick<TrafficRow & { readonly day: EpochDay }, Name> &
  Pick<TrafficRow, 'durations'>;

/** Refusals of one code to one partner. */
export interface RefusalCount {
  readonly partnerId: string;
  readonly code: string;
  readonly count: number;
}

export interface DemandRange extends DayRange {
  readonly country?: string | undefined;
  /** As they are written in the rows. */
  readonly cities?: readonly string[] | undefined;
}

export interface RequestFilter {
  readonly partnerId?: string | undefined;
  readonly credentialId?: string | undefined;
  readonly operation?: string | undefined;
  /** First and last status, both included. */
  readonly statuses?: readonly [number, number] | undefined;
  readonly code?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly correlationId?: string | undefined;
  /** Only what is older than this request. */
  readonly before?: { readonly atMs: number; readonly correlationId: string } | undefined;
  readonly limit: number;
}

/** What one partner did lately. */
/** Days before today in which the last use of a credential is looked for. */
export const LAST_USE_DAYS = 400;

export interface PartnerUse {
  /** Answers by minute of the last hour, ascending; minutes without any are left out. */
  readonly minutes: readonly {
    readonly fromMs: number;
    readonly credentialId: string;
    readonly count: number;
  }[];
  /** Answers of the last 24 hours by problem code, most first. */
  readonly codes: readonly { readonly code: string; readonly count: number }[];
  /** The minute, or the day where it is longer ago, of the last answer. */
  readonly lastUse: readonly { readonly credentialId: string; readonly fromMs: number }[];
}

/** Answers to one partner on one day (UTC). */
export interface PartnerDay {
  readonly day: EpochDay;
  readonly partnerId: string;
  readonly answers: number;
  /** Those with a problem code. */
  readonly refusals: number;
  /** The minute of the last answer; the start of the day where its minutes have become it. */
  readonly lastMs: number;
}

/** `looked` rows were looked at, `limit` at most; each is gone afterwards. */
type DeleteBefore<T> = (before: T, limit: number) => Promise<number>;

export interface ActivityStore {
  /** False when this writer wrote a slice of this number, or a later one, before: nothing is changed then. */
  recordActivity(slice: ActivitySlice): Promise<boolean>;
  /** Minutes and days, ascending by time, then by names; `rowsMax` rows at most, where it is given. */
  readTraffic(range: DayRange): Promise<readonly TrafficRow[]>;
  /** Ascending by day, then by names; `rowsMax` rows at most, where it is given. */
  readDemand(range: DemandRange): Promise<readonly DemandRow[]>;
  /** Names of cities as they are in rows of these days, in no order. */
  readDemandCities(range: Pick<DayRange, 'from' | 'to'>): Promise<readonly string[]>;
  /** The first and the last day of these that have demand, or traffic; undefined without any. */
  readActiveDays(
    what: 'demand' | 'traffic',
    range: Pick<DayRange, 'from' | 'to'>,
  ): Promise<Pick<DayRange, 'from' | 'to'> | undefined>;
  /**
   * One row for each combination of names, over any number of days, in no order. PostgreSQL adds up all days at once;
   * SQLite a few days at a time, and the thread that asks takes its other turns in between.
   */
  sumDemand<Name extends DemandName>(
    by: readonly Name[],
    range: Omit<DemandRange, 'rowsMax'> & DaysAtOnce,
  ): Promise<readonly DemandSum<Name>[]>;
  /** The same. */
  sumTraffic<Name extends TrafficName>(
    by: readonly Name[],
    range: Omit<DayRange, 'rowsMax'>,
  ): Promise<readonly TrafficSum<Name>[]>;
  /** Of minutes from `fromMs` to `toMs` (excluded), the most frequent first; limits do not count. */
  countRefusals(range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly rowsMax: number;
  }): Promise<readonly RefusalCount[]>;
  /** Added up over the days, most asked first; those with fewer searches than `searchesMin` are left out. */
  readUnknownPlaces(range: UnknownRange): Promise<readonly PlaceSum[]>;
  /** The same of all places, however rarely they were asked for, and in no order; read as `sumDemand` is. */
  sumUnknownPlaces(range: Pick<DayRange, 'from' | 'to'> & DaysAtOnce): Promise<readonly PlaceSum[]>;
  readPartnerUse(partnerId: string, nowMs: number): Promise<PartnerUse>;
  /** Of all partners, in no order; a day without answers has no row. Read as `sumTraffic` is. */
  sumPartnerDays(range: Pick<DayRange, 'from' | 'to'>): Promise<readonly PartnerDay[]>;
  /** The last of these days with answers of each of these partners, of days that their minutes have become; in no order. */
  readLastPartnerDays(
    partnerIds: readonly string[],
    range: Pick<DayRange, 'from' | 'to'>,
  ): Promise<readonly Pick<PartnerDay, 'partnerId' | 'day'>[]>;
  /** Those that arrive at `checkInFrom` or later, most asked first; what found no room is not among them. */
  readUnmet(range: {
    readonly checkInFrom: EpochDay;
    readonly rowsMax: number;
  }): Promise<readonly StoredUnmet[]>;
  /** Searches that found nothing, of stays that found no room. */
  countOtherUnmet(): Promise<number>;
  /** A stay that is gone meanwhile stays gone. */
  recordJudgements(judged: readonly JudgedUnmet[]): Promise<void>;
  /** Newest first. */
  readRequests(filter: RequestFilter): Promise<readonly RequestRow[]>;
  /** Adds minutes before that instant to their days: the sums stay what they are. */
  readonly rollUpTraffic: DeleteBefore<number>;
  /**
   * Adds up the first day before that instant that has no sums by operation and code yet; how many there are, 0 where
   * all days have theirs. What is rolled up later is added to them.
   */
  keepTrafficSums(beforeMs: number): Promise<number>;
  readonly deleteTraffic: DeleteBefore<number>;
  readonly deleteRequests: DeleteBefore<number>;
  readonly deleteDemand: DeleteBefore<EpochDay>;
  readonly deleteUnknownPlaces: DeleteBefore<EpochDay>;
  /** Stays that arrive before that day. */
  readonly deletePassedUnmet: DeleteBefore<EpochDay>;
  /** Stays that were last searched before that day. */
  readonly deleteOldUnmet: DeleteBefore<EpochDay>;
  /** Of more than `rowsMax` stays those that were searched least; their searches are added to what found no room. */
  trimUnmet(rowsMax: number, limit: number): Promise<number>;
  /** Of writers that wrote nothing since that instant. */
  readonly deleteWriters: DeleteBefore<number>;
}
