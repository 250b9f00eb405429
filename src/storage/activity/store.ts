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

export interface ActivityRows {
  /** No two of one key, as in each of these lists. */
  readonly traffic: readonly TrafficRow[];
  readonly requests: readonly RequestRow[];
  readonly demand: readonly DemandRow[];
  readonly unknownPlaces: readonly UnknownPlaceRow[];
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
  readonly rowsMax: number;
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
  readonly limit: number;
}

/** `looked` rows were looked at, `limit` at most; each is gone afterwards. */
type DeleteBefore<T> = (before: T, limit: number) => Promise<number>;

export interface ActivityStore {
  /** False when this writer wrote a slice of this number, or a later one, before: nothing is changed then. */
  recordActivity(slice: ActivitySlice): Promise<boolean>;
  /** Minutes and days, ascending by time, then by names; `rowsMax` rows at most. */
  readTraffic(range: DayRange): Promise<readonly TrafficRow[]>;
  /** Ascending by day, then by names. */
  readDemand(range: DayRange & { readonly country?: string | undefined }): Promise<readonly DemandRow[]>;
  /** Added up over the days, most asked first; those with fewer searches than `searchesMin` are left out. */
  readUnknownPlaces(
    range: Omit<DayRange, 'partnerId'> & { readonly searchesMin: number },
  ): Promise<readonly Omit<UnknownPlaceRow, 'day'>[]>;
  /** Newest first. */
  readRequests(filter: RequestFilter): Promise<readonly RequestRow[]>;
  /** Adds minutes before that instant to their days: the sums stay what they are. */
  readonly rollUpTraffic: DeleteBefore<number>;
  readonly deleteTraffic: DeleteBefore<number>;
  readonly deleteRequests: DeleteBefore<number>;
  readonly deleteDemand: DeleteBefore<EpochDay>;
  readonly deleteUnknownPlaces: DeleteBefore<EpochDay>;
  /** Of writers that wrote nothing since that instant. */
  readonly deleteWriters: DeleteBefore<number>;
}
