/**
 * Whether a database still has the history that a process has read: the one place that decides it, for both engines.
 *
 * The pair that is remembered is a revision and the newest stamp at or below it. As long as writes are only added,
 * that stamp never changes, whatever else is written, also by releases that write no stamps. When it is another one,
 * or the counter is lower, commits that were read are not in the database any more. When it was pruned, nobody can
 * tell; that counts as lost too.
 */
import { HistoryLost, type HistoryMark, type Revision } from './revision.ts';

/** The newest stamps that are kept: some 20 MB. A process that was away for more writes reads everything again. */
export const STAMPS_KEPT_MAX = 200_000;
/** Each so many revisions, what is beyond is deleted; so deleting costs nearly nothing per write. */
export const STAMPS_PER_PRUNING = 100;

/** One row: what the database has now, and the stamp of the given revision. */
export interface HistoryRow {
  readonly newest_revision: Revision;
  readonly newest_stamp: string;
  readonly known_stamp: string;
}

/** The newest stamp at or below a revision; empty where none is kept. */
export function stampAt(revision: string): string {
  return `coalesce((
    SELECT s.stamp FROM revision_stamps AS s WHERE s.revision <= ${revision} ORDER BY s.revision DESC LIMIT 1), '')`;
}

/** Columns of a `HistoryRow` beside the table `revision AS r`; `known` is the parameter's place in the text. */
export function historyColumns(known: string): string {
  return `r.revision AS newest_revision, ${stampAt('r.revision')} AS newest_stamp, ${stampAt(known)} AS known_stamp`;
}

/** What the database has now; throws `HistoryLost` unless it continues the history of `known`. */
export function continueHistory(row: HistoryRow | undefined, known: HistoryMark): HistoryMark {
  if (row === undefined) throw new Error('the table revision is empty');
  const newest = { revision: row.newest_revision, stamp: row.newest_stamp };
  if (newest.revision < known.revision || row.known_stamp !== known.stamp)
    throw new HistoryLost(known, newest);
  return newest;
}

/**
 * The revision up to which stamps are deleted by the write that takes `revision`; undefined: by this one nothing is.
 */
export function pruneStampsTo(revision: Revision): Revision | undefined {
  const last = revision - STAMPS_KEPT_MAX;
  return last > 0 && revision % STAMPS_PER_PRUNING === 0 ? last : undefined;
}
