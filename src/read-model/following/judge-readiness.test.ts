import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Wrong } from '../../domain/wrong.ts';
import { type Freshness, judgeReadiness, type ListenerFreshness, watchReadiness } from './follower.ts';

const fresh: ListenerFreshness = { ageMs: 0, problem: undefined };
const freshnessWith = (changes: Partial<Freshness>): Freshness => ({
  ready: true,
  loadsFrom: undefined,
  access: fresh,
  catalogue: fresh,
  revision: 1,
  lagRevisions: 0,
  lagMs: 0,
  ...changes,
});
const judge = (changes: Partial<Freshness>) => judgeReadiness(freshnessWith(changes), 60);

describe('readiness', () => {
  it('waits for the snapshot', () => {
    assert.deepEqual(judge({ ready: false }), {
      reason: 'the catalogue is loading from database',
      wrong: new Wrong('catalogueLoading', { place: 'database' }),
    });
  });

  it('ends when access is older than allowed, however fresh the catalogue', () => {
    assert.equal(judge({ access: { ageMs: 60_000, problem: 'away' } }), 'ready');
    assert.deepEqual(judge({ access: { ageMs: 60_999, problem: 'away' } }), {
      reason: 'access could not be read from the database for 60 seconds: away',
      wrong: new Wrong('accessStale', { seconds: 60, why: 'away' }),
    });
  });

  it('ends when the catalogue makes no progress, however fresh access', () => {
    assert.equal(judge({ catalogue: { ageMs: 60_000, problem: undefined } }), 'ready');
    assert.deepEqual(judge({ catalogue: { ageMs: 61_000, problem: undefined } }), {
      reason:
        'the catalogue could not be read from the database for 61 seconds: the database does not answer',
      wrong: new Wrong('catalogueStale', { seconds: 61, why: new Wrong('databaseSilent') }),
    });
  });

  it('survives a backlog that is being worked off', () => {
    assert.equal(judge({ lagMs: 600_000, lagRevisions: 9_000 }), 'ready');
  });

  it('is judged again only when what was fresh may have become too old', () => {
    const held = { ready: false, accessAtMs: 0, catalogueAtMs: 0 };
    let nowMs = 0;
    let looks = 0;
    const look = (): Freshness => {
      const { ready, accessAtMs, catalogueAtMs } = held;
      const since = (atMs: number): ListenerFreshness => ({ ageMs: nowMs - atMs, problem: undefined });
      return freshnessWith({ ready, access: since(accessAtMs), catalogue: since(catalogueAtMs) });
    };
    const follower = {
      freshness: () => {
        looks += 1;
        return look();
      },
    };
    const readiness = watchReadiness(follower, 60, () => nowMs);
    const steps: readonly [atMs: number, changes: Partial<typeof held>, looks: number][] = [
      [1_000, {}, 1],
      [1_001, { ready: true }, 2],
      [59_999, { accessAtMs: 50_000 }, 2],
      [60_000, {}, 3],
      [60_001, {}, 4],
      [60_002, { catalogueAtMs: 60_000 }, 5],
      [109_999, {}, 5],
      [110_001, {}, 6],
    ];
    for (const [atMs, changes, looksByNow] of steps) {
      Object.assign(held, changes);
      nowMs = atMs;
      assert.deepEqual(readiness(), judgeReadiness(look(), 60), `at ${atMs} ms`);
      assert.equal(looks, looksByNow, `looks at ${atMs} ms`);
    }
  });
});
