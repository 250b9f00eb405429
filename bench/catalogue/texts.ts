/** Names and descriptions of a plausible length; nobody reads them, but they are sent. */
import type { SeededRandom } from '../measure/random.ts';

const SYLLABLES =
  'ba be bo ca co da do el en fa fi ga go la le lo ma mi mo na ne no pa pe ra re ro sa se so ta te to va vi'.split(
    ' ',
  );
const AMENITIES = (
  'Wifi,Kitchen,Heating,Essentials,Smoke alarm,Hangers,Hair dryer,Iron,Hot water,Dishes and silverware,Refrigerator,' +
  'Dedicated workspace,Washer,Shampoo,First aid kit,Coffee maker,TV,Bed linens,Cooking basics,Microwave,Oven,Stove,' +
  'Fire extinguisher,Dishwasher,Host greets you,Long term stays allowed,Extra pillows and blankets,Wine glasses,' +
  'Free street parking,Freezer,Dining table,Toaster,Private entrance,Carbon monoxide alarm,Lift,Cleaning products,' +
  'Luggage dropoff allowed,Body soap,Room-darkening shades,Patio or balcony,Hot water kettle,Dryer,Crib,High chair,' +
  'Garden,Board games,Books and reading material,Bathtub,Breakfast,Air conditioning,Gym,Pool,Sauna,Bicycles'
).split(',');
const PROSE_LENGTH = 65_536;

export interface Texts {
  /** Capitalised, of 2 to 4 syllables. */
  word(): string;
  /** Words of about this many characters. */
  prose(length: number): string;
  amenities(count: number): string[];
}

export function makeTexts(random: SeededRandom): Texts {
  const syllables = (): string =>
    Array.from({ length: random.between(2, 4) }, () => random.pick(SYLLABLES)).join('');
  let prose = '';
  while (prose.length < PROSE_LENGTH) prose += `${syllables()} `;
  return {
    word() {
      const word = syllables();
      return word.charAt(0).toUpperCase() + word.slice(1);
    },
    prose(length) {
      const start = random.below(PROSE_LENGTH - length);
      return prose.slice(start, start + length).trim();
    },
    amenities(count) {
      const start = random.below(AMENITIES.length);
      return Array.from({ length: count }, (_, index) => AMENITIES[(start + index) % AMENITIES.length]!);
    },
  };
}
