/**
 * When a property last changed for partners, and which partners saw it appear and disappear. Each property has one row,
 * which every write updates in its own transaction. Knows no engine.
 *
 * Where a row has another revision than the property, the next writer, and every reader before it, settles the row from
 * what is stored.
 */
import { hash } from 'node:crypto';
import { isVisibleTo, type Property } from '../../domain/property.ts';
import { parseDocument } from '../../domain/ledger/stored-document.ts';
import type { StoredCalendar, StoredWrite } from '../../domain/ledger/stored-write.ts';
import type { Revision } from '../history/revision.ts';

type Visibility = Property['visibleTo'];

/**
 * By partner, the revision at which it began to see the property; negative: at which it ceased to. Absent partners
 * count as EVERYBODY; if that is absent too, nothing changed for them since cursors are remembered.
 */
type Views = Readonly<Record<string, number>>;

const EVERYBODY = '';

/** Always seen. */
const EVER = 0;

/** The part of a change row that decides what a partner is told. */
export interface ListedChangeRow {
  readonly contentRevision: Revision;
  readonly calendarRevision: Revision;
  readonly visibleTo: Visibility;
  readonly views: Views;
}

export interface ChangeRow extends ListedChangeRow {
  /** The revision of the property that the row is about. */
  readonly rowRevision: Revision;
  /** Null: not known. */
  readonly contentDigest: string | null;
  readonly calendarDigest: string | null;
  readonly viewedAtMs: number | null;
}

/** The stored state of a property beside its change row. */
export interface StoredState {
  readonly revision: Revision;
  readonly changedAtMs: number;
  /** Null when it is withdrawn. */
  readonly document: string | null;
  /** Undefined: not read, so its calendar counts as changed. */
  readonly types: readonly StoredCalendar[] | undefined;
}

/** The revision of a write, and its time. */
export interface Stamp {
  readonly revision: Revision;
  readonly nowMs: number;
}

/** The state of a property from this revision on. */
export interface NewState extends Stamp {
  readonly content: StoredContentState | undefined;
}

export interface StoredContentState {
  readonly visibleTo: Visibility;
  readonly contentDigest: string;
  /** Undefined: not known, so it counts as changed. */
  readonly calendarDigest: string | undefined;
}

export type ChangeKind = 'content' | 'calendar' | 'gone';

const NOTHING: Omit<ChangeRow, 'rowRevision'> = {
  contentRevision: 0,
  calendarRevision: 0,
  contentDigest: null,
  calendarDigest: null,
  visibleTo: [],
  views: {},
  viewedAtMs: null,
};

export function contentStateOf({
  document,
  types,
}: Pick<StoredWrite, 'document' | 'types'>): StoredContentState {
  return stateOf(document, types);
}

/** Whether `settleRow` has to see the documents and calendars that are stored. */
export function isSettled(row: ChangeRow | undefined, revision: Revision): row is ChangeRow {
  return row?.rowRevision === revision && row.contentDigest !== null && row.calendarDigest !== null;
}

/** The row that matches the stored state, even if a writer left it out of date. */
export function settleRow(row: ChangeRow | undefined, stored: StoredState): ChangeRow {
  const { revision, changedAtMs, document, types } = stored;
  const content = document === null ? undefined : stateOf(document, types);
  if (row?.rowRevision === revision) {
    if (content === undefined) return row;
    const { contentDigest, calendarDigest = row.calendarDigest } = content;
    return { ...row, contentDigest, calendarDigest };
  }
  return advanceRow(row, { content, revision, nowMs: changedAtMs });
}

/** The row after a write; `content` is undefined for a withdrawal. */
export function advanceRow(row: ChangeRow | undefined, { content, revision, nowMs }: NewState): ChangeRow {
  const before = row ?? NOTHING;
  const visibleTo = content?.visibleTo ?? [];
  const views = moveViews(before.views, before.visibleTo, visibleTo, revision);
  const viewed = { visibleTo, views, viewedAtMs: views === before.views ? before.viewedAtMs : nowMs };
  if (content === undefined) return { ...before, ...viewed, rowRevision: revision };
  const { contentDigest, calendarDigest = null } = content;
  const isSameCalendar = calendarDigest !== null && calendarDigest === before.calendarDigest;
  return {
    ...viewed,
    rowRevision: revision,
    contentRevision: contentDigest === before.contentDigest ? before.contentRevision : revision,
    calendarRevision: isSameCalendar ? before.calendarRevision : revision,
    contentDigest,
    calendarDigest,
  };
}

/**
 * The change to report to a partner that knows everything up to `revision`; undefined: none. The partner was there by
 * then, so it saw what all partners saw.
 */
export function changeFor(
  row: ListedChangeRow,
  partnerId: string,
  revision: Revision,
): ChangeKind | undefined {
  const own = viewOf(row.views, partnerId);
  const view = own ?? viewOf(row.views, EVERYBODY) ?? EVER;
  if (isVisibleTo(row, partnerId)) {
    if (row.contentRevision > revision || view > revision) return 'content';
    return row.calendarRevision > revision ? 'calendar' : undefined;
  }
  return -view > revision ? 'gone' : undefined;
}

/** A partner's id may equal a property that every object inherits. */
function viewOf(views: Views, partnerId: string): number | undefined {
  return Object.hasOwn(views, partnerId) ? views[partnerId] : undefined;
}

function moveViews(views: Views, from: Visibility, to: Visibility, revision: Revision): Views {
  if (isSameVisibility(from, to)) return views;
  const next = new Map(Object.entries(views));
  if (to === 'all') {
    for (const [id, view] of next) if (view < 0) next.delete(id);
    for (const id of from) if (!next.has(id)) next.set(id, EVER);
    next.set(EVERYBODY, revision);
  } else if (from === 'all') {
    const since = next.get(EVERYBODY) ?? EVER;
    const kept = to.map((id) => [id, next.get(id) ?? since] as const);
    next.clear();
    for (const [id, view] of kept) next.set(id, view);
    next.set(EVERYBODY, -revision);
  } else {
    for (const id of from) if (!to.includes(id)) next.set(id, -revision);
    for (const id of to) if (!from.includes(id)) next.set(id, revision);
  }
  return Object.fromEntries(next);
}

function isSameVisibility(one: Visibility, other: Visibility): boolean {
  if (one === 'all' || other === 'all') return one === other;
  return one.every((id) => other.includes(id)) && other.every((id) => one.includes(id));
}

function stateOf(document: string, types: readonly StoredCalendar[] | undefined): StoredContentState {
  const { visibleTo, ...content } = parseDocument(document);
  return {
    visibleTo,
    contentDigest: digest([Buffer.from(JSON.stringify(content))]),
    calendarDigest:
      types && digest(types.flatMap((type) => [Buffer.from(type.inventoryTypeId), type.nights, type.rates])),
  };
}

/** 132 bits, enough to tell any two states from each other. The lengths separate the parts. */
function digest(parts: readonly Uint8Array[]): string {
  const lengths = new Uint8Array(Float64Array.from(parts, (part) => part.byteLength).buffer);
  return hash('sha256', Buffer.concat([lengths, ...parts]), 'base64url').slice(0, 22);
}

/** The columns of a row, in the order of COLUMNS. */
export interface ChangeColumns {
  readonly row_revision: number;
  readonly content_revision: number;
  readonly calendar_revision: number;
  readonly content_digest: string | null;
  readonly calendar_digest: string | null;
  readonly visible_to: string;
  readonly views: string;
  readonly viewed_at_ms: number | null;
}

export const COLUMNS: readonly (keyof ChangeColumns)[] = [
  'row_revision',
  'content_revision',
  'calendar_revision',
  'content_digest',
  'calendar_digest',
  'visible_to',
  'views',
  'viewed_at_ms',
];

/** The columns of a `ListedChangeRow`. */
export const TOLD_COLUMNS = ['content_revision', 'calendar_revision', 'visible_to', 'views'] as const;

/** The row of an outer join: all columns null if the property has no change row. */
export type FoundColumns = ChangeColumns | { readonly [Column in keyof ChangeColumns]: null };

export function toChangeRow(found: FoundColumns): ChangeRow | undefined {
  if (found.row_revision === null) return undefined;
  return {
    ...toListedChangeRow(found),
    rowRevision: found.row_revision,
    contentDigest: found.content_digest,
    calendarDigest: found.calendar_digest,
    viewedAtMs: found.viewed_at_ms,
  };
}

export function toListedChangeRow(
  found: Pick<ChangeColumns, (typeof TOLD_COLUMNS)[number]>,
): ListedChangeRow {
  return {
    contentRevision: found.content_revision,
    calendarRevision: found.calendar_revision,
    visibleTo: found.visible_to === VISIBLE_TO_ALL ? 'all' : (JSON.parse(found.visible_to) as Visibility),
    views: found.views === NO_VIEWS ? {} : (JSON.parse(found.views) as Views),
  };
}

const VISIBLE_TO_ALL = '"all"';
export const NO_VIEWS = '{}';

export function formatChangeRow(row: ChangeRow): ChangeColumns {
  return {
    row_revision: row.rowRevision,
    content_revision: row.contentRevision,
    calendar_revision: row.calendarRevision,
    content_digest: row.contentDigest,
    calendar_digest: row.calendarDigest,
    visible_to: JSON.stringify(row.visibleTo),
    views: JSON.stringify(row.views),
    viewed_at_ms: row.viewedAtMs,
  };
}
