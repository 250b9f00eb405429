/**
 * A priced stay as the wire and the stored breakdown write it, field by field: money as decimal strings, nights as
 * local dates.
 */
import type { PartnerPricing } from '../contract/partner/quote-schemas.ts';
import type { Stay } from '../contract/partner/stay-schemas.ts';
import type { StayRequest } from '../domain/eligibility.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import { formatMoney } from '../domain/money.ts';
import type { StayPrice } from '../domain/pricing.ts';
import type { TaxKind, TaxLogic } from '../domain/property.ts';

/** One occupied night. `price` is the rate plus what the extra guests pay, less what the discount takes off. */
export interface QuoteNight {
  readonly date: string;
  readonly rate: string;
  readonly extraGuests: string;
  readonly price: string;
}

/** One tax rule; `amount` is what it adds to the total, `0.00` when it is in the rates already. */
export interface QuoteTax {
  readonly code: string;
  readonly kind: TaxKind;
  readonly logic: TaxLogic;
  readonly inclusive: boolean;
  /** Nights that the rule counts; null when it counts none. */
  readonly nightCount: number | null;
  /** How often its amount is due; null for a percentage. */
  readonly quantity: number | null;
  /** What its percentage is taken of; null for a fixed amount. */
  readonly taxable: string | null;
  readonly amount: string;
  /** What of the price is this tax already; null when the rule is not inclusive. */
  readonly included: string | null;
}

/** The discount that counted; `amount` is what it took off all nights together. */
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

/** Stay (SPEC 2). */
export function presentStay(stay: StayRequest, timezone: string): Stay {
  return {
    checkIn: formatLocalDate(stay.checkIn),
    checkOut: formatLocalDate(stay.checkOut),
    nights: stay.checkOut - stay.checkIn,
    guests: stay.guests,
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
      price: formatMoney(night.price),
    })),
    taxes: price.taxLines.map((line) => ({
      code: line.code,
      kind: line.kind,
      logic: line.logic,
      inclusive: line.inclusive,
      nightCount: line.nightCount,
      quantity: line.quantity,
      taxable: line.taxable === null ? null : formatMoney(line.taxable),
      amount: formatMoney(line.amount),
      included: line.included === null ? null : formatMoney(line.included),
    })),
  };
}
