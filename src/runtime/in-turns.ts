/** Work in steps, where other work may come in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The result of work in steps; each step ends where other work may come in between. */
export type Steps<T> = Generator<void, T>;

/** Other work waits no longer than this, and for the last step of it. */
const TURN_MS_MAX = 0.5;

/** For a thread that serves others: other work comes in between. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const untilMs = performance.now() + TURN_MS_MAX;
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < untilMs);
    await nextTurn();
  }
}

/** For a thread with nothing else to do, and for work whose time is bounded elsewhere. */
export function inOneTurn<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
