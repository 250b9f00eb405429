/**
 * The part of the storage port that keeps activity: traffic, requests and demand. It has its own tables, on SQLite in a
 * file beside the database, so that quotes never wait for it.
 *
 * Each serving thread writes slices of what it counted since the last slice. It numbers them, and the transaction that
 * adds a slice also stores its number. So a slice whose answer was lost can be sent again and still counts once.
 */
import type { EpochDay } from '../../domain/local-date.ts';
import type { Days, PartnerDays } from '../portable-sql/days-by-parts.ts';

/** Replaces every name of a row for which memory had no room. */
export const OTHER = '(other)';

/** Number of duration buckets, one column each. */
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
  /** Answers by duration, DURATION_BUCKETS counts; `traffic-table.ts` has the bounds. */
  readonly durations: readonly number[];
}

/** Dated searches and property views of one day (UTC). */
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

/** A place that partners searched for and no property is in. */
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
  /** Ages of the children among them, ascending: `4,9`; empty where all are adults. */
  readonly childAges: string;
}

/**
 * Searches of a stay that found nothing, on one day (UTC). A row for stays that did not fit in memory has zeros as
 * stay.
 */
export interface UnmetRow extends UnmetStay {
  readonly day: EpochDay;
  readonly searches: number;
}

/** All searches of a stay that found nothing, and why. */
export interface StoredUnmet extends UnmetStay {
  readonly searches: number;
  /** Null until it is analysed. */
  readonly judgedAtMs: number | null;
  /** JSON text; null until it is analysed, or if check-in had passed by then. */
  readonly judgement: string | null;
}

export interface JudgedUnmet extends UnmetStay {
  readonly judgedAtMs: number;
  readonly judgement: string | null;
}

/** One answer; fields that do not apply are null. */
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
  /** Codes of the reasons that the answer gave, with blanks between; null without one. */
  readonly reasons: string | null;
  /** Ages of the children among the guests, ascending: `4,9`; null without any. */
  readonly childAges: string | null;
}

/** Fields of a request, in the order in which they are stored and listed. */
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
  'reasons',
  'childAges',
] as const satisfies readonly (keyof RequestRow)[];

export interface ActivityRows {
  /** Each list has at most one row per key. */
  readonly traffic: readonly TrafficRow[];
  readonly requests: readonly RequestRow[];
  readonly demand: readonly DemandRow[];
  readonly unknownPlaces: readonly UnknownPlaceRow[];
  readonly unmet: readonly UnmetRow[];
}

export interface ActivitySlice extends ActivityRows {
  /** One run of one thread; unique. */
  readonly writer: string;
  /** From 1 on. */
  readonly number: number;
  readonly writtenAtMs: number;
}

export interface DayRange extends PartnerDays {
  readonly rowsMax?: number | undefined;
}

export interface UnknownRange extends Days {
  readonly searchesMin: number;
  readonly rowsMax: number;
}

/** Searches for one place over some days. */
export type PlaceSum = Omit<UnknownPlaceRow, 'day'>;

/** For callers on a thread that also answers partners. */
export interface DaysAtOnce {
  /** Days that one statement adds up, on an engine that works in the caller's thread. Absent: the cheapest number. */
  readonly daysAtOnce?: number;
}

/** Names that demand can be grouped by. */
export type DemandName = 'day' | 'city' | 'country' | 'arrivalWeek' | 'nights' | 'guests' | 'partnerId';
/** The sums of all rows that share these names. */
export type DemandSum<Name extends DemandName> = Pick<DemandRow, Name | 'searches' | 'empty' | 'looks'>;

/** Names that traffic can be grouped by. */
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
  /** Only requests older than this one. */
  readonly before?: { readonly atMs: number; readonly correlationId: string } | undefined;
  readonly limit: number;
}

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

/** Deletes up to `limit` rows; returns how many. */
type DeleteBefore<T> = (before: T, limit: number) => Promise<number>;

export interface ActivityStore {
  /** False if this writer already wrote this number or a later one; nothing changes then. */
  recordActivity(slice: ActivitySlice): Promise<boolean>;
  /** Minutes and days, ascending by time, then by names; `rowsMax` rows at most, where it is given. */
  readTraffic(range: DayRange): Promise<readonly TrafficRow[]>;
  /** Ascending by day, then by names; `rowsMax` rows at most, where it is given. */
  readDemand(range: DemandRange): Promise<readonly DemandRow[]>;
  /** City names that occur in rows of these days, unordered. */
  readDemandCities(range: Pick<DayRange, 'from' | 'to'>): Promise<readonly string[]>;
  /** The first and the last of these days with demand or traffic; undefined without any. */
  readActiveDays(
    what: 'demand' | 'traffic',
    range: Pick<DayRange, 'from' | 'to'>,
  ): Promise<Pick<DayRange, 'from' | 'to'> | undefined>;
  /**
   * One row for each combination of names over any number of days, unordered. PostgreSQL adds up all days at once.
   * SQLite adds up a few days at a time, and the calling thread does other work in between.
   */
  sumDemand<Name extends DemandName>(
    by: readonly Name[],
    range: Omit<DemandRange, 'rowsMax'> & DaysAtOnce,
  ): Promise<readonly DemandSum<Name>[]>;
  /** As `sumDemand`, for traffic. */
  sumTraffic<Name extends TrafficName>(
    by: readonly Name[],
    range: Omit<DayRange, 'rowsMax'>,
  ): Promise<readonly TrafficSum<Name>[]>;
  /** Refusals in the minutes from `fromMs` to `toMs` (excluded), most frequent first. Rate limits do not count. */
  countRefusals(range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly rowsMax: number;
  }): Promise<readonly RefusalCount[]>;
  /** Sums over the days, most searched first, without places that have fewer searches than `searchesMin`. */
  readUnknownPlaces(range: UnknownRange): Promise<readonly PlaceSum[]>;
  /** Sums of all places, however rare, unordered; read as `sumDemand` is. */
  sumUnknownPlaces(range: Pick<DayRange, 'from' | 'to'> & DaysAtOnce): Promise<readonly PlaceSum[]>;
  readPartnerUse(partnerId: string, nowMs: number): Promise<PartnerUse>;
  /** All partners, unordered; a day without answers has no row. Read as `sumTraffic` is. */
  sumPartnerDays(range: Pick<DayRange, 'from' | 'to'>): Promise<readonly PartnerDay[]>;
  /** The last of these days with answers, for each of these partners, from days already rolled up; unordered. */
  readLastPartnerDays(
    partnerIds: readonly string[],
    range: Pick<DayRange, 'from' | 'to'>,
  ): Promise<readonly Pick<PartnerDay, 'partnerId' | 'day'>[]>;
  /** Stays with arrival at `checkInFrom` or later, most searched first, without those that did not fit in memory. */
  readUnmet(range: {
    readonly checkInFrom: EpochDay;
    readonly rowsMax: number;
  }): Promise<readonly StoredUnmet[]>;
  /** Searches that found nothing, of stays that did not fit in memory. */
  countOtherUnmet(): Promise<number>;
  /** Skips stays that were deleted meanwhile. */
  recordJudgements(judged: readonly JudgedUnmet[]): Promise<void>;
  /** Newest first. */
  readRequests(filter: RequestFilter): Promise<readonly RequestRow[]>;
  /** Adds minutes before that instant to their days; totals stay the same. */
  readonly rollUpTraffic: DeleteBefore<number>;
  /**
   * Adds up by operation and code the first day before that instant that has no such sums yet. Returns the number of
   * sums, 0 if every day has them. Minutes rolled up later are added to them.
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
  /** Deletes the least searched stays beyond `rowsMax`; their searches move to the row for other stays. */
  trimUnmet(rowsMax: number, limit: number): Promise<number>;
  /** Deletes writers that wrote nothing since that instant. */
  readonly deleteWriters: DeleteBefore<number>;
}
