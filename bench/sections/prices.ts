/** What prices of stays cost inside the process: the first page by total, and a hundred properties by id. */
import { join } from 'node:path';
import { startChild } from '../machine/child.ts';
import type { Figure, Section } from '../section.ts';
import type { PricedCity, PriceTimes } from './prices-process.ts';

interface BarredCity extends PricedCity {
  readonly barMs: number;
}

/** Two taxes and two discounts in all: what most operators have. */
const CITIES: readonly BarredCity[] = [
  { city: 'Of Antwerp size', typeCount: 2_870, taxes: 2, discounts: 2, barMs: 0.4 },
  { city: 'Twenty thousand', typeCount: 20_000, taxes: 2, discounts: 2, barMs: 2 },
  { city: 'Hundred thousand', typeCount: 100_000, taxes: 2, discounts: 2, barMs: 8 },
];
const QUICK_TYPES_MAX = 20_000;
const WATCHED = CITIES[0]!;
/** How the cost grows with rules, in cities of the same size. */
const RULES: readonly PricedCity[] = [
  { city: 'No rules', typeCount: 2_870, taxes: 0, discounts: 0 },
  { city: 'Three taxes', typeCount: 2_870, taxes: 3, discounts: 0 },
  { city: 'Fifty taxes', typeCount: 2_870, taxes: 50, discounts: 0 },
  { city: 'Fifty discounts', typeCount: 2_870, taxes: 0, discounts: 50 },
];
const NIGHTS = 7;
const LENGTHS = [1, 30, 60];
const GUESTS = [1, 2, 4];
const IDS_BAR_MS = 0.3;
const COUNT = { full: 400, quick: 100 };

export const prices: Section = {
  name: 'prices',
  title: 'Prices of stays inside the process: first page of 20 by total',
  seconds: { full: 60, quick: 25 },
  async run(context) {
    const { isQuick } = context.options;
    const count = isQuick ? COUNT.quick : COUNT.full;
    const cities = CITIES.filter(({ typeCount }) => !isQuick || typeCount <= QUICK_TYPES_MAX);
    const child = startChild({
      role: 'server',
      name: 'prices',
      args: [join(import.meta.dirname, 'prices-process.ts')],
    });
    context.onEnd(() => child.stop());
    for (const city of [...cities, ...RULES]) await child.ask('addCity', city);
    const time = (city: string, nights: number, guests?: number) =>
      child.ask<PriceTimes>('timeSearches', { city, nights, count, guests });
    const bySize = await timeAll(cities, (city) => time(city.city, NIGHTS));
    const byLength = await timeAll(LENGTHS, (nights) => time(WATCHED.city, nights));
    const byGuests = await timeAll(GUESTS, (guests) => time(WATCHED.city, NIGHTS, guests));
    const byRules = await timeAll(RULES, (city) => time(city.city, NIGHTS));
    const ids = await child.ask<PriceTimes>('timeIds', { city: WATCHED.city, count });
    await child.stop();
    return {
      figures: [
        ...bySize.map(([{ city, barMs }, { ms }]) => figure(`${city}, ${NIGHTS} nights`, ms, barMs)),
        figure(`100 properties by id, ${NIGHTS} nights`, ids.ms, IDS_BAR_MS),
        ...byLength.map(([nights, { ms }]) => figure(`${WATCHED.city}, ${nights} nights`, ms)),
        ...byGuests.map(([guests, { ms }]) =>
          figure(`${WATCHED.city}, ${NIGHTS} nights, ${guests} guests`, ms),
        ),
        ...byRules.map(([{ city }, { ms }]) => figure(`${city}, ${NIGHTS} nights`, ms)),
      ],
      notes: [
        'A cleaning fee, two taxes and two discounts in every property, unless the row names others; 1 to 4 guests, restrictions and visibility as in the section growth.',
      ],
      details: { bySize, byLength, byGuests, byRules, ids },
    };
  },
};

async function timeAll<Of>(
  all: readonly Of[],
  time: (one: Of) => Promise<PriceTimes>,
): Promise<(readonly [Of, PriceTimes])[]> {
  const timed: (readonly [Of, PriceTimes])[] = [];
  for (const one of all) timed.push([one, await time(one)]);
  return timed;
}

function figure(what: string, value: number, barMs?: number): Figure {
  const bar = barMs === undefined ? {} : { bar: { is: 'at most' as const, value: barMs } };
  return { what, value, unit: 'ms', ...bar };
}
