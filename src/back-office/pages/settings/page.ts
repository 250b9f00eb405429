/** `/console/settings`: what is set, what it means, and what `doctor` finds. */
import type { readSettings } from './read.ts';
import type { ShownBy } from '../../console/console-page.ts';
import { breakable, html, prose } from '../../../http/html/html.ts';
import { headedTable, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { SETTINGS_TEXTS } from './messages.ts';

export function settingsPage(view: PageView, { rows }: ShownBy<typeof readSettings>): PageParts {
  const texts = SETTINGS_TEXTS[view.locale];
  const { bar } = view.messages;
  return {
    title: bar.settings,
    main: [
      headedTable(view, {
        caption: texts.checks,
        columns: ['check', 'state', 'reason'],
        rows: rows.doctor.map(({ check, status, detail, fix }) => ({
          check,
          status,
          state: html`<span class="${LOOKS[status]}">${texts.states[status]}</span>`,
          reason: html`<span lang="en"
            >${breakable(detail)}${fix !== null && html`<br /><b>${breakable(fix)}</b>`}</span
          >`,
        })),
        attributes: ({ check, status }) => html` data-check="${check}" data-status="${status}"`,
      }),
      headedTable(
        view,
        {
          caption: texts.values,
          columns: ['name', 'value', 'default', 'meaning'],
          rows: rows.settings.map(({ name, value, default: fallback, meaning }) => ({
            name: html`<code>${breakable(name)}</code>`,
            setting: name,
            value: html`${breakable(value ?? '–')}`,
            default: html`${breakable(fallback ?? '–')}`,
            meaning: html`<span lang="en">${prose(meaning)}</span>`,
          })),
          attributes: ({ setting }) => html` data-setting="${setting}"`,
        },
        html`<p>${texts.about}</p>`,
      ),
    ],
    command: 'doctor',
  };
}

const LOOKS = { ok: 'well', warn: 'unsure', fail: 'refusal' } as const;
