/** What prices of stays cost inside the process: the first page by total, and a hundred properties by id. */
import type { Figure, Section } from '../section.ts';
import { type PriceTimes, startCities } from './cities.ts';

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
const COUNT = { full: 400, quick: 100 };

export const prices: Section = {
  name: 'prices',
  title: 'Prices of stays inside the process: first page of 20 by total',
  seconds: { full: 45, quick: 20 },
  async run(context) {
    const { isQuick } = context.options;
    const count = isQuick ? COUNT.quick : COUNT.full;
    const child = startCities(context);
    const figures: Figure[] = [];
    const details: Record<string, PriceTimes> = {};
    const time = async (what: string, order: string, city: string, barMs: number): Promise<void> => {
      const times = await child.ask<PriceTimes>(order, { city, nights: NIGHTS, count });
      const named = `${what}, ${NIGHTS} nights`;
      figures.push({ what: named, value: times.ms, unit: 'ms', bar: { is: 'at most', value: barMs } });
      details[named] = times;
    };
    const cities = CITIES.filter(({ typeCount }) => !isQuick || typeCount <= QUICK_TYPES_MAX);
    for (const city of cities) await child.ask('addCity', { ...city, rules: RULES });
    for (const { city, barMs } of cities) await time(city, 'timePages', city, barMs);
    await time('100 properties by id', 'timeIds', cities[0]!.city, IDS_BAR_MS);
    await child.stop();
    return {
      figures,
      notes: [
        'A cleaning fee, two taxes and two discounts in every property; 1 to 4 guests, restrictions and visibility as in the section growth.',
      ],
      details,
    };
  },
};
