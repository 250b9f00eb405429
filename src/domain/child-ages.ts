/**
 * The ages of children, and what they come to: who takes a place, who pays as an adult does, who pays by age, who owes a tax. All
 * that counts the guests of a stay asks here. Without ages every guest is an adult, and the answer is their number.
 *
 * A child belongs to the first band that reaches its age, and above the last one counts as an adult. Of a band with cots
 * the youngest sleep in them; who is left over belongs to the next band, as if this one were not there.
 */
import { type Decimal, getMoney } from './money.ts';
import { type AgeBand, CHILD_AGE_MAX, type Property } from './property.ts';

/** The travellers of a stay: all of them, and the ages of the children among them. At least one is an adult. */
export interface Party {
  readonly guests: number;
  /** Whole years at check-in, ascending, at least one; undefined: all are adults. */
  readonly childAges?: readonly number[] | undefined;
}

/** The part of a band that decides who sleeps where. */
export type SleepingBand = Pick<AgeBand, 'untilAge' | 'occupies' | 'max'>;

/** A band as numbers. */
export interface BandTerms extends SleepingBand {
  /** Minor units, per child and night; undefined: such a child pays as an adult does. */
  readonly rate: number | undefined;
}

const COTS_DEFAULT = 1;

export function bandTerms({ untilAge, occupies = true, rate, max = COTS_DEFAULT }: AgeBand): BandTerms {
  const ofBand = rate === undefined ? undefined : Number(getMoney(rate));
  return { untilAge, occupies, max, rate: ofBand ?? (occupies ? undefined : 0) };
}

/** The member of a stay: none for no ages, so that a stay of adults is the same however it was asked for. */
export function withChildAges(ages: readonly number[] | undefined): Pick<Party, 'childAges'> {
  if (ages === undefined || ages.length === 0) return {};
  return { childAges: ages.toSorted((one, other) => one - other) };
}

/** Ages as one text, in addresses and stores: `4,9`; empty for none. */
export function formatAges(ages: readonly number[] = []): string {
  return ages.join(',');
}

/** The member of a stay, from what `formatAges` wrote. */
export function withWrittenAges(text: string | null): Pick<Party, 'childAges'> {
  return text === null || text === '' ? {} : { childAges: text.split(',').map(Number) };
}

/** As many as there may be children, with a comma and a blank each. */
export const TYPED_AGES_LENGTH_MAX = 120;

/** Separators that people type between ages. */
const TYPED_AGES = /^\s*\d{1,2}(?:[\s,;]+\d{1,2})*\s*$/;

/** Ages as a person types them, such as `4, 9`, ascending; undefined for what can't be those of children among the guests. */
export function parseTypedAges(text: string, guests: number): readonly number[] | undefined {
  if (text.length > TYPED_AGES_LENGTH_MAX || !TYPED_AGES.test(text)) return undefined;
  const ages = text
    .trim()
    .split(/[\s,;]+/)
    .map(Number);
  if (ages.length >= guests || ages.some((age) => age > CHILD_AGE_MAX)) return undefined;
  return withChildAges(ages).childAges;
}

/** Guests without the children of known age: no rule makes them fewer. */
export function countAdults({ guests, childAges }: Party): number {
  return childAges === undefined ? guests : guests - childAges.length;
}

/** Places that the party takes of `guestsMax`. */
export function countPlaces(
  bands: readonly SleepingBand[] | undefined,
  { guests, childAges }: Party,
): number {
  if (childAges === undefined || bands === undefined) return guests;
  const inCots = bandsOf(bands, childAges).filter((band) => band?.occupies === false);
  return guests - inCots.length;
}

/** Guests that the rates of a night are for, and what children pay beside, in minor units. */
export interface Paying {
  readonly guests: number;
  readonly children: number;
}

/** Per night. */
export function countPaying(bands: readonly BandTerms[], { guests, childAges }: Party): Paying {
  if (childAges === undefined || bands.length === 0) return { guests, children: 0 };
  let [asAdults, children] = [guests, 0];
  for (const band of bandsOf(bands, childAges)) {
    if (band?.rate === undefined) continue;
    asAdults -= 1;
    children += band.rate;
  }
  return { guests: asAdults, children };
}

/** The band of each child, from the youngest; undefined: it counts as an adult. */
export function bandsOf<Band extends SleepingBand>(
  bands: readonly Band[],
  childAges: readonly number[],
): readonly (Band | undefined)[] {
  const taken = new Map<Band, number>();
  return childAges.map((age) => {
    const band = bands.find((one) => {
      const isFull = one.occupies === false && (taken.get(one) ?? 0) >= (one.max ?? COTS_DEFAULT);
      return one.untilAge >= age && !isFull;
    });
    if (band !== undefined) taken.set(band, (taken.get(band) ?? 0) + 1);
    return band;
  });
}

// Taxes.

/** Guests who pay the same amount of a tax. */
export interface TaxPayers {
  readonly count: number;
  /** Ages of the children among them, ascending. None: they are adults. */
  readonly childAges: readonly number[];
  /** Due from each, as the operator wrote it; `0` for those who are exempt, null where it depends on the price. */
  readonly amount: string | null;
}

const EXEMPT = '0';

export interface TaxAgeTerms {
  readonly untilAge: number;
  /** Minor units. */
  readonly amount: Decimal;
  /** As the operator wrote it. */
  readonly written: string;
}

/** The part of a tax rule that ages matter to. */
export interface AgeRules {
  /** Below 0 where no age is exempt. */
  readonly exemptUntilAge: number;
  /** Amounts of children above that; empty where they pay as adults do. */
  readonly ages: readonly TaxAgeTerms[];
  /** The amount of an adult as the operator wrote it; null where it depends on the price. */
  readonly written: string | null;
}

/** Whether the age of a traveller changes what the rule comes to. */
export function dependsOnAges({
  exemptUntilAge,
  ages,
}: {
  readonly exemptUntilAge: number;
  readonly ages: readonly unknown[];
}): boolean {
  return exemptUntilAge >= 0 || ages.length > 0;
}

/** Who pays the whole amount of a rule: adults, and children above its ages. */
export function countFullPayers(
  { exemptUntilAge, ages }: AgeRules,
  { guests, childAges = [] }: Party,
): number {
  const until = ages.at(-1)?.untilAge ?? exemptUntilAge;
  return guests - childAges.filter((age) => age <= until).length;
}

/** How many children pay each amount of `ages`, in their order. */
export function countByAge({ exemptUntilAge, ages }: AgeRules, { childAges = [] }: Party): readonly number[] {
  return ages.map(({ untilAge }, index) => {
    const above = ages[index - 1]?.untilAge ?? exemptUntilAge;
    return childAges.filter((age) => age > above && age <= untilAge).length;
  });
}

/** Adults first, then children from the oldest; undefined where ages are not known, or do not matter to the rule. */
export function taxPayersOf(rule: AgeRules, party: Party): readonly TaxPayers[] | undefined {
  const { childAges } = party;
  if (childAges === undefined || !dependsOnAges(rule)) return undefined;
  const amountOf = (age: number): string | null => {
    if (age <= rule.exemptUntilAge) return EXEMPT;
    const ofAge = rule.ages.find(({ untilAge }) => untilAge >= age);
    return ofAge === undefined ? rule.written : ofAge.written;
  };
  const children = [...Map.groupBy(childAges, amountOf)].map(([amount, ages]) => {
    return { count: ages.length, childAges: ages, amount };
  });
  return [
    { count: countAdults(party), childAges: [], amount: rule.written },
    ...children.toSorted((one, other) => other.childAges[0]! - one.childAges[0]!),
  ];
}

/** Whether the ages of children change what a stay at the property comes to. */
export function propertyDependsOnAges({
  ageBands,
  inventoryTypes,
  taxes,
}: Pick<Property, 'ageBands' | 'inventoryTypes' | 'taxes'>): boolean {
  return (
    ageBands !== undefined ||
    inventoryTypes.some((type) => (type.ageBands ?? []).length > 0) ||
    taxes.some(({ exemptUntilAge = -1, ages = [] }) => dependsOnAges({ exemptUntilAge, ages }))
  );
}

// Bands in the index of nights: types whose cots are alike are found together.

/** The bands as far as they decide who sleeps in a cot; undefined where nobody does. */
export function formatCots(bands: readonly SleepingBand[] | undefined): string | undefined {
  const last = bands?.findLastIndex(({ occupies }) => occupies === false) ?? -1;
  if (last === -1) return undefined;
  const parts = bands!.slice(0, last + 1).map(({ untilAge, occupies, max = COTS_DEFAULT }) => {
    return occupies === false ? `${untilAge}x${max}` : `${untilAge}`;
  });
  return parts.join(' ');
}

/** Reads what `formatCots` wrote. */
export function parseCots(text: string): readonly SleepingBand[] {
  return text.split(' ').map((part): SleepingBand => {
    const [untilAge, max] = part.split('x').map(Number);
    return max === undefined ? { untilAge: untilAge! } : { untilAge: untilAge!, occupies: false, max };
  });
}
