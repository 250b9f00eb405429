/** A heap of some hundred megabytes that changes, and buffers that come and go, until V8 collects it all. */
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { obeyOrders } from './machine/channel.ts';

const OBJECTS = 400_000;
const CHANGES_PER_TURN = 20;
const BUFFER_BYTES = 1024 * 1024;
const BUFFERS_MAX = 90;
const BUFFER_EVERY_TURNS = 10;
/** A collection that is not over by then counts as so long. */
const MS_MAX = 10_000;
const TASKS = '/proc/self/task';

obeyOrders({
  async collect(niceness: number): Promise<number> {
    const live = Array.from({ length: OBJECTS }, (_, index) => makeObject(index));
    let longestMs: number | undefined;
    const observer = new PerformanceObserver((list) => {
      const entries: readonly PerformanceEntry[] = list.getEntries();
      for (const { duration, detail } of entries as readonly CollectionEntry[]) {
        if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR)
          longestMs = Math.max(duration, longestMs ?? 0);
      }
    });
    // What was collected while the heap grew is over.
    await nextTurn();
    observer.observe({ entryTypes: ['gc'] });
    lowerHelpers(niceness);
    const endMs = performance.now() + MS_MAX;
    for (let turn = 0; longestMs === undefined && performance.now() < endMs; turn++) {
      await nextTurn();
      changeSome(live, turn);
    }
    observer.disconnect();
    return longestMs ?? MS_MAX;
  },
});

type CollectionEntry = PerformanceEntry & { readonly detail: { readonly kind: number } };

function makeObject(index: number): object {
  return { id: `p${index}`, numbers: [index, 1, 2], inner: { index } };
}

let buffers: Buffer[] = [];

function changeSome(live: object[], turn: number): void {
  for (let change = 0; change < CHANGES_PER_TURN; change++) {
    const index = (turn * CHANGES_PER_TURN + change * 7919) % OBJECTS;
    live[index] = makeObject(index);
  }
  if (turn % BUFFER_EVERY_TURNS > 0) return;
  if (buffers.length >= BUFFERS_MAX) buffers = [];
  buffers.push(Buffer.alloc(BUFFER_BYTES));
}

function lowerHelpers(niceness: number): void {
  for (const task of readdirSync(TASKS)) {
    if (readFileSync(`${TASKS}/${task}/comm`, 'utf8').trim() === 'V8Worker')
      setPriority(Number(task), niceness);
  }
}
