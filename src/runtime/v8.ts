/** What a process that serves asks of V8: that its threads stay behind, and that `process.nextTick` stays fast. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { executionAsyncResource } from 'node:async_hooks';

// Threads on which V8 looks for garbage while the process serves. There are four of them whatever the number of cores:
// on a machine of one or two, answering has to wait for its turn behind them, 0.2 s at a time in a large catalogue.
// With a lower priority they take what is left (docs/decisions/014-background-threads.md).

/**
 * Steps below the process. At the lowest priority they would get a seventieth of the core, and what answers waits for
 * them at the end of each collection: beside another busy process it stood still for a tenth of a second.
 */
export const BACKGROUND_NICENESS = 7;
const TASKS = '/proc/self/task';
const BACKGROUND = 'V8Worker';

/** Answers how many there were. Elsewhere than on Linux threads have no names and no priorities: 0. */
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

/** Steps below the process: where cores are few, a large message waits for answers, not they for it. */
const MESSAGE_NICENESS = 5;

/**
 * Called by a thread for itself, with the steps below the process. On Linux a thread has a priority of its own;
 * elsewhere this would be the process's.
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

/** To be called when a thread begins to serve, before it makes much garbage. Again changes nothing. */
export function keepTickShape(): void {
  process.nextTick(() => (kept ??= executionAsyncResource()));
}

/** The object that is kept; undefined before the turn after `keepTickShape`. */
export function keptTick(): object | undefined {
  return kept;
}
