/** `/console/partners`: who may call. */
import type { PartnersShown } from '../../console/partners.ts';
import { breakable, html } from '../kit/html.ts';
import { commandText, dataTable, nextLink, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

const ORIGINS_SHOWN_MAX = 3;

export function partnersPage(view: PageView, { rows, nextPath }: PartnersShown): PageParts {
  const { partners: texts, bar } = view.messages;
  const table = dataTable(view, {
    ...{ caption: bar.partners, rows },
    cells: ({ partnerId: partner, name, origins, disabled }) => ({
      ...{ partner, name },
      origins: breakable(originsText(origins)),
      state: disabled ? texts.disabled : texts.enabled,
    }),
    empty: [texts.empty, ' ', commandText('partner create --name NAME')],
  });
  return { title: bar.partners, command: 'partner list', main: html`${table}${nextLink(view, nextPath)}` };
}

function originsText(origins: readonly string[]): string {
  const shown = origins.slice(0, ORIGINS_SHOWN_MAX).join(' ') || '–';
  return origins.length > ORIGINS_SHOWN_MAX ? `${shown} +${origins.length - ORIGINS_SHOWN_MAX}` : shown;
}
