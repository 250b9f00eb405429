import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

import fc from 'fast-check';

import type { AccessRows, CredentialRow } from '../../storage/access/store.ts';
import {
  followed,
  HORIZON_NIGHTS,
  NOW_MS,
  sampleArb,
  seededRandom,
  TODAY,
} from '../../../test/kit/catalogue-samples.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { SimulatedDatabase } from '../../../test/kit/follower-simulation.ts';
import {
  anyFollowerStep,
  anyRestoringStep,
  type FollowerStep,
  tellFollowerStep,
  type TimedStep,
} from '../../../test/kit/follower-steps.ts';
import { FIXED_SEED, RUN_SEED } from '../../../test/kit/seeds.ts';
import { sampleCredential } from '../../../test/suites/storage/sample-rows.ts';
import { performEach, storyOf } from '../../../test/kit/story.ts';
import type { Follower } from './follower.ts';
import { startFollower } from '../../../test/kit/whole-follower.ts';

const SCHEDULES = 2_000;
const SCHEDULES_BACK = 700;
const STEPS_MAX = 12;
const CALLS_MAX = 5000;
/** Calls of a few polls of both listeners. */
const LEVEL_CALLS = 100;
const SAMPLES = fc.sample(sampleArb, { ...FIXED_SEED, numRuns: 60 }).map((sample) => followed(sample, 0));
const SAMPLE_IDS = SAMPLES.map(({ property }) => property.propertyId);
const silent = { info: () => undefined, warn: () => undefined, error: assert.fail };

/** Decides the order of waiting calls and which of them fail. A smaller seed fails no earlier. */
const anySeed = fc.noShrink(fc.nat());
const tell = (step: TimedStep): string => tellFollowerStep(step, SAMPLE_IDS);

describe('a follower beside writers', () => {
  it(`ends where rebuilding ends and never undoes a revocation, in ${SCHEDULES} schedules`, () =>
    fc.assert(
      fc.asyncProperty(storyOf(anyFollowerStep(SAMPLES.length), STEPS_MAX, tell), anySeed, (steps, seed) =>
        simulate(steps, seed),
      ),
      { ...RUN_SEED, numRuns: SCHEDULES },
    ));

  it(`ends there too when the database goes back to earlier states, in ${SCHEDULES_BACK} schedules`, () =>
    fc.assert(
      fc.asyncProperty(storyOf(anyRestoringStep(SAMPLES.length), STEPS_MAX, tell), anySeed, (steps, seed) =>
        simulate(steps, seed, true),
      ),
      { ...RUN_SEED, numRuns: SCHEDULES_BACK },
    ));
});

/** One process that follows, crashes and starts again while the database changes, steps and fails. */
async function simulate(steps: readonly TimedStep[], seed: number, goesBack = false): Promise<void> {
  const database = new SimulatedDatabase(seededRandom(seed));
  // A lost revocation leaves its token valid.
  const revoked = goesBack ? undefined : new Set<string>();
  const world: World = { database, revoked, backups: [database.keep()], run: startRun(database, revoked) };
  try {
    await performEach(steps, tell, async ({ step, calls }) => {
      await perform(step, world);
      for (let call = 0; call < calls; call++) await advance(database);
    });
    await settle(world, goesBack ? LEVEL_CALLS : 1);
    assert.deepEqual(world.run.access(), database.access());
    assertSameAsRebuilt(world.run.catalogue, database);
  } catch (error) {
    throw new Error(`after these events:\n  ${database.events.join('\n  ')}`, { cause: error });
  }
  await stop(world.run.follower, database);
}

interface World {
  readonly database: SimulatedDatabase;
  readonly revoked: Set<string> | undefined;
  readonly backups: (() => void)[];
  run: Run;
}

async function perform(step: FollowerStep, world: World): Promise<void> {
  const { database, backups } = world;
  switch (step.kind) {
    case 'commit properties':
      return database.commit(
        step.puts.map((put) => SAMPLES[put]!),
        step.withdrawals,
      );
    case 'commit credential':
      return commitCredential(database, step.credentialId);
    case 'restart follower':
      await stop(world.run.follower, database);
      world.run = startRun(database, world.revoked);
      return;
    case 'wait':
      return;
    case 'back up':
      backups.push(database.keep());
      return;
    case 'restore':
      backups[step.backup % backups.length]!();
  }
}

/** Stops the failures, and waits until the follower has caught up and stays so for a number of calls. */
async function settle({ database, run }: World, levelCallsWanted: number): Promise<void> {
  database.failureRate = 0;
  // The same revision may be that of another history: what asks once more finds out.
  for (let call = 0, levelCalls = 0; levelCalls < levelCallsWanted; call++) {
    assert.ok(call < CALLS_MAX, 'never caught up');
    await advance(database);
    levelCalls = run.isCaughtUp() ? levelCalls + 1 : 0;
  }
}

interface Run {
  readonly catalogue: Catalogue;
  readonly follower: Follower;
  readonly access: () => AccessRows | undefined;
  readonly isCaughtUp: () => boolean;
}

function startRun(database: SimulatedDatabase, revoked: Set<string> | undefined): Run {
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
        if (revokedAtMs !== null) revoked?.add(credentialId);
        else assert.ok(revoked?.has(credentialId) !== true, `the revocation of ${credentialId} was undone`);
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

function commitCredential(database: SimulatedDatabase, credentialId: string): void {
  const before = database.access().credentials.find((row) => row.credentialId === credentialId);
  if (before === undefined) database.commitCredential(makeCredential(credentialId));
  else database.commitCredential({ ...before, revokedAtMs: before.revokedAtMs ?? NOW_MS });
}

function makeCredential(credentialId: string): CredentialRow {
  return sampleCredential(credentialId, { partnerId: 'p1', createdAtMs: NOW_MS });
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
    assert.deepEqual(catalogue.list(query), rebuilt.list(query));
  }
}
