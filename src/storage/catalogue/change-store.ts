/** The part of the storage port that tells partners what changed for them. */
import type { HistoryMark, Revision } from '../history/revision.ts';
import type { ToldRow } from './change-row.ts';

/** Behind everything with a lower revision, and at this revision behind this id. */
export interface ChangePlace {
  readonly revision: Revision;
  readonly propertyId: string;
}

export interface ReadChange {
  readonly propertyId: string;
  /** Of the last write, whatever it was. */
  readonly revision: Revision;
  /** As of that write. */
  readonly row: ToldRow;
}

export interface PropertyChangePage {
  /** Ascending by (revision, propertyId); each property once, where its last write is. */
  readonly changes: readonly ReadChange[];
  /** There may be more behind them. */
  readonly hasMore: boolean;
}

export interface HistoryQuestion {
  /** What is known of the history: marks of which it is said whether the database continues each. */
  readonly marks: readonly HistoryMark[];
  /** Whose stamp is wanted; the newest unless it is given. */
  readonly revision?: Revision;
}

export interface HistoryAnswer {
  /** For each mark. */
  readonly continues: readonly boolean[];
  /** Of the revision asked for. */
  readonly stamp: string;
  readonly newest: Revision;
}

export interface ChangeStore {
  /** What was written behind the place, at most `limit` of it. */
  readonly readChanges: (after: ChangePlace, limit: number) => Promise<PropertyChangePage>;
  readonly readMarks: (question: HistoryQuestion) => Promise<HistoryAnswer>;
  /** When the partner was last changed, if it was created not long ago: 0 otherwise. */
  readonly findBirth: (partnerId: string, sinceMs: number) => Promise<Revision>;
  /** Forgets who came and went before; returns how many properties that were. */
  readonly forgetViews: (beforeMs: number, limit: number) => Promise<number>;
}
