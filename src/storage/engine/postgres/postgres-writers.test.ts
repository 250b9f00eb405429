/**
 * Several writers at once, followers beside them, and processes that die.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { killStorm } from '../../../../test/kit/processes/kill-storm.ts';
import { startProcess } from '../../../../test/kit/processes/start.ts';
import { assertStormKept } from '../../../../test/kit/processes/storm-check.ts';
import { cursorAfter } from '../../catalogue/change-cursor.ts';
import { NOTHING_READ } from '../../history/revision.ts';
import type { FollowedProperty } from '../../catalogue/store.ts';
import type { PropertyWrite } from '../../../domain/ledger/stored-write.ts';
import type { Storage } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import {
  sampleCredential,
  samplePartner,
  sampleType,
  sampleWrite,
} from '../../../../test/suites/storage/sample-rows.ts';
import { describePostgres, openPostgres } from '../../../../test/suites/storage/postgres-fixture.ts';

const KILLS = 3;
const ACKNOWLEDGED_BEFORE_KILL = 300;
const IDS = ['0', 'A', 'a', 'a.b', 'b', 'c', '~'];

describePostgres('PostgreSQL with several writers', (server) => {
  /** One `Storage` for each name, all on one database. */
  async function withStorages(
    count: number,
    body: (storages: readonly Storage[], url: string) => Promise<void>,
  ): Promise<void> {
    const url = await server().createDatabase();
    const storages = await Promise.all(Array.from({ length: count }, () => openPostgres(url, () => NOW_MS)));
    try {
      await Promise.all(storages.map((storage) => storage.migrate()));
      await body(storages, url);
    } finally {
      for (const storage of storages) await storage.close();
    }
  }

  it('lets a follower skip nothing, whatever the schedule', () =>
    withStorages(4, ([follower, ...writers], url) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 5, maxLength: 15 }), { minLength: 3, maxLength: 3 }),
          fc.integer({ min: 1, max: 4 }),
          async (schedules, limit) => {
            assert.ok(follower);
            const following = startFollowing(follower, limit);
            await Promise.all(
              schedules.map(async (steps, index) => {
                const writer = writers[index];
                assert.ok(writer);
                for (const { pauseMs, act } of steps) {
                  await sleep(pauseMs);
                  await act(writer, url);
                }
              }),
            );
            const seen = await following.finish();
            const snapshot = await follower.openSnapshot();
            const held = (await Array.fromAsync(snapshot.readProperties())).flat();
            await snapshot.close();
            const present = [...seen.values()].filter((property) => property !== undefined);
            assert.deepEqual(present.toSorted(byId), held);
          },
        ),
        { seed: 20261120, numRuns: 10 },
      ),
    ));

  it('imports the same catalogue twice at once as if one had come after the other', () =>
    withStorages(2, async ([first, second]) => {
      assert.ok(first && second);
      const writes = Array.from({ length: 300 }, (_, index) =>
        sampleWrite(`p${index}`, { inventoryTypes: ['x', 'y', 'z'].slice(index % 3).map(sampleType) }),
      );
      const outcomes = (await Promise.all([importAll(first, writes), importAll(second, writes)])).flat();
      assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 300);
      assert.equal(outcomes.filter((outcome) => outcome === 'unchanged').length, 300);
      for (const write of writes) await assertStored(first, [write]);
    }));

  it('imports two catalogues with the same ids at once and mixes none of their properties', () =>
    withStorages(2, async ([first, second]) => {
      assert.ok(first && second);
      const ids = Array.from({ length: 200 }, (_, index) => `p${index}`);
      const ours = ids.map((id) => sampleWrite(id, { inventoryTypes: ['x', 'y', 'z'].map(sampleType) }));
      const theirs = ids
        .map((id) => sampleWrite(id, { version: 2, source: 'other', inventoryTypes: [sampleType('y')] }))
        .toReversed();
      await Promise.all([importAll(first, ours), importAll(second, theirs)]);
      for (const [index, id] of ids.entries()) {
        const candidates = [ours[index], theirs.find((write) => write.property.propertyId === id)];
        await assertStored(
          first,
          candidates.filter((write) => write !== undefined),
        );
      }
      assert.equal(await first.readRevision(), 40);
    }));

  it('never undoes a revocation, in any order of writes', () =>
    withStorages(2, async ([first, second]) => {
      assert.ok(first && second);
      const ids = Array.from({ length: 30 }, (_, index) => `c${index}`);
      await first.putCredentials(ids.map((id) => sampleCredential(id)));
      await Promise.all(
        ids.flatMap((id) => [
          first.putCredentials([sampleCredential(id, { revokedAtMs: NOW_MS })]),
          // A rotation that has read the row before the revocation.
          second.putCredentials([sampleCredential(id, { expiresAtMs: NOW_MS })]),
        ]),
      );
      for (const { revokedAtMs } of (await second.readAccess()).credentials) {
        assert.equal(revokedAtMs, NOW_MS);
      }
    }));

  it('has stored every quote that a process killed with -9 acknowledged, and every import wholly or not at all', () =>
    withStorages(1, async ([storage], url) => {
      assert.ok(storage);
      const acknowledged: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        await using storm = startProcess('write-storm', [url, `storm${kill}`]);
        acknowledged.push(...(await killStorm(storm, ACKNOWLEDGED_BEFORE_KILL)));
      }
      await assertStormKept(storage, acknowledged);
      // The lock that a dead process held is free.
      await storage.writeProperties([sampleWrite('after')]);
    }));
});

interface Step {
  readonly pauseMs: number;
  readonly act: (storage: Storage, url: string) => Promise<unknown>;
}

const act: fc.Arbitrary<Step['act']> = fc.oneof(
  fc
    .array(fc.record({ id: fc.constantFrom(...IDS), version: fc.nat(5) }), { minLength: 1, maxLength: 4 })
    .map(
      (writes) => (storage: Storage) =>
        storage.writeProperties(writes.map(({ id, version }) => sampleWrite(id, { version }))),
    ),
  fc
    .array(fc.constantFrom(...IDS), { minLength: 1, maxLength: 2 })
    .map((ids) => (storage: Storage) => storage.withdrawProperties(ids)),
  fc.constant((storage: Storage) => storage.putPartner(samplePartner('p'))),
  // A writer that takes its revision and then commits slowly or rolls back.
  fc
    .record({ id: fc.constantFrom(...IDS), heldMs: fc.nat(15), end: fc.constantFrom('COMMIT', 'ROLLBACK') })
    .map(({ id, heldMs, end }) => async (_storage: Storage, url: string) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('BEGIN; UPDATE revision SET revision = revision + 1');
      await client.query(
        'UPDATE properties SET revision = (SELECT revision FROM revision) WHERE property_id = $1',
        [id],
      );
      await sleep(heldMs);
      await client.query(end);
      await client.end();
    }),
);
const step: fc.Arbitrary<Step> = fc.record({ pauseMs: fc.nat(8), act });

/** Reads page after page as fast as it can and keeps the newest state of each property; undefined: withdrawn. */
function startFollowing(storage: Storage, limit: number) {
  const seen = new Map<string, FollowedProperty | undefined>();
  let cursor = cursorAfter(NOTHING_READ);
  let isLast = false;
  async function follow(): Promise<void> {
    for (;;) {
      const isLastRound = isLast;
      for (let isComplete = false; !isComplete;) {
        const page = await storage.readPropertyChanges(cursor, limit);
        for (const change of page.changes) {
          assert.ok(change.revision >= cursor.revision, 'revisions never go back');
          if ('property' in change) seen.set(change.property.propertyId, change);
          else seen.set(change.propertyId, undefined);
        }
        cursor = page.cursor;
        isComplete = page.complete;
      }
      if (isLastRound) return;
    }
  }
  const underway = follow();
  return {
    async finish() {
      isLast = true;
      await underway;
      return seen;
    },
  };
}

function byId(a: FollowedProperty, b: FollowedProperty): number {
  return a.property.propertyId < b.property.propertyId ? -1 : 1;
}

async function importAll(storage: Storage, writes: readonly PropertyWrite[]) {
  const outcomes: string[] = [];
  for (let from = 0; from < writes.length; from += 10) {
    outcomes.push(...(await storage.writeProperties(writes.slice(from, from + 10))));
  }
  return outcomes;
}

/** The stored property equals one of `candidates` in full. */
async function assertStored(storage: Storage, candidates: readonly PropertyWrite[]): Promise<void> {
  const stored = await storage.findProperty(String(candidates[0]?.property.propertyId));
  const expected = candidates.find((write) => write.source === stored?.source);
  const { revision: _revision, changedAtMs: _changedAtMs, terms: _terms, ...content } = stored ?? {};
  assert.deepEqual(content, expected);
}
