/** Tunes V8 for a serving process: its threads run at a lower priority, and `process.nextTick` stays fast. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { executionAsyncResource } from 'node:async_hooks';

// Threads on which V8 looks for garbage while the process serves. There are four of them whatever the number of cores:
// on a machine of one or two, answering has to wait for its turn behind them, 0.2 s at a time in a large catalogue.
// With a lower priority they take what is left (docs/decisions/014-background-threads.md).

/**
 * Steps below the process. At the lowest priority they get a seventieth of the core, and answers wait for them at the
 * end of each collection: a tenth of a second beside another busy process.
 */
export const BACKGROUND_NICENESS = 7;
const TASKS = '/proc/self/task';
const BACKGROUND = 'V8Worker';

/** Returns the number of threads. Only Linux has names and priorities of threads; elsewhere 0. */
export function lowerBackgroundThreads(): number {
  if (process.platform !== 'linux') return 0;
  try {
    const threadIds = readdirSync(TASKS).filter(isBackground).map(Number);
    // The system calls it a process, and means a thread.
    const priority = lowered(BACKGROUND_NICENESS);
    for (const threadId of threadIds) setPriority(threadId, priority);
    return threadIds.length;
  } catch {
    return 0; // no /proc, or a container that forbids it: everything works, with longer pauses
  }
}

function isBackground(threadId: string): boolean {
  return readFileSync(`${TASKS}/${threadId}/comm`, 'utf8').trim() === BACKGROUND;
}

/** Steps below the process: on few cores, a large message waits for answers. */
const MESSAGE_NICENESS = 5;

/**
 * Lowers the calling thread, with the steps below the process. On Linux a thread has its own priority; elsewhere this
 * would change the process.
 */
export function lowerThisThread(steps = MESSAGE_NICENESS): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(lowered(steps));
  } catch {
    // Not allowed here: everything works, with longer pauses on one core.
  }
}

/** So many steps below this thread. */
function lowered(steps: number): number {
  return Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps);
}

// Keeps `process.nextTick` fast. Each call makes an object with computed keys; V8 writes them inline only while the
// hidden class that it saw first is alive, and nothing but such objects keeps it alive. A full garbage collection in a
// moment without one, as while a catalogue loads, makes every later call five times slower for as long as the process
// runs: a tenth of what an answer costs (docs/decisions/067-path-of-a-get.md). One object that stays prevents that.

let kept: object | undefined;

/** Call it when a thread begins to serve, before it makes much garbage. Repeating changes nothing. */
export function keepTickShape(): void {
  process.nextTick(() => (kept ??= executionAsyncResource()));
}

/** The kept object; undefined before the turn after `keepTickShape`. */
export function keptTick(): object | undefined {
  return kept;
}
