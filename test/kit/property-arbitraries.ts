/**
 * Random catalogues for property tests: few days, few values and many overlaps, so that every rule bites often, and
 * a wide-open calendar underneath most of the time, so that stays are possible often enough. Properties have every field
 * that the grammar of documents has.
 */
import * as fc from 'fast-check';
import { type CalendarEntry, type EntryFields } from '../../src/domain/calendar.ts';
import { type FieldShape, FIELDS, rowOf } from '../../src/domain/calendar-fields.ts';
import type { GuestRates } from '../../src/domain/guest-rates.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { DETAILS } from '../../src/domain/document/details-grammar.ts';
import { STORED_PROPERTY } from '../../src/domain/document/property-grammar.ts';
import {
  type AgeBand,
  TAX_BASES,
  type Discount,
  type InventoryType,
  type Property,
  type TaxAge,
  type TaxRule,
  type TaxTier,
} from '../../src/domain/property.ts';
import {
  type CancellationStep,
  PAYMENT_MOMENTS,
  type PaymentStep,
  type PropertyDetails,
} from '../../src/domain/property-details.ts';
import { inRunningOrder, isPercentLogic, isPersonLogic } from '../../src/domain/price-terms.ts';
import { arbitraryOf, type Drawing } from './grammar-arbitraries.ts';
import type { NaiveStay, NaiveWorld } from './naive-model.ts';

export { FIXED_SEED } from './seeds.ts';

/** 2026-12-01; arbitrary calendars live on the nights FIRST_DAY..FIRST_DAY + DAY_COUNT - 1. */
export const FIRST_DAY = 20_788;
export const DAY_COUNT = 40;

const flag = fc.constantFrom(0, 1, 1, null);
const nightCount = fc.constantFrom(1, 2, 3, 5, 8, 61, null);
export const guestRatesArbitrary: fc.Arbitrary<GuestRates> = fc
  .uniqueArray(fc.constantFrom(1, 2, 3, 4, 6, 30), { minLength: 1, maxLength: 4 })
  .chain((guests) =>
    fc
      .tuple(...guests.map(() => fc.integer({ min: 0, max: 30_000 })))
      .map((rates) =>
        guests.toSorted((a, b) => a - b).map((count, index) => ({ guests: count, rate: rates[index]! })),
      ),
  );

const valueOfShape: Readonly<Record<FieldShape, fc.Arbitrary<number | GuestRates | null>>> = {
  units: fc.constantFrom(0, 1, 1, 2, 3, null),
  flag,
  nights: nightCount,
  money: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  moneyByGuests: fc.oneof(
    { weight: 3, arbitrary: guestRatesArbitrary },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
};
const fieldValues = Object.fromEntries(FIELDS.map((field) => [field, valueOfShape[rowOf(field).shape]]));

/** One to three fields, null now and then. */
export const entryFieldsArbitrary: fc.Arbitrary<EntryFields> = fc
  .uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 3 })
  .chain((fields) =>
    fc
      .record(fieldValues)
      .map((values) => Object.fromEntries(fields.map((field) => [field, values[field]])) as EntryFields),
  );

/** The nights of random entries. */
export interface EntrySpan {
  /** Entries begin on these nights and between them. */
  readonly first: number;
  readonly last: number;
  /** Nights of an entry, besides its first one. */
  readonly extraNights: fc.Arbitrary<number>;
}

/** Every random calendar is made of these. */
export function entryArbitrary<Fields extends EntryFields>(
  { first, last, extraNights }: EntrySpan,
  set: fc.Arbitrary<Fields>,
): fc.Arbitrary<CalendarEntry & { readonly set: Fields }> {
  return fc
    .record({ from: fc.integer({ min: first, max: last }), extraNights, set })
    .map(({ from, extraNights: extra, set: fields }) => ({ from, to: from + extra, set: fields }));
}

/** Mostly short entries, some of full length. */
export const calendarEntryArbitrary: fc.Arbitrary<CalendarEntry> = entryArbitrary(
  {
    first: FIRST_DAY,
    last: FIRST_DAY + DAY_COUNT - 1,
    extraNights: fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: DAY_COUNT })),
  },
  entryFieldsArbitrary,
);

const wideOpen: CalendarEntry = {
  from: FIRST_DAY,
  to: FIRST_DAY + DAY_COUNT + 20,
  set: { availability: 2, rate: 12_050 },
};

export const calendarEntriesArbitrary: fc.Arbitrary<CalendarEntry[]> = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: fc.constant([wideOpen]) }, { weight: 1, arbitrary: fc.constant([]) }),
    fc.array(calendarEntryArbitrary, { maxLength: 8 }),
  )
  .map(([under, over]) => [...under, ...over]);

export const stayArbitrary: fc.Arbitrary<NaiveStay> = fc
  .record({
    checkIn: fc.integer({ min: FIRST_DAY - 2, max: FIRST_DAY + DAY_COUNT }),
    nightCount: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 1, arbitrary: fc.integer({ min: 10, max: 60 }) },
    ),
    guests: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: 6, max: 30 }) },
    ),
  })
  .map(({ checkIn, nightCount: nights, guests }) => ({ checkIn, checkOut: checkIn + nights, guests }));

/** The same, most with the ages of some of the guests, ascending. */
export const familyArbitrary: fc.Arbitrary<NaiveStay> = stayArbitrary.chain((stay) =>
  fc
    .array(fc.constantFrom(0, 1, 2, 3, 5, 9, 10, 12, 16, 17), { maxLength: Math.min(stay.guests - 1, 6) })
    .map((ages) =>
      ages.length === 0 ? stay : { ...stay, childAges: ages.toSorted((one, other) => one - other) },
    ),
);

/** Around the nights of the random calendars. */
const dateArbitrary = fc
  .integer({ min: FIRST_DAY - 8, max: FIRST_DAY + DAY_COUNT + 5 })
  .map((day) => formatLocalDate(day));

const amountArbitrary = fc.constantFrom('0', '0.335', '1.50', '4', '12.3456789');
const tiersArbitrary: fc.Arbitrary<readonly TaxTier[]> = fc
  .subarray(['0.00', '0.50', '30.00', '60.01', '150.00'], { minLength: 1 })
  .chain((froms) => fc.tuple(...froms.map((from) => amountArbitrary.map((amount) => ({ from, amount })))));

const BAND_AGES = [0, 2, 5, 9, 12, 15, 17];

/** Cots, children who pay, and children who pay as adults do. */
const ageBandsArbitrary: fc.Arbitrary<readonly AgeBand[]> = fc
  .subarray(BAND_AGES, { minLength: 1, maxLength: 4 })
  .chain((ages) => fc.tuple(...ages.map(ageBandArbitrary)));

function ageBandArbitrary(untilAge: number): fc.Arbitrary<AgeBand> {
  const rate = fc.constantFrom('0.00', '7.35', '15.00', '500');
  return fc
    .constantFrom<AgeBand | 'paying'>(
      { untilAge, occupies: false },
      { untilAge, occupies: false, max: 2 },
      { untilAge, occupies: false, rate: '4.05', max: 29 },
      { untilAge },
      { untilAge, occupies: true },
      'paying',
      'paying',
    )
    .chain((band) =>
      band === 'paying' ? rate.map((amount) => ({ untilAge, rate: amount })) : fc.constant(band),
    );
}

const taxAgesArbitrary: fc.Arbitrary<readonly TaxAge[]> = fc
  .subarray(BAND_AGES, { minLength: 1, maxLength: 3 })
  .chain((ages) =>
    fc.tuple(...ages.map((untilAge) => amountArbitrary.map((amount) => ({ untilAge, amount })))),
  );

const RULE_CODES = ['a', 'b', 'c'];
const TYPE_IDS = ['a', 'b', 'B', '10', '9', 'aa', '~'];

/** All other fields are drawn as their grammar says. */
const DRAWING: Drawing = {
  dates: dateArbitrary,
  values: {
    propertyId: fc.constantFrom('hotel-ponte', 'a.b~c_D', '0'),
    'location.country': fc.constantFrom('IT', 'FR', 'US'),
    bathrooms: fc.constantFrom(0, 1, 1.5),
    currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD'),
    // At noon in UTC all of them have the same date.
    timezone: fc.constantFrom('Europe/Rome', 'America/New_York', 'Asia/Tokyo'),
    visibleTo: fc.constantFrom(['acme'], ['acme', 'bits'], []),
    'taxes[].code': fc.constantFrom(...RULE_CODES),
    'taxes[].base': fc.subarray([...TAX_BASES, ...RULE_CODES], { minLength: 1 }),
    'taxes[].order': fc.constantFrom(0, 1, 2, -1),
    'taxes[].tiers': tiersArbitrary,
    'taxes[].exemptUntilAge': fc.constantFrom(...BAND_AGES),
    'taxes[].ages': taxAgesArbitrary,
    ageBands: ageBandsArbitrary,
    'inventoryTypes[].ageBands': fc.oneof(ageBandsArbitrary, fc.constant([])),
    'discounts[].inventoryTypeIds': fc.subarray(TYPE_IDS, { minLength: 3 }),
    'inventoryTypes[].inventoryTypeId': fc.constantFrom(...TYPE_IDS),
    'inventoryTypes[].guestsMax': fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(30)),
    'inventoryTypes[].includedGuests': fc.integer({ min: 1, max: 6 }),
    'inventoryTypes[].maxAdvanceDays': fc.constantFrom(0, 5, 30, 730),
    // Calendars that are imported without another source have prices of this one.
    'inventoryTypes[].priceSource': fc.constant('catalogue'),
    'images[].src': fc.constantFrom('ponte/front.svg', 'https://cdn.example.com/room.jpg?w=1'),
    bookingUrl: fc.constantFrom('https://book.example', 'https://book.example/{propertyId}?in={checkIn}'),
  },
  fits: {
    '': withKnownTypes,
    'taxes[]': fittingTax,
    taxes: withKnownBases,
    'discounts[]': fittingDiscount,
    discounts: numberedDiscounts,
    'inventoryTypes[]': fittingType,
    inventoryTypes: (types: readonly InventoryType[]) => onceEach(types, (type) => type.inventoryTypeId),
    cancellation: fallingSteps,
    payment: paidInFull,
  },
};

/** Valid for a document: what its logic does not take is left out. */
function fittingTax(drawn: TaxRule): TaxRule {
  const ordered = inOrder(inOrder(drawn, 'validFrom', 'validTo'), 'minStay', 'maxStay');
  const { tiers, capPerGuestNight, amount, percent, due, exemptUntilAge, ages, ...others } = ordered;
  const rule = { ...others, ...(others.inclusive || due === undefined ? {} : { due }) };
  if (isPercentLogic(rule.logic)) {
    const isCapped = rule.logic === 'percent' && !rule.inclusive && capPerGuestNight !== undefined;
    const ofCap = { capPerGuestNight, ...(exemptUntilAge !== undefined && { exemptUntilAge }) };
    return { ...rule, amount: null, percent, ...(isCapped && ofCap) };
  }
  const isTiered = rule.logic === 'per_person_per_night' && tiers !== undefined;
  const ofPrice = isTiered ? { amount: null, tiers } : { amount };
  if (rule.inclusive || !isPersonLogic(rule.logic)) return { ...rule, percent: null, ...ofPrice };
  const above = ages?.filter(({ untilAge }) => untilAge > (exemptUntilAge ?? -1)) ?? [];
  const ofAge = {
    ...(exemptUntilAge !== undefined && { exemptUntilAge }),
    ...(!isTiered && above.length > 0 && { ages: above }),
  };
  return { ...rule, percent: null, ...ofPrice, ...ofAge };
}

/** Valid for a document: a base names only codes of earlier rules. */
function withKnownBases(rules: readonly TaxRule[]): readonly TaxRule[] {
  const known = new Map<TaxRule, TaxRule>();
  const codes = new Set<string>(TAX_BASES);
  for (const rule of inRunningOrder(rules)) {
    const base = rule.base.filter((name) => codes.has(name));
    known.set(rule, { ...rule, base: base.length === 0 ? ['accommodation'] : base });
    codes.add(rule.code);
  }
  return rules.map((rule) => known.get(rule) ?? rule);
}

function fittingDiscount(drawn: Discount): Discount {
  const bounds = [
    ['minNights', 'maxNights'],
    ['minAdvanceDays', 'maxAdvanceDays'],
    ['stayFrom', 'stayTo'],
    ['bookFrom', 'bookTo'],
  ] as const;
  return bounds.reduce((discount, [low, high]) => inOrder(discount, low, high), drawn);
}

/** Codes are unique; a property without discounts has no list of them. */
function numberedDiscounts(drawn: readonly Discount[]): readonly Discount[] | undefined {
  if (drawn.length === 0) return undefined;
  return drawn.map((discount, index) => ({ ...discount, code: `${discount.code} ${index}` }));
}

type WithoutGuests = Omit<InventoryType, 'includedGuests'>;
/** The rate is for all guests unless it says for how many. */
function fittingType({ includedGuests, ...drawn }: WithoutGuests & Partial<InventoryType>): InventoryType {
  const type = { ...drawn, includedGuests: includedGuests ?? drawn.guestsMax };
  return inOrder(type, 'minAdvanceDays', 'maxAdvanceDays');
}

/** Discounts name types of the property, else they are for all of them. */
function withKnownTypes({ discounts, ...property }: Property): Property {
  if (discounts === undefined) return property;
  const known = new Set(property.inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId));
  const named = discounts.map(({ inventoryTypeIds = [], ...discount }) => {
    const ids = inventoryTypeIds.filter((id) => known.has(id));
    return ids.length === 0 ? discount : { ...discount, inventoryTypeIds: ids };
  });
  return { ...property, discounts: named };
}

/** Refunds fall towards check-in. */
function fallingSteps(drawn: readonly CancellationStep[]): readonly CancellationStep[] {
  const days = onceEach(drawn, ({ daysBefore }) => daysBefore).map(({ daysBefore }) => daysBefore);
  const percents = drawn.map(({ refundPercent }) => refundPercent);
  const falling = percents.toSorted((one, other) => Number(other) - Number(one));
  return days
    .toSorted((one, other) => other - one)
    .map((daysBefore, index) => ({ daysBefore, refundPercent: falling[index]! }));
}

/** Percentages that are 100 together, by the number of steps. */
const SHARES = [[], ['100'], ['30', '70'], ['33.33', '33.33', '33.34'], ['25', '25', '25.00', '25']];

function paidInFull(drawn: readonly PaymentStep[]): readonly PaymentStep[] {
  const steps = drawn.map(({ due, daysBefore }) => ({
    due,
    daysBefore: due === 'daysBefore' ? daysBefore : null,
  }));
  const placeOf = ({ due, daysBefore }: (typeof steps)[number]): number =>
    PAYMENT_MOMENTS.indexOf(due) * 1_000 - (daysBefore ?? 0);
  const inTurn = onceEach(steps, placeOf).toSorted((one, other) => placeOf(one) - placeOf(other));
  return inTurn.map((step, index) => ({ ...step, percent: SHARES[inTurn.length]![index]! }));
}

/** The two bounds turned, if the second is below the first. */
function inOrder<T extends object>(drawn: T, low: keyof T, high: keyof T): T {
  const [least, most] = [drawn[low], drawn[high]] as (string | number | null | undefined)[];
  const areBoth = least !== undefined && least !== null && most !== undefined && most !== null;
  return areBoth && most < least ? { ...drawn, [low]: most, [high]: least } : drawn;
}

function onceEach<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Any property, as its document is read. */
export const propertyArbitrary: fc.Arbitrary<Property> = arbitraryOf(STORED_PROPERTY, DRAWING);
export const detailsArbitrary: fc.Arbitrary<PropertyDetails> = arbitraryOf(DETAILS, DRAWING);
/** Rules of one property. */
export const taxRulesArbitrary: fc.Arbitrary<readonly TaxRule[]> = propertyArbitrary.map(
  ({ taxes }) => taxes,
);

/** A property with its raw calendars, looked at on some day with some horizon. */
export const worldArbitrary: fc.Arbitrary<NaiveWorld> = propertyArbitrary.chain((property) =>
  fc.record({
    property: fc.constant(property),
    entries: fc.array(calendarEntriesArbitrary, {
      minLength: property.inventoryTypes.length,
      maxLength: property.inventoryTypes.length,
    }),
    today: fc.oneof(
      { weight: 3, arbitrary: fc.constant(FIRST_DAY - 2) },
      { weight: 1, arbitrary: fc.integer({ min: FIRST_DAY - 10, max: FIRST_DAY + DAY_COUNT }) },
    ),
    horizonNights: fc.oneof(
      { weight: 3, arbitrary: fc.constant(730) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
    ),
  }),
);
