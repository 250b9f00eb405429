/**
 * Why a stay can't be had, as partners and travellers hear it: all reasons of the one inventory type that comes nearest,
 * one for each code, in the order of the rows. The evaluator's refusals decide; its rules say which reason they come to.
 */
import type { Calendar } from './calendar.ts';
import { countPaying, type Party } from './child-ages.ts';
import { FIELD_ROWS, RESTRICTION_FIELDS } from './calendar-fields.ts';
import {
  type EligibilityRefusal,
  type EligibilityRule,
  explainEligibility,
  hosts,
  type HostingType,
  isEligible,
  leastStayLength,
  type OfferedNights,
  type StayRequest,
} from './eligibility.ts';
import { type EpochDay, formatLocalDate } from './local-date.ts';
import { isDateRule, OFFER_RULE_ROWS, OFFER_RULES } from './offer-rules.ts';
import type { PriceTerms, TypeTerms } from './price-terms.ts';
import { type RateCalendar, rateOf } from './pricing.ts';
import { type Locale, typesOf } from './property.ts';
import { decideQuote, type EligibleType, type PricedProperty } from './quote-decision.ts';

/** A member of the reasons of one code, with the value that each has. */
interface ReasonMembers<Day> {
  readonly guestsMax: number;
  readonly date: Day;
  readonly days: number;
  /** Ascending. */
  readonly dates: readonly Day[];
  readonly nights: number;
}

interface ReasonRow {
  readonly member: keyof ReasonMembers<unknown>;
  /** One sentence for schemas and docs. */
  readonly meaning: string;
  /** A few words for people, where reasons are counted or listed. */
  readonly short: Readonly<Record<Locale, string>>;
  /** For people, with the member formatted, such as `{nights}` for "3 nights". */
  readonly sentences: Readonly<Record<Locale, string>>;
  /** The same where `dates` is empty. */
  readonly withoutDates?: Readonly<Record<Locale, string>>;
}

// prettier-ignore
export const REASON_ROWS = {
  CAPACITY: {
    member: 'guestsMax',
    meaning: 'No inventory type hosts so many guests: the largest hosts `guestsMax`.',
    short: { 'en-GB': 'too small for the guests', 'it-IT': 'troppo piccola per gli ospiti' },
    sentences: {
      'en-GB': 'There is room for at most {guestsMax}.',
      'it-IT': 'C’è posto al massimo per {guestsMax}.',
    },
  },
  PAST: {
    member: 'date',
    meaning: 'The stay begins before `date`, today at the property.',
    short: { 'en-GB': 'in the past', 'it-IT': 'già passata' },
    sentences: {
      'en-GB': 'Stays begin on {date} at the earliest.',
      'it-IT': 'Il primo arrivo possibile è {date}.',
    },
  },
  BEYOND_HORIZON: {
    member: 'date',
    meaning: 'The stay ends after `date`, the last night offered now.',
    short: { 'en-GB': 'not offered yet', 'it-IT': 'non ancora offerta' },
    sentences: {
      'en-GB': 'The last night offered so far is {date}.',
      'it-IT': 'L’ultima notte offerta per ora è {date}.',
    },
  },
  TOO_SOON: {
    member: 'days',
    meaning: 'The check-in must be at least `days` days after today at the property.',
    short: { 'en-GB': 'too soon before arrival', 'it-IT': 'troppo vicina all’arrivo' },
    sentences: {
      'en-GB': 'Stays are booked at least {days} before arrival.',
      'it-IT': 'Si prenota almeno {days} prima dell’arrivo.',
    },
  },
  TOO_FAR_AHEAD: {
    member: 'days',
    meaning: 'The check-in must be at most `days` days after today at the property.',
    short: { 'en-GB': 'too far ahead', 'it-IT': 'troppo in anticipo' },
    sentences: {
      'en-GB': 'Stays are booked at most {days} before arrival.',
      'it-IT': 'Si prenota al massimo {days} prima dell’arrivo.',
    },
  },
  NIGHTS_CLOSED: {
    member: 'dates',
    meaning: 'No unit can be had on the nights `dates`: sold, or not for sale.',
    short: { 'en-GB': 'nights not free', 'it-IT': 'notti non libere' },
    sentences: {
      'en-GB': 'These nights are not free: {dates}.',
      'it-IT': 'Queste notti non sono libere: {dates}.',
    },
  },
  CLOSED_TO_ARRIVAL: {
    member: 'date',
    meaning: 'No stay begins on `date`.',
    short: { 'en-GB': 'closed to arrival', 'it-IT': 'chiusa all’arrivo' },
    sentences: {
      'en-GB': 'No stay begins on {date}.',
      'it-IT': 'Nessun soggiorno può iniziare {date}.',
    },
  },
  CLOSED_TO_DEPARTURE: {
    member: 'date',
    meaning: 'No stay ends on `date`.',
    short: { 'en-GB': 'closed to departure', 'it-IT': 'chiusa alla partenza' },
    sentences: {
      'en-GB': 'No stay ends on {date}.',
      'it-IT': 'Nessun soggiorno può finire {date}.',
    },
  },
  MIN_STAY: {
    member: 'nights',
    meaning:
      'Too few nights: from this check-in the shortest stay that no minimum refuses has `nights` nights; 61 where none ' +
      'of up to 60 does.',
    short: { 'en-GB': 'minimum stay is longer', 'it-IT': 'soggiorno minimo più lungo' },
    sentences: {
      'en-GB': 'From this arrival date the shortest stay is {nights}.',
      'it-IT': 'Da questa data di arrivo il soggiorno più breve è di {nights}.',
    },
  },
  MAX_STAY: {
    member: 'nights',
    meaning: 'Too many nights: from this check-in the longest stay has `nights` nights.',
    short: { 'en-GB': 'maximum stay is shorter', 'it-IT': 'soggiorno massimo più corto' },
    sentences: {
      'en-GB': 'From this arrival date the longest stay is {nights}.',
      'it-IT': 'Da questa data di arrivo il soggiorno più lungo è di {nights}.',
    },
  },
  NO_PRICE: {
    member: 'dates',
    meaning:
      'The stay can be had, but no quote can be made. Nights without a price: `dates`; none where the property gives no ' +
      'quotes at all.',
    short: { 'en-GB': 'no price', 'it-IT': 'senza prezzo' },
    sentences: {
      'en-GB': 'These nights have no price: {dates}.',
      'it-IT': 'Queste notti non hanno un prezzo: {dates}.',
    },
    withoutDates: {
      'en-GB': 'Prices are not given online.',
      'it-IT': 'I prezzi non sono indicati online.',
    },
  },
} as const satisfies Readonly<Record<string, ReasonRow>>;

type Rows = typeof REASON_ROWS;
export type ReasonCode = keyof Rows;
export const REASON_CODES = Object.keys(REASON_ROWS) as readonly ReasonCode[];

type ReasonWith<Day> = {
  readonly [Code in ReasonCode]: { readonly code: Code } & Pick<ReasonMembers<Day>, Rows[Code]['member']>;
}[ReasonCode];

export type StayReason = ReasonWith<EpochDay>;
/** As partners get it: with dates as texts. */
export type PresentedReason = ReasonWith<string>;

/** A type as its reasons see it. */
export interface RefusingType extends HostingType {
  readonly inventoryTypeId: string;
}

/**
 * All reasons of the type that comes nearest: of the types that can host the guests (when none can, of the largest ones)
 * the one with the fewest reasons, then the fewest closed nights, then the least id. Every type must refuse the stay.
 * There is a step after each type. `calendarOf` may know the nights of the stay and the date of departure alone, and
 * `longCalendarOf` the 61 nights from the check-in on.
 */
export function* explainNearest(
  types: readonly RefusingType[],
  calendarOf: (typeIndex: number) => Calendar,
  stay: StayRequest,
  offered: OfferedNights,
  longCalendarOf = calendarOf,
): Generator<void, readonly StayReason[]> {
  const looked = nearestTypes(types, stay);
  let nearest: { readonly inventoryTypeId: string; readonly reasons: readonly StayReason[] } | undefined;
  for (const [typeIndex, type] of types.entries()) {
    if (!looked(type)) continue;
    const { inventoryTypeId } = type;
    const longCalendar = (): Calendar => longCalendarOf(typeIndex);
    const reasons = reasonsOf(type, calendarOf(typeIndex), stay, offered, longCalendar);
    const candidate = { inventoryTypeId, reasons };
    if (nearest === undefined || isNearer(candidate, nearest)) nearest = candidate;
    yield;
  }
  return nearest?.reasons ?? [];
}

/** Those that can host the guests; when none can, the largest. */
function nearestTypes(types: readonly HostingType[], party: Party): (type: HostingType) => boolean {
  if (types.some((type) => hosts(type, party))) return (type) => hosts(type, party);
  const largest = Math.max(...types.map(({ guestsMax }) => guestsMax));
  return ({ guestsMax }) => guestsMax === largest;
}

interface Candidate {
  readonly inventoryTypeId: string;
  readonly reasons: readonly StayReason[];
}

function isNearer(one: Candidate, other: Candidate): boolean {
  if (one.reasons.length !== other.reasons.length) return one.reasons.length < other.reasons.length;
  const [closed, otherClosed] = [countClosed(one), countClosed(other)];
  return closed === otherClosed ? one.inventoryTypeId < other.inventoryTypeId : closed < otherClosed;
}

function countClosed({ reasons }: Candidate): number {
  return reasons.reduce((sum, one) => sum + (one.code === 'NIGHTS_CLOSED' ? one.dates.length : 0), 0);
}

/** All reasons of one type. Dates that are not offered have none of their own: `PAST` and `BEYOND_HORIZON` say it. */
export function reasonsOf(
  type: HostingType,
  calendar: Calendar,
  stay: StayRequest,
  offered: OfferedNights,
  longCalendar = (): Calendar => calendar,
): readonly StayReason[] {
  const byCode: Partial<Record<ReasonCode, EligibilityRefusal[]>> = {};
  for (const refusal of explainEligibility(type, calendar, stay, offered))
    if (isTold(refusal, offered)) (byCode[TOLD_BY[refusal.rule].code] ??= []).push(refusal);
  const reasons: StayReason[] = [];
  for (const code of REASON_CODES) {
    const refusals = byCode[code];
    if (refusals === undefined) continue;
    const value = valueOf(code, refusals, () => leastStayLength(longCalendar(), stay.checkIn, offered));
    reasons.push({ code, [REASON_ROWS[code].member]: value } as StayReason);
  }
  return reasons;
}

interface ReasonRule {
  /** The reason that the rule comes to. */
  readonly code: ReasonCode;
  /** Its value is a date. */
  readonly isDate: boolean;
  /** Told of these dates alone: from today on, of offered nights, or of those on which an offered night ends. */
  readonly dates: 'all' | 'coming' | 'nights' | 'departures';
}

const TOLD_BY = Object.fromEntries([
  ...RESTRICTION_FIELDS.map((field): [EligibilityRule, ReasonRule] => {
    const { told: code, appliesTo } = FIELD_ROWS[field];
    return [field, { code, isDate: false, dates: appliesTo === 'departure' ? 'departures' : 'nights' }];
  }),
  ...OFFER_RULES.map((rule): [EligibilityRule, ReasonRule] => {
    // A check-in that has passed is not told to be too soon as well.
    const dates = rule === 'minAdvanceDays' ? 'coming' : 'all';
    return [rule, { code: OFFER_RULE_ROWS[rule].told, isDate: isDateRule(rule), dates }];
  }),
]) as Readonly<Record<EligibilityRule, ReasonRule>>;

function isTold({ rule, date }: EligibilityRefusal, { first, end }: OfferedNights): boolean {
  const { dates } = TOLD_BY[rule];
  if (dates === 'all') return true;
  return date! >= first && (dates === 'coming' || date! < end + Number(dates === 'departures'));
}

function valueOf(
  code: ReasonCode,
  refusals: readonly EligibilityRefusal[],
  leastLength: () => number,
): number | readonly number[] {
  const { rule, date, value } = refusals[0]!;
  switch (REASON_ROWS[code].member) {
    case 'guestsMax':
    case 'days':
      return value;
    case 'date':
      return TOLD_BY[rule].isDate ? value : date!;
    case 'dates':
      return datesOf(refusals);
    case 'nights':
      return code === 'MIN_STAY' ? leastLength() : Math.min(...refusals.map((refusal) => refusal.value));
  }
}

/** Each once; the evaluator goes night by night. */
function datesOf(refusals: readonly EligibilityRefusal[]): readonly EpochDay[] {
  const dates: EpochDay[] = [];
  for (const { date } of refusals) if (date !== dates.at(-1)) dates.push(date!);
  return dates;
}

/** The reasons of a property with all its calendars, in the order of its types; empty where the stay has a price. */
export function* explainRefused(
  priced: PricedProperty,
  calendars: readonly Calendar[],
  stay: StayRequest,
  offered: OfferedNights,
): Generator<void, readonly StayReason[]> {
  const { property, terms } = priced;
  const { outcome } = decideQuote(priced, calendars, stay, offered);
  if (outcome === 'priced') return [];
  const types = typesOf(property);
  if (outcome === 'STAY_UNAVAILABLE')
    return yield* explainNearest(types, (index) => calendars[index]!, stay, offered);
  const eligible = calendars
    .map((calendar, typeIndex) => ({ typeIndex, calendar }))
    .filter(({ typeIndex, calendar }) => isEligible(types[typeIndex]!, calendar, stay, offered));
  return [explainNoPrice(terms, eligible, stay)];
}

/** Looks at the type that lacks the fewest prices, then at the least id, among the eligible ones. */
export function explainNoPrice(
  { quoting, types }: Pick<PriceTerms, 'quoting' | 'types'>,
  eligible: readonly EligibleType[],
  stay: StayRequest,
): StayReason {
  if (!quoting) return { code: 'NO_PRICE', dates: [] };
  const lacking = eligible.map(({ typeIndex, calendar }) => {
    const type = types[typeIndex]!;
    return { inventoryTypeId: type.inventoryTypeId, reason: noPriceOf(type, calendar, stay) };
  });
  const fewest = lacking.reduce((least, one) => {
    const difference = one.reason.dates.length - least.reason.dates.length;
    if (difference !== 0) return difference < 0 ? one : least;
    return one.inventoryTypeId < least.inventoryTypeId ? one : least;
  });
  return fewest.reason;
}

/** Why one type has no price, whether it can host the stay or not. */
export function noPriceOf(
  { ageBands }: Pick<TypeTerms, 'ageBands'>,
  calendar: RateCalendar,
  { checkIn, checkOut, ...party }: StayRequest,
) {
  const { guests } = countPaying(ageBands, party);
  const dates: EpochDay[] = [];
  for (let night = checkIn; night < checkOut; night++)
    if (rateOf(calendar, night, guests) === undefined) dates.push(night);
  return { code: 'NO_PRICE', dates } as const;
}

/** How a language writes the members within a sentence: `3 nights`, `4 December`. */
export type FormatMembers<Day = EpochDay> = {
  readonly [Member in keyof ReasonMembers<Day>]: (value: ReasonMembers<Day>[Member]) => string;
};

/** One sentence for people. */
export function sayReason<Day>(reason: ReasonWith<Day>, locale: Locale, format: FormatMembers<Day>): string {
  const row: ReasonRow = REASON_ROWS[reason.code];
  const { member } = row;
  const value = (reason as unknown as ReasonMembers<Day>)[member];
  const isEmpty = Array.isArray(value) && value.length === 0;
  const sentence = (isEmpty ? row.withoutDates : undefined) ?? row.sentences;
  return sentence[locale].replace(`{${member}}`, () => (format[member] as (from: unknown) => string)(value));
}

/** The codes of all these, each once, in the order of the rows; null stands for reasons that are not told. */
export function reasonCodesOf(
  told: Iterable<readonly Pick<PresentedReason, 'code'>[] | null | undefined>,
): readonly ReasonCode[] {
  const codes = new Set<ReasonCode>();
  for (const reasons of told) for (const { code } of reasons ?? []) codes.add(code);
  return REASON_CODES.filter((code) => codes.has(code));
}

export const presentReason = reasonPresenter(formatLocalDate);

/** For many reasons of the same dates: `format` may remember what it wrote. */
export function reasonPresenter(format: (date: EpochDay) => string): (reason: StayReason) => PresentedReason {
  return (reason) => {
    if ('date' in reason) return { ...reason, date: format(reason.date) };
    if ('dates' in reason) return { ...reason, dates: reason.dates.map((date) => format(date)) };
    return reason;
  };
}
