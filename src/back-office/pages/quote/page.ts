/** `/console/quotes/ID`: a stored quote, and the parts of its price. */
import type { QuoteShown } from './read.ts';
import { type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import { fieldList, headedTable, type PageView } from '../../web/elements.ts';
import type { PageParts } from '../../web/frame.ts';

export function quotePage(view: PageView, { rows: quote }: QuoteShown): PageParts {
  const { words, guests } = view.messages;
  const { partnerId, propertyId, inventoryTypeId, createdAt, expiresAt, locale } = quote;
  const { stay, nights, taxes, pricing, discount, currency } = quote;
  const nightsText = elements.nightsText(view, { dateFrom: stay.checkIn, dateTo: stay.checkOut });
  const fields = {
    partnerId,
    propertyId,
    inventoryTypeId,
    stay: `${nightsText}, ${guests(stay.guests)}`,
    createdAt,
    expiresAt,
    locale,
    sandbox: quote.test,
  };
  const ofNight = ['date', 'rate', 'extraGuests', 'discount', 'price'] as const;
  const ofTax = ['code', 'kind', 'logic', 'nights', 'inclusive', 'amount', 'included'] as const;
  return {
    title: `${words.quote} ${quote.quoteId}`,
    command: `quote show ${quote.quoteId}`,
    main: html`${fieldList(view, fields)}
      <h2>${words.price}</h2>
      ${priceFields(view, pricing, discount, currency)}
      <div class="numeric">
        ${headedTable(view, { caption: words.nights, columns: ofNight, rows: nights })}
      </div>
      ${headedTable(view, {
        caption: words.taxes,
        columns: ofTax,
        rows: taxes.map((tax) => ({ ...tax, nights: tax.nightCount })),
      })}`,
  };
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
    cleaningFee: amount('cleaningFee'),
    taxes: amount('taxes'),
    total: amount('total'),
    ...taken,
  });
}
