/** A city of thousands of inventory types, which the index holds in several parts: whole, ordered, and in step. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../kit/command-line.ts';
import { december, double, hotel, inCity, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';

const PROPERTY_COUNT = 1_800;
const STAY = { checkIn: '2026-12-10', checkOut: '2026-12-12' };

/** Ids that do not come in the order of their numbers, and leave room between them. */
const idOf = (index: number) => `h${(index * 7919) % 10_007}-${index}`;
/** Closed on the first night of the stay, on neither, or on the second; the second type is always sold out. */
const isOpen = (index: number) => index % 3 === 1;

function property(index: number): Line {
  const closed = nights('2026-12-10', '2026-12-10', { availability: 0 });
  const later = nights('2026-12-11', '2026-12-11', { stopSell: true });
  const calendar = [[december(), closed], [december()], [december(), later]][index % 3]!;
  const soldOut = double({ inventoryTypeId: 'z', guestsMax: 4, calendar: [december({ availability: 0 })] });
  return hotel(idOf(index), {
    ...inCity('Metropolis'),
    inventoryTypes: index % 2 === 0 ? [double({ calendar })] : [double({ calendar }), soldOut],
  });
}

let running: Running;
/** Numbers of the properties that are there. */
const present = new Set(Array.from({ length: PROPERTY_COUNT }, (_, index) => index));
before(async () => {
  running = await startInstallation([...present].map(property));
});
after(() => running.installation.close());

async function pagesOf(query: object): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { success } = await running.partner.search({ city: 'Metropolis', ...query, page, pageSize: 50 });
    ids.push(...success.items.map(({ propertyId }) => propertyId));
    if (success.pagination.hasMore) continue;
    assert.equal(success.pagination.total, ids.length);
    return ids;
  }
}

const expectedIds = (isWanted: (index: number) => boolean) =>
  [...present].filter(isWanted).map(idOf).toSorted();

async function assertWhole(): Promise<void> {
  assert.deepEqual(
    await pagesOf({}),
    expectedIds(() => true),
  );
  assert.deepEqual(await pagesOf(STAY), expectedIds(isOpen));
  assert.deepEqual(
    await pagesOf({ guests: 3 }),
    expectedIds((index) => index % 2 === 1),
  );
}

const total = async () => (await running.partner.search({ city: 'Metropolis' })).success.pagination.total;

describe('a city of thousands of inventory types', () => {
  it('is listed whole and in order, with dates and without', assertWhole);

  it('stays so when a third of it goes', async () => {
    const going = [...present].filter((index) => index % 5 < 2);
    await running.installation.storage.withdrawProperties(going.map(idOf));
    for (const index of going) present.delete(index);
    await until(async () => (await total()) === present.size);
    await assertWhole();
  });

  it('stays so when others come in between', async () => {
    const coming = Array.from({ length: 700 }, (_, index) => PROPERTY_COUNT + index);
    await running.installation.importLines(coming.map(property));
    for (const index of coming) present.add(index);
    await until(async () => (await total()) === present.size);
    await assertWhole();
  });
});
