import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeCalendar } from '../src/domain/calendar-codec.ts';
import { calendarRanges } from '../src/domain/calendar.ts';
import type { StoredProperty } from '../src/storage/catalogue/store.ts';
import { Workplace } from './kit/command-line.ts';
import { openTemporaryStorage } from './kit/temporary-storage.ts';

const PROPERTY_COUNT = 6_000;
const TYPE_COUNT = 3;

function makeLine(index: number): string {
  const rate = `${50 + (index % 100)}.00`;
  return JSON.stringify({
    propertyId: `p${String(index).padStart(6, '0')}`,
    name: `Property ${index}`,
    propertyType: 'hotel',
    location: { city: 'Roma', country: 'IT' },
    bathrooms: 1,
    currency: 'EUR',
    timezone: 'Europe/Rome',
    inventoryTypes: Array.from({ length: TYPE_COUNT }, (_, type) => ({
      inventoryTypeId: `type-${type}`,
      name: 'Type',
      guestsMax: 2,
      calendar: [{ dateFrom: '2026-12-01', dateTo: '2027-11-30', availability: type + 1, rate }],
    })),
  });
}

function assertWhole({ property, calendars }: StoredProperty): void {
  const index = Number(property.propertyId.slice(1));
  assert.equal(property.inventoryTypes.length, TYPE_COUNT);
  assert.equal(calendars.length, TYPE_COUNT);
  for (const [type, { nights, rates }] of calendars.entries()) {
    const [range] = calendarRanges(decodeCalendar(nights, rates));
    assert.deepEqual(range?.set, { availability: type + 1, rate: (50 + (index % 100)) * 100 });
  }
}

describe('An import whose process is killed in the middle', () => {
  it('leaves whole properties, and run again completes them', async () => {
    const temporary = await openTemporaryStorage();
    const { storage, databaseUrl } = temporary;
    const workplace = new Workplace({ DATABASE_URL: databaseUrl });
    try {
      const file = join(workplace.directory, 'catalogue.ndjson');
      await writeFile(file, Array.from({ length: PROPERTY_COUNT }, (_, index) => makeLine(index)).join('\n'));

      const { child, ended } = workplace.start(['import', 'catalogue', file]);
      while ((await storage.listPropertyIds('catalogue', '', 1)).length === 0) await sleep(1);
      child.kill('SIGKILL');
      assert.equal((await ended).signal, 'SIGKILL');

      const left = await storage.listPropertyIds('catalogue', '', PROPERTY_COUNT + 1);
      assert.ok(left.length > 0 && left.length < PROPERTY_COUNT, `${left.length} properties were left`);
      for (const propertyId of left) assertWhole((await storage.findProperty(propertyId))!);

      const { created, unchanged, changed, rejected } = await workplace.json(['import', 'catalogue', file]);
      assert.deepEqual(
        { created, unchanged, changed, rejected },
        { created: PROPERTY_COUNT - left.length, unchanged: left.length, changed: 0, rejected: 0 },
      );
    } finally {
      await temporary.close();
      await workplace.remove();
    }
  });
});
