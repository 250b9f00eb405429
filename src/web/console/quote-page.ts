/** `/console/quotes/ID`: a stored quote, and how its price came about. */
import type { QuoteShown } from '../../console/quote.ts';
import { html } from '../kit/html.ts';
import {
  dateElement,
  dateText,
  fieldList,
  headedTable,
  idLink,
  type PageView,
  timeText,
} from './elements.ts';
import type { PageParts } from './frame.ts';

export function quotePage(view: PageView, { rows: quote }: QuoteShown): PageParts {
  const { quote: texts } = view.messages;
  const { stay, discount, currency, pricing } = quote;
  const amount = (value: string): string => `${value} ${currency}`;
  const fields = fieldList(texts.fields, {
    partner: idLink(view, 'partners', quote.partnerId),
    property: idLink(view, 'properties', quote.propertyId),
    type: quote.inventoryTypeId,
    stay: texts.stay(dateText(view, stay.checkIn), dateText(view, stay.checkOut), stay.guests),
    created: timeText(view, quote.createdAt),
    expires: timeText(view, quote.expiresAt),
    locale: quote.locale,
    test: quote.test === true ? texts.sandbox : undefined,
  });
  const price = fieldList(texts.parts, {
    accommodation: amount(pricing.accommodation),
    cleaningFee: amount(pricing.cleaningFee),
    taxes: amount(pricing.taxes),
    total: amount(pricing.total),
    discount:
      discount === null ? undefined : `${discount.code}, ${discount.percent} %: ${amount(discount.amount)}`,
  });
  const nights = headedTable({
    ...{ ...texts.nights, rows: quote.nights },
    cells: (night) => ({ ...night, date: dateElement(view, night.date) }),
  });
  const taxes = headedTable({
    ...{ ...texts.taxes, rows: quote.taxes },
    cells: (tax) => ({
      ...tax,
      nights: tax.nightCount ?? '–',
      inclusive: tax.inclusive ? '✓' : '–',
      included: tax.included ?? '–',
    }),
  });
  return {
    title: `${texts.title} ${quote.quoteId}`,
    command: `quote show ${quote.quoteId}`,
    main: html`${fields}
      <h2>${texts.price}</h2>
      ${price} ${nights} ${taxes}`,
  };
}
