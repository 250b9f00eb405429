/** `/console/quotes/ID`: a stored quote, and how its price came about. */
import type { QuoteShown } from '../../console/quote.ts';
import { html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { headedTable, type PageView } from './elements.ts';
import type { PageParts } from './frame.ts';

export function quotePage(view: PageView, { rows: quote }: QuoteShown): PageParts {
  const { quote: texts, words, decimal } = view.messages;
  const { stay, discount, currency, pricing } = quote;
  const dates = [stay.checkIn, stay.checkOut].map((date) => elements.dateText(view, date));
  const amount = (value: string): string => `${value} ${currency}`;
  const fields = elements.fieldList(view, {
    ...{ partner: quote.partnerId, property: quote.propertyId, type: quote.inventoryTypeId },
    stay: texts.stay(dates[0]!, dates[1]!, stay.guests),
    ...{ quoted: quote.createdAt, expires: quote.expiresAt, locale: quote.locale },
    test: quote.test === true ? texts.sandbox : undefined,
  });
  const price = elements.fieldList(view, {
    ...{ accommodation: amount(pricing.accommodation), cleaningFee: amount(pricing.cleaningFee) },
    ...{ taxes: amount(pricing.taxes), total: amount(pricing.total) },
    discount: discount
      ? html`${discount.code}, ${discount.percent}%: ${decimal(amount(discount.amount))}`
      : undefined,
  });
  const nights = headedTable(view, {
    ...{ caption: words.nights, rows: quote.nights },
    cells: ({ date: night, ...amounts }) => ({ night, ...amounts }),
  });
  const taxes = headedTable(view, {
    ...{ caption: words.taxes, rows: quote.taxes, empty: texts.noTaxes },
    cells: ({ code, kind, logic, nightCount, inclusive, amount: added, included }) => ({
      ...{ code, kind, logic, nights: nightCount, inclusive: inclusive ? '✓' : '–', added, included },
    }),
  });
  return {
    title: `${words.quote} ${quote.quoteId}`,
    command: `quote show ${quote.quoteId}`,
    main: html`${fields}
      <h2>${words.price}</h2>
      ${price} ${nights} ${taxes}`,
  };
}
