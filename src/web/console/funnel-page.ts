/** `/console/funnel`: from search to booking, by day and by partner. */
import { FUNNEL_COLUMNS, type FunnelRow, type FunnelShown } from '../../console/funnel.ts';
import { withQuery } from '../../console/paths.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { daysForm } from './days-form.ts';
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
    main: html`${daysForm(view, PATH, { from, to, partner })}
      ${isEmpty ? html`<p>${texts.empty} ${command}</p>` : tables(view, shown)}
      <p class="fine">${texts.about}</p>`,
    command: elements.shellCommand('attribution', { from, to, partner }),
    ...(isEmpty ? {} : PLOT_PARTS),
  };
}

function tables(view: PageView, { days, partners, total, from, to, drift }: FunnelShown): Content {
  const texts = view.messages.funnel;
  const byPartner = headedTable({
    caption: texts.byPartner,
    heads: { name: texts.partner, ...texts.columns, lookToBook: texts.lookToBook },
    rows: [...partners.slice(0, PARTNERS_SHOWN), total],
    cells: (row) => {
      const path = withQuery(PATH, { from, to, partner: row.key });
      const name = row === total ? texts.total : elements.linkTo(view, path, elements.named(row.key));
      return { ...row, name, lookToBook: ratioText(view, row) };
    },
  });
  const byDay = elements.dataTable({
    caption: texts.byDay,
    heads: { day: texts.day, ...texts.columns },
    rows: days,
    cells: (row) => ({ ...row, day: elements.dateElement(view, row.key) }),
  });
  return html`<div class="numeric">${plotted(byDay)}</div>
    <div class="numeric">${byPartner}</div>
    ${partners.length > PARTNERS_SHOWN && html`<p>${texts.more}</p>`} ${driftTable(view, drift)}`;
}

function driftTable({ messages }: PageView, drift: FunnelShown['drift']): Html {
  const { locale, funnel } = messages;
  const texts = funnel.drift;
  const percent = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1, ...options }).format(value);
  const parts = {
    ...{ caption: texts.caption, heads: texts.heads, rows: drift },
    cells: ({ age, compared, priceChanged, averageChangePercent: average }: (typeof drift)[number]) => ({
      age: texts.ages[age],
      compared,
      priceChanged,
      share: compared === 0 ? '–' : percent(priceChanged / compared),
      average: average === null ? '–' : percent(average / 100, { signDisplay: 'exceptZero' }),
    }),
  };
  return html`<div class="numeric">${headedTable(parts, html`<p class="fine">${texts.about}</p>`)}</div>`;
}

function ratioText({ messages }: PageView, { looks, converted }: FunnelRow): string {
  const { funnel: texts, locale } = messages;
  if (converted === 0) return texts.noBooking;
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return texts.ratio(format.format(looks / converted));
}
