import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Freshness, ListenerFreshness } from '../following/follower.ts';
import { judgeReadiness } from './follower.ts';

const fresh: ListenerFreshness = { ageMs: 0, problem: undefined };
const judge = (changes: Partial<Freshness>) =>
  judgeReadiness(
    { ready: true, access: fresh, catalogue: fresh, revision: 1, lagRevisions: 0, lagMs: 0, ...changes },
    60,
  );

describe('readiness', () => {
  it('waits for the snapshot', () => {
    assert.deepEqual(judge({ ready: false }), {
      reason: 'the catalogue is still being read into memory',
    });
  });

  it('ends when access is older than allowed, however fresh the catalogue', () => {
    assert.equal(judge({ access: { ageMs: 60_000, problem: 'away' } }), 'ready');
    assert.deepEqual(judge({ access: { ageMs: 60_999, problem: 'away' } }), {
      reason: 'access could not be read from the database for 60 seconds: away',
    });
  });

  it('ends when the catalogue makes no progress, however fresh access', () => {
    assert.equal(judge({ catalogue: { ageMs: 60_000, problem: undefined } }), 'ready');
    assert.deepEqual(judge({ catalogue: { ageMs: 61_000, problem: undefined } }), {
      reason:
        'the catalogue could not be read from the database for 61 seconds: the database does not answer',
    });
  });

  it('survives a backlog that is being worked off', () => {
    assert.equal(judge({ lagMs: 600_000, lagRevisions: 9_000 }), 'ready');
  });
});
