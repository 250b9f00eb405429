/** `/console/audit`: who changed what. */
import type { AuditRow } from '../../access/audit-trail.ts';
import type { AuditShown } from '../../console/audit.ts';
import { breakable, type Content, html } from '../kit/html.ts';
import { cutText, dataTable, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';
import type { Messages } from './messages/messages.ts';

export function auditPage(view: PageView, { rows }: AuditShown): PageParts {
  const { audit: texts, bar } = view.messages;
  return {
    title: bar.audit,
    command: 'audit',
    main: dataTable(view, {
      ...{ caption: bar.audit, empty: texts.empty, rows },
      cells: (row) => ({ ...row, from: stateText(texts, row.from), to: stateText(texts, row.to) }),
    }),
  };
}

/** A partner may have a hundred origins; the command prints them all. */
const STATE_LENGTH_MAX = 150;

/** `quota 120, expiresAt null` */
function stateText(texts: Messages['audit'], state: AuditRow['to']): Content | null {
  if (state === null) return null;
  if (typeof state !== 'object') return state === 'done' || state === 'failed' ? texts[state] : state;
  const fields = Object.entries(state).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return html`<bdi>${breakable(cutText(fields.join(', '), STATE_LENGTH_MAX))}</bdi>`;
}
