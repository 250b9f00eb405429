/**
 * The machine of simulated processes: one queue of everything that is due, in an order that the seed decides, and a clock
 * for each process. Code of the service calls `setTimeout`, `setImmediate`, `performance.now` and `Date.now` as ever;
 * within a simulated process these are the scheduler's.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { seededRandom } from '../kit/catalogue-samples.ts';

/** Timers are late by up to this, so that their order differs from seed to seed. */
const LATE_MS_MAX = 2;
/** Then the machine has its turn, to collect garbage of its own. */
const EVENTS_PER_TURN = 1_000;
/** A story with more is one that never ends. */
const EVENTS_MAX = 5_000_000;

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  performanceNow: performance.now.bind(performance),
  dateNow: Date.now,
  sleep: timersPromises.setTimeout,
  nextTurn: timersPromises.setImmediate,
};

/** A process as its code meets it: its clocks go on while it is frozen, its timers do not. */
export class Process {
  readonly name: string;
  readonly scheduler: Scheduler;
  /** The wall clock less the true time; jumps change it. */
  wallOffsetMs: number;
  /** Milliseconds of its clocks in a true one. */
  readonly rate: number;
  frozenUntilMs = 0;
  isDead = false;

  constructor(scheduler: Scheduler, name: string, { wallOffsetMs = 0, rate = 1 } = {}) {
    this.scheduler = scheduler;
    this.name = name;
    this.wallOffsetMs = wallOffsetMs;
    this.rate = rate;
  }

  readonly wallMs = (): number => Math.floor(this.scheduler.nowMs + this.wallOffsetMs);
  /** Monotonic. */
  readonly uptimeMs = (): number => (this.scheduler.nowMs - this.scheduler.startMs) * this.rate;

  /** After so many milliseconds of its own clock. */
  after(delayMs: number, run: () => void): Due {
    const lateMs = delayMs === 0 ? 0 : this.scheduler.random() * LATE_MS_MAX;
    return this.scheduler.at(this.scheduler.nowMs + Math.max(0, delayMs) / this.rate + lateMs, this, run);
  }
}

export interface Due {
  atMs: number;
  readonly sequence: number;
  readonly process: Process;
  run: (() => void) | undefined;
}

/** Runs every promise that can go on; V8 does so by itself only at the end of a turn of the event loop. */
const finishPromises = makeFinishPromises();

function makeFinishPromises(): () => void {
  setFlagsFromString('--allow-natives-syntax');
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- the only way to call V8's own function
  return new Function('%PerformMicrotaskCheckpoint()') as () => void;
}

const current = new AsyncLocalStorage<Process>();

/** Work of the machine's own threads for simulated processes: while there is any, simulated time stands still. */
const outside = new Set<Promise<unknown>>();

export class Scheduler {
  readonly startMs: number;
  readonly random: () => number;
  /** The true time, Unix ms. */
  nowMs: number;
  /** Events so far. */
  eventCount = 0;
  #sequence = 0;
  readonly #queue: Due[] = [];

  constructor(seed: number, startMs: number) {
    install();
    this.random = seededRandom(seed);
    this.startMs = startMs;
    this.nowMs = startMs;
  }

  at(atMs: number, process: Process, run: () => void): Due {
    if (!Number.isFinite(atMs)) throw new Error(`an event of ${process.name} is due at ${atMs}`);
    const due = { atMs, sequence: (this.#sequence += 1), process, run };
    push(this.#queue, due);
    return due;
  }

  /** A whole number below `below`. */
  below(below: number): number {
    return Math.floor(this.random() * below);
  }

  /** Runs everything that is due until then, or until `goesOn` says no. */
  async runUntil(untilMs: number, goesOn: () => boolean): Promise<void> {
    while (await this.#runSome(untilMs, goesOn)) await Promise.all(outside);
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** Some events in one turn of the real event loop. Returns whether there may be more. */
  #runSome(untilMs: number, goesOn: () => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      real.setImmediate(() => {
        try {
          for (let count = 0; count < EVENTS_PER_TURN; count += 1) {
            if (outside.size > 0) return resolve(true);
            if (!this.#runNext(untilMs)) return resolve(false);
            finishPromises();
            if (!goesOn()) return resolve(false);
          }
          resolve(true);
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** False if nothing is due until then. */
  #runNext(untilMs: number): boolean {
    const [next] = this.#queue;
    if (next === undefined || next.atMs > untilMs) return false;
    pop(this.#queue);
    const { process, run } = next;
    if (run === undefined || process.isDead) return true;
    if (process.frozenUntilMs > next.atMs) {
      next.atMs = process.frozenUntilMs;
      push(this.#queue, next);
      return true;
    }
    this.nowMs = Math.max(this.nowMs, next.atMs);
    if ((this.eventCount += 1) > EVENTS_MAX) throw new Error('the story does not end');
    next.run = undefined;
    current.run(process, run);
    return true;
  }
}

function isEarlier(one: Due, other: Due): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.sequence < other.sequence);
}

function push(heap: Due[], due: Due): void {
  let index = heap.push(due) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isEarlier(due, heap[parent]!)) break;
    heap[index] = heap[parent]!;
    index = parent;
  }
  heap[index] = due;
}

function pop(heap: Due[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isEarlier(heap[child + 1]!, heap[child]!)) child += 1;
    if (!isEarlier(heap[child]!, last)) break;
    heap[index] = heap[child]!;
    index = child;
  }
  heap[index] = last;
}

// What code of a simulated process meets in place of the machine's own timers and clocks.

/** As `setTimeout` returns it. */
class Timer {
  due: Due | undefined;
  ref = (): this => this;
  unref = (): this => this;
  hasRef = (): boolean => true;
  close = (): this => (end(this), this);
  [Symbol.dispose] = (): void => end(this);
}

function end(timer: unknown): void {
  if (timer instanceof Timer && timer.due !== undefined) timer.due.run = undefined;
}

function startTimer(process: Process, run: () => void, delayMs = 0): Timer {
  const timer = new Timer();
  timer.due = process.after(Math.max(1, delayMs), run);
  return timer;
}

function startInterval(process: Process, run: () => void, delayMs = 0): Timer {
  const timer = new Timer();
  const again = (): void => {
    timer.due = process.after(Math.max(1, delayMs), again);
    run();
  };
  timer.due = process.after(Math.max(1, delayMs), again);
  return timer;
}

function sleepIn<T>(
  process: Process,
  delayMs: number,
  value: T,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const due = process.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve(value);
    });
    const onAbort = (): void => {
      due.run = undefined;
      reject(signal!.reason as Error);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Runs work of the real machine for a simulated process: no simulated time passes until it is done. */
export function standStill<T>(work: () => Promise<T>): Promise<T> {
  const done = current.exit(work);
  waitFor(done);
  return done;
}

const CIPHERS = ['importKey', 'encrypt', 'decrypt', 'sign', 'verify', 'digest'];

function waitFor(work: Promise<unknown>): void {
  const settled: Promise<unknown> = Promise.allSettled([work]).then(() => outside.delete(settled));
  outside.add(settled);
}

let isInstalled = false;

/** Once; code outside of simulated processes keeps the machine's own. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  type Anything = (...args: unknown[]) => void;
  const replaced = {
    setTimeout: (run: Anything, delayMs?: number, ...args: unknown[]) => {
      const process = current.getStore();
      if (process === undefined) return real.setTimeout(run, delayMs, ...args);
      return startTimer(process, () => run(...args), delayMs);
    },
    clearTimeout: (timer: unknown) => {
      end(timer);
      if (!(timer instanceof Timer)) real.clearTimeout(timer as NodeJS.Timeout);
    },
    setInterval: (run: Anything, delayMs?: number, ...args: unknown[]) => {
      const process = current.getStore();
      if (process === undefined) return real.setInterval(run, delayMs, ...args);
      return startInterval(process, () => run(...args), delayMs);
    },
    clearInterval: (timer: unknown) => {
      end(timer);
      if (!(timer instanceof Timer)) real.clearInterval(timer as NodeJS.Timeout);
    },
    setImmediate: (run: Anything, ...args: unknown[]) => {
      const process = current.getStore();
      if (process === undefined) return real.setImmediate(run, ...args);
      const timer = new Timer();
      timer.due = process.after(0, () => run(...args));
      return timer;
    },
    clearImmediate: (timer: unknown) => {
      end(timer);
      if (!(timer instanceof Timer)) real.clearImmediate(timer as NodeJS.Immediate);
    },
  };
  Object.assign(globalThis, replaced);
  const ciphers = SubtleCrypto.prototype as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >;
  for (const name of CIPHERS) {
    const own = ciphers[name]!;
    ciphers[name] = function (...args) {
      const work = own.apply(this, args);
      if (current.getStore() !== undefined) waitFor(work);
      return work;
    };
  }
  performance.now = () => current.getStore()?.uptimeMs() ?? real.performanceNow();
  Date.now = () => current.getStore()?.wallMs() ?? real.dateNow();
  Object.assign(timersPromises, {
    setTimeout: (delayMs: number, value: unknown, options?: { readonly signal?: AbortSignal }) => {
      const process = current.getStore();
      if (process === undefined) return real.sleep(delayMs, value, options);
      return sleepIn(process, delayMs, value, options);
    },
    setImmediate: (value: unknown, options?: object) => {
      const process = current.getStore();
      if (process === undefined) return real.nextTurn(value, options);
      return new Promise((resolve) => process.after(0, () => resolve(value)));
    },
  });
  syncBuiltinESMExports();
}
