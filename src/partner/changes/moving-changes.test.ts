/** A property that leaves a view and changes again before the catalogue in memory shows it is still told as gone. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { CatalogueFeed } from './catalogue-feed.ts';
import type { ShownCatalogue } from './recent-changes.ts';
import { keyring, toldOf } from '../../../test/suites/changes/feed-fixture.ts';
import { NOW_MS, type OpenFixture, withNewStorage } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgresFixture } from '../../../test/suites/storage/postgres-fixture.ts';
import { openSqliteFixture } from '../../../test/suites/storage/sqlite-fixture.ts';
import { OPEN, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { samplePartner } from '../../../test/suites/storage/sample-rows.ts';
import { systemRandom } from '../../runtime/random.ts';
import { machineUptime } from '../../runtime/clock.ts';

function describeMoving(open: OpenFixture): void {
  /** Told by the answer before everything is shown, and by the one after it. */
  const toldOfMoving = async (isRead: 'before it is left' | 'before it moves on'): Promise<string[][]> => {
    const told: string[][] = [];
    await withNewStorage(open, async (storage) => {
      let shown: ShownCatalogue | undefined;
      const level = async () => {
        const { newest: revision, stamp } = await storage.readMarks({ marks: [] });
        shown = { revision, history: { revision, stamp } };
      };
      const write = (name: string, visibleTo: readonly string[]) =>
        storage.writeProperties([suppliedWrite('a', [[OPEN]], { name, visibleTo })]);
      const feed = new CatalogueFeed({
        storage,
        shown: () => shown,
        pause: setTimeout,
        uptimeMs: machineUptime,
        keys: () => keyring,
        clock: () => NOW_MS,
        random: systemRandom,
        keptDays: 90,
      });
      const ask = async (since?: string) => toldOf(await feed.ask({ partnerId: 'acme', since, limit: 9 }));
      await storage.putPartner(samplePartner('acme'));
      await write('shown', ['acme']);
      await level();
      let { next } = await ask();
      if (isRead === 'before it is left') await ask(next);
      await write('hidden', []);
      await level();
      if (isRead === 'before it moves on') await ask((await ask()).next);
      await write('hidden and renamed', []);
      for (const isLevel of [false, true]) {
        if (isLevel) await level();
        const answer = await ask(next);
        told.push(answer.changes.map(({ change }) => change));
        ({ next } = answer);
      }
    });
    return told;
  };

  it('from what is read once for all', async () =>
    assert.deepEqual(await toldOfMoving('before it is left'), [[], ['gone']]));

  it('from the database, to those who are far behind', async () =>
    assert.deepEqual(await toldOfMoving('before it moves on'), [[], ['gone']]));
}

describe('A property that moves on while it is told: SQLite', () => describeMoving(openSqliteFixture));
describePostgres('A property that moves on while it is told', (server) =>
  describeMoving(openPostgresFixture(server)),
);
