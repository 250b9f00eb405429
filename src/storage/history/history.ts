/**
 * Whether a database still has the history that a process has read: the one place that decides it, for both engines.
 *
 * The pair that is remembered is a revision and the newest stamp at or below it. As long as writes are only added,
 * that stamp never changes, whatever else is written, also by releases that write no stamps. When it is another one,
 * or the counter is lower, commits that were read are not in the database any more. When it was deleted, nobody
 * can tell; that counts as lost too.
 */
import { HistoryLost, type HistoryMark, type Revision } from './revision.ts';

/** The newest stamps that are kept whole: some 20 MB. */
export const WHOLE_STAMPS_MAX = 200_000;
/** Older ones are kept in short, so many in a row: folding them costs nearly nothing per write. */
export const STAMPS_PER_ROW = 100;
/** Stamps that are kept at all: 250 MB at most. A cursor or a process that is older begins again. */
export const STAMPS_MAX = 50_000_000;
/** Hexadecimal digits that are kept of an old stamp: one of 65,536 other histories would pass for this one. */
const SHORT_LENGTH = 4;

/** One row: what the database has now, and the stamp of the given revision. */
export interface HistoryRow {
  readonly newest_revision: Revision;
  readonly newest_stamp: string;
  readonly known_stamp: string;
}

/** The row with the newest stamp at or below a revision, for `readStamp`; empty where none is kept. */
export function stampAt(revision: string): string {
  return `coalesce((
    SELECT s.revision || ' ' || s.stamp FROM revision_stamps AS s WHERE s.revision <= ${revision} ORDER BY s.revision DESC LIMIT 1), '')`;
}

/** The stamp of a revision in what `stampAt` found for it; in short when it is old. */
export function readStamp(found: string, revision: Revision): string {
  const end = found.indexOf(' ');
  const stamp = found.slice(end + 1);
  if (stamp.length < STAMPS_PER_ROW * SHORT_LENGTH) return stamp;
  const place = Math.min(revision - Number(found.slice(0, end)), STAMPS_PER_ROW - 1);
  return stamp.slice(place * SHORT_LENGTH, (place + 1) * SHORT_LENGTH);
}

/** Whether the database has the history of the mark, by what `stampAt` found for its revision. */
export function isOfHistory(found: string, { revision, stamp }: HistoryMark): boolean {
  const stored = readStamp(found, revision);
  return stored.length === SHORT_LENGTH ? stamp.startsWith(stored) : stored === stamp;
}

/** Columns of a `HistoryRow` beside the table `revision AS r`; `known` is the parameter's place in the text. */
export function historyColumns(known: string): string {
  return `r.revision AS newest_revision, ${stampAt('r.revision')} AS newest_stamp, ${stampAt(known)} AS known_stamp`;
}

/** What the database has now; throws `HistoryLost` unless it continues the history of `known`. */
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

/** Revisions of which the stamps are folded into one row, by the write that takes `revision`; undefined: none. */
export function findFolding(
  revision: Revision,
): { readonly first: Revision; readonly last: Revision; readonly forgottenTo: Revision } | undefined {
  const last = revision - WHOLE_STAMPS_MAX;
  if (last <= 0 || revision % STAMPS_PER_ROW !== 0) return undefined;
  return { first: last - STAMPS_PER_ROW + 1, last, forgottenTo: revision - STAMPS_MAX };
}

/** The row for all revisions from `first` on; `before` is what `stampAt` found for the one before them. */
export function foldStamps(rows: readonly StampRow[], first: Revision, before: string): StampRow {
  let stamp = readStamp(before, first - 1);
  const byRevision = new Map(rows.map((row) => [row.revision, row.stamp]));
  const shorts = Array.from({ length: STAMPS_PER_ROW }, (_, place) => {
    stamp = byRevision.get(first + place) ?? stamp;
    return stamp.slice(0, SHORT_LENGTH).padEnd(SHORT_LENGTH);
  });
  return { revision: first, stamp: shorts.join('') };
}
