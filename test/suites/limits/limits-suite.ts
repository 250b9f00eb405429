/** What limits do, with any counter: run against every adapter, on the real thing. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { BothHits, CounterKind, RequestLimits, WindowHit } from '../../../src/limits/request-limits.ts';

export interface LimitsSuite {
  /** Two that share their windows; one and the same where nobody shares. */
  readonly open: (
    context: TestContext,
    windowSeconds: number,
  ) => Promise<readonly [RequestLimits, RequestLimits]>;
  /** Why the suite can't run here. */
  readonly skip?: string | false;
}

const WINDOW_SECONDS = 60;
const SHORT_WINDOW_SECONDS = 0.3;
const HITS_AT_ONCE = 600;

/** Keys are never used twice: adapters keep their windows from one test to the next. */
let keyCount = 0;
function newKey(): string {
  keyCount += 1;
  return `key-${keyCount}`;
}

export function describeLimits(name: string, { open, skip = false }: LimitsSuite): void {
  describe(`Limits counted ${name}`, { skip }, () => {
    it('have a window for each source and each credential, whatever their names', async (context) => {
      const [limits] = await open(context, WINDOW_SECONDS);
      const [one, other] = [newKey(), newKey()];
      const counts: number[] = [];
      for (const [kind, key] of [
        ['ingress', one],
        ['quota', one],
        ['quota', other],
        ['quota', one],
        ['ingress', one],
      ] as const) {
        counts.push((await limits[kind].hit(key)).count);
      }
      assert.deepEqual(counts, [1, 1, 1, 2, 2]);
    });

    it('give every one of many hits at once its own count, and all the same end', async (context) => {
      const processes = await open(context, WINDOW_SECONDS);
      const key = newKey();
      const hits = await Promise.all(
        Array.from({ length: HITS_AT_ONCE }, async (_, index) => processes[index % 2]!.quota.hit(key)),
      );
      const counts = hits.map(({ count }) => count).sort((a, b) => a - b);
      assert.deepEqual(
        counts,
        Array.from({ length: HITS_AT_ONCE }, (_, index) => index + 1),
      );
      assert.equal(new Set(hits.map(({ resetAtMs }) => resetAtMs)).size, 1);
    });

    it('end 60 s after the first hit, by the wall clock and by the time that is left', async (context) => {
      const [limits] = await open(context, WINDOW_SECONDS);
      const key = newKey();
      const first = await limits.quota.hit(key);
      assert.equal(first.resetInMs, 60_000);
      assert.ok(Math.abs(first.resetAtMs - Date.now() - 60_000) < 2_000);
      await sleep(20);
      const second = await limits.quota.hit(key);
      assert.equal(second.resetAtMs, first.resetAtMs);
      assert.ok(second.resetInMs < first.resetInMs);
    });

    it('start again after the window: a client that waits as told is the first', async (context) => {
      const [limits] = await open(context, SHORT_WINDOW_SECONDS);
      const key = newKey();
      await limits.quota.hit(key);
      const { count, resetInMs, resetAtMs } = await limits.quota.hit(key);
      assert.equal(count, 2);
      // Timers may be a millisecond early.
      await sleep(Math.ceil(resetInMs) + 1);
      const next = await limits.quota.hit(key);
      assert.equal(next.count, 1);
      assert.ok(next.resetAtMs > resetAtMs);
    });

    it('count for the credential only what the ingress limit lets pass, and each exactly once', async (context) => {
      const processes = await open(context, WINDOW_SECONDS);
      const [source, credential] = [newKey(), newKey()];
      const both = await Promise.all(
        Array.from({ length: 100 }, (_, index) => hitBoth(processes[index % 2]!, source, 40, credential)),
      );
      const passed = both.filter(({ quota }) => quota !== undefined);
      assert.deepEqual(sortedCounts(passed.map(({ quota }) => quota!)).at(-1), 40);
      assert.equal(passed.length, 40);
      assert.ok(passed.every(({ ingress }) => ingress.count <= 40));
      assert.equal((await processes[0].ingress.hit(source)).count, 101);
      assert.equal((await processes[0].quota.hit(credential)).count, 41);
    });

    it('agree with counting on fingers, whatever is asked in whatever order', async (context) => {
      const processes = await open(context, WINDOW_SECONDS);
      const step = fc.record({
        process: fc.constantFrom(0 as const, 1 as const),
        kind: fc.constantFrom<CounterKind | 'both'>('ingress', 'quota', 'both'),
        key: fc.nat(2),
        credential: fc.nat(2),
        limit: fc.nat(5),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const prefix = newKey();
          const fingers = new Map<string, number>();
          const expectNext = (key: string): number => {
            fingers.set(key, (fingers.get(key) ?? 0) + 1);
            return fingers.get(key)!;
          };
          for (const { process, kind, key, credential, limit } of steps) {
            const limits = processes[process];
            if (kind === 'both') {
              const hits = await hitBoth(limits, `${prefix}${key}`, limit, `${prefix}${credential}`);
              const expected = expectNext(`ingress${key}`);
              assert.equal(hits.ingress.count, expected);
              assert.equal(
                hits.quota?.count,
                expected <= limit ? expectNext(`quota${credential}`) : undefined,
              );
            } else {
              assert.equal((await limits[kind].hit(`${prefix}${key}`)).count, expectNext(`${kind}${key}`));
            }
          }
        }),
        { seed: 20261120, numRuns: 25 },
      );
    });
  });
}

/** As the listener asks: in one step where there is one, else one after the other. */
async function hitBoth(
  limits: RequestLimits,
  source: string,
  ingressLimit: number,
  credentialId: string,
): Promise<BothHits> {
  if (limits.hitBoth !== undefined) return await limits.hitBoth(source, ingressLimit, credentialId);
  const ingress = await limits.ingress.hit(source);
  return { ingress, quota: ingress.count <= ingressLimit ? await limits.quota.hit(credentialId) : undefined };
}

function sortedCounts(hits: readonly WindowHit[]): number[] {
  return hits.map(({ count }) => count).sort((a, b) => a - b);
}
