/**
 * Tries every interleaving of two readers and the writer: each does its next step when the schedule says so. A reader's
 * version must stay intact until it leaves.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  allocatePublication,
  FIRST_VERSION,
  isBefore,
  Publishing,
  Reading,
  releaseReader,
  versionAfter,
} from './publication.ts';

const READERS = 2;
/** Answers of each reader, and versions of the writer. */
const ROUNDS = 2;

type Step = (world: World) => void;

interface ReaderState {
  readonly reading: Reading;
  looked: number;
  root: number | undefined;
}

/** Roots are unique numbers, so that freed ones can be recognised. */
interface World {
  readonly shared: SharedArrayBuffer;
  readonly readers: readonly ReaderState[];
  readonly publishing: Publishing;
  readonly free: Set<number>;
  /** Replaced roots, with the first version that does not use them. */
  readonly retired: Map<number, number>;
  shown: number;
  version: number;
  oldest: number;
}

function makeWorld(): World {
  const shared = allocatePublication(READERS);
  const publishing = new Publishing(shared);
  publishing.publishRoot(1);
  publishing.publishVersion(FIRST_VERSION);
  return {
    shared,
    publishing,
    free: new Set(),
    retired: new Map(),
    shown: 1,
    oldest: FIRST_VERSION,
    version: versionAfter(FIRST_VERSION),
    readers: Array.from({ length: READERS }, (_, reader) => ({
      reading: new Reading(shared, reader),
      looked: 0,
      root: undefined,
    })),
  };
}

function assertHeld({ readers, free }: World): void {
  for (const { root } of readers) assert.ok(root === undefined || !free.has(root), `root ${root} was freed`);
}

/** In the order of `Reading.enter` and `leave`. */
function readerSteps(index: number): Step[] {
  const of = (world: World): ReaderState => world.readers[index]!;
  return [
    (world) => void (of(world).looked = of(world).reading.look()),
    (world) => of(world).reading.claim(of(world).looked),
    (world) => void (of(world).root = of(world).reading.take()),
    (world) => {
      of(world).root = undefined;
      of(world).reading.leave();
    },
  ];
}

const SHOW_ROOT: Step = (world) => {
  world.retired.set(world.shown, world.version);
  world.shown += 1;
  world.publishing.publishRoot(world.shown);
};
const SHOW_VERSION: Step = (world) => world.publishing.publishVersion(world.version);
const START_LOOKING: Step = (world) => void (world.oldest = world.publishing.publishedVersion);
/** As if no reader used an earlier version. */
const TRUST: Step = (world) => void (world.oldest = world.version);
const lookAt =
  (reader: number): Step =>
  (world) =>
    void (world.oldest = world.publishing.olderClaim(world.oldest, reader));
const FREE: Step = (world) => {
  for (const [root, version] of world.retired) if (!isBefore(world.oldest, version)) world.free.add(root);
  world.version = versionAfter(world.version);
};
/** In the order of `Heap.show`. */
const WRITER_STEPS = [SHOW_ROOT, SHOW_VERSION, START_LOOKING, lookAt(0), lookAt(1), FREE];

function repeat(steps: readonly Step[]): Step[] {
  return Array.from({ length: ROUNDS }, () => steps).flat();
}

/**
 * Calls `visit` with the world after every step of every schedule. Each schedule makes its own world: shared state
 * can't be copied halfway.
 */
function tryAll(threads: readonly (readonly Step[])[], visit: (world: World) => void): number {
  let schedules = 0;
  const schedule: number[] = [];
  const seen = new Set<string>();
  const run = (): void => {
    const world = makeWorld();
    const at = threads.map(() => 0);
    for (const thread of schedule) {
      threads[thread]![at[thread]!]!(world);
      at[thread]! += 1;
      visit(world);
    }
    schedules += 1;
    // The continuations of an equal state were tried before.
    const state = JSON.stringify([at, stateOf(world)]);
    if (seen.has(state)) return;
    seen.add(state);
    for (const [thread, steps] of threads.entries()) {
      if (steps.length === at[thread]) continue;
      schedule.push(thread);
      run();
      schedule.pop();
    }
  };
  run();
  return schedules;
}

function stateOf(world: World): unknown {
  const { readers, free, retired, shown, version, oldest, shared } = world;
  const held = readers.map(({ looked, root }) => [looked, root ?? 0]);
  return [held, [...free], [...retired], shown, version, oldest, [...new Int32Array(shared)]];
}

describe('A root that is shown', () => {
  const readers = [repeat(readerSteps(0)), repeat(readerSteps(1))];

  it('stays as long as a reader holds it, in whatever order readers and writer do their steps', () => {
    const schedules = tryAll([...readers, repeat(WRITER_STEPS)], assertHeld);
    assert.ok(schedules > 5_000, `${schedules} schedules`);
  });

  for (const [what, wrong] of [
    ['the version is shown first', [SHOW_VERSION, SHOW_ROOT, ...WRITER_STEPS.slice(2)]],
    ['the writer looks before it shows', [TRUST, lookAt(0), lookAt(1), SHOW_ROOT, SHOW_VERSION, FREE]],
    ['a reader is left out', [SHOW_ROOT, SHOW_VERSION, START_LOOKING, lookAt(0), FREE]],
  ] as const) {
    it(`would be freed under a reader if ${what}`, () => {
      assert.throws(() => tryAll([...readers, repeat(wrong)], assertHeld), /was freed/);
    });
  }

  it('would be freed under a reader that takes it before its claim', () => {
    const [look, claim, take, leave] = readerSteps(0);
    const wrong = repeat([look!, take!, claim!, leave!]);
    assert.throws(() => tryAll([wrong, readers[1]!, repeat(WRITER_STEPS)], assertHeld), /was freed/);
  });

  it('is free in the end, and also when a reader has ended within an answer', () => {
    const world = makeWorld();
    world.readers[0]!.reading.enter();
    for (const step of WRITER_STEPS) step(world);
    assert.equal(world.free.size, 0);
    releaseReader(world.shared, 0);
    for (const step of WRITER_STEPS) step(world);
    assert.deepEqual([...world.free].sort(), [1, 2]);
  });

  it('lets no answer begin within another one', () => {
    const [reader] = makeWorld().readers;
    reader!.reading.enter();
    assert.throws(() => reader!.reading.enter(), /within another/);
  });
});

describe('Versions', () => {
  it('go round without meeting the mark of a reader that reads nothing', () => {
    assert.equal(versionAfter(2 ** 31 - 1), -(2 ** 31));
    assert.equal(versionAfter(-1), FIRST_VERSION);
    assert.ok(isBefore(2 ** 31 - 1, versionAfter(2 ** 31 - 1)));
    assert.ok(isBefore(-1, FIRST_VERSION) && !isBefore(FIRST_VERSION, -1));
  });
});
