/**
 * Random catalogues for property tests: few days, few values and many overlaps, so that every rule bites often, and
 * a wide-open calendar underneath most of the time, so that stays are possible often enough.
 */
import * as fc from 'fast-check';
import { type CalendarEntry, type EntryFields } from '../../src/domain/calendar.ts';
import { type FieldShape, FIELDS, rowOf } from '../../src/domain/calendar-fields.ts';
import type { GuestRates } from '../../src/domain/guest-rates.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import {
  TAX_BASES,
  TAX_KINDS,
  TAX_LOGICS,
  type Discount,
  type InventoryType,
  type Property,
  type TaxRule,
  type TaxTier,
} from '../../src/domain/property.ts';
import { inRunningOrder } from '../../src/domain/price-terms.ts';
import type { NaiveStay, NaiveWorld } from './naive-model.ts';
import { makeDiscount, makeInventoryType, makeProperty, makeTaxRule } from './property-fixtures.ts';

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

const decimalArbitrary = fc.constantFrom(
  '0',
  '0.00',
  '4.00',
  '10',
  '22',
  '7.25',
  '0.335',
  '0.005',
  '12.3456789',
  '1.1',
);
const dateArbitrary = fc
  .integer({ min: FIRST_DAY - 5, max: FIRST_DAY + DAY_COUNT + 5 })
  .map((day) => formatLocalDate(day));

const tiersArbitrary: fc.Arbitrary<readonly TaxTier[]> = fc
  .subarray(['0.00', '0.50', '30.00', '60.01', '150.00'], { minLength: 1 })
  .chain((froms) => fc.tuple(...froms.map((from) => decimalArbitrary.map((amount) => ({ from, amount })))));

export const taxRuleArbitrary: fc.Arbitrary<TaxRule> = fc
  .record({
    logic: fc.constantFrom(...TAX_LOGICS),
    kind: fc.constantFrom(...TAX_KINDS),
    decimal: decimalArbitrary,
    maxNights: fc.constantFrom(null, null, 0, 1, 2, 5),
    skipNights: fc.constantFrom(0, 0, 1, 3),
    validFrom: fc.option(dateArbitrary, { freq: 2 }),
    validTo: fc.option(dateArbitrary, { freq: 2 }),
    inclusive: fc.constantFrom(false, false, true),
    code: fc.constantFrom('a', 'b', 'c'),
    base: fc.subarray([...TAX_BASES, 'a', 'b', 'c'], { minLength: 1 }),
    order: fc.constantFrom(0, 0, 1, 2, -1),
    tiers: fc.option(tiersArbitrary),
    cap: fc.option(fc.constantFrom('0', '0.335', '1.50', '4')),
  })
  .map(({ decimal, tiers, cap, ...rule }) => {
    if (rule.logic === 'per_person_per_night' && tiers !== null)
      return makeTaxRule({ ...rule, tiers, amount: null });
    const isPercent = rule.logic === 'percent' || rule.logic === 'cumulative_percent';
    const isCapped = rule.logic === 'percent' && cap !== null && !rule.inclusive;
    const amounts = { amount: isPercent ? null : decimal, percent: isPercent ? decimal : null };
    return makeTaxRule({ ...rule, ...amounts, ...(isCapped ? { capPerGuestNight: cap } : {}) });
  });

/** Valid for a document: a base names only codes of earlier rules. */
function withKnownBases(rules: readonly TaxRule[]): TaxRule[] {
  const known = new Map<TaxRule, TaxRule>();
  const codes = new Set<string>(TAX_BASES);
  for (const rule of inRunningOrder(rules)) {
    const base = rule.base.filter((name) => codes.has(name));
    known.set(rule, { ...rule, base: base.length === 0 ? ['accommodation'] : base });
    codes.add(rule.code);
  }
  return rules.map((rule) => known.get(rule) ?? rule);
}

/** Mostly none, else one or both ends of a window. */
export const advanceArbitrary: fc.Arbitrary<Pick<InventoryType, 'minAdvanceDays' | 'maxAdvanceDays'>> = fc
  .record({
    hasLeast: fc.constantFrom(false, false, true),
    hasMost: fc.constantFrom(false, false, true),
    least: fc.constantFrom(0, 1, 2, 5, 10, 30),
    more: fc.constantFrom(0, 1, 3, 15, 700),
  })
  .map(({ hasLeast, hasMost, least, more }) => ({
    ...(hasLeast ? { minAdvanceDays: least } : {}),
    ...(hasMost ? { maxAdvanceDays: least + more } : {}),
  }));

const inventoryTypeArbitrary: fc.Arbitrary<InventoryType> = fc
  .record({
    inventoryTypeId: fc.constantFrom('a', 'b', 'B', '10', '9', 'aa', '~'),
    guestsMax: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(30)),
    includedGuests: fc.integer({ min: 1, max: 6 }),
    extraGuestRate: fc.constantFrom('0.00', '15.00', '7.5', '0.01'),
    advance: advanceArbitrary,
  })
  .map(({ advance, ...type }) => makeInventoryType({ ...type, ...advance }));

/** One bound or both, the second not below the first; mostly none. */
function boundsArbitrary<Name extends string, Value>(
  [least, most]: readonly [Name, Name],
  from: readonly [number, number],
  write: (value: number) => Value,
): fc.Arbitrary<Partial<Record<Name, Value>>> {
  return fc
    .record({
      bounds: fc.constantFrom<readonly Name[]>([], [], [], [least], [most], [least, most]),
      value: fc.integer({ min: from[0], max: from[1] }),
      more: fc.constantFrom(0, 1, 4, 30),
    })
    .map(({ bounds, value, more }) =>
      Object.fromEntries(bounds.map((name) => [name, write(name === least ? value : value + more)])),
    ) as fc.Arbitrary<Partial<Record<Name, Value>>>;
}

const asNumber = (value: number): number => value;

/** Without a code of its own; types that the property lacks are left out later. */
const discountArbitrary: fc.Arbitrary<Discount> = fc
  .record({
    percent: fc.constantFrom('5', '10', '10.00', '12.5', '33.33', '0.01', '99.99', '100'),
    nights: boundsArbitrary(['minNights', 'maxNights'], [1, 9], asNumber),
    advance: boundsArbitrary(['minAdvanceDays', 'maxAdvanceDays'], [0, 30], asNumber),
    stay: boundsArbitrary(['stayFrom', 'stayTo'], [FIRST_DAY, FIRST_DAY + DAY_COUNT], formatLocalDate),
    book: boundsArbitrary(['bookFrom', 'bookTo'], [FIRST_DAY - 8, FIRST_DAY + 8], formatLocalDate),
    inventoryTypeIds: fc.oneof(
      fc.constant([]),
      fc.subarray(['a', 'b', 'B', '10', '9', 'aa', '~'], { minLength: 3 }),
    ),
    name: fc.constantFrom({}, { name: 'Early' }, { name: { 'it-IT': 'Presto', 'en-GB': 'Early' } }),
  })
  .map(({ percent, nights, advance, stay, book, inventoryTypeIds, name }) =>
    makeDiscount({ ...name, percent, ...nights, ...advance, ...stay, ...book, inventoryTypeIds }),
  );

/** Valid for a document: unique codes, and types of the property. */
function withDiscounts(property: Property, drawn: readonly Discount[]): Property {
  if (drawn.length === 0) return property;
  const known = new Set(property.inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId));
  const discounts = drawn.map(({ inventoryTypeIds = [], ...rest }, index) => {
    const ids = inventoryTypeIds.filter((id) => known.has(id));
    return { ...rest, code: `discount-${index}`, ...(ids.length === 0 ? {} : { inventoryTypeIds: ids }) };
  });
  return { ...property, discounts };
}

const propertyArbitrary: fc.Arbitrary<Property> = fc
  .record({
    inventoryTypes: fc.uniqueArray(inventoryTypeArbitrary, {
      minLength: 1,
      maxLength: 3,
      selector: (type) => type.inventoryTypeId,
    }),
    cleaningFee: fc.constantFrom(null, '0.00', '40.00', '33.33'),
    quoting: fc.constantFrom(true, true, true, false),
    currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD'),
    taxes: fc.array(taxRuleArbitrary, { maxLength: 5 }).map(withKnownBases),
    discounts: fc.oneof(fc.constant([]), fc.array(discountArbitrary, { maxLength: 5 })),
  })
  .map(({ discounts, ...overrides }) => withDiscounts(makeProperty(overrides), discounts));

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
