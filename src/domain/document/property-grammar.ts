/**
 * The property document: a partner's view of a property, who may see and quote it, and its prices. `details-grammar.ts`
 * has the fields for the traveller's page. The order of the fields is the stored order.
 */
import { isCurrencyCode } from '../currency-codes.ts';
import { findReservedReason } from '../layers.ts';
import { isTimezone } from '../local-date.ts';
import { DECIMAL_FRACTION_DIGITS_MAX, getMoney, parseDecimal, parseMoney } from '../money.ts';
import {
  type AgeBand,
  CHILD_AGE_MAX,
  CITY_LENGTH_MAX,
  type Discount,
  DISCOUNTS_MAX,
  type InventoryType,
  type Property,
  TAX_BASES,
  TAX_DUES,
  TAX_KINDS,
  TAX_LOGICS,
  type TaxAge,
  type TaxLogic,
  type TaxRule,
  type TaxTier,
} from '../property.ts';
import { ADVANCE_DAYS_MAX, STAY_CHILDREN_MAX } from '../stay-limits.ts';
import { inRunningOrder, isPartOfPrice, isPercentLogic, isPersonLogic } from '../price-terms.ts';
import { Wrong } from '../wrong.ts';
import { CALENDAR, NOT_MONEY } from './calendar-entry.ts';
import { isCountryCode } from './country-codes.ts';
import { DETAIL_FIELDS } from './details-grammar.ts';
import { notGiven, shown } from './document-fields.ts';
import * as limits from './document-limits.ts';
import * as g from './grammar.ts';
import {
  dateRange,
  id,
  ID_SCHEMA,
  isId,
  MONEY_SCHEMA,
  notBelow,
  partOfHundred,
  UNITS_PATTERN,
} from './grammar-values.ts';

const ANY_COUNT = Number.MAX_SAFE_INTEGER;

// Words.

const partnerId = g.word('text', ID_SCHEMA, isId, new Wrong('notPartnerId'));

const money = g.word('decimal', MONEY_SCHEMA, (given) => parseMoney(given) !== undefined, NOT_MONEY);

/** Known real zones; there are some hundreds, and asking Intl again costs more than the rest of the check. */
const knownTimezones = new Set<string>();

function isKnownTimezone(given: string): boolean {
  if (knownTimezones.has(given)) return true;
  if (!isTimezone(given)) return false;
  knownTimezones.add(given);
  return true;
}

const country = g.word(
  'text',
  { pattern: '^[A-Z]{2}$' },
  isCountryCode,
  new Wrong('notCountry', { example: 'IT' }),
);
const currency = g.word(
  'text',
  { pattern: '^[A-Z]{3}$' },
  isCurrencyCode,
  new Wrong('notCurrency', { example: 'EUR' }),
);
const timezone = g.word(
  'text',
  { minLength: 1 },
  isKnownTimezone,
  new Wrong('notTimezone', { example: 'Europe/Rome' }),
);

// Taxes.

const NOT_BASE = new Wrong('notBase', { bases: TAX_BASES.join(', ') });

const DECIMAL_PATTERN = `^${UNITS_PATTERN}(\\.[0-9]{1,${DECIMAL_FRACTION_DIGITS_MAX}})?$`;
const NOT_DECIMAL = new Wrong('notDecimal', { example: '4.00' });

const decimal = g.word(
  'decimal',
  { pattern: DECIMAL_PATTERN },
  (text) => parseDecimal(text) !== undefined,
  NOT_DECIMAL,
);

/** `amount` or `percent`: the logic needs one of them; the other must be absent or null. Tiers are amounts. */
function quantity(isOf: (logic: TaxLogic) => boolean): g.Grammar<string | null> {
  return {
    kind: 'decimal',
    schema: { type: 'string', pattern: DECIMAL_PATTERN },
    read(given, name, reader, { logic, tiers }) {
      const isNothing = given === undefined || given === null;
      if (tiers !== undefined && name === 'amount')
        return isNothing ? null : reader.wrong(name, new Wrong('amountBesideTiers'));
      if (!isOf(logic as TaxLogic))
        return isNothing ? null : reader.wrong(name, new Wrong('notOfLogic', { logic: String(logic) }));
      if (typeof given === 'string' && parseDecimal(given) !== undefined) return given;
      const needed = new Wrong('neededByLogic', { logic: String(logic) });
      return reader.wrong(name, isNothing ? needed : notGiven(NOT_DECIMAL, given));
    },
  };
}

const TIER: g.Grammar<TaxTier> = g.object({
  from: g.required(money, "The night's price for each guest, after discounts, from which it is due."),
  amount: g.required(decimal, 'Due for each guest and night.'),
});

const tiers = g.ruled(g.lines(g.list(TIER, { most: limits.TAX_TIERS_MAX })), (given, { logic }) => {
  if (logic !== 'per_person_per_night')
    return new Wrong('allOfOtherLogic', { logic: 'per_person_per_night' });
  if (given.length === 0) return new Wrong('listEmpty');
  const place = given.findIndex(
    ({ from }, index) => index > 0 && getMoney(from) <= getMoney(given[index - 1]!.from),
  );
  if (place === -1) return undefined;
  return { at: `[${place}].from`, reason: new Wrong('tierNotAbove') };
});

const cap = g.ruled(decimal, (_, { logic, inclusive }) => {
  if (logic !== 'percent') return new Wrong('ofOtherLogic', { logic: 'percent' });
  return inclusive === true ? new Wrong('ofInclusive') : undefined;
});

const childAge = g.whole(0, CHILD_AGE_MAX);

/** The first age that is not above the one before it, or not above the given one. */
function findFallingAge(
  ages: readonly { readonly untilAge: number }[],
  above = -1,
): { readonly at: string; readonly reason: Wrong } | undefined {
  const place = ages.findIndex(({ untilAge }, index) => untilAge <= (ages[index - 1]?.untilAge ?? above));
  if (place === -1) return undefined;
  return { at: `[${place}].untilAge`, reason: new Wrong(place === 0 ? 'ageExempt' : 'tierNotAbove') };
}

const exemptUntilAge = g.ruled(childAge, (_, { logic, inclusive, capPerGuestNight }) => {
  if (inclusive === true) return new Wrong('ofInclusive');
  const isCapped = logic === 'percent' && capPerGuestNight !== undefined;
  if (isPersonLogic(logic as TaxLogic) || isCapped) return undefined;
  return new Wrong('exemptOfOtherLogic');
});

const TAX_AGE: g.Grammar<TaxAge> = g.object({
  untilAge: g.required(childAge, 'The oldest child that pays it, in whole years: 13 for children under 14.'),
  amount: g.required(decimal, 'Due for each of these children.'),
});

const taxAges = g.ruled(
  g.lines(g.list(TAX_AGE, { most: limits.TAX_AGES_MAX })),
  (given, { logic, inclusive, tiers: ofPrice, exemptUntilAge: exempt }) => {
    if (inclusive === true) return new Wrong('ofInclusive');
    if (!isPersonLogic(logic as TaxLogic)) return new Wrong('agesOfOtherLogic');
    if (ofPrice !== undefined) return new Wrong('amountBesideTiers');
    if (given.length === 0) return new Wrong('listEmpty');
    return findFallingAge(given, exempt as number | undefined);
  },
);

const due = g.ruled(g.choice(TAX_DUES), (_, { inclusive }) =>
  inclusive === true ? new Wrong('ofInclusive') : undefined,
);

const baseName = g.word('text', {}, () => true, NOT_BASE);
const valid = dateRange('validFrom');
const stayNights = g.whole(1, limits.TAX_STAY_NIGHTS_MAX);

const TAX: g.Grammar<TaxRule> = g.object(
  {
    code: g.required(g.text(limits.TAX_CODE_LENGTH_MAX), 'Your name for it.'),
    kind: g.required(g.choice(TAX_KINDS)),
    logic: g.required(g.choice(TAX_LOGICS)),
    amount: g.dependent(
      quantity((logic) => !isPercentLogic(logic)),
      'A decimal string, for the logics that are not percentages.',
    ),
    percent: g.dependent(quantity(isPercentLogic), 'A decimal string, for the percent logics.'),
    tiers: g.nullable(
      tiers,
      undefined,
      "For per_person_per_night in place of amount: amounts by the night's price for each guest, lowest first.",
    ),
    capPerGuestNight: g.nullable(
      cap,
      undefined,
      'For percent: the most that it takes of the accommodation, for each guest and night.',
    ),
    exemptUntilAge: g.nullable(
      exemptUntilAge,
      undefined,
      'The oldest child that does not pay it, in whole years at check-in: 13 for children under 14.',
    ),
    ages: g.nullable(taxAges, undefined, 'Amounts of children above exemptUntilAge, youngest first.', {
      minItems: 1,
    }),
    maxNights: g.nullable(g.whole(0, ANY_COUNT), null, 'Nights that count, at most.'),
    skipNights: g.optional(g.whole(0, ANY_COUNT), 0, 'Nights before the first that counts.'),
    minStay: g.nullable(stayNights, undefined, 'Nights of the whole stay from which it applies at all.'),
    maxStay: g.nullable(notBelow('minStay', stayNights), undefined, 'And up to which it applies.'),
    validFrom: g.nullable(valid.from, null, 'First night, YYYY-MM-DD.'),
    validTo: g.nullable(valid.to, null, 'Last night.'),
    inclusive: g.optional(g.flag, false, 'The price contains it already.'),
    due: g.nullable(
      due,
      undefined,
      'When guests pay it: at booking unless given, or at arrival, at the property.',
    ),
    base: g.optional(
      g.list(baseName, { most: TAX_BASES.length + limits.TAXES_MAX }),
      ['accommodation'],
      'What a percentage is taken of: accommodation, cleaningFee, codes of rules that run before.',
    ),
    order: g.optional(g.whole(-ANY_COUNT, ANY_COUNT), 0, 'Lower runs first.'),
  },
  {
    first: ['logic', 'base', 'validFrom', 'validTo', 'tiers'],
    last: ['capPerGuestNight', 'exemptUntilAge', 'ages', 'due'],
  },
);

/** A base may only name the codes of earlier rules: a word that adds nothing is a mistake. */
const taxes = g.ruled(g.list(TAX, { most: limits.TAXES_MAX }), (rules) => {
  const codesBefore = new Set<string>();
  const named = rules.map((rule, place) => ({ rule, order: rule.order, place }));
  for (const { rule, place } of inRunningOrder(named)) {
    const unknown = rule.base.findIndex((name) => !isPartOfPrice(name) && !codesBefore.has(name));
    if (unknown !== -1)
      return {
        at: `[${place}].base[${unknown}]`,
        reason: notGiven(NOT_BASE, rule.base[unknown]),
      };
    codesBefore.add(rule.code);
  }
  return undefined;
});

/** Parts of the price in their own order, then codes of rules as they were written, each once. */
export function withCanonicalBase(rule: TaxRule): TaxRule {
  if (rule.base.length === 1) return rule;
  const names = new Set(rule.base);
  const codes = [...names].filter((name) => !isPartOfPrice(name));
  return { ...rule, base: [...TAX_BASES.filter((part) => names.has(part)), ...codes] };
}

// Discounts.

const stay = dateRange('stayFrom');
const book = dateRange('bookFrom');
const advance = g.whole(0, ADVANCE_DAYS_MAX);
/** Any id: `discounts` checks that the document has the type. */
const anyTypeId: g.Grammar<string> = {
  kind: 'text',
  schema: { type: 'string' },
  read: (given) => given as string,
};
const someTypes = g.ruled(g.list(anyTypeId, { most: limits.INVENTORY_TYPES_MAX }), (items) =>
  items.length === 0 ? new Wrong('noTypeNamed') : undefined,
);

const DISCOUNT: g.Grammar<Discount> = g.object({
  code: g.required(g.text(limits.DISCOUNT_CODE_LENGTH_MAX), 'Your name for it, unique in a document.'),
  name: g.nullable(
    g.localized(limits.NAME_LENGTH_MAX),
    undefined,
    'What travellers read: a text, or one per locale.',
  ),
  percent: g.required(
    partOfHundred(1n, new Wrong('notDiscountPercent', { example: '12.5' })),
    'Decimal string above 0, at most `"100"`, with at most two decimals.',
  ),
  // As the minimum stays of a calendar: what is longer than any stay may be written and never applies.
  minNights: g.nullable(g.whole(1, ANY_COUNT), undefined, 'Of the stay.'),
  maxNights: g.nullable(notBelow('minNights', g.whole(1, ANY_COUNT)), undefined, 'Of the stay.'),
  minAdvanceDays: g.nullable(advance, undefined, 'From today to the check-in date.'),
  maxAdvanceDays: g.nullable(
    notBelow('minAdvanceDays', advance),
    undefined,
    'From today to the check-in date.',
  ),
  stayFrom: g.nullable(stay.from, undefined, 'First check-in date, YYYY-MM-DD.'),
  stayTo: g.nullable(stay.to, undefined, 'Last check-in date.'),
  bookFrom: g.nullable(
    book.from,
    undefined,
    "First day on which it applies to a quote, in the property's timezone.",
  ),
  bookTo: g.nullable(
    book.to,
    undefined,
    "Last day on which it applies to a quote, in the property's timezone.",
  ),
  inventoryTypeIds: g.nullable(someTypes, undefined, 'The types to which it applies; all unless given.', {
    minItems: 1,
  }),
});

/** A discount may name only inventory types of its document. Codes are unique. */
const discounts = g.list(DISCOUNT, {
  most: DISCOUNTS_MAX,
  each({ inventoryTypes = [] }) {
    const types = inventoryTypes as readonly InventoryType[];
    const typeIds = new Set<unknown>(types.map(({ inventoryTypeId }) => inventoryTypeId));
    const codes = new Set<string>();
    return ({ code, inventoryTypeIds = [] }) => {
      const unknown = inventoryTypeIds.findIndex((typeId) => !typeIds.has(typeId));
      if (unknown !== -1)
        return {
          at: `.inventoryTypeIds[${unknown}]`,
          reason: notGiven(new Wrong('notTypeOfProperty'), inventoryTypeIds[unknown]),
        };
      if (codes.has(code)) return { at: '.code', reason: new Wrong('discountTaken', { code: shown(code) }) };
      codes.add(code);
      return undefined;
    };
  },
});

// Children.

const cots = g.ruled(g.whole(1, STAY_CHILDREN_MAX), (_, { occupies }) =>
  occupies === false ? undefined : new Wrong('cotsOfBed'),
);

const AGE_BAND: g.Grammar<AgeBand> = g.object(
  {
    untilAge: g.required(childAge, 'The oldest child of the band, in whole years at check-in.'),
    occupies: g.nullable(
      g.flag,
      undefined,
      'False: the child sleeps in a cot, and takes no place of guestsMax.',
    ),
    rate: g.nullable(
      money,
      undefined,
      'Per child and night; unless given, 0.00 in a cot, else what an adult costs.',
    ),
    max: g.nullable(cots, undefined, 'Cots for one stay, one unless given; the youngest sleep in them.'),
  },
  { last: ['max'] },
);

const ageBandList = g.ruled(g.list(AGE_BAND, { most: limits.AGE_BANDS_MAX }), (given) =>
  findFallingAge(given),
);

// Inventory types.

const priceSource = g.ruled(g.text(limits.PRICE_SOURCE_LENGTH_MAX), (source) => {
  const reserved = findReservedReason(source);
  return reserved === undefined ? undefined : new Wrong('reserved', { why: reserved });
});

/** The stored form: calendars are stored separately. */
const TYPE_FIELDS = {
  inventoryTypeId: g.required(id, 'Unique in a document.'),
  name: g.required(g.localized(limits.NAME_LENGTH_MAX), 'A text, or one per locale.'),
  guestsMax: g.required(g.whole(1, limits.TYPE_GUESTS_MAX), 'Guests that it can host.'),
  includedGuests: g.optional(
    g.whole(0, limits.TYPE_GUESTS_MAX),
    undefined,
    'Guests that the rate contains; guestsMax unless given.',
  ),
  extraGuestRate: g.nullable(money, '0.00', 'Per further guest and night; 0.00 unless given.'),
  ageBands: g.nullable(
    g.lines(ageBandList),
    undefined,
    'Children, in place of the ageBands of the property; empty: none.',
  ),
  minAdvanceDays: g.nullable(advance, undefined, 'From today to the check-in date, at least.'),
  maxAdvanceDays: g.nullable(
    notBelow('minAdvanceDays', advance),
    undefined,
    'From today to the check-in date, at most.',
  ),
  priceSource: g.nullable(
    priceSource,
    undefined,
    'The one source whose prices count; the source of the document unless given.',
  ),
};

const WRITTEN_TYPE = g.object(
  { ...TYPE_FIELDS, calendar: g.optional(CALENDAR, undefined) },
  { first: ['guestsMax'] },
);
export type WrittenType = g.ValueOf<typeof WRITTEN_TYPE>;

const TOO_MANY_ENTRIES = new Wrong('entriesOfProperty', { max: limits.DOCUMENT_ENTRIES_MAX });

const writtenTypes = g.ruled(
  g.list(WRITTEN_TYPE, {
    most: limits.INVENTORY_TYPES_MAX,
    each() {
      const seen = new Set<string>();
      let entryCount = 0;
      return ({ inventoryTypeId, calendar = [] }) => {
        entryCount += calendar.length;
        if (entryCount > limits.DOCUMENT_ENTRIES_MAX) return { at: '.calendar', reason: TOO_MANY_ENTRIES };
        if (seen.has(inventoryTypeId))
          return {
            at: '.inventoryTypeId',
            reason: new Wrong('typeTaken', { typeId: shown(inventoryTypeId) }),
          };
        seen.add(inventoryTypeId);
        return undefined;
      };
    },
  }),
  (types) => (types.length === 0 ? new Wrong('noTypes') : undefined),
);

// The property.

const location = g.object({
  city: g.required(g.localized(CITY_LENGTH_MAX)),
  country: g.required(country, 'ISO 3166-1, such as IT.'),
  area: g.nullable(g.localized(limits.AREA_LENGTH_MAX, { mayBeBlank: true }), null),
});

const rating = g.object({
  score: g.required(g.number(0, limits.RATING_SCORE_MAX)),
  count: g.required(g.whole(0, ANY_COUNT)),
});

const bathrooms = g.ruled(g.number(0, limits.BATHROOMS_MAX), (count) =>
  Number.isInteger(count * 2) ? undefined : notGiven(new Wrong('notHalf'), count),
);

const partnerIds = g.list(partnerId, { most: limits.VISIBLE_TO_MAX });
/** Everybody, or these partners, each once. */
const visibleTo: g.Grammar<Property['visibleTo']> = {
  kind: 'list',
  schema: { anyOf: [{ type: 'string', const: 'all' }, partnerIds.schema] },
  read(given, name, reader, owner) {
    if (given === 'all') return given;
    if (!Array.isArray(given)) return reader.wrong(name, notGiven(new Wrong('notPartners'), given));
    return [...new Set(partnerIds.read(given, name, reader, owner))];
  },
};

const texts = (most: number, lengthMax: number): g.Grammar<readonly string[]> =>
  g.list(g.text(lengthMax), { most });

/** Shared by the written and the stored form. */
const fieldsWith = <Types>(inventoryTypes: g.Grammar<readonly Types[]>) => ({
  propertyId: g.required(id, 'As in the path.'),
  name: g.required(g.localized(limits.NAME_LENGTH_MAX), 'A text, or one per locale.'),
  description: g.nullable(g.localized(limits.DESCRIPTION_LENGTH_MAX, { mayBeBlank: true }), null),
  propertyType: g.required(g.text(limits.PROPERTY_TYPE_LENGTH_MAX), 'Such as hotel or apartment.'),
  location: g.required(location, 'Without an address: no field takes one.'),
  cityAliases: g.optional(
    texts(limits.CITY_ALIASES_MAX, CITY_LENGTH_MAX),
    [],
    'Other names under which it is found.',
  ),
  bathrooms: g.required(bathrooms, 'Halves count.', { multipleOf: 0.5 }),
  amenities: g.optional(texts(limits.AMENITIES_MAX, limits.AMENITY_LENGTH_MAX), []),
  rating: g.nullable(rating, null),
  currency: g.required(currency, 'ISO 4217, such as EUR.'),
  timezone: g.required(timezone, 'IANA, such as Europe/Rome.'),
  visibleTo: g.optional(visibleTo, 'all', '"all", or the ids of partners.'),
  quoting: g.optional(g.flag, true, 'False: shown and never quoted.'),
  cleaningFee: g.nullable(money, null, 'Per stay, such as "40.00".'),
  taxes: g.optional(taxes, [], 'Taxes and fees.'),
  discounts: g.optional(
    discounts,
    undefined,
    'Percentages off the nights of a stay. All bounds are included; of those that apply the highest counts.',
  ),
  ageBands: g.nullable(
    ageBandList,
    undefined,
    'Children by age, youngest first: where they sleep and what they pay. Older ones count as adults.',
  ),
  maxSupplyAgeHours: g.nullable(
    g.whole(1, limits.SUPPLY_AGE_HOURS_MAX),
    undefined,
    'Its nights close when no source has confirmed them for so long.',
  ),
  inventoryTypes: g.required(inventoryTypes, 'At least one.', { minItems: 1 }),
});

/**
 * The written form, with details for the traveller's page. Discounts name inventory types, so they are read after them.
 */
export const PROPERTY_DOCUMENT = g.object(
  { ...fieldsWith(writtenTypes), ...DETAIL_FIELDS },
  { last: ['discounts'] },
);

export const STORED_TYPE: g.Grammar<InventoryType> = g.object(TYPE_FIELDS) as g.Grammar<InventoryType>;
/** The form that both engines store, without calendars and details. */
export const STORED_PROPERTY: g.Grammar<Property> = g.object(
  fieldsWith(g.list(STORED_TYPE, { most: limits.INVENTORY_TYPES_MAX })),
);
