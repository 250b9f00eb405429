/**
 * Quotes and explanations for people.
 */
import { FIELDS } from '../../../domain/calendar-fields.ts';
import { parseMoney } from '../../../domain/money.ts';
import type { ExplainedTax, ExplainedType, QuoteExplanation } from '../../../partner/quotes/explain-quote.ts';
import type { QuoteDiscount } from '../../../partner/quotes/present-quote.ts';
import type { ShownQuote } from '../../../partner/quotes/shown-quote.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';

export function formatQuote(quote: ShownQuote): string {
  const { stay, pricing } = quote;
  const head = formatFields({
    quote: quote.quoteId,
    partner: quote.partnerId,
    property: quote.propertyId,
    inventoryType: quote.inventoryTypeId,
    stay: formatStay(stay),
    locale: quote.locale,
    created: quote.createdAt,
    expires: quote.expiresAt,
    ...(quote.test ? { test: 'yes (sandbox)' } : {}),
  });
  const hasChildren = quote.nights.some(({ children }) => children !== undefined);
  const nights = formatTable(
    ['date', 'rate', 'extraGuests', ...(hasChildren ? ['children'] : []), 'discount', 'price'],
    quote.nights.map((night) => ({ ...night })),
    '',
  );
  const taxes = formatTable(
    ['code', 'kind', 'logic', 'nightCount', 'inclusive', 'due', 'amount', 'included'],
    quote.taxes.map((tax) => ({ ...tax })),
    'No tax rules.',
  );
  const price = formatFields({
    discount: formatDiscount(quote.discount),
    accommodation: pricing.accommodation,
    cleaningFee: pricing.cleaningFee,
    taxes: pricing.taxes,
    total: `${pricing.total} ${quote.currency}`,
  });
  return [head, nights, taxes, price, quote.handoffUrl].join('\n\n');
}

export function formatExplanation(explanation: QuoteExplanation): string {
  const { offered, inventoryTypeId } = explanation;
  const head = formatFields({
    property: explanation.propertyId,
    stay: formatStay(explanation.stay),
    offered: `${offered.firstNight} to ${offered.lastNight}`,
    visibleTo: explanation.visibleTo,
    quoting: explanation.quoting,
    outcome: inventoryTypeId === null ? explanation.outcome : `${explanation.outcome}: ${inventoryTypeId}`,
  });
  const types = explanation.inventoryTypes.map((type) => formatType(type, explanation.currency));
  const payers = (explanation.taxPayers ?? []).map(formatTaxPayers);
  return [head, ...(payers.length === 0 ? [] : [payers.join('\n')]), ...types].join('\n\n');
}

function formatType(type: ExplainedType, currency: string): string {
  const price = type.pricing === null ? 'no rate on every night' : `${type.pricing.total} ${currency}`;
  const discount = type.discount === null ? '' : `, discount ${formatDiscount(type.discount)}`;
  const eligible = type.eligible ? 'eligible' : 'not eligible';
  const head = `${type.inventoryTypeId} (${type.name}): ${eligible}, ${price}${discount}`;
  const reasons = type.refusals.map((refusal) => `  - ${refusal.detail}`);
  const nights = formatTable(
    ['date', 'open', ...FIELDS],
    type.nights.map((night) => ({
      ...night,
      ratesByGuests: formatRates(night.ratesByGuests),
    })),
    '',
  );
  return [head, ...reasons, ...formatChildren(type), nights, ...formatNightSettings(type.nights)].join('\n');
}

function formatChildren({ children = [] }: ExplainedType): string[] {
  return children.map(({ age, takesPlace, rate }) => {
    const pays = rate === null ? 'pays as an adult' : `pays ${rate} a night`;
    return `  - child of ${age}: ${takesPlace ? 'takes a place' : 'sleeps in a cot'}, ${pays}`;
  });
}

/** `city-tax: 2 adults at 3.50, 1 child (12) at 1.75, 1 child (4) free` */
function formatTaxPayers({ code, payers }: ExplainedTax): string {
  const texts = payers.map(({ count, childAges, amount }) => {
    const adults = count === 1 ? '1 adult' : `${count} adults`;
    const children = `${count === 1 ? '1 child' : `${count} children`} (${childAges.join(', ')})`;
    const pays = amount === null ? '' : parseMoney(amount) === 0n ? ' free' : ` at ${amount}`;
    return `${childAges.length === 0 ? adults : children}${pays}`;
  });
  return `${code}: ${texts.join(', ')}`;
}

/**
 * Neighbours that are alike are said once:
 *
 *     2026-12-24 to 2026-12-26
 *       availability 1, by "channel", 2026-11-20T10:30:00.000Z
 */
function formatNightSettings(nights: ExplainedType['nights']): string[] {
  const groups: { from: string; to: string; lines: readonly string[] }[] = [];
  for (const { date, setBy } of nights) {
    const lines = setBy.map(formatNightSetting);
    const last = groups.at(-1);
    if (last !== undefined && last.lines.join() === lines.join()) last.to = date;
    else groups.push({ from: date, to: date, lines });
  }
  return groups
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ from, to, lines }) => [from === to ? from : `${from} to ${to}`, ...lines]);
}

function formatNightSetting(setting: ExplainedType['nights'][number]['setBy'][number]): string {
  const { field, value, source, at, decides } = setting;
  const shown = typeof value === 'object' ? formatRates(value) : String(value);
  return `  ${field} ${shown}, by "${source}", ${at}${decides ? '' : ' (another source is stricter)'}`;
}

function formatRates(rates: ExplainedType['nights'][number]['ratesByGuests']): string | null {
  if (rates === null) return null;
  return Object.entries(rates)
    .map(([guests, rate]) => `${guests}: ${rate}`)
    .join(', ');
}

/** `weekly, 10 %: 84.00`; a dash where there is none. */
function formatDiscount(discount: QuoteDiscount | null): string | null {
  return discount && `${discount.code}, ${discount.percent} %: ${discount.amount}`;
}

function formatStay(stay: QuoteExplanation['stay']): string {
  const nights = stay.nights === 1 ? '1 night' : `${stay.nights} nights`;
  const guests = stay.guests === 1 ? '1 guest' : `${stay.guests} guests`;
  const { childAges = [] } = stay;
  const children = childAges.length === 0 ? '' : ` (children of ${childAges.join(', ')})`;
  return `${stay.checkIn} to ${stay.checkOut}, ${nights}, ${guests}${children}, ${stay.timezone}`;
}
