/** `/console/audit`: who changed what. */
import type { AuditRow } from '../../../access/audit-trail.ts';
import type { AuditShown } from './read.ts';
import { breakable, type Content, html } from '../../../http/html/html.ts';
import { cutText, dataTable, type PageView, unreadNote } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { AUDIT_TEXTS } from './messages.ts';

export function auditPage(view: PageView, { rows, unread }: AuditShown): PageParts {
  const caption = view.messages.bar.audit;
  const columns = ['at', 'person', 'role', 'act', 'on', 'from', 'to'] as const;
  const entries = rows.map((row) => ({
    ...row,
    from: stateText(view, row.from),
    to: stateText(view, row.to),
  }));
  const main = [unreadNote(view, unread), dataTable(view, { caption, columns, rows: entries })];
  return { title: caption, command: 'audit', main };
}

/** A partner may have a hundred origins; the command prints them all. */
const STATE_LENGTH_MAX = 150;

/** `quota 120, expiresAt none` */
function stateText({ locale }: PageView, state: AuditRow['to']): Content | null {
  if (state === null) return null;
  if (typeof state !== 'object')
    return state === 'done' || state === 'failed' ? AUDIT_TEXTS[locale][state] : state;
  const fields = Object.entries(state).map(
    ([name, value]) => `${name} ${valueText(value, AUDIT_TEXTS[locale].nothing)}`,
  );
  return html`<bdi>${breakable(cutText(fields.join(', '), STATE_LENGTH_MAX))}</bdi>`;
}

function valueText(value: unknown, nothing: string): string {
  if (typeof value === 'string') return value;
  if (value === null || (Array.isArray(value) && value.length === 0)) return nothing;
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'object') return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${name} ${valueText(part, nothing)}`);
  return parts.join(', ');
}
