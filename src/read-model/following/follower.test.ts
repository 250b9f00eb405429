import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import { buildCalendar } from '../../domain/calendar.ts';
import { buildLowestRates } from '../../domain/lowest-rates.ts';
import { openStorage } from '../../storage/open.ts';
import { StorageUnavailable, type Storage } from '../../storage/storage.ts';
import { sampleCredential, samplePartner } from '../../../test/suites/storage/sample-rows.ts';
import { HORIZON_NIGHTS, NOW_MS, TODAY } from '../../../test/kit/catalogue-samples.ts';
import { eventually, isOpenOn, silent, startingPrice, write } from '../../../test/kit/follower-fixtures.ts';
import { until } from '../../../test/kit/command-line.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { Wrong } from '../../domain/wrong.ts';
import { type Follower, judgeReadiness } from './follower.ts';
import { type FollowerOptions, startFollower } from '../../../test/kit/whole-follower.ts';
import { pauseFor } from './retry-loop.ts';

describe('the follower', () => {
  let folder: string;
  let storage: Storage;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stayport-follower-'));
    storage = await openStorage(`sqlite:${join(folder, 'follow.db')}`, { clock: () => NOW_MS });
    await storage.migrate();
    await storage.writeProperties(Array.from({ length: 250 }, (_, index) => write(`h${index}`, 100)));
  });

  after(async () => {
    await storage.close();
    await rm(folder, { recursive: true });
  });

  it('starts with everything that is stored', async () => {
    await withFollower({}, async ({ catalogue }) => {
      assert.equal(catalogue.size().properties, 250);
      assert.equal(startingPrice(catalogue, 'h7'), '1.00');
    });
  });

  it('shows a write, a withdrawal and a partner made behind its back within a second', async () => {
    const seen: string[][] = [];
    const onAccess: FollowerOptions['onAccess'] = (rows) =>
      seen.push(rows.partners.map((row) => row.partnerId));
    await withFollower({ onAccess }, async ({ catalogue }) => {
      const other = await openStorage(`sqlite:${join(folder, 'follow.db')}`, { clock: () => NOW_MS });
      try {
        await other.writeProperties([write('h7', 250), write('new', 300)]);
        await other.withdrawProperties(['h8']);
        await other.putPartner(samplePartner('p9'));
      } finally {
        await other.close();
      }
      await eventually(() => seen.at(-1)!.includes('p9') && catalogue.revisionOf('h8') === undefined);
      assert.equal(startingPrice(catalogue, 'h7'), '2.50');
      assert.equal(startingPrice(catalogue, 'new'), '3.00');
      assert.equal(catalogue.size().properties, 250);
    });
  });

  it('makes starting prices again when they were stored under another horizon', async () => {
    const calendar = buildCalendar([
      { from: TODAY, to: TODAY, set: { availability: 1, rate: 900 } },
      { from: TODAY + 5, to: TODAY + 5, set: { availability: 1, rate: 400 } },
    ]);
    await storage.writeProperties([{ ...write('far', 1, calendar) }]);
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: 3 });
    await withFollower({ catalogue }, () =>
      Promise.resolve(assert.equal(startingPrice(catalogue, 'far'), '9.00')),
    );
  });

  it('goes on when the database was away, and tells how long it has been', async () => {
    let isAway = true;
    const flaky: FollowerOptions['storage'] = {
      readHistory: (known) => reach(() => storage.readHistory(known)),
      readAccessState: () => reach(() => storage.readAccessState()),
      readAccessMark: (known) => reach(() => storage.readAccessMark(known)),
      readPropertyChanges: (cursor, limit) => reach(() => storage.readPropertyChanges(cursor, limit)),
      openSnapshot: () => reach(() => storage.openSnapshot()),
      findProperty: (propertyId) => storage.findProperty(propertyId),
    };
    function reach<T>(ask: () => Promise<T>): Promise<T> {
      return isAway ? Promise.reject(new StorageUnavailable('away')) : ask();
    }
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    let uptimeMs = 0;
    const follower = start({ storage: flaky, catalogue, uptimeMs: () => uptimeMs });
    try {
      uptimeMs = 5000;
      await eventually(() => follower.freshness().catalogue.problem !== undefined);
      const listener = { ageMs: 5000, problem: 'away' };
      assert.deepEqual(follower.freshness(), {
        ready: false,
        loadsFrom: 'database',
        access: listener,
        catalogue: listener,
        revision: 0,
        lagRevisions: 0,
        lagMs: 5000,
        memory: undefined,
      });
      isAway = false;
      await follower.ready;
      isAway = true;
      await storage.writeProperties([write('late', 700)]);
      await delay(50);
      uptimeMs = 9000;
      assert.equal(follower.freshness().access.ageMs, 4000);
      assert.equal(follower.freshness().catalogue.ageMs, 4000);
      assert.equal(catalogue.revisionOf('late'), undefined);
      isAway = false;
      await eventually(() => catalogue.revisionOf('late') !== undefined);
      await eventually(() => follower.freshness().access.ageMs === 0);
      await eventually(() => follower.freshness().catalogue.ageMs === 0);
    } finally {
      await follower.stop();
    }
  });

  it('reads access again when a row of it changed, and for nothing else', async () => {
    const reads = { access: 0, taken: 0 };
    let marks = 0;
    const counting: FollowerOptions['storage'] = {
      ...storage,
      readAccessMark: (known) => {
        marks++;
        return storage.readAccessMark(known);
      },
      readAccessState: () => {
        reads.access++;
        return storage.readAccessState();
      },
    };
    const onAccess = (): void => void reads.taken++;
    await withFollower({ storage: counting, onAccess }, async ({ catalogue, follower }) => {
      assert.deepEqual(reads, { access: 1, taken: 1 });
      for (let rate = 1; rate <= 10; rate++) {
        await storage.writeProperties([write('h3', rate)]);
        const revision = await storage.readRevision();
        await eventually(() => follower.freshness().revision === revision);
      }
      assert.equal(startingPrice(catalogue, 'h3'), '0.10');
      assert.deepEqual(reads, { access: 1, taken: 1 }, 'ten revisions of properties');
      await storage.putCredentials([sampleCredential('counted')]);
      await eventually(() => reads.taken === 2);
      await storage.putCredentials([sampleCredential('counted', { revokedAtMs: NOW_MS })]);
      await eventually(() => reads.taken === 3);
      assert.equal(reads.access, 3);
      // One more look may be under way. At rest only the revision is asked for.
      let marksBefore = -1;
      await until(async () => {
        marksBefore = marks;
        await delay(60);
        return marks === marksBefore;
      });
    });
  });

  for (const [what, hold] of [
    ['a page of changes', 'readPropertyChanges'],
    ['the refill of the horizon', 'openSnapshot'],
    ['a price of another horizon', 'findProperty'],
  ] as const) {
    it(`learns of a revocation while ${what} keeps the catalogue waiting, and tells how long`, async () => {
      const gate = Promise.withResolvers<void>();
      let isHeld = false;
      const heldStorage: FollowerOptions['storage'] = {
        ...storage,
        [hold]: async (...args: never[]) => {
          if (isHeld) await gate.promise;
          return (storage[hold] as (...args: never[]) => unknown)(...args);
        },
      };
      let revokedAtMs: number | null = null;
      const onAccess: FollowerOptions['onAccess'] = (rows) => {
        revokedAtMs = rows.credentials.find((row) => row.credentialId === hold)?.revokedAtMs ?? null;
      };
      await storage.putCredentials([sampleCredential(hold)]);
      const time = { uptimeMs: 0, nowMs: NOW_MS };
      const catalogue = new Catalogue({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS });
      const options = { storage: heldStorage, onAccess, catalogue, uptimeMs: () => time.uptimeMs };
      await withFollower(options, async ({ follower }) => {
        await eventually(() => follower.freshness().lagRevisions === 0);
        isHeld = true;
        try {
          if (hold === 'openSnapshot') time.nowMs += 100 * 86_400_000;
          const lowestRates = buildLowestRates([], HORIZON_NIGHTS + 1);
          await storage.writeProperties([
            { ...write('h4', 7), ...(hold === 'findProperty' && { lowestRates }) },
          ]);
          await delay(20);
          time.uptimeMs = 5_000;
          await storage.putCredentials([sampleCredential(hold, { revokedAtMs: NOW_MS })]);
          await eventually(() => revokedAtMs !== null);
          await eventually(() => follower.freshness().access.ageMs === 0);
          const { catalogue: held, lagRevisions, lagMs } = follower.freshness();
          assert.deepEqual(held, { ageMs: 5_000, problem: undefined });
          if (hold !== 'openSnapshot') assert.deepEqual([lagRevisions, lagMs], [2, 5_000]);
        } finally {
          gate.resolve();
        }
        await eventually(
          () => follower.freshness().catalogue.ageMs === 0 && follower.freshness().lagMs === 0,
        );
      });
    });
  }

  it('ends readiness, and says why, when changes can not be read for a reason that is a bug', async () => {
    const errors: object[] = [];
    const logger = { ...silent, error: (fields: object) => errors.push(fields) };
    let isPoisoned = false;
    const poisoned: FollowerOptions['storage'] = {
      ...storage,
      readPropertyChanges: (cursor, limit) =>
        isPoisoned
          ? Promise.reject(new SyntaxError('a document is not JSON'))
          : storage.readPropertyChanges(cursor, limit),
    };
    let uptimeMs = 0;
    await withFollower(
      { storage: poisoned, logger, uptimeMs: () => uptimeMs },
      async ({ catalogue, follower }) => {
        isPoisoned = true;
        await storage.writeProperties([write('h5', 500)]);
        await eventually(() => follower.freshness().catalogue.problem !== undefined);
        uptimeMs = 61_000;
        await eventually(() => follower.freshness().access.ageMs === 0);
        assert.deepEqual(judgeReadiness(follower.freshness(), 60), {
          reason: 'the catalogue could not be read from the database for 61 seconds: a document is not JSON',
          wrong: new Wrong('catalogueStale', { seconds: 61, why: 'a document is not JSON' }),
        });
        assert.equal(errors.length, 1, 'named once');
        isPoisoned = false;
        await eventually(() => startingPrice(catalogue, 'h5') === '5.00');
        assert.equal(judgeReadiness(follower.freshness(), 60), 'ready');
      },
    );
  });

  it('ends readiness, and says why, when access can not be taken in', async () => {
    let isPoisoned = false;
    const onAccess = (): void => {
      if (isPoisoned) throw new Error('credential c1 has no partner');
    };
    let uptimeMs = 0;
    await withFollower({ onAccess, uptimeMs: () => uptimeMs }, async ({ follower }) => {
      isPoisoned = true;
      await storage.putCredentials([sampleCredential('poison')]);
      await eventually(() => follower.freshness().access.problem !== undefined);
      uptimeMs = 61_000;
      await eventually(() => follower.freshness().catalogue.ageMs === 0);
      assert.deepEqual(judgeReadiness(follower.freshness(), 60), {
        reason: 'access could not be read from the database for 61 seconds: credential c1 has no partner',
        wrong: new Wrong('accessStale', { seconds: 61, why: 'credential c1 has no partner' }),
      });
      isPoisoned = false;
      await eventually(() => judgeReadiness(follower.freshness(), 60) === 'ready');
    });
  });

  it('does not get ready when the snapshot or access can not be read for a reason that is a bug', async () => {
    for (const call of ['openSnapshot', 'readAccessState'] as const) {
      const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
      const broken = { ...storage, [call]: () => Promise.reject(new TypeError('a bug')) };
      const follower = start({ storage: broken, catalogue });
      await assert.rejects(follower.ready, TypeError);
      assert.equal(follower.freshness().ready, false);
      await follower.stop();
    }
  });

  it('names a property that it cannot take in and follows the others', async () => {
    const broken = {
      ...write('broken', 1),
      calendars: [{ inventoryTypeId: 't0', nights: Uint8Array.of(250), rates: Uint8Array.of() }],
    };
    const named: object[] = [];
    const logger = { ...silent, error: (fields: object) => named.push(fields) };
    await withFollower({ logger }, async ({ catalogue }) => {
      await storage.writeProperties([broken, write('sound', 800)]);
      await eventually(() => catalogue.revisionOf('sound') !== undefined);
      assert.equal((named[0] as { propertyId: string }).propertyId, 'broken');
      const query = { city: 'venezia', page: 1, pageSize: 50, locale: 'it-IT', partnerId: 'p1' } as const;
      assert.doesNotMatch(Buffer.from(catalogue.list(query)).toString(), /"broken"/);
    });
    await storage.withdrawProperties(['broken']);
  });

  it('refills the horizon in the background while changes stay visible', async () => {
    let nowMs = NOW_MS;
    const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
    await withFollower({ catalogue }, async () => {
      nowMs += 100 * 86_400_000;
      await eventually(
        () => !catalogue.isRefillDue() && isOpenOn(catalogue, 'h9', TODAY + 100 + HORIZON_NIGHTS - 1),
      );
      await storage.writeProperties([write('h9', 250, buildCalendar([]))]);
      await eventually(() => !isOpenOn(catalogue, 'h9', TODAY + 101));
    });
  });

  function start(options: Partial<FollowerOptions> & Pick<FollowerOptions, 'catalogue'>): Follower {
    return startFollower({
      storage,
      onAccess: () => undefined,
      logger: silent,
      pause: pauseFor(5),
      ...options,
    });
  }

  async function withFollower(
    options: Partial<FollowerOptions> & { readonly catalogue?: Catalogue },
    work: (context: { catalogue: Catalogue; follower: Follower }) => Promise<void>,
  ): Promise<void> {
    const catalogue =
      options.catalogue ?? new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const follower = start({ ...options, catalogue });
    try {
      await follower.ready;
      await work({ catalogue, follower });
    } finally {
      await follower.stop();
    }
  }
});
