import { AnsweredError } from '../engine/errors.ts';

/**
 * One counter for all that processes follow: properties, partners, credentials, handoff keys, operator tokens. Every
 * write of these increments it first, in the same transaction, and stamps the rows that it changes; revisions therefore
 * appear in commit order.
 */
export type Revision = number;

/**
 * Everything up to a revision, and which history that number counts. After a failover to a standby that lacks commits,
 * or the restore of a backup, the database counts the same numbers again for other writes: then the stamp differs.
 */
export interface HistoryMark {
  readonly revision: Revision;
  /** Random, of the newest stamped write at or below the revision; empty where none is kept. */
  readonly stamp: string;
}

/** Of a process that has read nothing yet: every database continues it. */
export const NOTHING_READ: HistoryMark = { revision: -1, stamp: '' };

export interface HistoryStore {
  /**
   * What the database has now, in one view with the check that it continues the history of `known`: otherwise
   * `HistoryLost`. Cheap enough for twenty times a second.
   */
  readHistory(known: HistoryMark): Promise<HistoryMark>;
}

/** The database does not have the history any more that was read from it: it went back. Read everything again. */
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
