/** Starts from a saved catalogue and a real database, and files of killed writers. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { eventually, silent, write } from '../../../test/kit/follower-fixtures.ts';
import { NOT_COUNTED, startProcess } from '../../../test/kit/processes/start.ts';
import { type FiledCatalogue, makeFiled, openFiled } from '../../../test/kit/saved-catalogue.ts';
import { NOW_MS } from '../../../test/kit/catalogue-samples.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import type { Snapshot } from '../../storage/catalogue/store.ts';
import type { Storage } from '../../storage/storage.ts';
import { type CatalogueSource, followCatalogue } from './follower.ts';
import { pauseFor } from './retry-loop.ts';

const FIRST_IDS = Array.from({ length: 60 }, (_, index) => `h${index}`);

const SAVING = join(import.meta.dirname, '..', '..', '..', 'test', 'kit', 'processes', 'save-catalogue.ts');
const isTemporary = (name: string): boolean => name.endsWith('.tmp');

function pathBeside({ databaseUrl }: TemporaryStorage): string {
  return join(dirname(databaseUrl.slice('sqlite:'.length)), 'catalogue.cache');
}

function follow(filed: FiledCatalogue, storage: Storage): CatalogueSource {
  return followCatalogue({
    storage,
    catalogue: filed.catalogue,
    logger: silent,
    pause: pauseFor(2),
    openSaved: () => filed.file.open(),
  });
}

/** A database with properties, and the file of a process that followed it and stopped. */
async function withFile(work: (database: TemporaryStorage, path: string) => Promise<void>): Promise<void> {
  const database = await openTemporaryStorage(() => NOW_MS);
  try {
    for (let from = 0; from < FIRST_IDS.length; from += 20)
      await database.storage.writeProperties(FIRST_IDS.slice(from, from + 20).map((id) => write(id, 100)));
    const path = pathBeside(database);
    const filed = makeFiled({ path });
    const source = follow(filed, database.storage);
    await source.ready;
    await source.stop();
    await filed.file.save(() => source.settled?.());
    assert.match(filed.lines.join('\n'), /^no catalogue was saved/);
    await work(database, path);
  } finally {
    await database.close();
  }
}

describe('a start with a saved catalogue', () => {
  it('reads what changed since, and nothing else, before it is ready', () =>
    withFile(async ({ storage }, path) => {
      await storage.writeProperties([write('h3', 200), write('new', 100)]);
      await storage.withdrawProperties(['h5']);
      const filed = makeFiled({ path });
      const openSnapshot = () => assert.fail('the whole database was read');
      const source = follow(filed, { ...storage, openSnapshot });
      assert.equal(source.state().loadsFrom, 'file');
      await source.ready;
      const { loadsFrom, revision, lagRevisions } = source.state();
      assert.deepEqual([loadsFrom, revision, lagRevisions], [undefined, await storage.readRevision(), 0]);
      const expected = [...FIRST_IDS.filter((id) => id !== 'h5'), 'new'].toSorted();
      assert.deepEqual([...filed.catalogue.propertyIds()].toSorted(), expected);
      assert.ok(filed.catalogue.revisionOf('h3')! > filed.catalogue.revisionOf('h4')!);
      await storage.writeProperties([write('later', 100)]);
      await eventually(() => filed.catalogue.revisionOf('later') !== undefined);
      await source.stop();
      assert.deepEqual(filed.lines, []);
    }));

  it('saves nothing when it is stopped while the database is read', () =>
    withFile(async ({ storage }) => {
      const filed = makeFiled({ path: join(tmpdir(), 'no-such-folder', 'catalogue.cache') });
      const reading = Promise.withResolvers<void>();
      const stopped = Promise.withResolvers<void>();
      const openSnapshot = async (): Promise<Snapshot> => {
        const snapshot = await storage.openSnapshot();
        return {
          ...snapshot,
          async *readProperties() {
            for await (const [first, ...rest] of snapshot.readProperties()) {
              yield [first!];
              reading.resolve();
              await stopped.promise;
              yield rest;
            }
          },
        };
      };
      const source = follow(filed, { ...storage, openSnapshot });
      await reading.promise;
      const done = source.stop();
      stopped.resolve();
      await done;
      assert.equal(source.settled?.(), undefined, 'what is held is not all that the database has');
    }));

  it('waits for a database that does not answer, and says meanwhile what it loads from', () =>
    withFile(async ({ storage }, path) => {
      const asked = Promise.withResolvers<void>();
      const answers = Promise.withResolvers<void>();
      const filed = makeFiled({ path });
      const source = follow(filed, {
        ...storage,
        async readHistory(known) {
          asked.resolve();
          await answers.promise;
          return await storage.readHistory(known);
        },
      });
      await asked.promise;
      assert.equal(source.state().loadsFrom, 'file');
      assert.equal(filed.catalogue.size().properties, 0);
      answers.resolve();
      await source.ready;
      assert.equal(filed.catalogue.size().properties, FIRST_IDS.length);
      await source.stop();
    }));

  for (const [what, writeCount] of [
    ['went back behind it', 1],
    ['went another way', 5],
  ] as const) {
    it(`reads a database that ${what}, and says so in one line`, () =>
      withFile(async (_database, path) => {
        const other = await openTemporaryStorage(() => NOW_MS);
        try {
          for (let index = 0; index < writeCount; index++)
            await other.storage.writeProperties([write(`other${index}`, 100)]);
          const filed = makeFiled({ path });
          const source = follow(filed, other.storage);
          await source.ready;
          assert.equal(filed.catalogue.size().properties, writeCount);
          assert.deepEqual(filed.lines, ['is of another history than the database, or too old']);
          await source.stop();
          // And its own takes the place of it.
          await filed.file.save(() => source.settled?.());
          const again = makeFiled({ path });
          assert.ok(await openFiled(again));
          assert.equal(again.catalogue.size().properties, writeCount);
        } finally {
          await other.close();
        }
      }));
  }
});

describe('a process that saves its catalogue', () => {
  it('leaves a whole file whenever it is killed', () =>
    withFile(async (_database, path) => {
      let isOfKilled = 0;
      for (let round = 0; round < 6; round++) {
        const firstCount = 100 * (round + 1);
        await using saving = startProcess('save-catalogue', [path, String(firstCount)]);
        await saving.output.next();
        await delay(round * 7);
        await saving.kill();
        const filed = makeFiled({ path });
        assert.ok(await openFiled(filed), filed.lines.join('\n'));
        if (filed.catalogue.size().properties >= firstCount) isOfKilled += 1;
      }
      assert.equal(isOfKilled, 6);
    }));

  const isWindows = process.platform === 'win32';
  it('leaves the file as it was when there is no room for another', { skip: isWindows }, () =>
    withFile(async (_database, path) => {
      const before = makeFiled({ path });
      const history = await openFiled(before);
      const limited = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, SAVING, path, '500', 'once'];
      const { stdout } = await promisify(execFile)('sh', limited, { env: NOT_COUNTED });
      assert.match(stdout, /^EFBIG/);
      assert.deepEqual(await readdir(dirname(path)).then((names) => names.filter(isTemporary)), []);
      const after = makeFiled({ path });
      assert.deepEqual(await openFiled(after), history);
      assert.equal(after.catalogue.size().properties, FIRST_IDS.length);
    }),
  );
});
