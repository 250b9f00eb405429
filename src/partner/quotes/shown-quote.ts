/** A stored quote for the operator, with its derivation. */
import type { AnyQuote } from '../../contract/partner/quote-schemas.ts';
import { formatMoney, getMoney } from '../../domain/money.ts';
import type { QuoteStore } from '../../storage/quotes/store.ts';
import { parseStoredBreakdown, type QuoteDiscount, type QuoteNight, type QuoteTax } from './present-quote.ts';

interface ShownNight extends QuoteNight {
  /** The night's discount: `price` is `rate + extraGuests + children - discount`. */
  readonly discount: string;
}

export interface ShownQuote extends AnyQuote {
  readonly partnerId: string;
  readonly locale: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  readonly inventoryTypeId: string;
  readonly discount: QuoteDiscount | null;
  readonly nights: readonly ShownNight[];
  readonly taxes: readonly QuoteTax[];
  /** Sandbox quotes only. */
  readonly test?: true;
}

export async function findShownQuote(
  storage: Pick<QuoteStore, 'findQuote'>,
  quoteId: string,
): Promise<ShownQuote | undefined> {
  const row = await storage.findQuote(quoteId);
  if (row === undefined) return undefined;
  // Written by `createQuote`, hence of this shape.
  const quote = JSON.parse(row.answer) as AnyQuote;
  const breakdown = parseStoredBreakdown(row.breakdown);
  return {
    ...quote,
    partnerId: row.partnerId,
    locale: row.locale,
    createdAt: new Date(row.createdAtMs).toISOString(),
    inventoryTypeId: row.inventoryTypeId,
    discount: breakdown.discount,
    nights: breakdown.nights.map(presentQuoteNight),
    // Quotes of earlier versions do not say what is included.
    taxes: breakdown.taxes.map((tax) => ({ ...tax, included: tax.included ?? null })),
    ...(row.isTest ? { test: true } : {}),
  };
}

function presentQuoteNight({ date, rate, extraGuests, children, price }: QuoteNight): ShownNight {
  const beside = getMoney(extraGuests) + getMoney(children ?? '0');
  const discount = formatMoney(getMoney(rate) + beside - getMoney(price));
  return { date, rate, extraGuests, ...(children !== undefined && { children }), discount, price };
}
