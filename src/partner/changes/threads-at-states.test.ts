/** Pages of one sweep that come from threads at different states, or from a thread that moved on between them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FEED_SIZES } from './recent-changes.ts';
import { PARTNER, SweepCopy, SweepWorld } from '../../../test/suites/changes/sweep-world.ts';

const SWEEPS = Number(process.env['FEED_SWEEPS'] ?? 20_000);
const SEED = 20_261_126;
const STEPS = 24;
const QUIET_ANSWERS = 12;

/** Returns the number of sweeps that ended, and how the copy differs in the end. */
async function tellStory(
  seed: number,
  losesHistory: boolean,
): Promise<{ sweeps: number; wrong: string | undefined }> {
  const world = new SweepWorld(seed, 1 + (seed % 3));
  const copy = new SweepCopy(world);
  let sweeps = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const kind = world.pick(['commit', 'follow', 'ask', 'ask', 'ask', 'lose']);
    if (kind === 'commit') world.commit();
    else if (kind === 'follow') world.thread().follow();
    else if (kind === 'ask') sweeps += (await copy.ask()) ? 0 : 1;
    else if (losesHistory && world.chance(0.2)) world.lose();
  }
  world.settle();
  // Each thread may have something of its own to tell.
  for (let quiet = 0; quiet < QUIET_ANSWERS;) quiet = (await copy.ask()) ? 0 : quiet + 1;
  return { sweeps, wrong: copy.difference() };
}

describe('A copy that a partner keeps by the feed of several threads at states of their own', () => {
  for (const losesHistory of [false, true])
    it(`is true after ${SWEEPS} sweeps${losesHistory ? ', with a database that loses writes' : ''}`, async () => {
      let seed = SEED;
      for (let sweeps = 0; sweeps < SWEEPS; seed += 1) {
        const story = await tellStory(seed, losesHistory);
        assert.equal(story.wrong, undefined, `seed ${seed}`);
        sweeps += story.sweeps;
      }
    });
});

describe('A look for changes that takes several calls', () => {
  it('finds a property that left the view before the first call and changed again behind it', async () => {
    const world = new SweepWorld(SEED, 1);
    const { feed } = world.thread();
    world.settle();
    const seen = { name: 1, rate: 1, isVisible: true };
    world.write([['p', seen]]);
    const told = world.newest;
    world.write([['p', { ...seen, isVisible: false }]]);
    for (let other = 0; other < FEED_SIZES.scanned / FEED_SIZES.read; other += 1)
      for (const id of ['a', 'b']) world.write([[`${id}${other}`, { ...seen, isVisible: false }]]);
    world.write([['p', { ...seen, name: 2, isVisible: false }]]);
    const first = await feed.hasChanges(PARTNER, { revision: told }, world.newest);
    assert.deepEqual([first.changed, first.from.revision], [false, told]);
    const { changed, from } = await feed.hasChanges(PARTNER, first.from, world.newest);
    assert.deepEqual([changed, from], [true, { revision: world.newest }]);
  });

  it('has looked up to the revision that it was asked for, and no further', async () => {
    const world = new SweepWorld(SEED, 1);
    const { feed } = world.thread();
    world.settle();
    for (const id of ['a', 'b', 'c']) world.write([[id, { name: 1, rate: 1, isVisible: false }]]);
    for (const upTo of [1, 2, 3]) {
      const looked = await feed.hasChanges(PARTNER, { revision: 0 }, upTo);
      assert.deepEqual(looked, { changed: false, from: { revision: upTo } });
    }
  });
});
