/** The part of the storage port that reports changes to partners. */
import type { HistoryMark, Revision } from '../history/revision.ts';
import type { ListedChangeRow } from './change-row.ts';

/** A place in the order of changes: after all lower revisions and, at this revision, after this id. */
export interface ChangePosition {
  readonly revision: Revision;
  readonly propertyId: string;
}

export interface ReadChange {
  readonly propertyId: string;
  /** The revision of the last write of any kind. */
  readonly revision: Revision;
  /** As of that write. */
  readonly row: ListedChangeRow;
}

export interface PropertyChangePage {
  /** Ascending by (revision, propertyId). Each property appears once, at its last write. */
  readonly changes: readonly ReadChange[];
  /** More may follow. */
  readonly hasMore: boolean;
  /** The state that they were read from; undefined where there are none. */
  readonly readFrom: HistoryMark | undefined;
}

export interface HistoryQuestion {
  /** Marks to check: does the database continue each of these histories? */
  readonly marks: readonly HistoryMark[];
  /** The revision whose stamp to read; absent: the newest. */
  readonly revision?: Revision;
}

export interface HistoryAnswer {
  /** For each mark. */
  readonly continues: readonly boolean[];
  /** The stamp of the requested revision. */
  readonly stamp: string;
  readonly newest: Revision;
}

export interface ChangeStore {
  /** Writes after the place, up to `limit`. */
  readonly readChanges: (after: ChangePosition, limit: number) => Promise<PropertyChangePage>;
  readonly readMarks: (question: HistoryQuestion) => Promise<HistoryAnswer>;
  /** The revision of the partner's own last change; 0: there is no such partner. */
  readonly findPartnerRevision: (partnerId: string) => Promise<Revision>;
  /** Forgets visibility changes before this instant; returns the number of properties that had any. */
  readonly forgetViews: (beforeMs: number, limit: number) => Promise<number>;
}
