import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedRandom } from '../../bench/measure/random.ts';
import { ADVANCE_LIMIT_MIN } from '../limits/counts-in-advance.ts';
import type { LimitsInAdvance } from '../limits/limits-in-advance.ts';
import { createOwnLimits } from '../limits/own-limits.ts';
import type { WindowHit } from '../limits/window-counter.ts';
import { joinMachine } from './joined-machine.ts';
import { openLine, SILENT } from '../../test/kit/line-fixture.ts';
import { PrimaryCounts } from './primary-counts.ts';

const LIMIT = 20_000;

interface Member {
  readonly limits: LimitsInAdvance;
  /** Ends like a killed process. */
  readonly kill: () => void;
  /** Stops answering. */
  readonly freeze: () => void;
}

function open(context: TestContext, windowSeconds = 60): readonly [Member, Member] {
  const counts = new PrimaryCounts(createOwnLimits({ windowSeconds }));
  const join = (): Member => {
    const { primary, worker, cut } = openLine();
    counts.serve(primary);
    const limits = joinMachine(worker, { number: 1, joinsWhenReady: false }, SILENT)
      .limits as LimitsInAdvance;
    context.after(() => limits.close());
    return {
      limits,
      kill() {
        cut();
        counts.forget(primary);
      },
      freeze: () => worker.answer('settle', () => new Promise(() => {})),
    };
  };
  return [join(), join()];
}

interface Told {
  readonly hits: readonly WindowHit[];
  /** How many were counted without a question. */
  readonly atOnce: number;
}

/** So many hits of one key, a few at a time. */
async function hit({ limits }: Member, count: number, kind: 'quota' | 'ingress' = 'quota'): Promise<Told> {
  const hits: WindowHit[] = [];
  let atOnce = 0;
  while (hits.length < count) {
    const some = Array.from({ length: Math.min(10, count - hits.length) }, () =>
      limits[kind].hit('key', LIMIT),
    );
    atOnce += some.filter((one) => !(one instanceof Promise)).length;
    hits.push(...(await Promise.all(some.map(async (one) => one))));
  }
  return { hits, atOnce };
}

const passes = ({ hits }: Told): number => hits.filter(({ count }) => count <= LIMIT).length;

describe('Counts in advance', () => {
  it('let exactly the limit pass, however workers share it, and save most questions', async (context) => {
    const members = open(context);
    const random = seedRandom(20_261_120);
    let passed = 0;
    let atOnce = 0;
    for (let asked = 0; asked < LIMIT + 2_000;) {
      const count = random.between(1, 400);
      const told = await hit(members[random.below(2)]!, count);
      asked += count;
      passed += passes(told);
      atOnce += told.atOnce;
    }
    assert.equal(passed, LIMIT);
    assert.ok(atOnce > LIMIT / 4, `${atOnce} counted at once`);
  });

  it('give what one worker does not use to the others before they are refused', async (context) => {
    const [idle, busy] = open(context);
    const used = passes(await hit(idle, 41));
    assert.equal(used + passes(await hit(busy, LIMIT)), LIMIT);
  });

  it('come back by themselves from a worker that does not use them', async (context) => {
    const [idle, other] = open(context);
    await hit(idle, 41);
    await sleep(600);
    const { hits } = await hit(other, 1);
    assert.equal(hits[0]!.count, 42);
  });

  it('are void in the next window, and take nothing from it', async (context) => {
    const [member, other] = open(context, 0.2);
    await hit(member, 41);
    await sleep(210);
    const first = await hit(member, 1);
    assert.equal(first.hits[0]!.count, 1);
    await sleep(210);
    assert.equal((await hit(other, 1)).hits[0]!.count, 1);
  });

  it('count as used when their holder is killed, or is silent', async (context) => {
    for (const end of ['kill', 'freeze'] as const) {
      const [lost, other] = open(context);
      const used = passes(await hit(lost, 41));
      lost[end]();
      const left = passes(await hit(other, LIMIT));
      assert.ok(used + left <= LIMIT && used + left > LIMIT - 20, `${used} and ${left}`);
      lost.limits.close();
    }
  });

  it('are given for the address as for the credential, and both in one step', async (context) => {
    const members = open(context);
    let passed = 0;
    for (let round = 0; round < 60; round += 1) {
      const both = await Promise.all(
        Array.from({ length: 400 }, async (_, index) =>
          members[index % 2]!.limits.hitBoth!('source', LIMIT, 'credential', 2 * LIMIT),
        ),
      );
      passed += both.filter(({ quota }) => quota !== undefined).length;
    }
    assert.equal(passed, LIMIT);
    await sleep(600);
    assert.equal((await members[0].limits.quota.hit('credential')).count, LIMIT + 1);
  });

  it('are given to nobody whose limit is low: there every count is told in its order', async (context) => {
    const members = open(context);
    const counts: number[] = [];
    for (let index = 0; index < 300; index += 1) {
      counts.push((await members[index % 2]!.limits.quota.hit('low', ADVANCE_LIMIT_MIN - 1)).count);
    }
    assert.deepEqual(
      counts,
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
  });
});
