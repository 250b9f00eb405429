/** Cost of open dates inside the process: the best stays of a window and the days of a city, beside one stay. */
import type { Figure, Section } from '../section.ts';
import { withBar } from './beside.ts';
import { type AskedOver, startCities } from './cities.ts';

/** Two taxes and two discounts in all: what most operators have. */
const RULES = { taxes: 2, discounts: 2 };
const ANTWERP = { city: 'Of Antwerp size', typeCount: 2_870, barMs: 1, count: 400 };
const CITIES = [
  ANTWERP,
  { city: 'Twenty thousand', typeCount: 20_000, barMs: 4, count: 200 },
  { city: 'Hundred thousand', typeCount: 100_000, barMs: 30, count: 50 },
];
/** How the cost grows with the rules, in cities of Antwerp's size. */
const OTHER_RULES = [
  { city: 'No rules', rules: { taxes: 0, discounts: 0 } },
  { city: 'Three taxes', rules: { taxes: 3, discounts: 0 } },
  { city: 'Fifty taxes', rules: { taxes: 50, discounts: 0 } },
  { city: 'Fifty discounts', rules: { taxes: 0, discounts: 50 } },
];
const QUICK_TYPES_MAX = 20_000;
const QUICK_SHARE = 0.25;
const STAY: AskedOver = { over: 'stay', nights: 7, dates: 1 };
const WINDOW: AskedOver = { over: 'window', nights: 7, dates: 31 };

interface Compared {
  readonly name: string;
  readonly asked: AskedOver;
  readonly against: 'one stay' | 'best stays';
  readonly timesMax?: number;
}

const COMPARED: readonly Compared[] = [
  { name: 'best stays', asked: WINDOW, against: 'one stay', timesMax: 4 },
  { name: 'one stay with counts', asked: { ...STAY, counts: true }, against: 'one stay', timesMax: 1.3 },
  { name: 'days', asked: { ...WINDOW, over: 'days' }, against: 'best stays', timesMax: 2 },
  { name: '92 dates', asked: { ...WINDOW, dates: 92 }, against: 'best stays', timesMax: 4 },
  { name: '1 night', asked: { ...WINDOW, nights: 1 }, against: 'best stays' },
  { name: '30 nights', asked: { ...WINDOW, nights: 30 }, against: 'best stays' },
  { name: '3 to 9 nights', asked: { ...WINDOW, nights: 3, maxNights: 9 }, against: 'best stays' },
  {
    name: 'filters',
    asked: { ...WINDOW, filters: { amenities: ['Wifi', 'Kitchen'], minRating: 4 } },
    against: 'best stays',
  },
  { name: 'counts', asked: { ...WINDOW, counts: true }, against: 'best stays' },
];

export const flexible: Section = {
  name: 'flexible',
  title: 'Any dates inside the process: first page of 20 of 31 dates and 7 nights',
  seconds: { full: 150, quick: 30 },
  async run(context) {
    const { isQuick } = context.options;
    const child = startCities(context);
    const figures: Figure[] = [];
    const details: Record<string, readonly number[]> = {};
    for (const { city, typeCount, barMs, count } of CITIES) {
      if (isQuick && typeCount > QUICK_TYPES_MAX) continue;
      await child.ask('addCity', { city, typeCount, rules: RULES });
      const asked = [STAY, ...COMPARED.map((one) => one.asked)];
      const turns = isQuick ? Math.ceil(count * QUICK_SHARE) : count;
      const times = await child.ask<readonly number[]>('timeInTurn', { city, count: turns, asked });
      const [stay = 0, best = 0] = times;
      details[city] = times;
      figures.push(withBar(`${city}, best stays`, 'ms', best, barMs));
      for (const [index, { name, against, timesMax }] of COMPARED.entries()) {
        const ratio = times[index + 1]! / (against === 'one stay' ? stay : best);
        figures.push(withBar(`${city}, ${name} against ${against}`, 'ratio', ratio, timesMax));
      }
    }
    const { typeCount, count } = ANTWERP;
    for (const { city, rules } of OTHER_RULES) {
      await child.ask('addCity', { city, typeCount, rules });
      const turns = isQuick ? Math.ceil(count * QUICK_SHARE) : count;
      const order = { city, count: turns, asked: [STAY, WINDOW] };
      const [stay = 0, best = 0] = await child.ask<readonly number[]>('timeInTurn', order);
      figures.push(withBar(`${city}, best stays`, 'ms', best));
      figures.push(withBar(`${city}, best stays against one stay`, 'ratio', best / stay));
    }
    await child.stop();
    return {
      figures,
      notes: [
        'A cleaning fee, two taxes and two discounts in every property, as in the section prices, but where others are named. Areas are random words: nearly each property has its own.',
      ],
      details,
    };
  },
};
