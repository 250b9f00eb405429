/**
 * Keeps one client below the quota of its credential, so that it never meets a 429.
 *
 * The first request of a window goes alone: its answer says how many more there are, and when the window ends. Those
 * go out at once; what is left waits for the end of the window. It needs the credential for itself: requests of
 * another process count as well, and are seen only when an answer tells a smaller number.
 */
import type { RateLimit } from './types.ts';

/** The longest window. A service that names a later end is not waited for any longer. */
export const WINDOW_MS_MAX = 60_000;
/** The service tells the end of a window and its own time in whole seconds. */
export const MARGIN_MS = 1_500;

/** What `setTimeout` gives: a number, or in Node.js an object that can let the program end. */
type Timer = ReturnType<typeof setTimeout> & { ref?: () => void; unref?: () => void };

export class Limiter {
  readonly #waiting: (() => void)[] = [];
  /** Requests that may still be sent in this window; undefined before a first answer. */
  #left: number | undefined = undefined;
  #isProbing = false;
  #timer: Timer | undefined = undefined;

  /** Resolves when a request may be sent; rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        this.#letEnd();
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(go);
      this.#timer?.ref?.();
      this.#release();
    });
  }

  /**
   * Must follow every `take`, with what the answer said; undefined when there was none. `nowMs` is the time of the
   * service, by its `Date`: the clock of this machine may be wrong by minutes.
   */
  settle(rateLimit: RateLimit | undefined, nowMs: number): void {
    if (rateLimit !== undefined) {
      this.#left = Math.min(this.#isProbing ? Infinity : (this.#left ?? Infinity), rateLimit.remaining);
      this.#startNewWindowAfter(rateLimit.resetAt.getTime() - nowMs);
    }
    this.#isProbing = false;
    this.#release();
  }

  #release(): void {
    if (this.#isProbing) return;
    if (this.#left === undefined) {
      const probe = this.#waiting.shift();
      if (probe === undefined) return;
      this.#isProbing = true;
      probe();
      return;
    }
    for (; this.#left > 0 && this.#waiting.length > 0; this.#left -= 1) this.#waiting.shift()?.();
    this.#letEnd();
  }

  /** A program that waits for nothing may end before the window does. */
  #letEnd(): void {
    if (this.#waiting.length === 0) this.#timer?.unref?.();
  }

  #startNewWindowAfter(ms: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#left = undefined;
        this.#release();
      },
      Math.min(WINDOW_MS_MAX, Math.max(0, ms)) + MARGIN_MS,
    );
  }
}
