/** What prices of stays cost inside the process: the first page by total, and a hundred properties by id. */
import type { Figure, Section } from '../section.ts';
import { withBar } from './beside.ts';
import { type AskedOver, type PriceTimes, startCities } from './cities.ts';

/** Two taxes and two discounts in all: what most operators have. */
const RULES = { taxes: 2, discounts: 2 };
const CITIES = [
  { city: 'Of Antwerp size', typeCount: 2_870, barMs: 0.4 },
  { city: 'Twenty thousand', typeCount: 20_000, barMs: 2 },
  { city: 'Hundred thousand', typeCount: 100_000, barMs: 8 },
];
const QUICK_TYPES_MAX = 20_000;
const NIGHTS = 7;
const IDS_BAR_MS = 0.3;
/** How the cost grows: by nights, guests and rules, in cities of Antwerp's size. */
const NIGHT_COUNTS = [1, 30, 60];
const GUEST_COUNTS = [1, 2, 4];
const OTHER_RULES = [
  { city: 'No rules', rules: { taxes: 0, discounts: 0 } },
  { city: 'Three taxes', rules: { taxes: 3, discounts: 0 } },
  { city: 'Fifty taxes', rules: { taxes: 50, discounts: 0 } },
  { city: 'Fifty discounts', rules: { taxes: 0, discounts: 50 } },
];
const COUNT = { full: 400, quick: 100 };

/** The same question with the ages of two of the guests and without, in turn. */
const FAMILIES_TIMES_MAX = 1.3;
const GUESTS = 4;
const FAMILIES = [
  { name: 'children of 4 and 9', childAges: [4, 9] },
  { name: 'children of 1 and 8', childAges: [1, 8] },
];
const WITH_AGES = { city: 'For families', rules: { ...RULES, hasAges: true } };
const OVER: readonly (AskedOver & { readonly name: string })[] = [
  { name: 'first page by total', over: 'stay', nights: NIGHTS, dates: 1 },
  { name: 'best stays of 31 dates', over: 'window', nights: NIGHTS, dates: 31 },
  { name: 'days of 31 dates', over: 'days', nights: NIGHTS, dates: 31 },
];

interface Asked {
  readonly city: string;
  readonly nights?: number;
  /** Absent: one to four. */
  readonly guests?: number;
}

export const prices: Section = {
  name: 'prices',
  title: 'Prices of stays inside the process: first page of 20 by total',
  seconds: { full: 90, quick: 30 },
  async run(context) {
    const { isQuick } = context.options;
    const count = isQuick ? COUNT.quick : COUNT.full;
    const child = startCities(context);
    const figures: Figure[] = [];
    const details: Record<string, PriceTimes> = {};
    const time = async (what: string, order: string, asked: Asked, barMs?: number): Promise<void> => {
      const { city, nights = NIGHTS, guests } = asked;
      const times = await child.ask<PriceTimes>(order, { city, nights, guests, count });
      const named = `${what}, ${nights} nights${guests === undefined ? '' : `, ${guests} guests`}`;
      figures.push(withBar(named, 'ms', times.ms, barMs));
      details[named] = times;
    };
    const cities = CITIES.filter(({ typeCount }) => !isQuick || typeCount <= QUICK_TYPES_MAX);
    for (const city of cities) await child.ask('addCity', { ...city, rules: RULES });
    for (const { city, barMs } of cities) await time(city, 'timePages', { city }, barMs);
    const { city } = cities[0]!;
    await time('100 properties by id', 'timeIds', { city }, IDS_BAR_MS);
    if (!isQuick) {
      for (const nights of NIGHT_COUNTS) await time(city, 'timePages', { city, nights });
      for (const guests of GUEST_COUNTS) await time(city, 'timePages', { city, guests });
      for (const other of OTHER_RULES) {
        await child.ask('addCity', { ...cities[0]!, ...other });
        await time(other.city, 'timePages', other);
      }
    }
    await child.ask('addCity', { ...cities[0]!, ...WITH_AGES });
    for (const { city: familyCity } of [cities[0]!, WITH_AGES])
      for (const { name, ...asked } of OVER) {
        const adults = { ...asked, guests: GUESTS };
        const families = FAMILIES.map(({ childAges }) => ({ ...adults, childAges }));
        const order = { city: familyCity, count, asked: [adults, ...families] };
        const [ofAdults = 0, ...ofFamilies] = await child.ask<readonly number[]>('timeInTurn', order);
        for (const [index, family] of FAMILIES.entries()) {
          const what = `${familyCity}, ${name}, ${family.name} against ${GUESTS} adults`;
          figures.push(withBar(what, 'ratio', ofFamilies[index]! / ofAdults, FAMILIES_TIMES_MAX));
        }
      }
    await child.stop();
    return {
      figures,
      notes: [
        'For families: two bands of ages, a cot among them, and a tax that exempts children, in every property; the others have none.',
        'A cleaning fee, two taxes and two discounts in every property; 1 to 4 guests, restrictions and visibility as in the section growth.',
      ],
      details,
    };
  },
};
