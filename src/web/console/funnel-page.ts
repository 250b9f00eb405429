/** `/console/funnel`: from search to booking, by day and by partner. */
import { FUNNEL_COLUMNS, type FunnelCounts, type FunnelShown } from '../../console/funnel.ts';
import { withQuery } from '../../console/paths.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { PLOT_SCRIPT, PLOT_STYLE } from './assets.ts';
import * as elements from './elements.ts';
import { headedTable, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

const PATH = '/console/funnel';
const PARTNERS_SHOWN = 50;

export function funnelPage(view: PageView, shown: FunnelShown): PageParts {
  const { funnel: texts, bar, frame } = view.messages;
  const { asked, unread, total } = shown;
  const isEmpty = FUNNEL_COLUMNS.every((column) => total[column] === 0);
  const command = elements.shellCommand('attribution', asked);
  return {
    title: bar.funnel,
    command,
    main: html`${elements.daysForm(view, PATH, asked, unread)}
      ${isEmpty ? html`<p>${frame.none}</p>` : tables(view, shown, command)}
      <p class="fine">${texts.about}</p>`,
    ...(!isEmpty && { scripts: [PLOT_SCRIPT.path], stylesheets: [PLOT_STYLE.path] }),
  };
}

/** The script draws the numbers by day from their table: without it the table is all there is. */
function tables(view: PageView, { asked, days, partners, total, drift }: FunnelShown, command: string): Html {
  const { funnel: texts, words } = view.messages;
  const byDay = { caption: texts.byDay, columns: ['day', ...FUNNEL_COLUMNS] as const, rows: days };
  const ofPartners = partners.slice(0, PARTNERS_SHOWN).map(({ partnerId: partner, ...counts }) => {
    const link = elements.linkTo(view, withQuery(PATH, { ...asked, partner }), elements.named(partner));
    return { partnerId: link, ...counts };
  });
  const rows = [...ofPartners, { partnerId: html`${words.total}`, ...total }];
  const byPartner = {
    caption: texts.byPartner,
    columns: ['partnerId', ...FUNNEL_COLUMNS, 'lookToBook'] as const,
    rows: rows.map((row) => ({ ...row, lookToBook: ratioText(view, row) })),
  };
  return html`<h2>${texts.byDay}</h2>
    <div class="numeric"><div data-plot>${elements.dataTable(view, byDay)}</div></div>
    <div class="numeric">${headedTable(view, byPartner)}</div>
    ${partners.length > PARTNERS_SHOWN && elements.thereAreMore(view, command)}
    <div class="numeric">${driftTable(view, drift)}</div>`;
}

function driftTable(view: PageView, drift: FunnelShown['drift']): Content {
  const texts = view.messages.funnel;
  const percent = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    numberText(view, value, { style: 'percent', ...options });
  const rows = drift.map(({ age, compared, priceChanged, averageChangePercent: average }) => ({
    age: texts.ages[age],
    compared,
    priceChanged,
    share: compared === 0 ? null : percent(priceChanged / compared),
    average: average === null ? null : percent(average / 100, { signDisplay: 'exceptZero' }),
  }));
  const columns = ['age', 'compared', 'priceChanged', 'share', 'average'] as const;
  return headedTable(
    view,
    { caption: texts.drift, columns, rows },
    html`<p class="fine">${texts.driftWhy}</p>`,
  );
}

function ratioText(view: PageView, { looks, converted }: FunnelCounts): string {
  const texts = view.messages.funnel;
  return converted === 0 ? texts.noBooking : texts.ratio(numberText(view, looks / converted));
}

function numberText({ locale }: PageView, value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1, ...options }).format(value);
}
