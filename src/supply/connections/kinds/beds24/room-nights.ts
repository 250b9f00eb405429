/** The nights of a room, from its calendar, the days on which stays may begin, and the fixed prices over them. */
import type { CalendarEntry, EntryFields } from '../../../../domain/calendar.ts';
import type { GuestRates } from '../../../../domain/guest-rates.ts';
import { type EpochDay, formatLocalDate } from '../../../../domain/local-date.ts';
import { type Told, Wrong } from '../../../../domain/wrong.ts';
import type { RoomReading, UnpricedNights } from '../connection-kind.ts';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  phpObject,
  readDate,
  readInteger,
} from '../read-answer.ts';
import { type CountingRules, countingRules, isOne, priceNight, readMultiplier } from './night-prices.ts';
import { type Reason, REASONS } from './reasons.ts';
import { type RoomTerms, UNREADABLE } from './room-terms.ts';
import { makeStayLimits, type StayLimits } from './stay-limits.ts';

/** The items of each list that are about one room; undefined where a list has none. */
export interface RoomAnswer {
  /** The pieces that were asked for: ranges of nights with the same values. */
  readonly calendar: readonly CalendarPiece[];
  /** By date: whether a stay may begin. */
  readonly availability: Items | undefined;
  readonly fixedPrices: Items;
}

type Items = readonly JsonObject[];

interface CalendarPiece {
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly items: Items | undefined;
}

export interface NightContext {
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** In UTC. The zone of a property is not said: there, it may be the day before or after. */
  readonly today: EpochDay;
  /** The id of the chosen offer. */
  readonly offer: string;
  readonly allowed: ReadonlySet<string>;
}

interface ReadRoom {
  readonly beginnings: Beginnings;
  readonly fixedPrices: Items;
  readonly terms: RoomTerms;
  readonly context: NightContext;
  readonly rules: CountingRules;
  readonly limits: StayLimits;
}

/** Undefined where no list holds the room. */
export function readRoomNights(
  { calendar, availability, fixedPrices }: RoomAnswer,
  terms: RoomTerms,
  context: NightContext,
): RoomReading | undefined {
  const lists = [availability, ...calendar.map(({ items }) => items)];
  if (lists.every((items) => items === undefined)) return undefined;
  const values = readCalendar(calendar);
  const beginnings = readBeginnings(availability);
  if (isTold(values)) return { failure: values };
  if (isTold(beginnings)) return { failure: beginnings };
  const rules = countingRules(terms, context.offer);
  const limits = makeStayLimits(values, terms, { only: rules.only, offer: context.offer });
  const room: ReadRoom = { beginnings, fixedPrices, terms, context, rules, limits };
  const reasons = new ReasonCounts();
  const nights: CalendarEntry[] = [];
  for (let night = context.from; night < context.until; night += 1) {
    const said = values.get(night);
    if (said === undefined) continue;
    const restrictions = readRestrictions(room, night, said);
    const price = readPrice(room, night, said);
    const ratesByGuests = price.rates.length === 0 ? undefined : { ratesByGuests: price.rates };
    nights.push({ from: night, to: night, set: { ...restrictions, ...ratesByGuests } });
    if (restrictions.availability > 0 && restrictions.stopSell !== 1) reasons.add(price);
  }
  return { nights, unpriced: reasons.rows() };
}

type Values = ReadonlyMap<EpochDay, JsonObject>;
type Beginnings = ReadonlyMap<string, JsonValue>;

function isTold(read: Values | Beginnings | Told): read is Told {
  return 'code' in read;
}

/** The values of each night; or why they can't be read. */
function readCalendar(pieces: readonly CalendarPiece[]): Values | Told {
  const values = new Map<EpochDay, JsonObject>();
  for (const { from, until, items } of pieces) {
    if (items === undefined) return new Wrong('roomHalf');
    const ranges = readRanges(items);
    if (ranges === undefined) return new Wrong('roomUnread');
    let next = Number.NEGATIVE_INFINITY;
    for (const { first, last, said } of ranges) {
      if (first < next) return new Wrong('roomNightTwice');
      next = last + 1;
      // A range may exceed what was asked for.
      for (let night = Math.max(first, from); night <= Math.min(last, until - 1); night += 1)
        values.set(night, said);
    }
  }
  return values;
}

interface DatedRange {
  readonly first: EpochDay;
  /** Included. */
  readonly last: EpochDay;
  readonly said: JsonObject;
}

/** Ascending; undefined where one can't be read. */
function readRanges(items: Items): DatedRange[] | undefined {
  const ranges: DatedRange[] = [];
  for (const { calendar } of items) {
    if (!isList(calendar)) return undefined;
    for (const said of calendar) {
      const first = isObject(said) ? readDate(said['from']) : undefined;
      const last = isObject(said) ? readDate(said['to']) : undefined;
      if (!isObject(said) || first === undefined || last === undefined || last < first) return undefined;
      ranges.push({ first, last, said });
    }
  }
  return ranges.sort((one, other) => one.first - other.first);
}

/** By date, whether a stay may begin; or why it can't be read. */
function readBeginnings(items: Items | undefined): Beginnings | Told {
  if (items === undefined) return new Wrong('roomHalf');
  const beginnings = new Map<string, JsonValue>();
  for (const { availability } of items) {
    const dates = phpObject(availability);
    if (dates === undefined) return new Wrong('roomUnread');
    for (const [date, mayBegin = null] of Object.entries(dates)) {
      if (beginnings.has(date)) return new Wrong('roomNightTwice');
      beginnings.set(date, mayBegin);
    }
  }
  return beginnings;
}

// Restrictions.

function readRestrictions(
  { beginnings, terms, context, rules, limits }: ReadRoom,
  night: EpochDay,
  said: JsonObject,
): EntryFields & { readonly availability: number } {
  const { override } = said;
  const lengths = limits(night);
  const isArrivalClosed = NO_ARRIVALS.has(override) || isArrivalClosedOn(night, terms, rules, context);
  return {
    availability: lengths === UNREADABLE ? 0 : unitsOn(night, said, beginnings),
    ...(isStopped(night, override, terms) ? { stopSell: 1 } : undefined),
    ...(isArrivalClosed ? { closedToArrival: 1 } : undefined),
    ...(NO_DEPARTURES.has(override) ? { closedToDeparture: 1 } : undefined),
    ...(lengths === UNREADABLE ? undefined : lengths),
  };
}

const NO_ARRIVALS: ReadonlySet<unknown> = new Set(['noCheckIn', 'noCheckInOrCheckOut']);
const NO_DEPARTURES: ReadonlySet<unknown> = new Set(['noCheckOut', 'noCheckInOrCheckOut']);
/** Overrides that leave the night itself open; any other word stops it. */
const OPEN_OVERRIDES: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'none',
  ...NO_ARRIVALS,
  ...NO_DEPARTURES,
]);

/**
 * `numAvail` may not know the bookings of rooms that this one depends on. So a night has units only where a stay may
 * begin, or where an override says why none may.
 */
function unitsOn(night: EpochDay, { numAvail, override }: JsonObject, beginnings: Beginnings): number {
  const mayBegin = beginnings.get(formatLocalDate(night));
  const isOpen = mayBegin === true || (mayBegin === false && NO_ARRIVALS.has(override));
  return isOpen ? Math.max(0, readInteger(numAvail) ?? 0) : 0;
}

function isStopped(
  night: EpochDay,
  override: JsonValue | undefined,
  { isClosed, exception: { closes, period } }: RoomTerms,
): boolean {
  const isInPeriod =
    period !== null &&
    (period.from === null || night >= period.from) &&
    (period.to === null || night <= period.to);
  const isOpen = override === 'exception' ? !closes : OPEN_OVERRIDES.has(override);
  return isClosed || !isOpen || (isInPeriod && closes);
}

/** As if today were the day before or after, whichever closes more. */
function isArrivalClosedOn(
  night: EpochDay,
  { nearDays }: RoomTerms,
  { only }: CountingRules,
  { today }: NightContext,
): boolean {
  const { minDays = null, maxDays = null } = only ?? {};
  return (
    (nearDays !== null && night <= today + 1 + nearDays) ||
    (minDays !== null && minDays > 0 && night < today + 1 + minDays) ||
    (maxDays !== null && night > today - 1 + maxDays)
  );
}

// Prices.

interface ReadPrice {
  /** Empty: the night has no price. */
  readonly rates: GuestRates;
  /** Why it has none, or only an upper bound. */
  readonly reasons: readonly Reason[];
}

function readPrice(room: ReadRoom, night: EpochDay, said: JsonObject): ReadPrice {
  const blocking = blockingReasons(room, night, said);
  const { rates, doubts } = priceNight(room.rules, room.terms, said);
  if (blocking.length === 0 && rates.length > 0) return { rates, reasons: [...doubts] };
  const reasons = rates.length > 0 ? blocking : [...blocking, ...doubts];
  return { rates: [], reasons: reasons.length > 0 ? reasons : ['no_price'] };
}

function blockingReasons(
  { fixedPrices, terms, context, rules }: ReadRoom,
  night: EpochDay,
  said: JsonObject,
): Reason[] {
  const multiplier = readMultiplier(said);
  const reasons: Reason[] = terms.unread.filter((reason) => !context.allowed.has(reason));
  if (rules.all.length === 0) reasons.push('no_rule');
  if (fixedPrices.some((fixed) => covers(fixed, night))) reasons.push('fixed_price');
  const isMultiplied = multiplier === undefined || !isOne(multiplier);
  if (isMultiplied && !(multiplier !== undefined && context.allowed.has('multiplier')))
    reasons.push('multiplier');
  return reasons;
}

/** Whether guests who book directly may get the fixed price that night: a side without a date has no bound. */
function covers({ bookingPage, firstNight, lastNight }: JsonObject, night: EpochDay): boolean {
  if (isObject(bookingPage) && bookingPage['direct'] === false) return false;
  return night >= (readDate(firstNight) ?? night) && night <= (readDate(lastNight) ?? night);
}

class ReasonCounts {
  readonly #unpriced = new Map<Reason, number>();
  readonly #bounded = new Map<Reason, number>();

  add({ rates, reasons }: ReadPrice): void {
    const counts = rates.length > 0 ? this.#bounded : this.#unpriced;
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }

  /** In the order of the reasons, those without a price first. */
  rows(): UnpricedNights[] {
    const rowsOf = (counts: ReadonlyMap<Reason, number>, isUsed?: true): UnpricedNights[] =>
      REASONS.filter((reason) => counts.has(reason)).map((reason) => ({
        reason,
        nights: counts.get(reason)!,
        ...(isUsed === undefined ? undefined : { isUsed }),
      }));
    return [...rowsOf(this.#unpriced), ...rowsOf(this.#bounded, true)];
  }
}
