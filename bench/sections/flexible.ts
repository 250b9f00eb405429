/** What open dates cost inside the process: the best stays of a window and the days of a city, beside one stay. */
import type { Figure, Section } from '../section.ts';
import { withBar } from './beside.ts';
import { type PriceTimes, startCities } from './cities.ts';

/** Two taxes and two discounts in all: what most operators have. */
const RULES = { taxes: 2, discounts: 2 };
const CITIES = [
  { city: 'Of Antwerp size', typeCount: 2_870, barMs: 1 },
  { city: 'Twenty thousand', typeCount: 20_000, barMs: 4 },
  { city: 'Hundred thousand', typeCount: 100_000, barMs: 30 },
];
const QUICK_TYPES_MAX = 20_000;
const COUNT = { full: 200, quick: 60 };
const FILTERS = { amenities: ['Wifi', 'Kitchen'], minRating: 4 };
const NIGHTS = 7;
const DATES = 31;
/** How the cost grows, and by what times that of 31 dates and 7 nights at most. */
const WINDOWS: readonly { readonly name: string; readonly asked: object; readonly timesMax?: number }[] = [
  { name: '92 dates', asked: { dates: 92 }, timesMax: 4 },
  { name: '1 night', asked: { nights: 1 } },
  { name: '30 nights', asked: { nights: 30 } },
  { name: '3 to 9 nights', asked: { nights: 3, maxNights: 9 } },
  { name: 'filters', asked: { filters: FILTERS } },
  { name: 'counts', asked: { counts: true } },
];

export const flexible: Section = {
  name: 'flexible',
  title: 'Any dates inside the process: first page of 20 of 31 dates and 7 nights',
  seconds: { full: 150, quick: 30 },
  async run(context) {
    const { isQuick } = context.options;
    const count = isQuick ? COUNT.quick : COUNT.full;
    const child = startCities(context);
    const figures: Figure[] = [];
    const details: Record<string, PriceTimes> = {};
    const time = async (name: string, order: string, asked: object): Promise<number> => {
      const times = await child.ask<PriceTimes>(order, { nights: NIGHTS, dates: DATES, count, ...asked });
      details[name] = times;
      return times.ms;
    };
    for (const { city, typeCount, barMs } of CITIES) {
      if (isQuick && typeCount > QUICK_TYPES_MAX) continue;
      await child.ask('addCity', { city, typeCount, rules: RULES });
      const one = await time(`${city}, one stay`, 'timePages', { city });
      const best = await time(city, 'timeFlexible', { city });
      figures.push(withBar(`${city}, best stays`, 'ms', best, barMs));
      figures.push(withBar(`${city}, best stays against one stay`, 'ratio', best / one, 4));
      const days = await time(`${city}, days`, 'timeDays', { city });
      figures.push(withBar(`${city}, days against best stays`, 'ratio', days / best, 2));
      const counts = await time(`${city}, one stay with counts`, 'timePages', { city, counts: true });
      figures.push(withBar(`${city}, counts against one stay without`, 'ratio', counts / one, 1.3));
      for (const { name, asked, timesMax } of WINDOWS) {
        const ms = await time(`${city}, ${name}`, 'timeFlexible', { city, ...asked });
        figures.push(withBar(`${city}, ${name} against best stays`, 'ratio', ms / best, timesMax));
      }
    }
    await child.stop();
    return {
      figures,
      notes: [
        'A cleaning fee, two taxes and two discounts in every property, as in the section prices. Areas are random words: nearly each property has its own.',
      ],
      details,
    };
  },
};
