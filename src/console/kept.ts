/**
 * What is worked out from everything there is, and too costly for each page: made on the first question, kept, made again
 * when it is outdated, and dropped when nobody asks any more.
 */

export interface Kept<T> {
  get(): Promise<T>;
}

/** Making it again takes at most one part in so many of the time. */
const PAUSE_FACTOR = 20;
/** A page waits for it again where it took no longer than this; otherwise it shows the one before. */
const AWAITED_MS_MAX = 30;
const IDLE_MS = 600_000;

interface Made<T> {
  readonly value: T;
  readonly tookMs: number;
  readonly atMs: number;
}

interface KeptParts<T> {
  readonly make: () => Promise<T>;
  readonly isOutdated: (ageMs: number) => boolean;
  /** Another one in tests. */
  readonly monotonicMs?: () => number;
}

/** `make` gives way to others while it works. What it rejects with reaches those who wait for it. */
export function createKept<T>({
  make,
  isOutdated,
  monotonicMs = () => performance.now(),
}: KeptParts<T>): Kept<T> {
  let made: Made<T> | undefined;
  let making: Promise<Made<T>> | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function remake(): Promise<Made<T>> {
    const startMs = monotonicMs();
    try {
      const value = await make();
      const atMs = monotonicMs();
      return (made = { value, tookMs: atMs - startMs, atMs });
    } finally {
      making = undefined;
    }
  }

  return {
    async get() {
      clearTimeout(idle);
      idle = setTimeout(() => (made = undefined), IDLE_MS).unref();
      if (made === undefined) return (await (making ??= remake())).value;
      const { value, tookMs, atMs } = made;
      const ageMs = monotonicMs() - atMs;
      if (ageMs < PAUSE_FACTOR * tookMs || !isOutdated(ageMs)) return value;
      const next = (making ??= remake());
      if (tookMs <= AWAITED_MS_MAX) return (await next).value;
      // The one who waits for it next learns why it failed.
      next.catch(() => undefined);
      return value;
    },
  };
}
