/** `/console/quotes/ID`: a stored quote, and the parts of its price. */
import { pageRow } from '../../web/page-row.ts';
import { type QuoteShown, readQuote } from './read.ts';
import { formatAges } from '../../../domain/child-ages.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { getLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { type Content, type Html, html } from '../../../http/html/html.ts';
import { makeFormats } from '../../../http/html/formats.ts';
import * as elements from '../../web/elements.ts';
import { fieldList, headedTable, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';
import { QUOTE_TEXTS } from './messages.ts';

export function quotePage(view: PageView, shown: QuoteShown): PageParts {
  const { rows: quote } = shown;
  const { words, party } = view.messages;
  const { partnerId, propertyId, inventoryTypeId, locale } = quote;
  const { stay, nights, taxes, pricing, discount, currency } = quote;
  const nightsText = elements.nightsText(view, { dateFrom: stay.checkIn, dateTo: stay.checkOut });
  const fields = {
    partnerId,
    propertyId,
    inventoryTypeId,
    stay: `${nightsText}, ${party(stay)}`,
    locale,
    sandbox: quote.test,
  };
  const hasChildren = nights.some(({ children }) => children !== undefined);
  const ofNight = [
    'date',
    'rate',
    'extraGuests',
    ...(hasChildren ? (['children'] as const) : []),
    'discount',
    'price',
  ] as const;
  const ofTax = ['code', 'kind', 'logic', 'nights', 'inclusive', 'due', 'amount', 'included'] as const;
  return {
    title: shown.name ?? propertyId,
    act: { path: explainPath(propertyId, stay), text: QUOTE_TEXTS[view.locale].explain },
    command: `quote show ${quote.quoteId}`,
    main: html`${headOf(view, shown)}
      <h2>${words.price}</h2>
      <div class="sums">${priceFields(view, pricing, discount, currency)}</div>
      <div class="numeric">
        ${headedTable(view, { caption: words.nights, columns: ofNight, rows: nights })}
      </div>
      ${
        taxes.length > 0 &&
        headedTable(view, {
          caption: words.taxes,
          columns: ofTax,
          rows: taxes.map((tax) => ({ ...tax, nights: tax.nightCount })),
        })
      }
      <h2>${QUOTE_TEXTS[view.locale].became}</h2>
      <ol class="trail">
        ${stepsOf(view, shown).map(
          ({ name, at, more }) =>
            html`<li data-step="${name}">
              ${elements.timeText(view, at)} <b>${QUOTE_TEXTS[view.locale].steps[name]}</b> ${more}
            </li> `,
        )}
      </ol>
      <h2>${QUOTE_TEXTS[view.locale].about}</h2>
      ${fieldList(view, fields)}
      <p class="fine">${words.quote} <code>${quote.quoteId}</code></p>`,
  };
}

/** The same stay as it would be quoted now. */
function explainPath(
  propertyId: string,
  { checkIn, checkOut, guests, childAges = [] }: Quote['stay'],
): string {
  const party = { guests: String(guests), childAges: formatAges(childAges) || undefined };
  return withQuery(`${pathOf('properties', propertyId)}/explain`, { checkIn, checkOut, ...party });
}

/** Dates and total, below the name. */
function headOf(view: PageView, { rows: { stay, pricing, currency, expiresAt } }: QuoteShown): Html {
  const { locale, nowMs } = view;
  const { steps, total } = QUOTE_TEXTS[locale];
  const { dateRange, money } = makeFormats(locale);
  const [checkIn, checkOut] = [getLocalDate(stay.checkIn), getLocalDate(stay.checkOut)];
  const end = Date.parse(expiresAt) > nowMs ? steps.expires : steps.expired;
  return html`<div class="quote-head">
    <p>
      ${dateRange(checkIn, checkOut)}
      <small>${view.messages.nights(checkOut - checkIn)} · ${view.messages.guests(stay.guests)}</small>
    </p>
    <p>
      <small>${total}</small><b>${money(pricing.total, currency)}</b
      ><small>${end} ${elements.timeText(view, expiresAt)}</small>
    </p>
  </div>`;
}

interface Step {
  readonly name: keyof (typeof QUOTE_TEXTS)['en-GB']['steps'];
  readonly at: string;
  readonly more?: Content;
}

/** Ascending by time, from its creation to its end. */
function stepsOf(view: PageView, { rows: quote, visit, bookings }: QuoteShown): readonly Step[] {
  const { times, outcomes } = QUOTE_TEXTS[view.locale];
  const { decimal } = view.messages;
  const { createdAt, expiresAt } = quote;
  const { openedCount = 0, outcome = null } = visit ?? {};
  const said = [outcome !== null && outcomes[outcome], openedCount > 1 && times(openedCount)].filter(Boolean);
  const steps = [
    stepAt('created', Date.parse(createdAt)),
    stepAt('opened', visit?.firstOpenedAtMs, said.join(', ')),
    stepAt('continued', visit?.continuedAtMs),
    ...bookings.flatMap(({ reference, total, currency, bookedAtMs, cancelledAtMs }) => {
      const amount = total !== null && html`, ${decimal(formatMoney(total))} ${currency ?? quote.currency}`;
      const more = html`${elements.named(reference)}${amount}`;
      return [stepAt('booked', bookedAtMs, more), stepAt('cancelled', cancelledAtMs, more)];
    }),
    stepAt(Date.parse(expiresAt) > view.nowMs ? 'expires' : 'expired', Date.parse(expiresAt)),
  ];
  return steps
    .filter((step) => step !== undefined)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function stepAt(name: Step['name'], atMs: number | null | undefined, more?: Content): Step | undefined {
  return atMs === null || atMs === undefined ? undefined : { name, at: new Date(atMs).toISOString(), more };
}

type Quote = QuoteShown['rows'];

export function priceFields(
  view: PageView,
  pricing: Pick<Quote['pricing'], 'accommodation' | 'cleaningFee' | 'taxes' | 'total'>,
  discount: Quote['discount'],
  currency: string,
): Html {
  const { decimal } = view.messages;
  const amount = (part: keyof typeof pricing) => html`${decimal(pricing[part])} ${currency}`;
  const taken = discount && {
    discount: html`${discount.code}, ${decimal(discount.percent)}%: ${decimal(discount.amount)} ${currency}`,
  };
  return fieldList(view, {
    accommodation: amount('accommodation'),
    ...taken,
    cleaningFee: amount('cleaningFee'),
    taxes: amount('taxes'),
    total: amount('total'),
  });
}

export const QUOTE_PAGE = pageRow('quote', '/console/quotes/{quoteId}', readQuote, quotePage);
