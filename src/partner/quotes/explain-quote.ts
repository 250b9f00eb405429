/**
 * Explains why each inventory type of a property can or can't host a stay, night by night. It considers the property
 * alone, not its visibility.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { PartnerPricing } from '../../contract/partner/quote-schemas.ts';
import type { PricedStay } from '../../contract/partner/stay-schemas.ts';
import type { Calendar } from '../../domain/calendar.ts';
import { bandsOf, type TaxPayers, taxPayersOf } from '../../domain/child-ages.ts';
import {
  type AnyField,
  type FIELD_ROWS,
  FIELDS,
  type FieldShape,
  presentValue,
  rowOf,
} from '../../domain/calendar-fields.ts';
import { isWithin, type PriceTerms, type TypeTerms } from '../../domain/price-terms.ts';
import { type DiscountOfType, chooseDiscounts, priceStay } from '../../domain/pricing.ts';
import {
  explainEligibility,
  isNightOpen,
  type OfferedNights,
  type StayRequest,
} from '../../domain/eligibility.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { valueAt } from '../../domain/night-runs.ts';
import type { GuestRates } from '../../domain/guest-rates.ts';
import { DEFAULT_LOCALE, type InventoryType, type Locale, textFor, typesOf } from '../../domain/property.ts';
import {
  type NightsSettings,
  presentSetting,
  type PresentedSetting,
} from '../../domain/ledger/provenance.ts';
import { traceProperty, TRACED_MESSAGES_MAX } from '../../domain/ledger/trace-property.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { decideStored, type QuoteRefusal } from '../../domain/quote-decision.ts';
import { noPriceOf, type PresentedReason, presentReason, reasonsOf } from '../../domain/stay-reasons.ts';
import { findReasons } from './other-stays.ts';
import { type ExplainedRefusal, presentRefusal } from './present-refusal.ts';
import { presentDiscount, presentPricing, presentStay, type QuoteDiscount } from './present-quote.ts';

export interface ExplainDeps {
  readonly storage: Pick<SupplyStore, 'findLayers' | 'listSourceHistory'>;
  readonly horizonNights: number;
  readonly clock: Clock;
}

/** Values for people; null when unset, except flags, which are false. */
type ExplainedFields = { readonly [Field in AnyField]: ExplainedValue<(typeof FIELD_ROWS)[Field]['shape']> };
type ExplainedValue<Shape extends FieldShape> = {
  readonly units: number | null;
  readonly nights: number | null;
  readonly flag: boolean;
  readonly money: string | null;
  readonly moneyByGuests: Readonly<Record<string, string>> | null;
}[Shape];

/** One occupied night of one type. `ratesByGuests` replaces `rate`. */
interface ExplainedNight extends ExplainedFields {
  readonly date: string;
  readonly open: boolean;
  /** The night's part of `accommodation`, and the extra guests' part of it; null for a stay without a price. */
  readonly price: string | null;
  readonly extraGuests: string | null;
  /** The settings of each source for the night, with their times. */
  readonly setBy: readonly PresentedSetting[];
}

/** A child of the stay, and what the type counts it as. */
export interface ExplainedChild {
  readonly age: number;
  /** Whether it counts against `guestsMax`; false in a cot. */
  readonly takesPlace: boolean;
  /** Paid per night; null: it counts as an adult there. */
  readonly rate: string | null;
}

/** Who pays a tax rule that ages matter to. */
export interface ExplainedTax {
  readonly code: string;
  readonly payers: readonly TaxPayers[];
}

export interface ExplainedType {
  readonly inventoryTypeId: string;
  readonly name: string;
  readonly guestsMax: number;
  readonly minAdvanceDays: number | null;
  readonly maxAdvanceDays: number | null;
  readonly eligible: boolean;
  /** Every refusal; empty when eligible. */
  readonly refusals: readonly ExplainedRefusal[];
  /** The same in the words of partners; `NO_PRICE` where a night has no rate, also of types that are not eligible. */
  readonly reasons: readonly PresentedReason[];
  /** The price of the stay, also of types that are not eligible; null when a night has no rate. */
  readonly pricing: PartnerPricing | null;
  /** The discount in `pricing`; null without one. */
  readonly discount: QuoteDiscount | null;
  readonly nights: readonly ExplainedNight[];
  /** From the youngest; absent for a stay without ages. */
  readonly children?: readonly ExplainedChild[];
}

export interface QuoteExplanation {
  readonly propertyId: string;
  readonly stay: PricedStay;
  readonly currency: string;
  readonly visibleTo: 'all' | readonly string[];
  readonly quoting: boolean;
  /** The nights offered now, both included. */
  readonly offered: { readonly firstNight: string; readonly lastNight: string };
  readonly outcome: 'priced' | QuoteRefusal;
  /** Those of the type that comes nearest, as partners may hear them; empty where the stay is priced. */
  readonly reasons: readonly PresentedReason[];
  /** The type of a quote; null unless priced. */
  readonly inventoryTypeId: string | null;
  readonly inventoryTypes: readonly ExplainedType[];
  /** Absent for a stay without ages. */
  readonly taxPayers?: readonly ExplainedTax[];
}

/** Undefined when the property is unknown or withdrawn. The stay has at least one night. */
export async function explainQuote(
  deps: ExplainDeps,
  request: StayRequest & { readonly propertyId: string; readonly locale?: Locale | undefined },
): Promise<QuoteExplanation | undefined> {
  const { storage } = deps;
  const layered = await storage.findLayers(request.propertyId);
  if (layered === undefined) return undefined;
  const history = await storage.listSourceHistory(request.propertyId, TRACED_MESSAGES_MAX);
  const traces = traceProperty(layered, history);
  const { stored } = layered;
  const { property } = stored;
  const moment = { nowMs: deps.clock(), horizonNights: deps.horizonNights };
  const { decision, calendars, offered } = decideStored(stored, request, moment);
  const discountOf = chooseDiscounts(stored.terms, request, offered.first);
  const reasons = await findReasons({ priced: stored, calendars, offered }, request);
  return {
    propertyId: property.propertyId,
    stay: presentStay(request, property.timezone),
    currency: property.currency,
    visibleTo: property.visibleTo,
    quoting: property.quoting,
    offered: { firstNight: formatLocalDate(offered.first), lastNight: formatLocalDate(offered.end - 1) },
    outcome: decision.outcome,
    reasons: reasons.map(presentReason),
    inventoryTypeId: decision.outcome === 'priced' ? decision.type.inventoryTypeId : null,
    inventoryTypes: typesOf(property).map((type, index) =>
      explainType(
        stored.terms,
        { type, terms: stored.terms.types[index]!, calendar: calendars[index]!, trace: traces[index]! },
        { stay: request, offered, discountOf, locale: request.locale ?? DEFAULT_LOCALE },
      ),
    ),
    ...(request.childAges && { taxPayers: explainTaxes(stored.terms, request) }),
  };
}

interface TracedType {
  readonly type: InventoryType;
  readonly terms: TypeTerms;
  readonly calendar: Calendar;
  readonly trace: readonly NightsSettings[];
}

interface Asked {
  readonly stay: StayRequest;
  readonly offered: OfferedNights;
  readonly discountOf: DiscountOfType;
  /** Language of the names. */
  readonly locale: Locale;
}

/** The settings of each source for the night. */
export function setBy(trace: readonly NightsSettings[], night: number): PresentedSetting[] {
  const settings = trace.find(({ from, to }) => from <= night && night <= to)?.settings ?? [];
  return settings.map(presentSetting);
}

function explainType(
  ofProperty: PriceTerms,
  { type, terms, calendar, trace }: TracedType,
  { stay, offered, discountOf, locale }: Asked,
): ExplainedType {
  const refusals = explainEligibility(type, calendar, stay, offered);
  const price = priceStay(ofProperty, terms, calendar, stay, discountOf(type.inventoryTypeId));
  const reasons = [...reasonsOf(type, calendar, stay, offered)];
  if (price === undefined) reasons.push(noPriceOf(terms, calendar, stay));
  const nights: ExplainedNight[] = [];
  for (let night = stay.checkIn; night < stay.checkOut; night += 1) {
    const priced = price?.nights[night - stay.checkIn];
    nights.push({
      ...explainNight(calendar, night, offered),
      price: priced === undefined ? null : formatMoney(priced.price),
      extraGuests: priced === undefined ? null : formatMoney(priced.extraGuests),
      setBy: setBy(trace, night),
    });
  }
  return {
    inventoryTypeId: type.inventoryTypeId,
    name: textFor(type.name, locale),
    guestsMax: type.guestsMax,
    minAdvanceDays: type.minAdvanceDays ?? null,
    maxAdvanceDays: type.maxAdvanceDays ?? null,
    eligible: refusals.length === 0,
    refusals: refusals.map((refusal) => presentRefusal(refusal, stay)),
    reasons: reasons.map(presentReason),
    pricing: price === undefined ? null : presentPricing(price),
    discount: price === undefined ? null : presentDiscount(price),
    nights,
    ...(stay.childAges && { children: explainChildren(terms, stay.childAges) }),
  };
}

function explainChildren({ ageBands }: TypeTerms, childAges: readonly number[]): ExplainedChild[] {
  return bandsOf(ageBands, childAges).map((band, index) => ({
    age: childAges[index]!,
    takesPlace: band?.occupies !== false,
    rate: band?.rate === undefined ? null : formatMoney(band.rate),
  }));
}

/** Rules that apply to the length of the stay. */
function explainTaxes({ taxes }: PriceTerms, stay: StayRequest): ExplainedTax[] {
  const applied = taxes.filter(({ stayNights }) => isWithin(stayNights, stay.checkOut - stay.checkIn));
  return applied.flatMap((rule) => {
    const payers = taxPayersOf(rule, stay);
    return payers === undefined ? [] : [{ code: rule.code, payers }];
  });
}

function explainNight(calendar: Calendar, night: number, offered: OfferedNights) {
  return {
    date: formatLocalDate(night),
    open: isNightOpen(calendar, night, offered),
    ...explainFields(calendar, night),
  };
}

function explainFields(calendar: Calendar, night: number): ExplainedFields {
  const values = FIELDS.map((field) => {
    const value = valueAt<number | GuestRates>(calendar[field], night);
    if (value !== undefined) return [field, presentValue(field, value)];
    return [field, rowOf(field).shape === 'flag' ? false : null];
  });
  return Object.fromEntries(values) as ExplainedFields;
}
