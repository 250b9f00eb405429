/**
 * Places in the order of changes, (revision, propertyId) ascending. Revisions appear in commit order, so once
 * revision n can be read nothing is ever added at n or before it: rows only leave for a higher revision.
 */
import type { ChangeCursor, PropertyChanges } from './store.ts';
import type { HistoryMark } from '../history/revision.ts';

/** Sorts behind every property id (SPEC 2: their last character is `~`). */
const BEHIND_ALL_IDS = '\u007f';

/** Behind everything that it counts: where a follower goes on after a snapshot. */
export function cursorAfter(history: HistoryMark): ChangeCursor {
  return { revision: history.revision, propertyId: BEHIND_ALL_IDS, history };
}

/**
 * The page that holds `changes`. `newest` was read in the same transaction as they were: a page behind which there are
 * no more has seen everything up to it.
 */
export function pageOfChanges(
  changes: PropertyChanges['changes'],
  hasMore: boolean,
  newest: HistoryMark,
): PropertyChanges {
  const last = changes.at(-1);
  if (!hasMore || last === undefined) return { changes, cursor: cursorAfter(newest), complete: true };
  const propertyId = 'property' in last ? last.property.propertyId : last.propertyId;
  return { changes, cursor: { revision: last.revision, propertyId, history: newest }, complete: false };
}
