import { AnsweredError } from '../engine/errors.ts';

/**
 * One counter for everything that processes follow: properties, partners, credentials, handoff keys, operator tokens.
 * Every write to them first increments it, in the same transaction, and stamps the rows that it changes. So revisions
 * appear in commit order.
 *
 * The number means nothing without its history. `test/revision-comparisons.test.ts` lists every comparison of two
 * revisions, and why both are of one history there.
 */
export type Revision = number;

/**
 * A revision and the history that it counts in. After a failover to a standby that lacks commits, or the restore of a
 * backup, the database assigns the same numbers to other writes: then the stamp differs.
 */
export interface HistoryMark {
  readonly revision: Revision;
  /** Random stamp of the newest stamped write at or below the revision; empty if none is kept. */
  readonly stamp: string;
}

/** Whether nothing was written between the two marks, and neither is of another history. */
export function isSameHistory(one: HistoryMark, other: HistoryMark): boolean {
  return one.revision === other.revision && one.stamp === other.stamp;
}

/**
 * Whether one mark is at the other or behind it. At equal numbers the stamp decides: a mark of another history is not.
 * Compare numbers alone only where the database has told that both are of one history.
 */
export function hasReached(one: HistoryMark, other: HistoryMark): boolean {
  return one.revision > other.revision || isSameHistory(one, other);
}

/** The mark of a process that has read nothing yet: every database continues it. */
export const NOTHING_READ: HistoryMark = { revision: -1, stamp: '' };

export interface HistoryStore {
  /**
   * The database's current history, checked in the same view: throws `HistoryLost` unless it continues that of `known`.
   * Cheap enough for twenty calls a second.
   */
  readHistory(known: HistoryMark): Promise<HistoryMark>;
}

/** The database went back: it no longer has the history that was read. Read everything again. */
export class HistoryLost extends AnsweredError {
  override readonly name = 'HistoryLost';
  readonly known: HistoryMark;
  readonly newest: HistoryMark;

  constructor(known: HistoryMark, newest: HistoryMark) {
    super(`the database went back: it has no revision ${known.revision} of the history that was read`);
    this.known = known;
    this.newest = newest;
  }
}
