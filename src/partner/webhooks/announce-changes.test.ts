/** One process of several announces: what it remembers must not stand against what another one has said since. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '../../runtime/random.ts';
import type { Revision } from '../../storage/history/revision.ts';
import type { LookFrom } from '../changes/visible-changes.ts';
import { CHANGES_PAUSE_MS, createChangeAnnouncer } from './announce-changes.ts';

/** The database as all processes see it, and what this one asks and says. */
function makeWorld() {
  const world = { nowMs: 1_000_000, newest: 1, saidUpTo: 0, saidAtMs: null as number | null, changedAt: 0 };
  const looks: LookFrom[] = [];
  let said = 0;
  const announcer = createChangeAnnouncer({
    storage: {
      listChangeListeners: async () => [
        {
          webhookId: 'wh_1',
          partnerId: 'acme',
          changesRevision: world.saidUpTo,
          changesAtMs: world.saidAtMs,
        },
      ],
      readMarks: async ({ marks }) => ({
        continues: marks.map(() => true),
        stamp: 'same',
        newest: world.newest,
      }),
      announceChanges: async () => {
        said += 1;
        world.saidUpTo = world.newest;
        world.saidAtMs = world.nowMs;
        return true as never;
      },
    },
    changes: {
      async hasChanges(_partnerId: string, from: LookFrom, upTo: Revision) {
        looks.push(from);
        return { changed: world.changedAt > from.revision, from: { revision: upTo } };
      },
    },
    clock: () => world.nowMs,
    uptimeMs: () => world.nowMs,
    random: systemRandom,
  });
  const { signal } = new AbortController();
  return {
    world,
    looks,
    round: async () => {
      await announcer.round(signal);
      return said;
    },
  };
}

describe('An announcement of changes', () => {
  it('is not said again by a process that had looked before another one said it', async () => {
    const { world, looks, round } = makeWorld();
    assert.equal(await round(), 0, 'nothing has changed up to 1');
    // Another process tells of the change at 5.
    Object.assign(world, { newest: 5, changedAt: 5, saidUpTo: 5, saidAtMs: world.nowMs });
    world.nowMs += CHANGES_PAUSE_MS;
    world.newest = 6;
    assert.equal(await round(), 0);
    assert.deepEqual(looks.at(-1), { revision: 5 }, 'it looks from there');
  });

  it('waits for ten seconds after another process said one, whenever this one did', async () => {
    const { world, round } = makeWorld();
    Object.assign(world, { newest: 2, changedAt: 2 });
    assert.equal(await round(), 1);
    world.nowMs += 10 * CHANGES_PAUSE_MS;
    Object.assign(world, { newest: 4, changedAt: 4, saidUpTo: 3, saidAtMs: world.nowMs - 1 });
    assert.equal(await round(), 1);
    world.nowMs += CHANGES_PAUSE_MS;
    assert.equal(await round(), 2);
  });
});
