/**
 * Days of changes take no more memory than the first one. `SIMULATED_DAYS` sets their number; each has 1,500 changes:
 * calendars, texts of other lengths, properties that go and come, and a night that ends.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { followed, makeProperty, NOW_MS, seededRandom, TODAY } from '../../../test/kit/catalogue-samples.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { CatalogueReader } from './catalogue-reader.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { Heap } from './memory/heap.ts';
import { SEGMENT_BYTES } from './memory/memory.ts';
import { allocatePublication, Publishing, Reading } from './memory/publication.ts';

const DAYS = Number(process.env['SIMULATED_DAYS'] ?? 7);
const DAY_MS = 86_400_000;
const CHANGES_PER_DAY = 1_500;
/** Published together, as a follower does. */
const CHANGES_PER_VERSION = 25;
const PROPERTIES = 1_500;
const CITIES = ['Venezia', 'Roma', 'Milano', 'Verona'];
const HORIZON_NIGHTS = 365;

describe('A catalogue that changes for days', () => {
  it('takes no more memory than after the first one, and holds what was written last', (test) => {
    let nowMs = NOW_MS;
    const options = { clock: () => nowMs, horizonNights: HORIZON_NIGHTS };
    const publication = allocatePublication(1);
    const heap = new Heap({ publishing: new Publishing(publication) });
    const writer = new CatalogueWriter(options, heap);
    const reader = new CatalogueReader(options, heap, new Reading(publication, 0));
    const random = seededRandom(7);
    const held = new Set<number>();
    let revision = 0;

    function change(index: number): void {
      revision += 1;
      if (held.has(index) && random() < 0.05) {
        writer.apply({ propertyId: `h${index}`, revision });
        held.delete(index);
        return;
      }
      held.add(index);
      writer.apply(followed(drawSample(index, random), revision));
    }
    const changeAll = (): void => {
      for (const index of held) change(index);
    };
    for (let index = 0; index < PROPERTIES; index++) held.add(index);
    changeAll();
    writer.publish();

    const levels: number[] = [];
    for (let day = 0; day < DAYS; day++) {
      nowMs += DAY_MS;
      if (writer.isRefillDue()) {
        writer.moveOn();
        changeAll();
      }
      for (let count = 1; count <= CHANGES_PER_DAY; count++) {
        change(Math.floor(random() * PROPERTIES));
        if (count % CHANGES_PER_VERSION === 0) writer.publish();
      }
      const { bytes, freeBytes } = heap.use;
      levels.push(bytes - freeBytes);
      assert.equal(reader.size().properties, held.size);
    }
    test.diagnostic(
      `MiB in use after each day: ${levels.map(inMib).join(', ')}; of ${inMib(heap.use.bytes)}`,
    );
    const [first] = levels as [number];
    for (const level of levels.slice(1)) assert.ok(level < first * 1.1, levels.map(inMib).join(', '));
    assert.ok(heap.use.bytes <= 2 * first + SEGMENT_BYTES, `${heap.use.bytes} bytes for ${first}`);
  });
});

function inMib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}

function drawSample(index: number, random: () => number) {
  const below = (limit: number): number => Math.floor(random() * limit);
  const from = TODAY + below(60);
  const calendar = buildCalendar([
    { from, to: from + 1 + below(200), set: { availability: below(3), rate: 5_000 + below(5_000) } },
    { from: from + 5, to: from + 9, set: { minStayArrival: 1 + below(5), closedToArrival: below(2) } },
  ]);
  const guestsMax = random() < 0.2 ? [2, 4] : [2];
  const given = {
    description: 'x'.repeat(below(1_500)),
    // Some move to another city.
    location: {
      city: CITIES[random() < 0.02 ? below(CITIES.length) : index % CITIES.length]!,
      country: 'IT',
      area: null,
    },
  };
  return { property: makeProperty(`h${index}`, given, guestsMax), calendars: guestsMax.map(() => calendar) };
}
