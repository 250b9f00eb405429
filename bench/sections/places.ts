/** What a city suggestion costs inside the process, among the names of many cities. */
import { parseLocalDate } from '../../src/domain/local-date.ts';
import { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import { asFollowed } from '../catalogue/property-generator.ts';
import { makeWorld } from '../catalogue/world.ts';
import { median, percentile } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { withBar } from './beside.ts';

const NAMES = { full: 50_000, quick: 5_000 };
const ASKED = 200;
const WARM_UP = 2;
const MS_MAX = 0.3;
const TODAY = parseLocalDate('2026-11-20')!;
const NOON_MS = (TODAY + 0.5) * 86_400_000;

type Draw = () => number;

/** Texts as partners type them. */
const TEXTS: Readonly<Record<string, (name: string, draw: Draw) => string>> = {
  'the whole name': (name) => name,
  'five letters': (name) => name.slice(0, 5),
  'two mistakes': (name, draw) => mistype(mistype(name, draw), draw),
  'one letter': (name) => name.slice(0, 1),
};

export const places: Section = {
  name: 'places',
  title: 'City suggestions inside the process',
  seconds: { full: 60, quick: 10 },
  async run({ options }) {
    const random = seedRandom(SEED);
    const draw = () => random.fraction();
    const world = makeWorld(TODAY, options.isQuick ? NAMES.quick : NAMES.full);
    const names = world.places.map(({ city }) => city);
    const { horizonNights } = world.profile;
    const catalogue = new Catalogue({ clock: () => NOON_MS, horizonNights });
    for (const [index, place] of world.places.entries())
      catalogue.writer.apply(asFollowed(world.propertyIn(place, index), world.profile));
    catalogue.writer.publish();
    const figures = [];
    const details: Record<string, readonly number[]> = {};
    for (const [name, textOf] of Object.entries(TEXTS)) {
      const texts = Array.from({ length: ASKED }, () =>
        textOf(names[Math.floor(draw() * names.length)]!, draw),
      );
      const ms = timeAll(catalogue, texts);
      details[name] = ms;
      figures.push(
        withBar(`${name}, median`, 'ms', median(ms), name === 'two mistakes' ? MS_MAX : undefined),
      );
      figures.push(withBar(`${name}, p99`, 'ms', percentile(ms, 99)));
    }
    return { figures, notes: [`${names.length} names, a property in each.`], details };
  },
};

function timeAll({ questions }: Catalogue, texts: readonly string[]): number[] {
  const asked = {
    country: undefined,
    locale: 'en-GB',
    limit: 10,
    partnerId: 'bench',
  } as const;
  const ms: number[] = [];
  for (let round = 0; round <= WARM_UP; round += 1) {
    for (const text of texts) {
      const begunMs = performance.now();
      questions.answer('cities', { ...asked, text });
      if (round === WARM_UP) ms.push(performance.now() - begunMs);
    }
  }
  return ms;
}

/** A letter left out, doubled, replaced, or two neighbours swapped. */
function mistype(text: string, draw: Draw): string {
  const at = Math.floor(draw() * (text.length - 1));
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const kinds = [
    before + after,
    before + text[at]! + text[at]! + after,
    `${before}x${after}`,
    before + after[0]! + text[at]! + after.slice(1),
  ];
  return kinds[Math.floor(draw() * kinds.length)]!;
}
