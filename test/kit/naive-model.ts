/**
 * The service's promises in the most obvious way: one night at a time, straight from the property document and the
 * calendar entries. It uses no calendar runs, index or domain code, only its types. Tests compare the real code with
 * it.
 */
import type { CalendarEntry, EntryFields } from '../../src/domain/calendar.ts';
import type { Discount, InventoryType, Property, TaxRule } from '../../src/domain/property.ts';

/** A property as the operator wrote it, looked at on one day. Days are counted from 1970-01-01. */
export interface NaiveWorld {
  readonly property: Property;
  /** Calendar entries per inventory type, in the order of `property.inventoryTypes`. */
  readonly entries: readonly (readonly CalendarEntry[])[];
  readonly today: number;
  readonly horizonNights: number;
}

export interface NaiveStay {
  readonly checkIn: number;
  readonly checkOut: number;
  readonly guests: number;
  /** Ages of the children among the guests, in any order. */
  readonly childAges?: readonly number[] | undefined;
}

/** Minor units; `ruleAmounts` in the order in which the rules run. */
export interface NaivePrice {
  readonly discount: { readonly code: string; readonly percent: string; readonly amount: bigint } | null;
  readonly accommodation: bigint;
  readonly cleaningFee: bigint;
  readonly ruleAmounts: readonly bigint[];
  /** The tax within the price, per rule; null for added taxes. */
  readonly ruleIncluded: readonly (bigint | null)[];
  readonly taxes: bigint;
  readonly total: bigint;
}

export type NaiveQuote =
  | { readonly outcome: 'priced'; readonly inventoryTypeId: string; readonly price: NaivePrice }
  | { readonly outcome: 'STAY_UNAVAILABLE' | 'QUOTE_UNAVAILABLE' };

/** The partners' view of a field that several sources have set; prices come from one source. */
type NaiveField =
  | { readonly combined: 'price' }
  | {
      readonly combined: 'lowest' | 'highest';
      /** The nights that can refuse a stay: all that are occupied, or one date. */
      readonly on: 'nights' | 'check-in' | 'check-out';
      /** Whether what is set there, or nothing, refuses a stay of so many nights. */
      readonly refuses: (value: number | undefined, nightCount: number) => boolean;
      /** Name in the report of searches without a result. */
      readonly reason: string;
    };

const isSet = (value?: number): boolean => value === 1;
const isTooShort = (value: number | undefined, nightCount: number): boolean => nightCount < (value ?? 1);
const isTooLong = (value: number | undefined, nightCount: number): boolean =>
  nightCount > (value ?? nightCount);

/** A property counts under the first of its reasons. */
// prettier-ignore
export const NAIVE_FIELDS: Readonly<Record<keyof EntryFields, NaiveField>> = {
  availability: { combined: 'lowest', on: 'nights', refuses: (value) => (value ?? 0) < 1, reason: 'sold_out' },
  rate: { combined: 'price' },
  ratesByGuests: { combined: 'price' },
  stopSell: { combined: 'highest', on: 'nights', refuses: isSet, reason: 'stop_sell' },
  closedToArrival: { combined: 'highest', on: 'check-in', refuses: isSet, reason: 'closed_to_arrival' },
  closedToDeparture: { combined: 'highest', on: 'check-out', refuses: isSet, reason: 'closed_to_departure' },
  minStayArrival: { combined: 'highest', on: 'check-in', refuses: isTooShort, reason: 'min_stay' },
  minStayThrough: { combined: 'highest', on: 'nights', refuses: isTooShort, reason: 'min_stay' },
  maxStay: { combined: 'lowest', on: 'check-in', refuses: isTooLong, reason: 'max_stay' },
};

const FLAGS: ReadonlySet<string> = new Set(['stopSell', 'closedToArrival', 'closedToDeparture']);
const TAX_DEFAULTS = {
  amount: null,
  percent: null,
  maxNights: null,
  skipNights: 0,
  validFrom: null,
  validTo: null,
  inclusive: false,
  base: ['accommodation'],
  order: 0,
};

/**
 * The world that a line of a catalogue file describes at an instant, read from its text alone. Texts of `name` and
 * `location` stay as they are written; entries with `weekdays` are refused.
 */
export function readNaiveWorld(line: string, nowMs: number, horizonNights: number): NaiveWorld {
  const document = JSON.parse(line);
  const { inventoryTypes, taxes = [] } = document;
  const property = {
    visibleTo: 'all',
    quoting: true,
    ...document,
    taxes: taxes.map((rule: object) => ({ ...TAX_DEFAULTS, ...rule })),
    inventoryTypes: inventoryTypes.map((type: Partial<InventoryType>) => ({
      includedGuests: type.guestsMax,
      extraGuestRate: '0.00',
      ...type,
    })),
  } as Property;
  const entries = inventoryTypes.map(({ calendar = [] }: { calendar?: object[] }) => calendar.map(readEntry));
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone: property.timezone }).format(nowMs);
  return { property, entries, today: dayNumber(date), horizonNights };
}

function readEntry(written: object): CalendarEntry {
  const { dateFrom, dateTo, ...said } = written as Record<string, unknown>;
  if ('weekdays' in said) throw new Error('the naive model reads no weekdays');
  const set = Object.entries(said).map(([field, value]) => [
    field,
    value === null ? null : readValue(field, value),
  ]);
  return { from: dayNumber(String(dateFrom)), to: dayNumber(String(dateTo)), set: Object.fromEntries(set) };
}

function readValue(field: string, value: unknown): unknown {
  if (FLAGS.has(field)) return value === true ? 1 : 0;
  if (field === 'rate') return Number(cents(String(value)));
  if (field !== 'ratesByGuests') return value;
  const amounts = Object.entries(value as Record<string, string>);
  return amounts.map(([guests, rate]) => ({ guests: Number(guests), rate: Number(cents(rate)) }));
}

/** The last entry that names the night and the field decides; undefined when none does or it clears the field. */
export function naiveValue<Field extends keyof EntryFields>(
  entries: readonly CalendarEntry[],
  field: Field,
  night: number,
): NonNullable<EntryFields[Field]> | undefined {
  let value: EntryFields[Field] | null | undefined;
  for (const entry of entries) {
    if (entry.from <= night && night <= entry.to && entry.set[field] !== undefined) value = entry.set[field];
  }
  return value ?? undefined;
}

/** Where a child sleeps, and what it pays a night in cents; null: what an adult pays. */
interface NaiveChild {
  readonly age: number;
  readonly sleeps: 'bed' | 'cot';
  readonly pays: bigint | null;
}

/** Bed by bed: cots are handed out to the youngest child that may have one, until none is left. */
export function naiveChildren(
  property: Pick<Property, 'ageBands'>,
  type: Pick<InventoryType, 'ageBands'>,
  { childAges = [] }: Pick<NaiveStay, 'childAges'>,
): NaiveChild[] {
  const bands = type.ageBands ?? property.ageBands ?? [];
  const cotsLeft = bands.map(({ occupies, max }) => (occupies === false ? (max ?? 1) : 0));
  const children: NaiveChild[] = [];
  for (let age = 0; age <= 17; age++)
    for (const _ of childAges.filter((one) => one === age)) {
      let child: NaiveChild = { age, sleeps: 'bed', pays: null };
      for (const [index, band] of bands.entries()) {
        if (band.untilAge < age) continue;
        const isCot = band.occupies === false;
        if (isCot && cotsLeft[index] === 0) continue;
        if (isCot) cotsLeft[index]!--;
        const rate = band.rate ?? (isCot ? '0' : null);
        child = { age, sleeps: isCot ? 'cot' : 'bed', pays: rate === null ? null : cents(rate) };
        break;
      }
      children.push(child);
    }
  return children;
}

/** Whether the type has a bed for everybody who is not in a cot. */
export function naiveFits(
  property: Pick<Property, 'ageBands'>,
  type: InventoryType,
  stay: NaiveStay,
): boolean {
  let beds = stay.guests - (stay.childAges ?? []).length;
  for (const { sleeps } of naiveChildren(property, type, stay)) if (sleeps === 'bed') beds++;
  return beds <= type.guestsMax;
}

/** Minor units that a night costs the travellers, without rounding; undefined when it has no rate for them. */
function naiveNightPrice(
  property: Pick<Property, 'ageBands'>,
  type: InventoryType,
  entries: readonly CalendarEntry[],
  night: number,
  stay: NaiveStay,
): bigint | undefined {
  let ofChildren = 0n;
  let adults = stay.guests - (stay.childAges ?? []).length;
  for (const { pays } of naiveChildren(property, type, stay)) {
    if (pays === null) adults++;
    else ofChildren += pays;
  }
  const ofAdults = naiveAdultsPrice(type, entries, night, adults);
  return ofAdults === undefined ? undefined : ofAdults + ofChildren;
}

/** Minor units that a night costs for so many adults, extra guests included; undefined when it has no rate for them. */
function naiveAdultsPrice(
  type: InventoryType,
  entries: readonly CalendarEntry[],
  night: number,
  guests: number,
): bigint | undefined {
  const byGuests = naiveValue(entries, 'ratesByGuests', night);
  if (byGuests !== undefined) {
    for (let hosted = guests; hosted <= 30; hosted++) {
      for (const amount of byGuests) if (amount.guests === hosted) return BigInt(amount.rate);
    }
    return undefined;
  }
  const rate = naiveValue(entries, 'rate', night);
  if (rate === undefined) return undefined;
  let price = BigInt(rate);
  for (let guest = type.includedGuests + 1; guest <= guests; guest++) price += cents(type.extraGuestRate);
  return price;
}

export function naiveIsOpen(world: NaiveWorld, typeIndex: number, night: number): boolean {
  const entries = world.entries[typeIndex]!;
  if (night < world.today) return false;
  if (night >= world.today + world.horizonNights) return false;
  if (naiveValue(entries, 'stopSell', night) === 1) return false;
  return (naiveValue(entries, 'availability', night) ?? 0) >= 1;
}

export function naiveIsEligible(world: NaiveWorld, typeIndex: number, stay: NaiveStay): boolean {
  const type = world.property.inventoryTypes[typeIndex]!;
  const entries = world.entries[typeIndex]!;
  const nights = nightsOf(stay);
  if (!naiveFits(world.property, type, stay)) return false;
  const daysAhead = stay.checkIn - world.today;
  if (daysAhead < (type.minAdvanceDays ?? 0)) return false;
  if (daysAhead > (type.maxAdvanceDays ?? daysAhead)) return false;
  for (const night of nights) if (!naiveIsOpen(world, typeIndex, night)) return false;
  return (Object.keys(NAIVE_FIELDS) as (keyof EntryFields)[]).every((field) => {
    const limit = NAIVE_FIELDS[field];
    if (limit.combined === 'price' || field === 'ratesByGuests') return true;
    return naiveLookedAt(limit.on, stay).every(
      (night) => !limit.refuses(naiveValue(entries, field, night), nights.length),
    );
  });
}

/** The nights of a stay that a restriction looks at. */
export function naiveLookedAt(on: 'nights' | 'check-in' | 'check-out', stay: NaiveStay): number[] {
  if (on === 'check-in') return [stay.checkIn];
  if (on === 'check-out') return [stay.checkOut];
  return nightsOf(stay);
}

/** A reason as partners get it. */
export type NaiveReason = Readonly<Record<string, unknown>> & { readonly code: string };

/** Why the stay is not priced: of the type that comes nearest; empty where it is. */
export function naiveReasons(world: NaiveWorld, stay: NaiveStay): NaiveReason[] {
  const { inventoryTypes } = world.property;
  const { outcome } = naiveQuote(world, stay);
  if (outcome === 'priced') return [];
  if (outcome === 'QUOTE_UNAVAILABLE') return [naiveNoPrice(world, stay)];
  const fitting = inventoryTypes.filter((type) => naiveFits(world.property, type, stay));
  const largest = Math.max(...inventoryTypes.map(({ guestsMax }) => guestsMax));
  const looked =
    fitting.length > 0 ? fitting : inventoryTypes.filter(({ guestsMax }) => guestsMax === largest);
  const [nearest] = looked
    .map((type) => {
      const reasons = naiveReasonsOfType(world, inventoryTypes.indexOf(type), stay);
      const closed = reasons.flatMap(({ code, dates }) =>
        code === 'NIGHTS_CLOSED' ? (dates as string[]) : [],
      );
      return { id: type.inventoryTypeId, reasons, closed: closed.length };
    })
    .sort(
      (one, other) =>
        one.reasons.length - other.reasons.length ||
        one.closed - other.closed ||
        (one.id < other.id ? -1 : 1),
    );
  return nearest!.reasons;
}

/** Each question for itself, in the order in which partners read the answers. */
function naiveReasonsOfType(world: NaiveWorld, typeIndex: number, stay: NaiveStay): NaiveReason[] {
  const type = world.property.inventoryTypes[typeIndex]!;
  const { guestsMax, minAdvanceDays, maxAdvanceDays } = type;
  const { today, horizonNights } = world;
  const { checkIn, checkOut } = stay;
  const entries = world.entries[typeIndex]!;
  const lastNight = today + horizonNights - 1;
  const isOffered = (night: number): boolean => night >= today && night <= lastNight;
  const value = (field: 'closedToArrival' | 'closedToDeparture' | 'maxStay', night: number) =>
    naiveValue(entries, field, night);
  const reasons: NaiveReason[] = [];
  if (!naiveFits(world.property, type, stay)) reasons.push({ code: 'CAPACITY', guestsMax });
  if (checkIn < today) reasons.push({ code: 'PAST', date: dateText(today) });
  if (checkOut - 1 > lastNight) reasons.push({ code: 'BEYOND_HORIZON', date: dateText(lastNight) });
  if (checkIn >= today && checkIn - today < (minAdvanceDays ?? 0))
    reasons.push({ code: 'TOO_SOON', days: minAdvanceDays });
  if (checkIn - today > (maxAdvanceDays ?? Infinity))
    reasons.push({ code: 'TOO_FAR_AHEAD', days: maxAdvanceDays });
  const closed = nightsOf(stay).filter((night) => isOffered(night) && !naiveIsOpen(world, typeIndex, night));
  if (closed.length > 0) reasons.push({ code: 'NIGHTS_CLOSED', dates: closed.map(dateText) });
  if (isOffered(checkIn) && value('closedToArrival', checkIn) === 1)
    reasons.push({ code: 'CLOSED_TO_ARRIVAL', date: dateText(checkIn) });
  if (checkOut >= today && checkOut <= lastNight + 1 && value('closedToDeparture', checkOut) === 1)
    reasons.push({ code: 'CLOSED_TO_DEPARTURE', date: dateText(checkOut) });
  const isShort = (length: number): boolean => naiveIsShort(entries, checkIn, length, isOffered);
  if (isShort(checkOut - checkIn)) {
    let nights = 1;
    while (nights <= 60 && isShort(nights)) nights++;
    reasons.push({ code: 'MIN_STAY', nights });
  }
  const longest = isOffered(checkIn) ? value('maxStay', checkIn) : undefined;
  if (longest !== undefined && checkOut - checkIn > longest)
    reasons.push({ code: 'MAX_STAY', nights: longest });
  return reasons;
}

/** Whether a minimum of an offered night refuses so many nights. */
function naiveIsShort(
  entries: readonly CalendarEntry[],
  checkIn: number,
  length: number,
  isOffered: (night: number) => boolean,
): boolean {
  const nights = nightsOf({ checkIn, checkOut: checkIn + length, guests: 1 }).filter(isOffered);
  return (
    nights.some((night) => (naiveValue(entries, 'minStayThrough', night) ?? 0) > length) ||
    (isOffered(checkIn) && (naiveValue(entries, 'minStayArrival', checkIn) ?? 0) > length)
  );
}

function naiveNoPrice(world: NaiveWorld, stay: NaiveStay): NaiveReason {
  const { inventoryTypes, quoting } = world.property;
  if (!quoting) return { code: 'NO_PRICE', dates: [] };
  const lacking = inventoryTypes.flatMap((type, typeIndex) => {
    if (!naiveIsEligible(world, typeIndex, stay)) return [];
    const entries = world.entries[typeIndex]!;
    const dates = nightsOf(stay).filter(
      (night) => naiveNightPrice(world.property, type, entries, night, stay) === undefined,
    );
    return [{ id: type.inventoryTypeId, dates: dates.map(dateText) }];
  });
  const [fewest] = lacking.sort(
    (one, other) => one.dates.length - other.dates.length || (one.id < other.id ? -1 : 1),
  );
  return { code: 'NO_PRICE', dates: fewest!.dates };
}

export interface NaiveInstead {
  readonly checkIn: string;
  readonly checkOut: string;
  readonly nights: number;
  /** Minor units. */
  readonly total: bigint | null;
}

/** Other stays: all that might be had are asked for one by one, then the first are taken. */
export function naiveInstead(world: NaiveWorld, stay: NaiveStay): NaiveInstead[] {
  if (!world.property.quoting || naiveQuote(world, stay).outcome === 'priced') return [];
  const length = stay.checkOut - stay.checkIn;
  const ask = (checkIn: number, nights: number): NaiveInstead[] => {
    const quote = naiveQuote(world, { ...stay, checkIn, checkOut: checkIn + nights });
    if (quote.outcome === 'STAY_UNAVAILABLE') return [];
    const total = quote.outcome === 'priced' ? quote.price.total : null;
    return [{ checkIn: dateText(checkIn), checkOut: dateText(checkIn + nights), nights, total }];
  };
  const shifts = Array.from({ length: 61 }, (_, index) => index - 30).filter((shift) => shift !== 0);
  shifts.sort((one, other) => Math.abs(one) - Math.abs(other) || one - other);
  const lengths = Array.from({ length: 30 }, (_, index) => index + 1).filter((nights) => nights !== length);
  lengths.sort((one, other) => Math.abs(one - length) - Math.abs(other - length) || other - one);
  return [
    ...shifts.flatMap((shift) => ask(stay.checkIn + shift, length)).slice(0, 3),
    ...lengths.flatMap((nights) => ask(stay.checkIn, nights)).slice(0, 1),
  ];
}

function dateText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** `PartnerAvailability.available`. */
export function naiveIsAvailable(world: NaiveWorld, stay: NaiveStay): boolean {
  return world.property.inventoryTypes.some((_, typeIndex) => naiveIsEligible(world, typeIndex, stay));
}

/** `PartnerAvailability.days`: one flag per occupied night. */
export function naiveDays(world: NaiveWorld, stay: NaiveStay): boolean[] {
  return nightsOf(stay).map((night) =>
    world.property.inventoryTypes.some(
      (type, typeIndex) => naiveFits(world.property, type, stay) && naiveIsOpen(world, typeIndex, night),
    ),
  );
}

/** Minor units of `startingPrice`, or null. */
export function naiveStartingRate(world: NaiveWorld): number | null {
  let lowest: number | null = null;
  for (const [typeIndex, entries] of world.entries.entries()) {
    for (let night = world.today; night < world.today + world.horizonNights; night++) {
      const byGuests = naiveValue(entries, 'ratesByGuests', night);
      const rates = byGuests?.map(({ rate }) => rate) ?? [naiveValue(entries, 'rate', night)];
      if (!naiveIsOpen(world, typeIndex, night)) continue;
      for (const rate of rates) if (rate !== undefined && (lowest === null || rate < lowest)) lowest = rate;
    }
  }
  const payable = naivePayable(world.property);
  return lowest === null ? null : Number(payable * nearest(BigInt(lowest), payable));
}

export function naiveQuote(world: NaiveWorld, stay: NaiveStay): NaiveQuote {
  const { property } = world;
  if (!naiveIsAvailable(world, stay)) return { outcome: 'STAY_UNAVAILABLE' };
  const offers: { inventoryTypeId: string; price: NaivePrice }[] = [];
  for (const [typeIndex, type] of property.inventoryTypes.entries()) {
    if (!naiveIsEligible(world, typeIndex, stay)) continue;
    const price = naivePrice(property, type, world.entries[typeIndex]!, stay, world.today);
    if (price !== undefined) offers.push({ inventoryTypeId: type.inventoryTypeId, price });
  }
  const best = offers.find((offer) =>
    offers.every(
      (other) =>
        offer.price.total < other.price.total ||
        (offer.price.total === other.price.total && offer.inventoryTypeId <= other.inventoryTypeId),
    ),
  );
  if (best === undefined || !property.quoting) return { outcome: 'QUOTE_UNAVAILABLE' };
  return { outcome: 'priced', ...best };
}

/** The discount that counts: no other one that applies has a higher percentage, or an equal one and stands before. */
export function naiveDiscount(
  discounts: readonly Discount[],
  inventoryTypeId: string,
  stay: NaiveStay,
  today: number,
): Discount | undefined {
  const applying = discounts.filter((discount) => naiveApplies(discount, inventoryTypeId, stay, today));
  return applying.find((discount, index) =>
    applying.every((other, otherIndex) => {
      const difference = fine(discount.percent) - fine(other.percent);
      return difference > 0n || (difference === 0n && index <= otherIndex);
    }),
  );
}

function naiveApplies(discount: Discount, inventoryTypeId: string, stay: NaiveStay, today: number): boolean {
  const { minNights, maxNights, minAdvanceDays, maxAdvanceDays, inventoryTypeIds } = discount;
  const nightCount = nightsOf(stay).length;
  if (minNights !== undefined && nightCount < minNights) return false;
  if (maxNights !== undefined && nightCount > maxNights) return false;
  const daysAhead = stay.checkIn - today;
  if (minAdvanceDays !== undefined && daysAhead < minAdvanceDays) return false;
  if (maxAdvanceDays !== undefined && daysAhead > maxAdvanceDays) return false;
  if (discount.stayFrom !== undefined && stay.checkIn < dayNumber(discount.stayFrom)) return false;
  if (discount.stayTo !== undefined && stay.checkIn > dayNumber(discount.stayTo)) return false;
  if (discount.bookFrom !== undefined && today < dayNumber(discount.bookFrom)) return false;
  if (discount.bookTo !== undefined && today > dayNumber(discount.bookTo)) return false;
  return inventoryTypeIds === undefined || inventoryTypeIds.some((id) => id === inventoryTypeId);
}

/** The price less so many percent, to the nearest amount that can be paid. */
export function naiveReduced(price: bigint, percent: string, payable = 1n): bigint {
  return price - payable * nearest(price * fine(percent), 100n * FINE * payable);
}

/** Currencies without cents, of those that tests use. */
const WITHOUT_CENTS = new Set(['JPY', 'KRW', 'VND', 'ISK', 'CLP', 'XOF']);

/** The smallest amount that can be paid, in cents. */
function naivePayable({ currency }: Pick<Property, 'currency'>): bigint {
  return WITHOUT_CENTS.has(currency) ? 100n : 1n;
}

/** Undefined when a night has no rate. */
export function naivePrice(
  property: Property,
  type: InventoryType,
  entries: readonly CalendarEntry[],
  stay: NaiveStay,
  today: number,
): NaivePrice | undefined {
  const payable = naivePayable(property);
  const rule = naiveDiscount(property.discounts ?? [], type.inventoryTypeId, stay, today);
  const pricePerNight = new Map<number, bigint>();
  let reduction = 0n;
  for (const night of nightsOf(stay)) {
    const exact = naiveNightPrice(property, type, entries, night, stay);
    if (exact === undefined) return undefined;
    const full = payable * nearest(exact, payable);
    const price = rule === undefined ? full : naiveReduced(full, rule.percent, payable);
    reduction += full - price;
    pricePerNight.set(night, price);
  }
  const discount = rule && { code: rule.code, percent: rule.percent, amount: reduction };
  const accommodation = add([...pricePerNight.values()]);
  const cleaningFee = payable * nearest(cents(property.cleaningFee ?? '0'), payable);

  const rules = inRunningOrder(property.taxes);
  const ruleAmounts: bigint[] = [];
  const dues: bigint[] = [];
  const covered: NaivePart[][] = [];
  for (const rule of rules) {
    const length = stay.checkOut - stay.checkIn;
    const applies = length >= (rule.minStay ?? 0) && length <= (rule.maxStay ?? Infinity);
    const parts = applies ? naiveParts(rule, stay, pricePerNight, cleaningFee, rules, ruleAmounts) : [];
    const due = applies ? payable * naiveRuleUnits(rule, stay, { parts, pricePerNight, payable }) : 0n;
    covered.push(parts);
    dues.push(due);
    ruleAmounts.push(rule.inclusive ? 0n : due);
  }
  const ruleIncluded = rules.map((rule, index) => {
    if (!rule.inclusive) return null;
    return rule.percent === null ? dues[index]! : payable * naiveIncluded(rules, covered, index, payable);
  });
  const taxes = add(ruleAmounts);
  const total = accommodation + cleaningFee + taxes;
  return { discount: discount ?? null, accommodation, cleaningFee, ruleAmounts, ruleIncluded, taxes, total };
}

/** A night, the cleaning fee, or what a rule added. */
interface NaivePart {
  readonly name: string;
  readonly amount: bigint;
}

/** The base of a percentage. */
function naiveParts(
  rule: TaxRule,
  stay: NaiveStay,
  pricePerNight: ReadonlyMap<number, bigint>,
  cleaningFee: bigint,
  rules: readonly TaxRule[],
  amountsBefore: readonly bigint[],
): NaivePart[] {
  const parts: NaivePart[] = [];
  for (const night of naiveCounted(rule, stay))
    if (rule.base.includes('accommodation'))
      parts.push({ name: String(night), amount: pricePerNight.get(night)! });
  if (rule.base.includes('cleaningFee')) parts.push({ name: 'fee', amount: cleaningFee });
  for (const [index, amount] of amountsBefore.entries()) {
    if (rule.logic === 'cumulative_percent' || rule.base.includes(rules[index]!.code))
      parts.push({ name: `rule ${index}`, amount });
  }
  return parts;
}

/** Each part is the net price and every inclusive percentage of it; the sum of one rule's shares, rounded once. */
function naiveIncluded(
  rules: readonly TaxRule[],
  covered: readonly (readonly NaivePart[])[],
  index: number,
  payable: bigint,
): bigint {
  const own = fine(rules[index]!.percent!);
  let numerator = 0n;
  let denominator = 1n;
  for (const part of covered[index]!) {
    let whole = 100n * FINE;
    for (const [other, rule] of rules.entries()) {
      const covers = covered[other]!.some(({ name }) => name === part.name);
      if (rule.inclusive && rule.percent !== null && covers) whole += fine(rule.percent);
    }
    numerator = numerator * whole + part.amount * own * denominator;
    denominator *= whole;
  }
  return nearest(numerator, denominator * payable);
}

function naiveCounted(rule: TaxRule, stay: NaiveStay): number[] {
  const counted: number[] = [];
  let skipped = 0;
  for (const night of nightsOf(stay)) {
    if (!isValidOn(rule, night)) continue;
    if (skipped < rule.skipNights) skipped++;
    else if (rule.maxNights === null || counted.length < rule.maxNights) counted.push(night);
  }
  return counted;
}

/** In amounts that can be paid. */
function naiveRuleUnits(
  rule: TaxRule,
  stay: NaiveStay,
  {
    parts,
    pricePerNight,
    payable,
  }: { parts: readonly NaivePart[]; pricePerNight: ReadonlyMap<number, bigint>; payable: bigint },
): bigint {
  if (rule.tiers !== undefined) {
    let sum = 0n;
    for (const night of naiveCounted(rule, stay))
      for (const age of naiveAges(stay)) {
        if (naiveIsExempt(rule, age)) continue;
        let due = 0n;
        for (const { from, amount } of rule.tiers)
          if (pricePerNight.get(night)! >= cents(from) * BigInt(stay.guests)) due = fine(amount) * 100n;
        sum += due;
      }
    return nearest(sum, FINE * payable);
  }
  if (rule.capPerGuestNight !== undefined) {
    const most = fine(rule.capPerGuestNight) * 100n * 100n * BigInt(stay.guests);
    let sum = 0n;
    for (const { name, amount } of parts) {
      const due = amount * fine(rule.percent!);
      sum += /^-?\d+$/.test(name) && due > most ? most : due;
    }
    const paying = naiveAges(stay).filter((age) => !naiveIsExempt(rule, age)).length;
    return nearest(sum * BigInt(paying), 100n * FINE * payable * BigInt(stay.guests));
  }
  return naivePlainUnits(rule, stay, add(parts.map(({ amount }) => amount)), payable);
}

/** The age of each traveller; adults are of any age above that of children. */
function naiveAges({ guests, childAges = [] }: NaiveStay): number[] {
  return [...childAges, ...Array.from({ length: guests - childAges.length }, () => 99)];
}

function naiveIsExempt({ exemptUntilAge }: TaxRule, age: number): boolean {
  return exemptUntilAge !== undefined && age <= exemptUntilAge;
}

/** One traveller's part of an amount for each person, in cents of FINE parts. */
function naivePersonal(rule: TaxRule, age: number): bigint {
  if (naiveIsExempt(rule, age)) return 0n;
  for (const { untilAge, amount } of rule.ages ?? []) if (age <= untilAge) return fine(amount) * 100n;
  return fine(rule.amount ?? '0') * 100n;
}

function naivePlainUnits(rule: TaxRule, stay: NaiveStay, base: bigint, payable: bigint): bigint {
  const persons = add(naiveAges(stay).map((age) => naivePersonal(rule, age)));
  const nights = BigInt(naiveCounted(rule, stay).length);
  const stays = isValidOn(rule, stay.checkIn) ? 1n : 0n;

  const amountInCents = fine(rule.amount ?? '0') * 100n;
  const percent = fine(rule.percent ?? '0');
  switch (rule.logic) {
    case 'per_booking':
      return nearest(stays * amountInCents, FINE * payable);
    case 'per_room':
      return nearest(stays * amountInCents, FINE * payable);
    case 'per_person':
      return nearest(stays * persons, FINE * payable);
    case 'per_night':
      return nearest(nights * amountInCents, FINE * payable);
    case 'per_room_per_night':
      return nearest(nights * amountInCents, FINE * payable);
    case 'per_person_per_night':
      return nearest(nights * persons, FINE * payable);
    case 'percent':
      return nearest(base * percent, 100n * FINE * payable);
    case 'cumulative_percent':
      return nearest(base * percent, 100n * FINE * payable);
  }
}

/** By `order`; among equals the one that stands first in the document. */
function inRunningOrder(rules: readonly TaxRule[]): TaxRule[] {
  const orders = [...new Set(rules.map((rule) => rule.order))].sort((a, b) => a - b);
  return orders.flatMap((order) => rules.filter((rule) => rule.order === order));
}

function isValidOn(rule: TaxRule, night: number): boolean {
  const date = new Date(night * 86_400_000).toISOString().slice(0, 10);
  return (
    (rule.validFrom === null || rule.validFrom <= date) && (rule.validTo === null || date <= rule.validTo)
  );
}

/** Days since 1970-01-01 of `YYYY-MM-DD`. */
function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000;
}

function nightsOf({ checkIn, checkOut }: NaiveStay): number[] {
  return Array.from({ length: checkOut - checkIn }, (_, index) => checkIn + index);
}

/** Decimals as integers of 10^-30. */
const FINE = 10n ** 30n;

function fine(decimal: string): bigint {
  const [integer, fraction = ''] = decimal.split('.');
  return BigInt(integer + fraction.padEnd(30, '0'));
}

function cents(decimal: string): bigint {
  return fine(decimal) / (FINE / 100n);
}

function nearest(numerator: bigint, denominator: bigint): bigint {
  const floor = numerator / denominator;
  return 2n * (numerator % denominator) >= denominator ? floor + 1n : floor;
}

function add(amounts: readonly bigint[]): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
