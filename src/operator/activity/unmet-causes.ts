/**
 * Denial causes of a stay: by rule and source, and the nearest arrival with an opening. Both come from the evaluator,
 * with the layers of all sources and their combination.
 */
import type { Calendar } from '../../domain/calendar.ts';
import type { Party } from '../../domain/child-ages.ts';
import {
  FIELD_ROWS,
  isRestriction,
  RESTRICTION_FIELDS,
  RESTRICTION_REASONS,
  type RestrictionReason,
} from '../../domain/calendar-fields.ts';
import {
  type EligibilityRefusal,
  type EligibilityRule,
  explainEligibility,
  hosts,
  isEligible,
  type OfferedNights,
} from '../../domain/eligibility.ts';
import type { CalendarLayer } from '../../domain/layers.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { shiftAt } from '../../domain/nearest-shifts.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { OFFER_RULE_ROWS, OFFER_RULES, type OfferRule } from '../../domain/offer-rules.ts';
import type { InventoryType } from '../../domain/property.ts';
import type { ReasonCode } from '../../domain/stay-reasons.ts';
import type { UnmetStay } from '../../storage/activity/store.ts';

/** Why no type of a property is offered, whatever its calendars, in the order of the report. */
const OFFER_REASONS = ['advance', 'guests', 'beyond_horizon'] as const satisfies readonly OfferReason[];

type OfferReason = (typeof OFFER_RULE_ROWS)[OfferRule]['reason'];
export type UnmetRule = RestrictionReason | OfferReason;

/** A property counts under the first of them that it fails. */
export const UNMET_RULES: readonly UnmetRule[] = [...RESTRICTION_REASONS, ...OFFER_REASONS];

const REASONS = {
  ...Object.fromEntries(OFFER_RULES.map((rule) => [rule, OFFER_RULE_ROWS[rule].reason])),
  ...Object.fromEntries(RESTRICTION_FIELDS.map((field) => [field, FIELD_ROWS[field].reason])),
} as Readonly<Record<EligibilityRule, UnmetRule>>;

/** The reasons that partners get where a property counts under the rule. */
export function reasonsOfUnmet(rule: UnmetRule): readonly ReasonCode[] {
  const rules = [
    ...OFFER_RULES.map((one) => OFFER_RULE_ROWS[one]),
    ...RESTRICTION_FIELDS.map((one) => FIELD_ROWS[one]),
  ];
  return [...new Set(rules.flatMap(({ reason, told }) => (reason === rule ? [told] : [])))];
}

export interface JudgedProperty {
  readonly propertyId: string;
  /** Source of its document. */
  readonly source: string;
  readonly types: readonly JudgedType[];
  readonly offered: OfferedNights;
}

export interface JudgedType {
  /** With the bands that count for it. */
  readonly type: InventoryType;
  /** The calendar that partners see. */
  readonly calendar: Calendar;
  /** A layer of each source with any value. */
  readonly layers: readonly CalendarLayer[];
}

/** A stay, and the distance within which an opening matters. */
export interface StayToJudge extends Pick<UnmetStay, 'checkIn' | 'nights'>, Party {
  /** Distance of the nearest known opening; see `shiftAt`. */
  readonly nearestDistance?: number | undefined;
}

export interface UnmetCause {
  readonly rule: UnmetRule;
  /** Null for `guests`: the property is too small, whatever its sources say. */
  readonly source: string | null;
  readonly properties: number;
}

/** A night that stands in the way of a stay, of a property with room for its guests. */
export interface BlockedProperty {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly rule: UnmetRule;
  /** The first that is refused. */
  readonly night: EpochDay;
}

/** Properties with the first rules, of each stay. */
const BLOCKED_MAX = 2;

/** The judgement of a stay by some properties of its city. */
export interface StayJudgement {
  readonly causes: readonly UnmetCause[];
  /** Where the operator could open the stay, in the order of the rules. */
  readonly blocked: readonly BlockedProperty[];
  readonly nearest: { readonly distance: number; readonly properties: number } | null;
  /** The check-in has passed at every property. */
  readonly isPassed: boolean;
}

/** Before the first property. */
export const NOTHING_JUDGED: StayJudgement = { causes: [], blocked: [], nearest: null, isPassed: true };

/** One property's judgement of each stay, in their order. */
export function judgeProperty(property: JudgedProperty, stays: readonly StayToJudge[]): StayJudgement[] {
  const openings = new Openings(property);
  return stays.map((stay) => {
    const distance = openings.nearest(stay);
    const denials = distance === 0 || openings.isOpen(stay, stay.checkIn) ? [] : [denialOf(property, stay)];
    return {
      causes: denials.map(({ cause }) => cause),
      blocked: denials.flatMap(({ blocked }) => blocked ?? []),
      nearest: distance === undefined ? null : { distance, properties: 1 },
      isPassed: stay.checkIn < property.offered.first,
    };
  });
}

/** Merges the judgements of two parts of a city. */
export function addJudgements(one: StayJudgement, other: StayJudgement): StayJudgement {
  const causes = Map.groupBy([...one.causes, ...other.causes], ({ rule, source }) => `${rule} ${source}`);
  return {
    causes: [...causes.values()].map((same) => ({ ...same[0]!, properties: sumProperties(same) })),
    blocked: [...one.blocked, ...other.blocked].toSorted(byRule).slice(0, BLOCKED_MAX),
    nearest: nearerOf(one.nearest, other.nearest),
    isPassed: one.isPassed && other.isPassed,
  };
}

export function byRule(one: { readonly rule: UnmetRule }, other: { readonly rule: UnmetRule }): number {
  return UNMET_RULES.indexOf(one.rule) - UNMET_RULES.indexOf(other.rule);
}

function nearerOf(one: StayJudgement['nearest'], other: StayJudgement['nearest']): StayJudgement['nearest'] {
  if (one === null || other === null) return one ?? other;
  if (one.distance !== other.distance) return one.distance < other.distance ? one : other;
  return { ...one, properties: one.properties + other.properties };
}

function sumProperties(rows: readonly { readonly properties: number }[]): number {
  return rows.reduce((sum, { properties }) => sum + properties, 0);
}

interface Denial {
  readonly cause: UnmetCause;
  /** Undefined where no night is at fault. */
  readonly blocked: BlockedProperty | undefined;
}

/**
 * By the type that fails the fewest rules; among equals the first with room: four guests fail because the rooms for
 * four are closed, not because the open room beside them has two beds.
 */
function denialOf({ propertyId, source, types, offered }: JudgedProperty, stay: StayToJudge): Denial {
  const { checkIn, nights, guests, childAges } = stay;
  const asked = { checkIn, checkOut: checkIn + nights, guests, childAges };
  let fewest: (Denial & { readonly rules: number }) | undefined;
  const hasRoom = ({ type }: JudgedType): number => Number(hosts(type, asked));
  for (const judged of types.toSorted((one, other) => hasRoom(other) - hasRoom(one))) {
    const refusals = explainEligibility(judged.type, judged.calendar, asked, offered);
    const failed = new Set(refusals.map(({ rule }) => REASONS[rule]));
    if (fewest !== undefined && failed.size >= fewest.rules) continue;
    const rule = UNMET_RULES.find((one) => failed.has(one))!;
    const refusal = refusals.find((one) => REASONS[one.rule] === rule)!;
    const { inventoryTypeId } = judged.type;
    fewest = {
      rules: failed.size,
      cause: { rule, source: sourceOf(refusal, judged, source), properties: 1 },
      blocked:
        refusal.date === null || !isRestriction(refusal.rule)
          ? undefined
          : { propertyId, inventoryTypeId, rule, night: refusal.date },
    };
  }
  return fewest!;
}

/**
 * The source of the refusing value on the first refused night; among equals the first by name. Without any units set,
 * it is the document's own source.
 */
function sourceOf(
  { rule, date, value }: EligibilityRefusal,
  { layers }: JudgedType,
  own: string,
): string | null {
  if (rule === 'guestsMax') return null;
  if (date === null || !isRestriction(rule)) return own;
  const strict = layers.filter(({ calendar }) => valueAt(calendar[rule], date) === value);
  const names = strict.map(({ source }) => source).toSorted();
  return names[0] ?? own;
}

const UNKNOWN = 0;
const OPEN = 1;
const SHUT = 2;

/** Arrivals at which some type of a property hosts a stay; the evaluator decides each once. */
class Openings {
  readonly #property: JudgedProperty;
  readonly #byLengthAndGuests = new Map<string, Uint8Array>();

  constructor(property: JudgedProperty) {
    this.#property = property;
  }

  /** Distance of the nearest arrival within that of the stay. */
  nearest(stay: StayToJudge): number | undefined {
    const { first, end } = this.#property.offered;
    const { checkIn, nights } = stay;
    const furthest = Math.max(Math.abs(first - checkIn), Math.abs(end - nights - checkIn)) * 2;
    const distanceMax = Math.min(furthest, stay.nearestDistance ?? furthest);
    for (let distance = 0; distance <= distanceMax; distance += 1)
      if (this.isOpen(stay, checkIn + shiftAt(distance))) return distance;
    return undefined;
  }

  isOpen({ nights, guests, childAges }: StayToJudge, checkIn: EpochDay): boolean {
    const { types, offered } = this.#property;
    const index = checkIn - offered.first;
    if (index < 0 || checkIn + nights > offered.end) return false;
    const known = this.#known(nights, { guests, childAges });
    if (known[index] === UNKNOWN) {
      const stay = { checkIn, checkOut: checkIn + nights, guests, childAges };
      const isOpen = types.some(({ type, calendar }) => isEligible(type, calendar, stay, offered));
      known[index] = isOpen ? OPEN : SHUT;
    }
    return known[index] === OPEN;
  }

  #known(nights: number, { guests, childAges = [] }: Party): Uint8Array {
    const key = `${nights} ${guests} ${childAges.join()}`;
    let known = this.#byLengthAndGuests.get(key);
    if (known === undefined) {
      const { first, end } = this.#property.offered;
      known = new Uint8Array(end - first);
      this.#byLengthAndGuests.set(key, known);
    }
    return known;
  }
}
