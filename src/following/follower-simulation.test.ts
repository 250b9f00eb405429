import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import type { AccessRows, CredentialRow } from '../storage/port/access-store.ts';
import {
  followed,
  HORIZON_NIGHTS,
  NOW_MS,
  sampleArb,
  seededRandom,
  TODAY,
} from '../../test/kit/catalogue-samples.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { SimulatedDatabase } from '../../test/kit/follower-simulation.ts';
import { startFollower, type Follower } from './follower.ts';

const SCHEDULES = 2_000;
const FIRST_SEED = 20_261_120;
const OPERATIONS_MAX = 12;
const STEPS_MAX = 5000;
const SAMPLES = fc.sample(sampleArb, { seed: FIRST_SEED, numRuns: 60 }).map((sample) => followed(sample, 0));
const silent = { info: () => undefined, warn: () => undefined, error: assert.fail };

describe('a follower beside writers', () => {
  it(`ends where rebuilding ends and never undoes a revocation, in ${SCHEDULES} schedules`, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
      try {
        await simulate(seed);
      } catch (error) {
        throw new Error(`schedule with seed ${seed}`, { cause: error });
      }
    }
  });
});

/** One process that follows, crashes and starts again while the database changes, steps and fails by the seed. */
async function simulate(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const database = new SimulatedDatabase(random);
  const revoked = new Set<string>();
  let run = startRun(database, revoked);
  const operationCount = 1 + Math.floor(random() * OPERATIONS_MAX);
  for (let operation = 0; operation < operationCount; operation++) {
    const kind = random();
    if (kind < 0.5) commitProperties(database, random);
    else if (kind < 0.8) commitCredential(database, random);
    else if (kind < 0.9) {
      await stop(run.follower, database);
      run = startRun(database, revoked);
    }
    for (let step = Math.floor(random() * 12); step > 0; step--) await advance(database);
  }
  database.failureRate = 0;
  for (let step = 0; !run.isCaughtUp(); step++) {
    assert.ok(step < STEPS_MAX, 'never caught up');
    await advance(database);
  }
  assert.deepEqual(run.access(), database.access());
  assertSameAsRebuilt(run.catalogue, database);
  await stop(run.follower, database);
}

interface Run {
  readonly catalogue: Catalogue;
  readonly follower: Follower;
  readonly access: () => AccessRows | undefined;
  readonly isCaughtUp: () => boolean;
}

function startRun(database: SimulatedDatabase, revoked: Set<string>): Run {
  let rows: AccessRows | undefined;
  const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  const follower = startFollower({
    storage: database.storage,
    catalogue,
    logger: silent,
    pause: () => database.turn(),
    onAccess: (taken) => {
      rows = taken;
      for (const { credentialId, revokedAtMs } of taken.credentials) {
        if (revokedAtMs !== null) revoked.add(credentialId);
        else assert.ok(!revoked.has(credentialId), `the revocation of ${credentialId} was undone`);
      }
    },
  });
  const isCaughtUp = (): boolean =>
    follower.freshness().ready && follower.freshness().revision === database.revision;
  return { catalogue, follower, access: () => rows, isCaughtUp };
}

/** A stop waits for the call in progress, which waits for the simulation. */
async function stop(follower: Follower, database: SimulatedDatabase): Promise<void> {
  const state = { isStopped: false };
  const stopped = follower.stop().then(() => (state.isStopped = true));
  while (!state.isStopped) await advance(database);
  await stopped;
}

async function advance(database: SimulatedDatabase): Promise<void> {
  database.step();
  await nextTurn();
}

function commitProperties(database: SimulatedDatabase, random: () => number): void {
  const puts = Array.from(
    { length: Math.floor(random() * 4) },
    () => SAMPLES[Math.floor(random() * SAMPLES.length)]!,
  );
  const withdrawals = random() < 0.4 ? [`h${Math.floor(random() * 61)}`] : [];
  database.commit(puts, withdrawals);
}

function commitCredential(database: SimulatedDatabase, random: () => number): void {
  const credentialId = `c${Math.floor(random() * 3)}`;
  const before = database.access().credentials.find((row) => row.credentialId === credentialId);
  if (before === undefined) database.commitCredential(makeCredential(credentialId));
  else database.commitCredential({ ...before, revokedAtMs: before.revokedAtMs ?? NOW_MS });
}

function makeCredential(credentialId: string): CredentialRow {
  return {
    credentialId,
    partnerId: 'p1',
    tokenHash: credentialId,
    scopes: [],
    quota: 1,
    createdAtMs: NOW_MS,
    expiresAtMs: null,
    revokedAtMs: null,
    isTest: false,
    revision: 0,
  };
}

function assertSameAsRebuilt(catalogue: Catalogue, database: SimulatedDatabase): void {
  const rebuilt = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
  for (const property of database.properties()) rebuilt.apply(property);
  assert.deepEqual(catalogue.size(), rebuilt.size());
  for (const stay of [undefined, { checkIn: TODAY + 3, checkOut: TODAY + 5 }]) {
    const query = {
      city: 'venezia',
      guests: 2,
      page: 1,
      pageSize: 50,
      locale: 'it-IT',
      partnerId: 'p1',
      stay,
    } as const;
    assert.deepEqual(catalogue.search(query), rebuilt.search(query));
  }
}
