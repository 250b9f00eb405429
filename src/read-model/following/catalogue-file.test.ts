import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  type Sample,
  sampleArb,
  TODAY,
} from '../../../test/kit/catalogue-samples.ts';
import {
  applyAll,
  type FiledOptions,
  makeFiled,
  openFiled,
  settledAt,
} from '../../../test/kit/saved-catalogue.ts';
import { type ByteText, parseByteText } from '../catalogue/bodies/byte-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { LOCALES } from '../../domain/property.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { SAVE_INTERVAL_MS } from './catalogue-file.ts';

const RUNS = { seed: 20_261_122, numRuns: 25 };
const DAY_MS = 86_400_000;

let folder: string;
before(async () => (folder = await mkdtemp(join(tmpdir(), 'stayport-'))));
after(() => rm(folder, { recursive: true, force: true }));

const samplesArb = fc.array(sampleArb, { minLength: 1, maxLength: 60, size: 'max' });

describe('a catalogue read from its file', () => {
  it('answers as the one that was saved, then and after the same changes', async () => {
    const path = join(folder, 'same');
    await fc.assert(
      fc.asyncProperty(samplesArb, samplesArb, async (samples, changes) => {
        const saved = makeFiled({ path });
        applyAll(saved.catalogue, samples);
        await saved.file.save(settledAt(99));
        const read = makeFiled({ path });
        assert.deepEqual(await openFiled(read), settledAt(99)());
        assertSame(read.catalogue, saved.catalogue);
        for (const { catalogue } of [saved, read]) applyAll(catalogue, changes, 100);
        assertSame(read.catalogue, saved.catalogue);
        // And once more, from memory that was an image before.
        await read.file.save(settledAt(200));
        const again = makeFiled({ path });
        await openFiled(again);
        assertSame(again.catalogue, saved.catalogue);
        for (const id of idsOf(again.catalogue)) again.catalogue.forget(id);
        assert.deepEqual(again.catalogue.size(), { properties: 0, inventoryTypes: 0, markets: 0 });
      }),
      RUNS,
    );
  });

  it('a saved catalogue is that of the moment when saving began, whatever changes meanwhile', async () => {
    const path = join(folder, 'meanwhile');
    const { catalogue, file } = makeFiled({ path });
    applyAll(catalogue, hotels(0, 400));
    const asked = digest(answersOf(catalogue));
    const saving = file.save(settledAt(400));
    let isSaving = true;
    void saving.then(() => (isSaving = false));
    await new Promise(setImmediate);
    let changeCount = 0;
    while (isSaving) {
      for (let index = 0; index < 5; index++) {
        catalogue.forget(`h${changeCount % 400}`);
        applyAll(catalogue, hotels(500 + changeCount++, 1), 500);
      }
      await new Promise(setImmediate);
    }
    await saving;
    assert.ok(changeCount > 5, `${changeCount} changes while it was saved`);
    const read = makeFiled({ path });
    assert.deepEqual(await openFiled(read), settledAt(400)());
    assert.equal(digest(answersOf(read.catalogue)), asked);
  });

  it('has the nights and the prices of the day on which it is read', async () => {
    const path = join(folder, 'later');
    const saved = makeFiled({ path });
    applyAll(saved.catalogue, hotels(0, 5));
    await saved.file.save(settledAt(5));
    const nowMs = NOW_MS + 10 * DAY_MS;
    const read = makeFiled({ path, nowMs });
    const built = makeFiled({ path, nowMs });
    assert.ok(await openFiled(read));
    applyAll(built.catalogue, hotels(0, 5));
    assertSame(read.catalogue, built.catalogue);
  });
});

describe('the file of the catalogue', () => {
  const refusals: [string, Partial<FiledOptions>, RegExp][] = [
    ['another database', { database: 'two' }, /^is of another database$/],
    ['other code', { layout: 'two' }, /^is of another version$/],
    ['another horizon', { horizonNights: HORIZON_NIGHTS + 1 }, /^is of another HORIZON_NIGHTS$/],
    ['nights long past', { nowMs: NOW_MS + 15 * DAY_MS }, /^its nights are too old$/],
    ['a day that is not yet', { nowMs: NOW_MS - DAY_MS }, /^its nights are too old$/],
  ];
  for (const [what, changed, reason] of refusals) {
    it(`is not used when it is of ${what}`, async () => {
      const path = await saveHotels('refused');
      const other = makeFiled({ path, ...changed });
      assert.equal(await openFiled(other), undefined);
      assert.match(other.lines.join('\n'), reason);
      assertEmpty(other.catalogue);
    });
  }

  it('is not used when it is missing, or others may write it, and each time one line says so', async () => {
    const missing = makeFiled({ path: join(folder, 'missing') });
    assert.equal(await openFiled(missing), undefined);
    assert.deepEqual(missing.lines, ['no catalogue was saved: the database is read']);
    const path = await saveHotels('open');
    await chmod(path, 0o620);
    const open = makeFiled({ path });
    assert.equal(await openFiled(open), undefined);
    assert.deepEqual(open.lines, ['may be written by other users']);
  });

  it('is not used when it was cut off anywhere, or goes on', async () => {
    const path = await saveHotels('cut');
    const whole = await readFile(path);
    for (const length of [0, 3, 8, 60, ...sectionStarts(whole).slice(1), whole.length - 1]) {
      await writeFile(path, whole.subarray(0, length));
      await assertRefused(path, /^(ends in section \d|is damaged)/);
    }
    await writeFile(path, Buffer.concat([whole, Buffer.from('x')]));
    await assertRefused(path, /^goes on behind its end$/);
  });

  it('is not used when one bit is another one, in any section', async () => {
    const path = await saveHotels('flipped');
    const whole = await readFile(path);
    const starts = sectionStarts(whole);
    assert.ok(starts.length >= 3);
    for (const [index, start] of starts.entries()) {
      const end = starts[index + 1] ?? whole.length;
      for (const place of [start, start + 3, start + 4, start + 8, (start + 8 + end) >> 1, end - 1]) {
        const flipped = Buffer.from(whole);
        flipped[place]! ^= 0x10;
        await writeFile(path, flipped);
        await assertRefused(path, /^(is damaged in|ends in) section \d$/);
      }
    }
  });

  it('is for its owner alone, and has nothing of what was withdrawn', async () => {
    const path = join(folder, 'private');
    const { catalogue, file } = makeFiled({ path });
    applyAll(catalogue, hotels(0, 20));
    catalogue.forget('h7');
    await file.save(settledAt(1));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    const bytes = await readFile(path);
    assert.ok(bytes.includes('House h6') && !bytes.includes('House h7'));
  });

  it('is written every ten minutes, when something has changed, and never without a stamp', async () => {
    const path = join(folder, 'when');
    let uptimeMs = 0;
    const { catalogue, file } = makeFiled({ path, uptimeMs: () => uptimeMs });
    applyAll(catalogue, hotels(0, 2));
    const written = async () => {
      await file.save(() => undefined);
      return (await stat(path).catch(() => undefined))?.ino;
    };
    uptimeMs = SAVE_INTERVAL_MS - 1;
    file.saveWhenDue(settledAt(1));
    assert.equal(await written(), undefined);
    uptimeMs = SAVE_INTERVAL_MS;
    file.saveWhenDue(() => ({ revision: 1, stamp: '' }));
    assert.equal(await written(), undefined);
    uptimeMs = 2 * SAVE_INTERVAL_MS;
    file.saveWhenDue(settledAt(1));
    const first = await written();
    assert.ok(first !== undefined);
    uptimeMs = 3 * SAVE_INTERVAL_MS;
    file.saveWhenDue(settledAt(1));
    assert.equal(await written(), first);
    applyAll(catalogue, hotels(2, 1));
    uptimeMs = 4 * SAVE_INTERVAL_MS;
    file.saveWhenDue(settledAt(2));
    assert.notEqual(await written(), first);
  });

  it('is whole whenever it is looked at while two write it, and of one of them', async () => {
    const path = join(folder, 'two');
    const writers = [makeFiled({ path }), makeFiled({ path })];
    const work = writers.map(async ({ catalogue, file }, index) => {
      for (let round = 0; round < 15; round++) {
        applyAll(catalogue, hotels(index * 1000 + round, 1), round + 1);
        await file.save(settledAt(index * 1000 + round + 1));
      }
    });
    let isWriting = true;
    const written = Promise.all(work).then(() => (isWriting = false));
    const seen = new Set<number>();
    while (isWriting) {
      const read = makeFiled({ path });
      const revision = (await openFiled(read))?.revision;
      if (revision === undefined) {
        assert.match(read.lines.join('\n'), /^no catalogue was saved/);
        continue;
      }
      seen.add(revision);
      assert.equal(read.catalogue.size().properties, revision % 1000);
    }
    await written;
    assert.ok(seen.size > 2);
    assert.ok(writers.every(({ lines }) => lines.length === 0));
    assert.deepEqual(await leftovers(path), []);
  });

  it('has no leftovers beside it for longer than an hour', async () => {
    const path = await saveHotels('left');
    const names = ['.0123456789abcdef.tmp', '.fedcba9876543210.tmp', '.mine.tmp'];
    for (const name of names) await writeFile(path + name, '');
    const old = new Date(Date.now() - 3_700_000);
    for (const name of [names[0]!, names[2]!]) await utimes(path + name, old, old);
    await saveHotels('left');
    assert.deepEqual((await leftovers(path)).toSorted(), [names[1], names[2]]);
  });
});

async function saveHotels(name: string): Promise<string> {
  const path = join(folder, name);
  const { catalogue, file } = makeFiled({ path });
  applyAll(catalogue, hotels(0, 50));
  await file.save(settledAt(50));
  return path;
}

async function assertRefused(path: string, reason: RegExp): Promise<void> {
  const filed = makeFiled({ path });
  assert.equal(await openFiled(filed), undefined);
  assert.match(filed.lines.join('\n'), reason);
  assertEmpty(filed.catalogue);
  applyAll(filed.catalogue, hotels(0, 1));
  assert.equal(filed.catalogue.size().properties, 1);
}

function assertEmpty(catalogue: Catalogue): void {
  assert.deepEqual(catalogue.size(), { properties: 0, inventoryTypes: 0, markets: 0 });
}

async function leftovers(path: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .map((name) => join(folder, name))
    .flatMap((name) => (name.startsWith(`${path}.`) ? [name.slice(path.length)] : []));
}

/** The start of each section, from the lengths. */
function sectionStarts(bytes: Buffer): number[] {
  const starts: number[] = [];
  for (let start = 0; start < bytes.length; start += 8 + bytes.readUInt32LE(start)) starts.push(start);
  return starts;
}

function hotels(from: number, count: number): Sample[] {
  const open = buildCalendar([
    { from: TODAY, to: TODAY + 5, set: { availability: 1, rate: 5000 } },
    { from: TODAY + 6, to: TODAY + 90, set: { availability: 2, rate: 9000 } },
  ]);
  return Array.from({ length: count }, (_, index) => ({
    property: makeProperty(`h${from + index}`, {}, [2, 3]),
    calendars: [open, open],
  }));
}

function idsOf(catalogue: Catalogue): string[] {
  return [...catalogue.propertyIds()].toSorted();
}

function read(text: ByteText | undefined): unknown {
  return text && parseByteText(text);
}

function assertSame(one: Catalogue, other: Catalogue): void {
  assert.equal(digest(answersOf(one)), digest(answersOf(other)));
}

/** Answers are too long to compare in a failure message. */
function digest(answers: unknown): string {
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex');
}

function answersOf(catalogue: Catalogue): unknown {
  const pages = ['venezia', 'venice', 'venise', 'venecia'].flatMap((city) =>
    ['p1', 'p2'].flatMap((partnerId) =>
      [undefined, { checkIn: TODAY + 11, checkOut: TODAY + 13 }].flatMap((stay) => {
        const query = { city, country: undefined, partnerId, stay, guests: 2, page: 1, pageSize: 100 };
        return LOCALES.map((locale) => Buffer.from(catalogue.list({ ...query, locale })).toString());
      }),
    ),
  );
  const properties = idsOf(catalogue).map((propertyId) => {
    const stay = { checkIn: TODAY + 10, checkOut: TODAY + 15, guests: 2 };
    return {
      propertyId,
      revision: catalogue.revisionOf(propertyId),
      names: catalogue.namesOf(propertyId),
      city: catalogue.marketOf(propertyId)?.key,
      summary: read(catalogue.findSummary(propertyId, LOCALES[0]!, 'p1')),
      days: read(catalogue.findAvailability({ propertyId, ...stay, partnerId: 'p1' })),
    };
  });
  return { size: catalogue.size(), pages, properties, city: catalogue.propertiesOf('Venezia', 'IT') };
}
