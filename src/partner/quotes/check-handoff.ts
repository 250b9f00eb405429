/**
 * Opens a handoff value, and decides and prices the stay of its quote again, because a quote promises neither (SPEC
 * 1.9).
 */
import { parseTypedAges, propertyDependsOnAges } from '../../domain/child-ages.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AnyQuote } from '../../contract/partner/quote-schemas.ts';
import { type EpochDay, formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { type InventoryType, isVisibleTo, type Property, typesOf } from '../../domain/property.ts';
import {
  decideQuote,
  decideStored,
  type PricedQuote,
  type StoredDecision,
} from '../../domain/quote-decision.ts';
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { type Handoff, type OpenedHandoff, openHandoff } from '../../handoff/handoff-value.ts';
import type { CatalogueStore, StoredProperty } from '../../storage/catalogue/store.ts';
import type { QuoteRow, QuoteStore } from '../../storage/quotes/store.ts';
import type { Calendar } from '../../domain/calendar.ts';
import {
  isEligible,
  isNightAvailable,
  type OfferedNights,
  type StayRequest,
} from '../../domain/eligibility.ts';
import type { StayReason } from '../../domain/stay-reasons.ts';
import { type DecidedProperty, findPricedStays, findReasons, type PricedStay } from './other-stays.ts';

export interface CheckDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty'> & Pick<QuoteStore, 'findQuote'>;
  /** Finds a sandbox property as the traveller meets it: for test quotes. */
  readonly findTestProperty: (propertyId: string) => Promise<StoredProperty | undefined>;
  readonly handoffKeys: () => HandoffKeyring;
  /** Keys for a header that `handoffKeys` does not know: another process may just have made one. */
  readonly findNewHandoffKeys?: ((header: string) => Promise<HandoffKeyring | undefined>) | undefined;
  readonly horizonNights: number;
  readonly clock: Clock;
}

export type HandoffOutcome = 'unchanged' | 'price_changed' | 'unavailable' | 'expired';

export interface CheckedHandoff {
  readonly outcome: HandoffOutcome;
  readonly handoff: Handoff;
  readonly quote: QuoteRow;
  readonly quoted: AnyQuote;
  /** Undefined when the property is withdrawn, or hidden from the quote's partner. */
  readonly stored: StoredProperty | undefined;
  /** The stay and its price now; undefined when it is unavailable or unpriced. Set for `expired` too. */
  readonly offer: PricedQuote | undefined;
  /** The decision on the stay now; undefined when `stored` is. */
  readonly decided: StoredDecision | undefined;
}

/** Undefined when no key of ours sealed the value. Rejects with `StorageUnavailable` when the keys can't be read. */
export async function openWithNewestKeys(
  deps: Pick<CheckDeps, 'handoffKeys' | 'findNewHandoffKeys' | 'clock'>,
  value: string,
): Promise<Handoff | undefined> {
  const nowMs = deps.clock();
  const opened = await openHandoff(deps.handoffKeys(), value, nowMs);
  if (opened.ok || opened.reason !== 'unknown_key') return handoffOf(opened);
  const keyring = await deps.findNewHandoffKeys?.(value.slice(0, value.indexOf('.')));
  return keyring === undefined ? undefined : handoffOf(await openHandoff(keyring, value, nowMs));
}

/**
 * Decides in this order: is the quote stored here, has it expired, can this partner still have the stay at a price, is
 * it the quoted price. Undefined when the quote is not stored, or differs from the value in any field: two
 * installations may share a key, and neither vouches for the other's quotes.
 */
export async function checkHandoff(deps: CheckDeps, handoff: Handoff): Promise<CheckedHandoff | undefined> {
  const [quote, live] = await Promise.all([
    deps.storage.findQuote(handoff.quoteId),
    deps.storage.findProperty(handoff.propertyId),
  ]);
  if (quote === undefined) return undefined;
  // Written by `createQuote`, hence of this shape.
  const quoted = JSON.parse(quote.answer) as AnyQuote;
  if (!isBoundBy(handoff, quote, quoted)) return undefined;
  const found = quote.isTest ? await deps.findTestProperty(handoff.propertyId) : live;
  const nowMs = deps.clock();
  const stored = found !== undefined && isVisibleTo(found.property, handoff.partnerId) ? found : undefined;
  const moment = { nowMs, horizonNights: deps.horizonNights };
  const decided = stored === undefined ? undefined : decideStored(stored, handoff, moment);
  const offer = decided?.decision.outcome === 'priced' ? decided.decision : undefined;
  const outcome = outcomeOf(handoff, stored, offer, nowMs);
  return { outcome, handoff, quote, quoted, stored, offer, decided };
}

/** Whether the value equals the stored quote: a stolen key alone must not change a traveller's quote. */
function isBoundBy(handoff: Handoff, row: QuoteRow, quote: AnyQuote): boolean {
  return (
    handoff.propertyId === row.propertyId &&
    handoff.partnerId === row.partnerId &&
    handoff.locale === row.locale &&
    handoff.expiresAtMs === row.expiresAtMs &&
    formatLocalDate(handoff.checkIn) === quote.stay.checkIn &&
    formatLocalDate(handoff.checkOut) === quote.stay.checkOut &&
    handoff.guests === quote.stay.guests &&
    String(handoff.childAges ?? []) === String(quote.stay.childAges ?? []) &&
    handoff.total === quote.pricing.total &&
    handoff.currency === quote.currency &&
    // Values of earlier versions don't say it.
    (handoff.isTest === undefined || row.isTest)
  );
}

function outcomeOf(
  handoff: Handoff,
  stored: StoredProperty | undefined,
  offer: PricedQuote | undefined,
  nowMs: number,
): HandoffOutcome {
  if (handoff.expiresAtMs <= nowMs) return 'expired';
  if (stored === undefined || offer === undefined) return 'unavailable';
  const isSamePrice =
    handoff.total === formatMoney(offer.price.total) && stored.property.currency === handoff.currency;
  return isSamePrice ? 'unchanged' : 'price_changed';
}

function handoffOf(opened: OpenedHandoff): Handoff | undefined {
  return opened.ok ? opened.handoff : undefined;
}

// All that the traveller's page shows of a handoff: what became of the stay, other dates, and the nights around it.

/** A night of the page's calendar: whole weeks around the stay. */
export interface NightAround {
  readonly night: EpochDay;
  /** Some inventory type for the guests has a unit left; rules of arrival and length concern a whole stay. */
  readonly isOpen: boolean;
  readonly isOfStay: boolean;
}

export interface ReviewDeps extends CheckDeps {
  /** Called only for properties with details. */
  readonly findDetails: CatalogueStore['findDetails'];
}

/** The quoted room, if the offer is another one. */
export interface QuotedRoom {
  /** Undefined when the property no longer has this inventory type. */
  readonly type: InventoryType | undefined;
  /** Unavailable for this stay; otherwise the other one is merely cheaper now. */
  readonly isGone: boolean;
}

/** The question whether children are among the guests of a quote without ages, and the stay with those that were given. */
export interface FamilyQuestion {
  /** Undefined: none given, or none that could be theirs. */
  readonly childAges: readonly number[] | undefined;
  /** The ages as they were typed; empty without any. */
  readonly typed: string;
  /** The stay with these ages; undefined without ages, and where it has no price. */
  readonly offer: PricedQuote | undefined;
}

export interface HandoffReview extends Omit<CheckedHandoff, 'quoted' | 'decided'> {
  /** Undefined when the offer is the quoted room, or without an offer. */
  readonly quotedRoom: QuotedRoom | undefined;
  /** Why the stay has no price now; undefined where it has one, and without a property to show. */
  readonly reason: StayReason | undefined;
  /** Empty unless the stay has no price now. */
  readonly otherStays: readonly PricedStay[];
  /** Empty without a property to show. */
  readonly nights: readonly NightAround[];
  /** The operator's texts for this page alone. */
  readonly details: PropertyDetails;
  /** Today at the property; undefined without a property to show. */
  readonly today: EpochDay | undefined;
  /** Undefined where ages are known, or change nothing. */
  readonly family?: FamilyQuestion | undefined;
}

/**
 * Undefined when the quote is not stored here. Rejects with `StorageUnavailable`. `typedAges`: of children, as the
 * traveller typed them; they change nothing of the outcome.
 */
export async function reviewHandoff(
  deps: ReviewDeps,
  handoff: Handoff,
  typedAges = '',
): Promise<HandoffReview | undefined> {
  const checked = await checkHandoff(deps, handoff);
  if (checked === undefined) return undefined;
  const { stored, offer, decided } = checked;
  if (stored === undefined || decided === undefined)
    return {
      ...checked,
      quotedRoom: undefined,
      reason: undefined,
      otherStays: [],
      nights: [],
      details: NO_DETAILS,
      today: undefined,
    };
  const { property } = stored;
  const { calendars, offered } = decided;
  const [reason, otherStays] =
    offer === undefined
      ? await explainReview({ priced: stored, calendars, offered }, handoff)
      : [undefined, []];
  return {
    ...checked,
    quotedRoom: findQuotedRoom(checked, property, decided),
    reason,
    otherStays,
    nights: nightsAround(property, calendars, handoff, offered),
    details: await readDetails(deps, property),
    today: offered.first,
    family: askFamily(stored, decided, handoff, typedAges),
  };
}

/** Undefined where there is nothing to ask. */
function askFamily(
  stored: StoredProperty,
  { calendars, offered }: StoredDecision,
  { checkIn, checkOut, guests, childAges: known }: StayRequest,
  typed: string,
): FamilyQuestion | undefined {
  if (known !== undefined || guests < 2 || !propertyDependsOnAges(stored.property)) return undefined;
  const childAges = parseTypedAges(typed, guests);
  if (childAges === undefined) return { childAges, typed, offer: undefined };
  const decision = decideQuote(stored, calendars, { checkIn, checkOut, guests, childAges }, offered);
  return { childAges, typed, offer: decision.outcome === 'priced' ? decision : undefined };
}

/** The first of several reasons, and the other stays. */
export async function explainReview(
  decided: DecidedProperty,
  stay: StayRequest,
): Promise<readonly [StayReason | undefined, readonly PricedStay[]]> {
  const [reason] = await findReasons(decided, stay);
  return [reason, await findPricedStays(decided, stay)];
}

function findQuotedRoom(
  { handoff, quote, offer }: CheckedHandoff,
  property: Property,
  { calendars, offered }: StoredDecision,
): QuotedRoom | undefined {
  if (offer === undefined || offer.type.inventoryTypeId === quote.inventoryTypeId) return undefined;
  const inventoryTypes = typesOf(property);
  const index = inventoryTypes.findIndex(({ inventoryTypeId }) => inventoryTypeId === quote.inventoryTypeId);
  const type = inventoryTypes[index];
  return { type, isGone: type === undefined || !isEligible(type, calendars[index]!, handoff, offered) };
}

/** Sandbox properties have none. */
async function readDetails({ findDetails }: ReviewDeps, property: Property): Promise<PropertyDetails> {
  if (property.detailsDigest === undefined) return NO_DETAILS;
  return (await findDetails(property.propertyId)) ?? NO_DETAILS;
}

export const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday: the Monday of its week is three days earlier. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;

/** Nights shown before and after the stay, at least; then the weeks are completed. */
const NIGHTS_AROUND = 3;

export function startOfWeek(day: EpochDay): EpochDay {
  const daysSinceMonday = (day + DAYS_FROM_MONDAY_TO_EPOCH) % DAYS_PER_WEEK;
  return day - ((daysSinceMonday + DAYS_PER_WEEK) % DAYS_PER_WEEK);
}

/** From a Monday to a Sunday, ascending; at most 12 weeks, because a stay has at most 60 nights. */
export function nightsAround(
  property: Property,
  calendars: readonly Calendar[],
  stay: StayRequest,
  offered: OfferedNights,
): readonly NightAround[] {
  const { checkIn, checkOut, ...party } = stay;
  const first = startOfWeek(checkIn - NIGHTS_AROUND);
  const end = startOfWeek(checkOut - 1 + NIGHTS_AROUND) + DAYS_PER_WEEK;
  const types = typesOf(property);
  return Array.from({ length: end - first }, (_, index) => {
    const night = first + index;
    return {
      night,
      isOpen: isNightAvailable(types, calendars, { night, ...party }, offered),
      isOfStay: night >= checkIn && night < checkOut,
    };
  });
}
