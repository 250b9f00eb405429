import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTemporaryStorage } from '../../test/temporary-storage.ts';
import { systemClock } from '../clock.ts';
import { calendarRanges } from '../domain/calendar.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import type { StoredProperty } from '../storage/storage.ts';
import { openCatalogueFile } from './catalogue-file.ts';
import { runImport } from './import-run.ts';

const PROCESS = fileURLToPath(new URL('./import-process-fixture.ts', import.meta.url));
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
    const { storage, databaseUrl, close } = await openTemporaryStorage();
    const folder = await mkdtemp(join(tmpdir(), 'stayport-test-'));
    try {
      const file = join(folder, 'catalogue.ndjson');
      await writeFile(file, Array.from({ length: PROPERTY_COUNT }, (_, index) => makeLine(index)).join('\n'));

      const child = spawn(process.execPath, [PROCESS, databaseUrl, file], { stdio: 'inherit' });
      const exit = once(child, 'exit');
      while ((await storage.listPropertyIds('catalogue', '', 1)).length === 0) await sleep(1);
      child.kill('SIGKILL');
      const [code, signal] = (await exit) as [number | null, string | null];
      assert.deepEqual([code, signal], [null, 'SIGKILL']);

      const left = await storage.listPropertyIds('catalogue', '', PROPERTY_COUNT + 1);
      assert.ok(left.length > 0 && left.length < PROPERTY_COUNT, `${left.length} properties were left`);
      for (const propertyId of left) assertWhole((await storage.findProperty(propertyId))!);

      const supply = await openCatalogueFile({ file, standardInput: process.stdin, readsTwice: false });
      const options = { storage, clock: systemClock, source: 'catalogue', horizonNights: 730 };
      const { summary } = await runImport(supply, options);
      const { created, unchanged, changed, rejected } = summary;
      assert.deepEqual(
        { created, unchanged, changed, rejected },
        { created: PROPERTY_COUNT - left.length, unchanged: left.length, changed: 0, rejected: 0 },
      );
    } finally {
      await close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
