/** Reading what changed for partners, and forgetting it after a while. */
import { commit } from '../engine/write-result.ts';
import { isOfHistory, readStamp, stampAt } from '../history/history.ts';
import type { HistoryMark, Revision } from '../history/revision.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows } from '../portable-sql/program.ts';
import {
  type ChangeColumns,
  COLUMNS,
  type FoundColumns,
  NO_VIEWS,
  settleRow,
  TOLD_COLUMNS,
  toChangeRow,
  toListedChangeRow,
} from './change-row.ts';
import type {
  ChangePosition,
  ChangeStore,
  HistoryAnswer,
  HistoryQuestion,
  PropertyChangePage,
} from './change-store.ts';

const forget = ordinary('forgetViews', function* (beforeMs: number, limit: number) {
  const forgotten = yield* change(
    `UPDATE property_changes SET views = '${NO_VIEWS}', viewed_at_ms = NULL
     WHERE property_id IN (
       SELECT property_id FROM property_changes WHERE viewed_at_ms < ? ORDER BY viewed_at_ms LIMIT ?
     ) AND viewed_at_ms < ?`,
    [beforeMs, limit, beforeMs],
  );
  return commit(forgotten);
});

const WRITES = [forget];

export const changeConcern = concern(WRITES, changeStore);

function changeStore({ follow, write }: RunnerOf<typeof WRITES>): ChangeStore {
  return {
    readChanges: (after, limit) => follow(selectChanges(after, limit)),
    readMarks: (question) => follow(selectMarks(question)),
    findPartnerRevision: (partnerId) => follow(selectPartnerRevision(partnerId)),
    forgetViews: (beforeMs, limit) => write(forget, beforeMs, limit),
  };
}

interface FoundNewest {
  readonly newest: Revision;
  readonly newest_stamp: string;
}

type FoundListed = FoundNewest &
  Pick<ChangeColumns, (typeof TOLD_COLUMNS)[number]> & {
    readonly property_id: string;
    readonly revision: Revision;
    readonly row_revision: Revision | null;
  };

type FoundChange = FoundNewest &
  FoundColumns & {
    readonly property_id: string;
    readonly revision: Revision;
    readonly changed_at_ms: number;
    readonly document: string | null;
  };

const BEHIND = `
  FROM properties p LEFT JOIN property_changes c ON c.property_id = p.property_id
  WHERE (p.revision, p.property_id) > (?, ?)
  ORDER BY p.revision, p.property_id
  LIMIT ?`;

const columnsOf = (names: readonly string[]): string => names.map((name) => `c.${name}`).join(', ');

/** In the same statement: a restore between two statements would pass for the history of the rows. */
const NEWEST = 'SELECT r.revision FROM revision AS r';
const READ_FROM = `(${NEWEST}) AS newest, ${stampAt(`(${NEWEST})`)} AS newest_stamp`;

const SELECT_TOLD = `
  SELECT ${READ_FROM}, p.property_id, p.revision, c.row_revision, ${columnsOf(TOLD_COLUMNS)} ${BEHIND}`;

const SELECT_ALL = `
  SELECT ${READ_FROM}, p.property_id, p.revision, p.changed_at_ms,
    CASE WHEN c.row_revision = p.revision THEN NULL ELSE p.document END AS document, ${columnsOf(COLUMNS)} ${BEHIND}`;

function* selectChanges(
  { revision, propertyId }: ChangePosition,
  limit: number,
): Program<PropertyChangePage> {
  const values = [revision, propertyId, limit];
  const told = yield* rows<FoundListed>(SELECT_TOLD, values, 'told-changes');
  const hasMore = told.length === limit;
  if (told.every((found) => found.row_revision === found.revision)) {
    const changes = told.map((found) => ({
      propertyId: found.property_id,
      revision: found.revision,
      row: toListedChangeRow(found),
    }));
    return { changes, hasMore, readFrom: readFrom(told[0]) };
  }
  // An earlier release has written some of them.
  const all = yield* rows<FoundChange>(SELECT_ALL, values, 'property-changes');
  return { changes: all.map(toReadChange), hasMore: all.length === limit, readFrom: readFrom(all[0]) };
}

function readFrom(found: FoundNewest | undefined): HistoryMark | undefined {
  if (found === undefined) return undefined;
  const { newest, newest_stamp: stamp } = found;
  return { revision: newest, stamp: readStamp(stamp, newest) };
}

function toReadChange(found: FoundChange) {
  const { property_id: propertyId, revision, changed_at_ms: changedAtMs, document } = found;
  const known = toChangeRow(found);
  const isKnown = known?.rowRevision === revision;
  const row = isKnown ? known : settleRow(known, { revision, changedAtMs, document, types: undefined });
  return { propertyId, revision, row };
}

function* selectMarks({ marks, revision }: HistoryQuestion): Program<HistoryAnswer> {
  const stamps = marks.map((_mark, index) => `${stampAt('?')} AS stamp_${index}`);
  const wanted = `${stampAt(revision === undefined ? 'r.revision' : '?')} AS stamp`;
  const [found] = yield* rows<Record<string, string | number>>(
    `SELECT ${[...stamps, wanted, 'r.revision AS newest'].join(', ')} FROM revision AS r`,
    [...marks.map((mark) => mark.revision), ...(revision === undefined ? [] : [revision])],
  );
  if (found === undefined) throw new Error('the table revision is empty');
  const newest = Number(found['newest']);
  return {
    continues: marks.map(
      (mark, index) => mark.revision <= newest && isOfHistory(String(found[`stamp_${index}`]), mark),
    ),
    stamp: readStamp(String(found['stamp']), revision ?? newest),
    newest,
  };
}

function* selectPartnerRevision(partnerId: string): Program<Revision> {
  const found = yield* rows<{ readonly revision: Revision }>(
    'SELECT revision FROM partners WHERE partner_id = ?',
    [partnerId],
    'partner-revision',
  );
  return found[0]?.revision ?? 0;
}
