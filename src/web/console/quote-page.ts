/** `/console/quotes/ID`: a stored quote, and how its price came about. */
import type { QuoteShown } from '../../console/quote.ts';
import { html } from '../kit/html.ts';
import * as elements from './elements.ts';
import { headedTable, idLink, type PageView, timeText } from './elements.ts';
import type { PageParts } from './frame.ts';

export function quotePage(view: PageView, { rows: quote }: QuoteShown): PageParts {
  const { quote: texts, decimal } = view.messages;
  const { stay, discount, currency, pricing } = quote;
  const dates = [stay.checkIn, stay.checkOut].map((date) => elements.dateText(view, date));
  const amount = (value: string): string => `${decimal(value)} ${currency}`;
  const fields = elements.fieldList(view, {
    partner: idLink(view, 'partners', quote.partnerId),
    property: idLink(view, 'properties', quote.propertyId),
    type: quote.inventoryTypeId,
    stay: texts.stay(dates[0]!, dates[1]!, stay.guests),
    quoted: timeText(view, quote.createdAt),
    expires: timeText(view, quote.expiresAt),
    locale: quote.locale,
    test: quote.test === true ? texts.sandbox : undefined,
  });
  const price = elements.fieldList(view, {
    accommodation: amount(pricing.accommodation),
    cleaningFee: amount(pricing.cleaningFee),
    taxes: amount(pricing.taxes),
    total: amount(pricing.total),
    discount: discount ? `${discount.code}, ${discount.percent}%: ${amount(discount.amount)}` : undefined,
  });
  const nights = headedTable(view, {
    ...{ ...texts.nights, rows: quote.nights },
    cells: ({ date, rate, extraGuests, discount: taken, price: sum }) => ({
      ...{ night: elements.dateElement(view, date), rate: decimal(rate), extraGuests: decimal(extraGuests) },
      ...{ discount: decimal(taken), price: decimal(sum) },
    }),
  });
  const taxes = headedTable(view, {
    ...{ ...texts.taxes, rows: quote.taxes },
    cells: ({ code, kind, logic, nightCount, inclusive, amount: added, included }) => ({
      ...{ code, kind, logic, nights: nightCount ?? '–', inclusive: inclusive ? '✓' : '–' },
      ...{ added: decimal(added), included: included === null ? '–' : decimal(included) },
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
