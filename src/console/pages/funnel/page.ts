/** `/console/funnel`: from search to booking, by day and by partner. */
import { pageRow } from '../../web/page-row.ts';
import { FUNNEL_COLUMNS, type FunnelCounts, type FunnelShown, readFunnel } from './read.ts';
import { withQuery } from '../../reading/paths.ts';
import { formatLocalDate, getLocalDate } from '../../../domain/local-date.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { PLOT_SCRIPT, PLOT_STYLE } from '../../web/assets.ts';
import * as elements from '../../web/elements.ts';
import { changeText, headedTable, numberText, percentText, type PageView } from '../../web/elements.ts';
import { askAct, type PageParts } from '../../web/frame.ts';
import { FUNNEL_TEXTS } from './messages.ts';

const PATH = '/console/funnel';
const PARTNERS_SHOWN = 50;

export function funnelPage(view: PageView, shown: FunnelShown): PageParts {
  const texts = FUNNEL_TEXTS[view.locale];
  const { bar, frame } = view.messages;
  const { asked, unread, total } = shown;
  const isEmpty = FUNNEL_COLUMNS.every((column) => total[column] === 0);
  const command = elements.shellCommand('attribution', asked);
  return {
    title: bar.funnel,
    act: askAct(frame.chooseDays),
    command,
    main: html`${periodLinks(view, shown)} ${elements.daysForm(view, PATH, asked, unread)}
      ${isEmpty ? html`<p>${frame.none}</p>` : tables(view, shown, command)}
      <p class="fine">${texts.about}</p>`,
    ...(!isEmpty && { scripts: [PLOT_SCRIPT.path], stylesheets: [PLOT_STYLE.path] }),
  };
}

/** The script draws the daily numbers from this table, which is there without script too. */
function tables(view: PageView, shown: FunnelShown, command: string): Html {
  const { asked, days, partners, total, drift } = shown;
  const texts = FUNNEL_TEXTS[view.locale];
  const { words } = view.messages;
  // Newest first, without days that have only zeros.
  const rowsOfDays = days.filter((day) => FUNNEL_COLUMNS.some((column) => day[column] > 0)).toReversed();
  const byDay = { caption: texts.byDay, columns: ['day', ...FUNNEL_COLUMNS] as const, rows: rowsOfDays };
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
  const { from } = asked;
  // The lines end with the last whole day.
  const to = days.findLast(({ day }) => day < shown.today)?.day;
  // Searches outnumber bookings a hundredfold, so there are two plots, each with its own scale.
  const plots =
    to !== undefined &&
    ['0 1', '2 3 5 6'].map(
      (columns) => html`<div data-plot="${columns}" data-from="${from}" data-to="${to}"></div>`,
    );
  return html`${steps(view, shown)}
    <h2>${texts.byDay}</h2>
    ${plots}
    <details>
      <summary>${texts.table}</summary>
      <div class="numeric by-day">${elements.dataTable(view, byDay)}</div>
    </details>
    <div class="numeric">${headedTable(view, byPartner)}</div>
    ${partners.length > PARTNERS_SHOWN && elements.thereAreMore(view, command)}
    <div class="numeric">${driftTable(view, drift)}</div>`;
}

const PERIODS = [7, 30, 90];

function periodLinks(view: PageView, { asked, today }: FunnelShown): Html {
  const texts = FUNNEL_TEXTS[view.locale];
  const last = getLocalDate(today);
  const links = PERIODS.map((count) => {
    const from = formatLocalDate(last - count + 1);
    const isShown = asked.to === today && asked.from === from;
    const href = elements.hrefOf(view, withQuery(PATH, { from, to: today, partner: asked.partner }));
    return html`<a href="${href}" ${isShown && html`aria-current="true"`}>${texts.lastDays(count)}</a> `;
  });
  return html`<p class="switch">${links}</p>`;
}

const STEPS = ['searches', 'looks', 'quotes', 'opened', 'continued', 'converted'] as const;

/** The steps of the funnel: each with its number, its share of the step before, and a bar. */
function steps(view: PageView, { total, value }: FunnelShown): Html {
  const texts = FUNNEL_TEXTS[view.locale];
  const { words } = view.messages;
  const high = Math.max(...STEPS.map((step) => total[step]), 1);
  const rows = STEPS.map((step, index) => {
    const before = index === 0 ? undefined : STEPS[index - 1]!;
    const isShare = before !== undefined && total[before] > 0;
    return html`<li data-step="${step}">
      <span>${words[step]}</span> <b>${numberText(view, total[step])}</b>
      <small>${isShare && shareText(view, total[step], total[before], words[before])}</small>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="${((total[step] / high) * 100).toFixed(2)}" height="6" fill="currentColor" />
      </svg>
    </li> `;
  });
  const amounts = Object.entries(value).map(
    ([currency, amount]) => `${view.messages.decimal(amount)} ${currency}`,
  );
  return html`<ol class="steps">
      ${rows}
    </ol>
    ${amounts.length > 0 && html`<p data-value>${texts.value}: <b>${amounts.join('; ')}</b></p>`}`;
}

/** One search may lead to several looks: a share above the whole is a number of times. */
function shareText(view: PageView, count: number, before: number, word: string): string {
  const texts = FUNNEL_TEXTS[view.locale];
  return count > before
    ? texts.times(numberText(view, count / before), word)
    : texts.share(percentText(view, count / before), word);
}

function driftTable(view: PageView, drift: FunnelShown['drift']): Content {
  const texts = FUNNEL_TEXTS[view.locale];
  const rows = drift.map(({ age, compared, priceChanged, averageChangePercent: average }) => ({
    age: texts.ages[age],
    compared,
    priceChanged,
    share: compared === 0 ? null : percentText(view, priceChanged / compared),
    average: average === null ? null : changeText(view, average / 100),
  }));
  const columns = ['age', 'compared', 'priceChanged', 'share', 'average'] as const;
  return headedTable(
    view,
    { caption: texts.drift, columns, rows },
    html`<p class="fine">${texts.driftWhy}</p>`,
  );
}

function ratioText(view: PageView, { looks, converted }: FunnelCounts): string {
  const texts = FUNNEL_TEXTS[view.locale];
  return converted === 0 ? texts.noBooking : texts.ratio(numberText(view, looks / converted));
}

export const FUNNEL_PAGE = pageRow('funnel', '/console/funnel', readFunnel, funnelPage);
