/**
 * Writes a priced stay for the wire and the stored breakdown, field by field: money as decimal strings, nights as local
 * dates.
 */
import type { PartnerPricing } from '../../contract/partner/quote-schemas.ts';
import type { PricedStay } from '../../contract/partner/stay-schemas.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { formatLocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { StayPrice } from '../../domain/pricing.ts';
import { STORED_FORMATS } from '../../domain/stored-formats.ts';
import type { TaxLine } from '../../domain/taxes.ts';

/** One occupied night. `price` is the rate plus extra guests and children less the discount. */
export interface QuoteNight {
  readonly date: string;
  readonly rate: string;
  readonly extraGuests: string;
  /** Paid for children by age; absent where that is nothing. */
  readonly children?: string;
  readonly price: string;
}

/** One tax rule; `amount` is added to the total: `0.00` for a tax within the rates. */
export interface QuoteTax extends Omit<TaxLine, 'taxable' | 'amount' | 'included'> {
  readonly taxable: string | null;
  readonly amount: string;
  readonly included: string | null;
}

/** The applied discount; `amount` is its sum over all nights. */
export interface QuoteDiscount {
  readonly code: string;
  /** As the operator wrote it, such as `12.5`. */
  readonly percent: string;
  readonly amount: string;
}

export interface QuoteBreakdown {
  readonly discount: QuoteDiscount | null;
  readonly nights: readonly QuoteNight[];
  readonly taxes: readonly QuoteTax[];
}

/** PartnerPricing (SPEC 2). */
export function presentPricing(price: StayPrice): PartnerPricing {
  return {
    mode: 'indicative',
    accommodation: formatMoney(price.accommodation),
    cleaningFee: formatMoney(price.cleaningFee),
    taxes: formatMoney(price.taxes),
    total: formatMoney(price.total),
    pricePreservedInHandoff: false,
  };
}

/** Stay (SPEC 2), with the ages of children where they are known, or always. */
export function presentStay(stay: StayRequest, timezone: string, tellsAges = false): PricedStay {
  const childAges = stay.childAges ?? (tellsAges ? [] : undefined);
  return {
    checkIn: formatLocalDate(stay.checkIn),
    checkOut: formatLocalDate(stay.checkOut),
    nights: stay.checkOut - stay.checkIn,
    guests: stay.guests,
    ...(childAges && { childAges: [...childAges] }),
    timezone,
  };
}

export function presentDiscount({ discount }: Pick<StayPrice, 'discount'>): QuoteDiscount | null {
  if (discount === null) return null;
  const { code, percent } = discount.terms;
  return { code, percent, amount: formatMoney(discount.amount) };
}

export function presentBreakdown(price: StayPrice): QuoteBreakdown {
  return {
    discount: presentDiscount(price),
    nights: price.nights.map((night) => ({
      date: formatLocalDate(night.night),
      rate: formatMoney(night.rate),
      extraGuests: formatMoney(night.extraGuests),
      ...(night.children > 0 && { children: formatMoney(night.children) }),
      price: formatMoney(night.price),
    })),
    taxes: price.taxLines.map((line) => ({
      code: line.code,
      kind: line.kind,
      logic: line.logic,
      inclusive: line.inclusive,
      due: line.due,
      nightCount: line.nightCount,
      quantity: line.quantity,
      taxable: line.taxable === null ? null : formatMoney(line.taxable),
      amount: formatMoney(line.amount),
      included: line.included === null ? null : formatMoney(line.included),
      ...(line.payers && { payers: line.payers }),
    })),
  };
}

// The breakdown of a quote as it is stored: nights that cost the same are one entry, so that 60 nights of one rate take
// no more room than one. Quotes that were stored with one object for each night are still read.

/**
 * Number of nights, their rate, and extra guests and price where they differ from it, then what children pay. A remaining
 * difference is the discount.
 */
type NightRun = readonly [
  count: number,
  rate: string,
  extraGuests?: string,
  price?: string,
  children?: string,
];

interface CompactBreakdown {
  readonly v: typeof STORED_FORMATS.breakdown.version;
  /** The first night; the others follow it day by day. */
  readonly from: string;
  readonly nights: readonly NightRun[];
  readonly taxes: readonly StoredTax[];
  /** Absent without a discount; earlier versions skip it. */
  readonly discount?: QuoteDiscount;
  /** The property's name in the locale of the quote: a withdrawn property keeps no name. */
  readonly name?: string;
}

/** The stored JSON text. Nights are consecutive, at least one. */
export function formatStoredBreakdown(
  { discount, nights, taxes }: QuoteBreakdown,
  propertyName?: string,
): string {
  const compact: CompactBreakdown = {
    v: STORED_FORMATS.breakdown.version,
    from: nights[0]?.date ?? '',
    nights: collectRuns(nights),
    taxes,
    ...(discount === null ? {} : { discount }),
    ...(propertyName === undefined ? {} : { name: propertyName }),
  };
  return JSON.stringify(compact);
}

/** Parses a breakdown of `formatStoredBreakdown`, of this or an earlier version. */
export function parseStoredBreakdown(text: string): QuoteBreakdown {
  const stored = JSON.parse(text) as CompactBreakdown | EarlierBreakdown;
  if (!('v' in stored)) return { discount: null, nights: stored.nights, taxes: stored.taxes.map(withDue) };
  let night = parseLocalDate(stored.from) ?? 0;
  const nights = stored.nights.flatMap(([count, rate, extraGuests = '0.00', price = rate, children]) =>
    Array.from({ length: count }, () => {
      const date = formatLocalDate(night++);
      return { date, rate, extraGuests, ...(children !== undefined && { children }), price };
    }),
  );
  return { discount: stored.discount ?? null, nights, taxes: stored.taxes.map(withDue) };
}

/** Earlier quotes do not say it: all their taxes were due with the stay. */
function withDue(tax: StoredTax): QuoteTax {
  return { ...tax, due: tax.due ?? 'booking' };
}

type StoredTax = Omit<QuoteTax, 'due'> & Partial<Pick<QuoteTax, 'due'>>;

interface EarlierBreakdown extends Pick<QuoteBreakdown, 'nights'> {
  readonly taxes: readonly StoredTax[];
}

/** The property's name at the time of the quote; earlier versions did not keep it. */
export function storedPropertyName(text: string): string | undefined {
  return (JSON.parse(text) as Partial<CompactBreakdown>).name;
}

function collectRuns(nights: readonly QuoteNight[]): NightRun[] {
  const runs: { count: number; readonly night: QuoteNight }[] = [];
  for (const night of nights) {
    const last = runs.at(-1);
    if (last !== undefined && costsSame(last.night, night)) last.count += 1;
    else runs.push({ count: 1, night });
  }
  return runs.map(({ count, night: { rate, extraGuests, price, children } }): NightRun => {
    if (children !== undefined) return [count, rate, extraGuests, price, children];
    return extraGuests === '0.00' && price === rate ? [count, rate] : [count, rate, extraGuests, price];
  });
}

function costsSame(a: QuoteNight, b: QuoteNight): boolean {
  return (
    a.rate === b.rate && a.extraGuests === b.extraGuests && a.children === b.children && a.price === b.price
  );
}
