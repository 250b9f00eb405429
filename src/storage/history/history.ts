/**
 * Decides, for both engines, whether a database still has the history that a process has read.
 *
 * A mark is a revision and the newest stamp at or below it. As long as writes are only added, that stamp never changes,
 * whatever else is written, even by releases that write no stamps. If the stamp differs or the counter is lower, the
 * database has lost commits that were read. If the stamp was deleted, nobody can tell; that counts as lost too.
 */
import { HistoryLost, type HistoryMark, type Revision } from './revision.ts';

/** The newest stamps, which are kept in full: some 20 MB. */
export const WHOLE_STAMPS_MAX = 200_000;
/** Older stamps are shortened, this many consecutive ones per row: folding them costs nearly nothing per write. */
export const STAMPS_PER_ROW = 100;
/** All stamps that are kept: 250 MB at most. A cursor or process that is older starts over. */
export const STAMPS_MAX = 50_000_000;
/** Hexadecimal digits kept of an old stamp: one of 65,536 other histories would be mistaken for this one. */
const SHORT_LENGTH = 4;

/** One row: the database's current history, and the stamp of the given revision. */
export interface HistoryRow {
  readonly newest_revision: Revision;
  readonly newest_stamp: string;
  readonly known_stamp: string;
}

/** The row with the newest stamp at or below a revision, for `readStamp`; empty if none is kept. */
export function stampAt(revision: string): string {
  return `coalesce((
    SELECT s.revision || ' ' || s.stamp FROM revision_stamps AS s WHERE s.revision <= ${revision} ORDER BY s.revision DESC LIMIT 1), '')`;
}

/** The stamp of a revision, from the result of `stampAt`; shortened if it is old. */
export function readStamp(found: string, revision: Revision): string {
  const end = found.indexOf(' ');
  const stamp = found.slice(end + 1);
  if (stamp.length < STAMPS_PER_ROW * SHORT_LENGTH) return stamp;
  const place = Math.min(revision - Number(found.slice(0, end)), STAMPS_PER_ROW - 1);
  return stamp.slice(place * SHORT_LENGTH, (place + 1) * SHORT_LENGTH);
}

/** Whether the database has the history of the mark, from the result of `stampAt` for its revision. */
export function isOfHistory(found: string, { revision, stamp }: HistoryMark): boolean {
  const stored = readStamp(found, revision);
  return stored.length === SHORT_LENGTH ? stamp.startsWith(stored) : stored === stamp;
}

/** Columns of a `HistoryRow` beside the table `revision AS r`; `known` is the placeholder of the parameter. */
export function historyColumns(known: string): string {
  return `r.revision AS newest_revision, ${stampAt('r.revision')} AS newest_stamp, ${stampAt(known)} AS known_stamp`;
}

/** The database's current history; throws `HistoryLost` unless it continues that of `known`. */
export function continueHistory(row: HistoryRow | undefined, known: HistoryMark): HistoryMark {
  if (row === undefined) throw new Error('the table revision is empty');
  const newest = { revision: row.newest_revision, stamp: readStamp(row.newest_stamp, row.newest_revision) };
  if (newest.revision < known.revision || !isOfHistory(row.known_stamp, known))
    throw new HistoryLost(known, newest);
  return newest;
}

/** A row of the table `revision_stamps`. */
export interface StampRow {
  readonly revision: Revision;
  readonly stamp: string;
}

/** Revisions whose stamps the write of `revision` folds into one row; undefined: none. */
export function findFolding(
  revision: Revision,
): { readonly first: Revision; readonly last: Revision; readonly forgottenTo: Revision } | undefined {
  const last = revision - WHOLE_STAMPS_MAX;
  if (last <= 0 || revision % STAMPS_PER_ROW !== 0) return undefined;
  return { first: last - STAMPS_PER_ROW + 1, last, forgottenTo: revision - STAMPS_MAX };
}

/** The row for all revisions from `first` on; `before` is the result of `stampAt` for the revision before them. */
export function foldStamps(rows: readonly StampRow[], first: Revision, before: string): StampRow {
  let stamp = readStamp(before, first - 1);
  const byRevision = new Map(rows.map((row) => [row.revision, row.stamp]));
  const shorts = Array.from({ length: STAMPS_PER_ROW }, (_, place) => {
    stamp = byRevision.get(first + place) ?? stamp;
    return stamp.slice(0, SHORT_LENGTH).padEnd(SHORT_LENGTH);
  });
  return { revision: first, stamp: shorts.join('') };
}
