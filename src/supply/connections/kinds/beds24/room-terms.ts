/**
 * The terms of a room that its calendar does not repeat: price rules, offers, restrictions, and when the property takes
 * no bookings. They are JSON values, because they are kept between the reading of rooms and that of nights.
 */
import type { EpochDay } from '../../../../domain/local-date.ts';
import {
  decimalOf,
  isList,
  isObject,
  isUnsaid,
  type JsonObject,
  type JsonValue,
  Numeral,
  readDate,
  readInteger,
} from '../read-answer.ts';
import { type Reason, REASONS } from './reasons.ts';

export interface RoomTerms {
  /** 0 where it is not said: no price then. */
  readonly guestsMax: number;
  /** The property takes no bookings at all. */
  readonly isClosed: boolean;
  /** Dates with another booking type, both included, null without a bound; and whether that type closes. */
  readonly exception: {
    readonly closes: boolean;
    readonly period: { readonly from: EpochDay | null; readonly to: EpochDay | null } | null;
  };
  /** Check-ins from today on for so many days, and today, are not taken; null: all are. */
  readonly nearDays: number | null;
  readonly minStay: Limit;
  readonly maxStay: Limit;
  readonly restrictions: 'firstNight' | 'stayThrough' | 'unsaid';
  /** Rules for everybody who books directly. */
  readonly rules: readonly PriceRule[];
  /** Offers that are sold, by their id. */
  readonly offers: Readonly<Record<string, { readonly minStay: Limit }>>;
  /** Reasons why no night has an exact price. */
  readonly unread: readonly Reason[];
}

/** Nights; null: none. -1: one that cannot be read. */
export type Limit = number | null;
export const UNREADABLE = -1;

export interface PriceRule {
  /** N of `priceN`. */
  readonly id: number;
  readonly offer: number;
  /** Its price is that of another rule, which `linkedPriceN` says. */
  readonly isLinked: boolean;
  /** `all`: for the whole room. `upTo`: for so many guests, and `extra` for each more. Null: not understood. */
  readonly priceFor: 'all' | 'each' | { readonly upTo: number; readonly extra: string | null } | null;
  readonly minStay: Limit;
  readonly maxStay: Limit;
  /** From today to the check-in. */
  readonly minDays: Limit;
  readonly maxDays: Limit;
}

/** Their largest `maxDaysUntilCheckin`: it limits nothing. */
const DAYS_UNTIL_CHECKIN_MAX = 999;

/** Their largest `bookingNearTypeDays`. */
const NEAR_DAYS_MAX = 60;

/** Booking types that take bookings; any other word closes. */
const OPEN_TYPES: ReadonlySet<unknown> = new Set([
  'autoConfirmed',
  'requestWithManualConfirmation',
  'requestWithCreditCard',
  'confirmedWithCreditCard',
  'confirmedWithDepositCollection1',
  'confirmedWithDepositCollection2',
]);

export function readTerms(property: JsonObject, room: JsonObject): RoomTerms {
  const rules = isObject(property['bookingRules']) ? property['bookingRules'] : {};
  const nearDays = readLimit(rules['bookingNearTypeDays']);
  const isNearOpen = nearDays === null || OPEN_TYPES.has(rules['bookingNearType']);
  const ofOffers = property['offerType'] === 'perProperty' ? property['offers'] : room['offers'];
  return {
    guestsMax: readPositive(room['maxPeople']) ?? 0,
    isClosed: !isUnsaid(rules['bookingType']) && !OPEN_TYPES.has(rules['bookingType']),
    exception: {
      closes: !OPEN_TYPES.has(rules['bookingExceptionalType']),
      period: readPeriod(rules['bookingExceptionalTypeStart'], rules['bookingExceptionalTypeEnd']),
    },
    nearDays: isNearOpen ? null : nearDays === UNREADABLE ? NEAR_DAYS_MAX : nearDays,
    minStay: readLimit(room['minStay']),
    maxStay: readLimit(room['maxStay']),
    restrictions: readRestrictions(room['restrictionStrategy']),
    rules: objectsOf(room['priceRules'])
      .filter(isForAll)
      .map(readRule)
      .filter((rule) => rule !== undefined),
    offers: readOffers(ofOffers),
    unread: unreadTerms(property, rules, room),
  };
}

function unreadTerms(property: JsonObject, rules: JsonObject, room: JsonObject): Reason[] {
  const terms: Readonly<Partial<Record<Reason, boolean>>> = {
    no_capacity: readPositive(room['maxPeople']) === null,
    units_by_guest: room['unitAllocation'] === 'perGuest',
    booking_page_multiplier: !isNeutral(property['bookingPageMultiplier'], 1n),
    price_rounding: !isUnsaid(rules['priceRounding']) && rules['priceRounding'] !== 'none',
    min_price: !isNeutral(room['minPrice'], 0n),
    block_after_check_out: !isNeutral(room['blockAfterCheckOutDays'], 0n),
  };
  return REASONS.filter((reason) => terms[reason] === true);
}

/** Whether it is unsaid, or the number that changes nothing; the multiplier is a text. */
export function isNeutral(value: JsonValue | undefined, neutral: bigint): boolean {
  if (isUnsaid(value) || value === '') return true;
  const text = value instanceof Numeral ? value.text : value;
  const decimal = typeof text === 'string' ? decimalOf(text) : undefined;
  return decimal !== undefined && decimal.numerator === neutral * decimal.denominator;
}

function readPositive(value: JsonValue | undefined): number | null {
  const number = readInteger(value);
  return number !== undefined && number > 0 ? number : null;
}

/** Also of numbers of days, which may be 0. */
export function readLimit(value: JsonValue | undefined): Limit {
  if (isUnsaid(value)) return null;
  const number = readInteger(value);
  return number !== undefined && number >= 0 ? number : UNREADABLE;
}

/** A date that is missing, or is none, leaves that side without a bound. */
function readPeriod(
  start: JsonValue | undefined,
  end: JsonValue | undefined,
): RoomTerms['exception']['period'] {
  const isSaid = (date: JsonValue | undefined): boolean => !isUnsaid(date) && date !== '';
  return isSaid(start) || isSaid(end) ? { from: readDate(start) ?? null, to: readDate(end) ?? null } : null;
}

function readRestrictions(value: JsonValue | undefined): RoomTerms['restrictions'] {
  return value === 'firstNight' || value === 'stayThrough' ? value : 'unsaid';
}

export function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isList(value) ? value.filter((item) => isObject(item)) : [];
}

function isForAll({ bookingPage, agentCodes }: JsonObject): boolean {
  const isOpenToAll = isUnsaid(agentCodes) || (isList(agentCodes) && agentCodes.length === 0);
  return isOpenToAll && isObject(bookingPage) && bookingPage['direct'] === true;
}

function readRule(rule: JsonObject): PriceRule | undefined {
  const { priceLinking } = rule;
  const id = readInteger(rule['id']);
  const offer = readInteger(rule['offer']);
  if (id === undefined || offer === undefined) return undefined;
  const limits = {
    minStay: readLimit(rule['minimumStay']),
    maxStay: readLimit(rule['maximumStay']),
    minDays: readLimit(rule['minDaysUntilCheckin']),
    maxDays: readLimit(rule['maxDaysUntilCheckin']),
  };
  const isLinked =
    isObject(priceLinking) && !(isUnsaid(priceLinking['priceId']) && isUnsaid(priceLinking['roomId']));
  const isRead = !Object.values(limits).includes(UNREADABLE);
  const maxDays = limits.maxDays === DAYS_UNTIL_CHECKIN_MAX ? null : limits.maxDays;
  return { id, offer, isLinked, priceFor: isRead ? readPriceFor(rule) : null, ...limits, maxDays };
}

function readPriceFor({ priceFor, extraPerson }: JsonObject): PriceRule['priceFor'] {
  const type = isObject(priceFor) ? priceFor['type'] : undefined;
  if (type === 'maxCapacity') return 'all';
  if (type === 'perPerson') return 'each';
  const upTo = isObject(priceFor) ? readPositive(priceFor['upToPersonValue']) : null;
  if (type !== 'upToPerson' || upTo === null) return null;
  return { upTo, extra: extraPerson instanceof Numeral ? extraPerson.text : null };
}

const SOLD: ReadonlySet<unknown> = new Set(['always', 'onlyIfAvailable']);

function readOffers(value: JsonValue | undefined): RoomTerms['offers'] {
  return Object.fromEntries(
    objectsOf(value).flatMap((offer) => {
      const id = readInteger(offer['offerId']);
      if (id === undefined || !SOLD.has(offer['enable'])) return [];
      const { minimumStay } = offer;
      const isOwn = isObject(minimumStay) && minimumStay['type'] === 'numberOfDays';
      return [[id, { minStay: isOwn ? readLimit(minimumStay['numberOfDaysValue']) : null }]];
    }),
  );
}
