/** `/console/funnel`: from search to booking, by day and by partner. */
import { FUNNEL_COLUMNS, type FunnelRow, type FunnelShown } from '../../console/funnel.ts';
import { withQuery } from '../../console/paths.ts';
import { type Content, html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { headedTable, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';
import { PLOT_PARTS, plotted } from './plot.ts';

const PATH = '/console/funnel';
const PARTNERS_SHOWN = 50;

export function funnelPage(view: PageView, shown: FunnelShown): PageParts {
  const { funnel: texts, bar } = view.messages;
  const { from, to, partner, total } = shown;
  const isEmpty = FUNNEL_COLUMNS.every((column) => total[column] === 0);
  const command = elements.commandText('credential issue --partner ID');
  return {
    title: bar.funnel,
    main: html`${elements.daysForm(view, PATH, { from, to, partner })}
      ${isEmpty ? html`<p>${texts.empty} ${command}</p>` : tables(view, shown)}
      <p class="fine">${texts.about}</p>`,
    command: elements.shellCommand('attribution', { from, to, partner }),
    ...(isEmpty ? {} : PLOT_PARTS),
  };
}

function tables(view: PageView, { days, partners, total, from, to, drift }: FunnelShown): Content {
  const texts = view.messages.funnel;
  const byDay = elements.dataTable(view, {
    ...{ caption: texts.byDay, rows: days },
    cells: ({ key: day, ...counts }) => ({ day, ...counts }),
  });
  const byPartner = headedTable(view, {
    ...{ caption: texts.byPartner, rows: [...partners.slice(0, PARTNERS_SHOWN), total] },
    cells: (row) => {
      const { key, ...counts } = row;
      const link = elements.linkTo(view, withQuery(PATH, { from, to, partner: key }), elements.named(key));
      return {
        partner: row === total ? html`${view.messages.words.total}` : link,
        ...counts,
        lookToBook: ratioText(view, row),
      };
    },
  });
  return html`<div class="numeric">${plotted(byDay)}</div>
    <div class="numeric">${byPartner}</div>
    ${partners.length > PARTNERS_SHOWN && html`<p>${texts.more}</p>`}
    <div class="numeric">${driftTable(view, drift)}</div>`;
}

function driftTable(view: PageView, drift: FunnelShown['drift']): Content {
  const { caption, ages, about } = view.messages.funnel.drift;
  const percent = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    numberText(view, value, { style: 'percent', ...options });
  const parts: elements.DataTableParts<(typeof drift)[number]> = {
    ...{ caption, rows: drift },
    cells: ({ age, compared, priceChanged, averageChangePercent: average }) => ({
      ...{ age: ages[age], compared, priceChanged },
      share: compared === 0 ? null : percent(priceChanged / compared),
      average: average === null ? null : percent(average / 100, { signDisplay: 'exceptZero' }),
    }),
  };
  return headedTable(view, parts, html`<p class="fine">${about}</p>`);
}

function ratioText(view: PageView, { looks, converted }: FunnelRow): string {
  const texts = view.messages.funnel;
  return converted === 0 ? texts.noBooking : texts.ratio(numberText(view, looks / converted));
}

function numberText({ messages }: PageView, value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(messages.locale, { maximumFractionDigits: 1, ...options }).format(value);
}
