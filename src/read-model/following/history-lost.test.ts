/** A database goes back while a process follows it: memory ends as if read from the start. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HORIZON_NIGHTS, NOW_MS } from '../../../test/kit/catalogue-samples.ts';
import {
  type EarlierCopy,
  earlierPostgres,
  earlierSqlite,
  replacedSqlite,
} from '../../../test/kit/earlier-copy.ts';
import { eventually, silent, startingPrice, write } from '../../../test/kit/follower-fixtures.ts';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { describePostgres, untilItWorks } from '../../../test/suites/storage/postgres-fixture.ts';
import { sampleCredential } from '../../../test/suites/storage/sample-rows.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { FILE_CACHED_MS } from '../../storage/open-sqlite.ts';
import { openStorage } from '../../storage/open.ts';
import type { AccessRows } from '../../storage/access/store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Follower } from './follower.ts';
import { startFollower } from '../../../test/kit/whole-follower.ts';
import { pauseFor } from './retry-loop.ts';

interface World {
  readonly storage: Storage;
  readonly copy: EarlierCopy;
  readonly catalogue: Catalogue;
  readonly follower: Follower;
  readonly access: () => AccessRows;
  readonly lines: { readonly message: string; readonly work: unknown }[];
}

type Open = () => Promise<{ storage: Storage; copy: EarlierCopy; close: () => Promise<void> }>;

/** Follows a database with three properties and a credential, and keeps a copy of it. */
async function follow(open: Open, work: (world: World) => Promise<void>): Promise<void> {
  const { storage, copy, close } = await open();
  await storage.writeProperties(['a', 'b', 'c'].map((id) => write(id, 100)));
  await storage.putCredentials([sampleCredential('old')]);
  await copy.keep();
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  const lines: World['lines'] = [];
  const warn = (fields: object, message: string) =>
    lines.push({ message, work: (fields as { work?: string }).work });
  let rows: AccessRows | undefined;
  const follower = startFollower({
    storage,
    catalogue,
    onAccess: (taken) => void (rows = taken),
    logger: { ...silent, warn, error: warn },
    pause: pauseFor(5),
  });
  try {
    await follower.ready;
    await work({ storage, copy, catalogue, follower, access: () => rows!, lines });
  } finally {
    await follower.stop();
    await close();
  }
}

const credentialIds = ({ credentials }: AccessRows) => credentials.map((row) => row.credentialId);

async function untilLevel({ storage, follower }: World): Promise<void> {
  const revision = await storage.readRevision();
  await eventually(() => follower.freshness().revision === revision);
}

function describeLoss(name: string, open: Open): void {
  describe(name, () => {
    it('reads what it holds again when the counter went back', () =>
      follow(open, async (world) => {
        const { storage, copy, catalogue } = world;
        for (let rate = 1; rate <= 8; rate++) await storage.writeProperties([write('a', 200 + rate)]);
        await storage.writeProperties([write('new', 1)]);
        await untilLevel(world);
        await copy.goBack();
        await untilItWorks(() => storage.withdrawProperties(['b']));
        await eventually(() => catalogue.revisionOf('b') === undefined);
        await eventually(() => catalogue.revisionOf('new') === undefined);
        await eventually(() => startingPrice(catalogue, 'a') === '1.00');
        await storage.writeProperties([write('c', 700)]);
        await eventually(() => startingPrice(catalogue, 'c') === '7.00');
        assert.deepEqual(
          world.lines
            .filter(({ message }) => /restored to an earlier/.test(message))
            .map(({ work }) => work)
            .toSorted(),
          ['access', 'catalogue'],
        );
      }));

    it('does so too when the new history has counted past the old one', () =>
      follow(open, async (world) => {
        const { storage, copy, catalogue, access } = world;
        await storage.writeProperties([write('a', 250), write('new', 1)]);
        await storage.putCredentials([sampleCredential('lost')]);
        await untilLevel(world);
        await copy.goBack();
        await untilItWorks(() => storage.withdrawProperties(['b']));
        for (let rate = 1; rate <= 8; rate++) await storage.writeProperties([write('c', 700 + rate)]);
        await eventually(() => catalogue.revisionOf('b') === undefined);
        await eventually(() => catalogue.revisionOf('new') === undefined);
        await eventually(() => startingPrice(catalogue, 'a') === '1.00');
        await eventually(() => startingPrice(catalogue, 'c') === '7.08');
        await eventually(() => credentialIds(access()).join() === 'old');
      }));

    it('decides a quote by what the database has, also at the revision that was read before', () =>
      follow(open, async (world) => {
        const { storage, copy } = world;
        await storage.writeProperties([write('a', 250)]);
        const before = await storage.findProperty('a');
        await copy.goBack();
        await untilItWorks(() => storage.writeProperties([write('a', 300)]));
        // For so long the identity of a SQLite file is cached.
        await delay(FILE_CACHED_MS);
        const after = await storage.findProperty('a');
        assert.equal(after?.revision, before?.revision);
        assert.deepEqual(after?.calendars, write('a', 300).calendars);
      }));

    it('notices a new history with the same revision and the same number of rows', () =>
      follow(open, async (world) => {
        const { storage, copy, catalogue, access } = world;
        await storage.writeProperties([write('a', 250)]);
        await storage.putCredentials([sampleCredential('lost')]);
        await storage.putCredentials([sampleCredential('other')]);
        await untilLevel(world);
        await copy.goBack();
        await untilItWorks(() => storage.putCredentials([sampleCredential('found')]));
        await storage.putCredentials([sampleCredential('old', { revokedAtMs: NOW_MS })]);
        await storage.putCredentials([sampleCredential('third')]);
        await eventually(() => credentialIds(access()).toSorted().join() === 'found,old,third');
        assert.equal(access().credentials.find((row) => row.credentialId === 'old')?.revokedAtMs, NOW_MS);
        await eventually(() => startingPrice(catalogue, 'a') === '1.00');
        await untilLevel(world);
      }));
  });
}

for (const [how, copyOf] of [
  ['whose content was restored', earlierSqlite],
  ['whose file was replaced', replacedSqlite],
] as const) {
  describeLoss(`a SQLite database ${how}`, async () => {
    const database = await openTemporaryStorage(() => NOW_MS);
    const copy = copyOf(database.databaseUrl.slice('sqlite:'.length));
    return { storage: database.storage, copy, close: () => database.close() };
  });
}

describePostgres('a PostgreSQL database that went back', (server) => {
  describeLoss('by a swap of names', async () => {
    const url = await server().createDatabase();
    const storage = await openStorage(url, { clock: () => NOW_MS });
    await storage.migrate();
    return { storage, copy: earlierPostgres(server(), url), close: () => storage.close() };
  });
});
