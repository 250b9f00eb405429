/** Writes a priced stay with its terms for the wire, field by field. */
import type { StayOffer } from '../../contract/partner/offer-schemas.ts';
import { type Charge, CHARGE_NAMES, chargesOf, findTaxName } from '../../domain/charges.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatEndOfLocalDay } from '../../domain/local-instant.ts';
import { formatMoney } from '../../domain/money.ts';
import type { StayPrice } from '../../domain/pricing.ts';
import {
  type Payment,
  type PropertyDetails,
  type Refund,
  refundabilityOf,
  refundAmountOf,
  refundsFrom,
  splitPayment,
  type SplitPrice,
} from '../../domain/property-details.ts';
import { type Locale, textFor } from '../../domain/property.ts';
import { chargesAtArrival } from '../../domain/taxes.ts';
import { readable } from '../../http/html/formats.ts';
import type { VisibleDecision } from './decide-visible.ts';
import { presentStay } from './present-quote.ts';

interface OfferParts {
  readonly price: StayPrice;
  readonly details: PropertyDetails;
  readonly stay: StayRequest;
  readonly locale: Locale;
  /** The seller of properties that name none. */
  readonly seller: string;
}

export function presentOffer(
  { stored: { property }, nowMs, offered }: Pick<VisibleDecision, 'stored' | 'nowMs' | 'offered'>,
  { price, details, stay, locale, seller }: OfferParts,
): StayOffer {
  const { currency, timezone } = property;
  const { checkIn, checkOut, cancellation, payment, houseRules, registrationNumber } = details;
  const dates = { checkIn: stay.checkIn, today: offered.first };
  const split = { total: price.total, atArrival: chargesAtArrival(price.taxLines), currency };
  const refunds = cancellation && refundsFrom(cancellation, dates.checkIn, dates.today);
  return {
    propertyId: property.propertyId,
    stay: presentStay(stay, timezone),
    currency,
    pricing: presentStayPricing(price),
    nights: price.nights.map((night) => ({
      date: formatLocalDate(night.night),
      amount: formatMoney(night.price),
    })),
    charges: chargesOf(price).map((charge) => presentCharge(charge, locale)),
    refundability: refunds && refundabilityOf(refunds),
    cancellation: refunds && refunds.map((refund) => presentRefund(refund, split, timezone)),
    payment: payment && splitPayment(payment, split, dates).map(presentPayment),
    checkIn: checkIn && { from: checkIn.from, until: checkIn.until },
    checkOut: checkOut && { until: checkOut.until },
    houseRules: houseRules === null ? null : textFor(houseRules, locale),
    registrationNumber,
    seller: details.seller ?? seller,
    asOf: new Date(nowMs).toISOString(),
  };
}

function presentStayPricing({ accommodation, cleaningFee, taxes, total, discount }: StayPrice) {
  return {
    accommodation: formatMoney(accommodation),
    cleaningFee: formatMoney(cleaningFee),
    taxes: formatMoney(taxes),
    total: formatMoney(total),
    discount: discount && { percent: discount.terms.percent, amount: formatMoney(discount.amount) },
  };
}

function presentCharge(charge: Charge, locale: Locale): StayOffer['charges'][number] {
  const { code, kind, amount, included, due } = charge;
  return {
    code,
    name:
      kind === 'cleaning'
        ? CHARGE_NAMES[locale].cleaningFee
        : (findTaxName(charge, locale) ?? readable(code)),
    kind,
    amount: formatMoney(amount),
    included: included === null ? null : formatMoney(included),
    due,
  };
}

function presentRefund(refund: Refund, price: SplitPrice, timezone: string) {
  return {
    until: formatEndOfLocalDay(timezone, refund.until),
    refundPercent: refund.refundPercent,
    refundAmount: formatMoney(refundAmountOf(refund, price)),
  };
}

function presentPayment({ due, amount }: Payment): NonNullable<StayOffer['payment']>[number] {
  const paid = { amount: formatMoney(amount) };
  return typeof due === 'number'
    ? { due: 'daysBefore', date: formatLocalDate(due), ...paid }
    : { due, date: null, ...paid };
}
