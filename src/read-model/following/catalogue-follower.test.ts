import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HORIZON_NIGHTS, NOW_MS, TODAY } from '../../../test/kit/catalogue-samples.ts';
import { eventually, isOpenOn, silent, startingPrice, write } from '../../../test/kit/follower-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { buildLowestRates } from '../../domain/lowest-rates.ts';
import type { FollowedProperty, Snapshot } from '../../storage/catalogue/store.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import { type Follower, followCatalogue } from './follower.ts';
import { type FollowerOptions, startFollower } from '../../../test/kit/whole-follower.ts';
import { pauseFor } from './retry-loop.ts';
import { PropertyIntake } from './property-intake.ts';

const DAY_MS = 86_400_000;
/** The horizon has to move after so many. */
const DAYS_TO_REFILL = 100;

let database: TemporaryStorage;
let storage: Storage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
  ({ storage } = database);
  await storage.writeProperties(Array.from({ length: 120 }, (_, index) => write(`h${index}`, 100)));
});
after(() => database.close());

interface World {
  readonly time: { nowMs: number; uptimeMs: number };
  readonly catalogue: Catalogue;
  readonly lines: { readonly message: string; readonly fields: Record<string, unknown> }[];
  readonly follower: Follower;
}

/** Follows while `work` runs, with some calls of the storage replaced. */
async function following(
  replaced: Partial<FollowerOptions['storage']>,
  work: (world: World) => Promise<void>,
  waitsUntilReady = true,
): Promise<void> {
  const time = { nowMs: NOW_MS, uptimeMs: 0 };
  const lines: World['lines'] = [];
  const log = (fields: object, message: string) =>
    lines.push({ message, fields: fields as Record<string, unknown> });
  const catalogue = new Catalogue({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS });
  const follower = startFollower({
    storage: { ...storage, ...replaced },
    catalogue,
    onAccess: () => undefined,
    logger: { info: log, warn: log, error: log },
    uptimeMs: () => time.uptimeMs,
    pause: pauseFor(2),
  });
  try {
    if (waitsUntilReady) await follower.ready;
    await work({ time, catalogue, lines, follower });
  } finally {
    await follower.stop();
  }
}

/** A snapshot in batches of 40 properties, each after awaiting `before`. */
function inBatches(snapshot: Snapshot, beforeBatch: (index: number) => Promise<void> | void): Snapshot {
  return {
    ...snapshot,
    async *readProperties() {
      const all: FollowedProperty[] = [];
      for await (const batch of snapshot.readProperties()) all.push(...batch);
      for (let start = 0; start < all.length; start += 40) {
        await beforeBatch(start / 40);
        yield all.slice(start, start + 40);
      }
    },
  };
}

describe('the catalogue that is followed', () => {
  it('says when it is in memory, how much it is, and how long it took', async () => {
    const world = { uptimeMs: 7_000 };
    const slow = {
      openSnapshot: async () => inBatches(await storage.openSnapshot(), () => void (world.uptimeMs += 1_500)),
    };
    const time = { nowMs: NOW_MS };
    const lines: [object, string][] = [];
    const follower = startFollower({
      storage: { ...storage, ...slow },
      catalogue: new Catalogue({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS }),
      onAccess: () => undefined,
      logger: { ...silent, info: (fields, message) => lines.push([fields, message]) },
      uptimeMs: () => world.uptimeMs,
      pause: pauseFor(2),
    });
    await follower.ready;
    await follower.stop();
    const [fields, message] = lines[0]!;
    assert.equal(message, 'catalogue is in memory');
    const { properties, seconds } = fields as Record<string, number>;
    assert.deepEqual({ properties, seconds }, { properties: 120, seconds: 4.5 });
  });

  it('shows progress with each batch of a slow snapshot, and none of it as ready', async () => {
    const ages: number[] = [];
    const gate = Promise.withResolvers<void>();
    let world: World | undefined;
    const openSnapshot = async () => {
      await gate.promise;
      return inBatches(await storage.openSnapshot(), () => {
        const { time, follower } = world!;
        time.uptimeMs += 40_000;
        ages.push(follower.freshness().catalogue.ageMs);
        assert.equal(follower.freshness().ready, false);
      });
    };
    await following(
      { openSnapshot },
      async (started) => {
        world = started;
        gate.resolve();
        await started.follower.ready;
      },
      false,
    );
    assert.deepEqual(ages, [40_000, 40_000, 40_000]);
  });

  it('asks again sooner while there is something new', async () => {
    const busy: boolean[] = [];
    const follower = followCatalogue({
      storage,
      catalogue: new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS }),
      logger: silent,
      async pause(_, isBusy = false) {
        busy.push(isBusy);
        if (busy.length === 2) await storage.writeProperties([write('h7', 140)]);
        await delay(2);
      },
    });
    await eventually(() => busy.length >= 6);
    await follower.stop();
    assert.deepEqual(busy.slice(0, 6), [false, false, true, false, false, false]);
  });

  it('says nothing of a catalogue when it is stopped while it is read', async () => {
    const gate = Promise.withResolvers<void>();
    const openSnapshot = async () => inBatches(await storage.openSnapshot(), () => gate.promise);
    let lines: World['lines'] = [];
    await following(
      { openSnapshot },
      async (world) => {
        ({ lines } = world);
        const stopped = world.follower.stop();
        gate.resolve();
        await stopped;
        assert.equal(world.follower.freshness().ready, false);
        assert.ok(world.catalogue.size().properties < 120);
      },
      false,
    );
    assert.deepEqual(lines, []);
  });

  it('closes each snapshot, also one that broke off', async () => {
    const counts = { opened: 0, closed: 0 };
    const openSnapshot = async (): Promise<Snapshot> => {
      counts.opened++;
      const isFirst = counts.opened === 1;
      const snapshot = inBatches(await storage.openSnapshot(), (index) => {
        if (isFirst && index === 1) throw new StorageUnavailable('broke off');
      });
      return {
        ...snapshot,
        close: () => {
          counts.closed++;
          return snapshot.close();
        },
      };
    };
    await following({ openSnapshot }, async ({ time }) => {
      assert.deepEqual(counts, { opened: 2, closed: 2 });
      time.nowMs += DAYS_TO_REFILL * DAY_MS;
      await eventually(() => counts.closed === 3);
      await delay(20);
      assert.equal(counts.opened, 3, 'one refill is enough');
    });
  });

  it('is behind until the last page of a revision is in', async () => {
    const gate = Promise.withResolvers<void>();
    let pages = 0;
    const readPropertyChanges: Storage['readPropertyChanges'] = async (cursor, limit) => {
      pages++;
      if (pages === 2) await gate.promise;
      return storage.readPropertyChanges(cursor, limit);
    };
    await following({ readPropertyChanges }, async ({ follower }) => {
      await eventually(() => follower.freshness().lagRevisions === 0);
      pages = 0;
      await storage.writeProperties(Array.from({ length: 60 }, (_, index) => write(`h${index}`, 101)));
      await eventually(() => pages === 2);
      assert.equal(follower.freshness().lagRevisions, 1);
      gate.resolve();
      await eventually(() => follower.freshness().lagRevisions === 0);
      assert.ok(pages >= 3);
    });
  });

  it('says that a revision is shown only when everything up to there is, also what changed again', async () => {
    const gate = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    let pages = 0;
    const readPropertyChanges: Storage['readPropertyChanges'] = async (cursor, limit) => {
      pages += 1;
      if (pages === 1) await first.promise;
      if (pages === 2) await gate.promise;
      return storage.readPropertyChanges(cursor, limit);
    };
    await following({ readPropertyChanges }, async ({ catalogue, follower }) => {
      await eventually(() => follower.freshness().lagRevisions === 0);
      const before = follower.shown()!.revision;
      pages = 0;
      await storage.writeProperties([write('h0', 103)]);
      await eventually(() => pages === 1);
      // A page of others, and the first one again behind it.
      for (let index = 1; index <= 30; index += 1) await storage.writeProperties([write(`h${index}`, 103)]);
      await storage.writeProperties([write('h0', 104)]);
      first.resolve();
      await eventually(() => startingPrice(catalogue, 'h20') === '1.03');
      assert.deepEqual([startingPrice(catalogue, 'h0'), follower.shown()!.revision], ['1.01', before]);
      gate.resolve();
      await eventually(() => follower.shown()!.revision === before + 32);
      assert.equal(startingPrice(catalogue, 'h0'), '1.04');
    });
  });

  it('comes a step closer with each page of a backlog, however long it is', async () => {
    let world: World | undefined;
    const ages: number[] = [];
    const readPropertyChanges: Storage['readPropertyChanges'] = async (cursor, limit) => {
      const page = await storage.readPropertyChanges(cursor, limit);
      if (world !== undefined && page.changes.length > 0) {
        world.time.uptimeMs += 40_000;
        ages.push(world.follower.freshness().catalogue.ageMs);
      }
      return page;
    };
    await following({ readPropertyChanges }, async (started) => {
      await eventually(() => started.follower.freshness().lagRevisions === 0);
      world = started;
      await storage.writeProperties(Array.from({ length: 120 }, (_, index) => write(`h${index}`, 102)));
      await eventually(() => startingPrice(started.catalogue, 'h99') === '1.02');
      await eventually(() => started.follower.freshness().lagRevisions === 0);
    });
    assert.ok(ages.length >= 4 && Math.max(...ages) === 40_000, ages.join());
  });

  it('ends a page loop at a page that says there is no more, whatever the revision was', async () => {
    const reads: string[] = [];
    const readHistory: Storage['readHistory'] = async (known) => {
      reads.push('revision');
      const newest = await storage.readHistory(known);
      return { ...newest, revision: newest.revision + 5 };
    };
    const readPropertyChanges: Storage['readPropertyChanges'] = (cursor, limit) => {
      reads.push('page');
      return storage.readPropertyChanges(cursor, limit);
    };
    await following({ readHistory, readPropertyChanges }, async ({ follower }) => {
      await eventually(() => reads.filter((read) => read === 'page').length >= 5);
      assert.equal(follower.freshness().lagRevisions, 5);
    });
    assert.doesNotMatch(reads.join(' '), /page page/, 'each page was complete');
  });

  it('stops within a refill, at the next batch', async () => {
    const gate = Promise.withResolvers<void>();
    const batches: number[] = [];
    const counts = { opened: 0, closed: 0 };
    const openSnapshot = async (): Promise<Snapshot> => {
      counts.opened++;
      const isRefill = counts.opened === 2;
      const snapshot = inBatches(await storage.openSnapshot(), (index) => {
        if (!isRefill) return undefined;
        batches.push(index);
        return index === 1 ? gate.promise : undefined;
      });
      const close = (): Promise<void> => {
        counts.closed++;
        return snapshot.close();
      };
      return { ...snapshot, close };
    };
    let lines: World['lines'] = [];
    await following({ openSnapshot }, async (world) => {
      ({ lines } = world);
      world.time.nowMs += DAYS_TO_REFILL * DAY_MS;
      await eventually(() => batches.length === 2);
      const stopped = world.follower.stop();
      gate.resolve();
      await stopped;
    });
    assert.deepEqual(batches, [0, 1]);
    assert.deepEqual(counts, { opened: 2, closed: 2 });
    assert.ok(!lines.some(({ message }) => message === 'horizon moved forward'));
  });

  it('brings what changed during a refill before the refill ends', async () => {
    const gates = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    let opened = 0;
    const openSnapshot = async () => {
      opened++;
      const isRefill = opened === 2;
      return inBatches(await storage.openSnapshot(), (index) =>
        isRefill ? gates[index]!.promise : undefined,
      );
    };
    await following({ openSnapshot }, async ({ time, catalogue, lines }) => {
      time.nowMs += DAYS_TO_REFILL * DAY_MS;
      await eventually(() => opened === 2);
      await storage.writeProperties([write('h90', 777)]);
      await storage.withdrawProperties(['h119']);
      gates[0]!.resolve();
      await eventually(() => startingPrice(catalogue, 'h90') === '7.77');
      await eventually(() => catalogue.revisionOf('h119') === undefined);
      assert.ok(!lines.some(({ message }) => message === 'horizon moved forward'));
      for (const gate of gates) gate.resolve();
      await eventually(() => lines.some(({ message }) => message === 'horizon moved forward'));
      assert.equal(catalogue.revisionOf('h119'), undefined, 'the snapshot does not bring it back');
      assert.equal(startingPrice(catalogue, 'h90'), '7.77');
    });
    await storage.writeProperties([write('h119', 100)]);
  });

  it('refills again ten seconds after a refill that broke off', async () => {
    let opened = 0;
    let isBroken = false;
    const openSnapshot = async () => {
      opened++;
      if (isBroken) throw new TypeError('a bug');
      return storage.openSnapshot();
    };
    await following({ openSnapshot }, async ({ time, catalogue, lines, follower }) => {
      isBroken = true;
      time.nowMs += DAYS_TO_REFILL * DAY_MS;
      await eventually(() => opened === 2);
      time.uptimeMs += 9_999;
      await delay(30);
      assert.equal(opened, 2);
      assert.deepEqual(
        lines.slice(1).map(({ message, fields }) => [message, fields['work']]),
        [['cannot follow the database', 'horizon']],
      );
      assert.equal(follower.freshness().catalogue.ageMs, 0, 'changes are followed meanwhile');
      isBroken = false;
      time.uptimeMs += 1;
      await eventually(() => isOpenOn(catalogue, 'h9', TODAY + DAYS_TO_REFILL + HORIZON_NIGHTS - 1));
      assert.equal(opened, 3);
    });
  });
});

describe('taking properties in', () => {
  const followed = (propertyId: string): FollowedProperty => {
    const { property, lowestRates, calendars } = write(propertyId, 100);
    const nights = calendars.map((calendar) => calendar.nights);
    const rates = calendars.map((calendar) => calendar.rates);
    return { property, lowestRates, nights, rates, revision: 1 };
  };

  it('waits for a database that is away, instead of leaving a property out', async () => {
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const away = { findProperty: () => Promise.reject(new StorageUnavailable('away')) };
    const other = { ...followed('x'), lowestRates: buildLowestRates([], HORIZON_NIGHTS + 1) };
    const errors: object[] = [];
    const logger = { ...silent, error: (fields: object) => errors.push(fields) };
    await assert.rejects(new PropertyIntake(catalogue, away, logger).applyAll([other]), StorageUnavailable);
    const gone = { findProperty: () => Promise.resolve(undefined) };
    await new PropertyIntake(catalogue, gone, logger).applyAll([other]);
    assert.equal(catalogue.revisionOf('x'), 1, 'withdrawn since: taken as it is, until its tombstone comes');
    await new PropertyIntake(catalogue, gone, logger).applyAll([
      { ...followed('bad'), nights: [Uint8Array.of(250)] },
    ]);
    assert.deepEqual(
      errors.map((fields) => (fields as { propertyId: string }).propertyId),
      ['bad'],
    );
  });
});
