/** A real database, and a catalogue in memory that shows what the test says. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { earlierSqlite } from '../../../test/kit/earlier-copy.ts';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { sampleWrite } from '../../../test/suites/storage/sample-rows.ts';
import type { Storage } from '../../storage/storage.ts';
import { RecentReader, type ShownCatalogue } from './recent-changes.ts';

interface Scene {
  readonly storage: Storage;
  readonly path: string;
  readonly reader: RecentReader;
  /** Shows what is committed. */
  readonly level: () => Promise<void>;
  readonly shown: { now: ShownCatalogue | undefined };
  readonly uptime: { ms: number };
}

async function inScene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const temporary = await openTemporaryStorage();
  const { storage, databaseUrl } = temporary;
  const shown: Scene['shown'] = { now: undefined };
  const uptime = { ms: 0 };
  const level = async () => {
    const { newest: revision, stamp } = await storage.readMarks({ marks: [] });
    shown.now = { revision, history: { revision, stamp } };
  };
  const reader = new RecentReader({
    storage,
    shown: () => shown.now,
    pause: setTimeout,
    uptimeMs: () => uptime.ms,
  });
  try {
    await storage.writeProperties([sampleWrite('first')]);
    await level();
    await body({ storage, path: databaseUrl.replace('sqlite:', ''), reader, level, shown, uptime });
  } finally {
    await temporary.close();
  }
}

async function idsOf(reader: RecentReader, mayBeOldMs = 0): Promise<string[]> {
  return (await reader.read(mayBeOldMs))!.changes.map(({ propertyId }) => propertyId);
}

describe('What changed lately', () => {
  it('begins with nothing, and then has each property once, where it changed last', () =>
    inScene(async ({ storage, reader, level }) => {
      assert.deepEqual(await idsOf(reader), []);
      for (const [version, ids] of [['b', 'a'], ['c'], ['b']].entries())
        await storage.writeProperties(ids.map((id) => sampleWrite(id, { version })));
      await level();
      assert.deepEqual(await idsOf(reader), ['a', 'c', 'b']);
      await storage.withdrawProperties(['c']);
      await level();
      assert.deepEqual(await idsOf(reader), ['a', 'b', 'c']);
    }));

  it('has nothing that the catalogue in memory does not show, and what was left out once it does', () =>
    inScene(async ({ storage, reader, level, shown }) => {
      await reader.read(0);
      await storage.writeProperties([sampleWrite('a')]);
      await level();
      const before = shown.now;
      await storage.writeProperties([sampleWrite('b')]);
      assert.deepEqual(await idsOf(reader), ['a']);
      assert.equal((await reader.read(0))!.upTo.revision, before!.revision);
      const reading = idsOf(reader);
      await level();
      await reading;
      assert.deepEqual(await idsOf(reader), ['a', 'b']);
      shown.now = undefined;
      assert.equal(await reader.read(0), undefined);
    }));

  it('may be a little old for those who say so', () =>
    inScene(async ({ storage, reader, level, uptime }) => {
      await reader.read(0);
      await storage.writeProperties([sampleWrite('a')]);
      await level();
      uptime.ms += 59_999;
      assert.deepEqual(await idsOf(reader, 60_000), []);
      uptime.ms += 1;
      assert.deepEqual(await idsOf(reader, 60_000), ['a']);
    }));

  it('is read again where the database went back behind what was read, and memory had not shown it', () =>
    inScene(async ({ storage, path, reader, shown }) => {
      const copy = earlierSqlite(path);
      await copy.keep();
      await storage.writeProperties([sampleWrite('lost')]);
      const { history } = shown.now!;
      assert.notDeepEqual((await reader.read(0))!.readTo, history);
      await copy.goBack();
      assert.deepEqual((await reader.read(0))!.readTo, history);
    }));

  it('remembers no mark behind it as one of its history', () =>
    inScene(async ({ storage, path, reader }) => {
      const recent = (await reader.read(0))!;
      const copy = earlierSqlite(path);
      await copy.keep();
      await storage.writeProperties([sampleWrite('lost')]);
      const { newest: revision, stamp } = await storage.readMarks({ marks: [] });
      const later = { revision, stamp };
      assert.equal(await reader.continues([later], recent), true);
      await copy.goBack();
      assert.equal(await reader.continues([later], recent), false);
    }));

  it('forgets a database that went back while the catalogue had not shown all of it', () =>
    inScene(async ({ storage, path, reader, level, shown }) => {
      const copy = earlierSqlite(path);
      await copy.keep();
      const kept = shown.now;
      await storage.writeProperties([sampleWrite('lost')]);
      const reading = reader.read(0);
      await level();
      const lost = (await reading)!;
      assert.equal(await reader.continues([lost.upTo], lost), true);
      await copy.goBack();
      shown.now = kept;
      const found = (await reader.read(0))!;
      assert.deepEqual(found.changes, []);
      assert.equal(await reader.continues([lost.upTo], found), false);
      await storage.writeProperties([sampleWrite('found')]);
      await level();
      assert.deepEqual(await idsOf(reader), ['found']);
    }));
});
