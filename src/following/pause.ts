import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the database is asked again, or until the signal; never rejects. */
export type Pause = (signal: AbortSignal) => Promise<void>;

/** A pause of so many milliseconds. */
export function pauseFor(milliseconds: number): Pause {
  return (signal) => delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
