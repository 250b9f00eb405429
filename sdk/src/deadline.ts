/** What ends work that waits: a time limit, or the caller's signal. */
import { ConnectionError } from './errors.ts';

interface Ending {
  /** Its reason is the `ConnectionError` that the work ends with. */
  readonly ended: AbortSignal;
  /** Takes timer and listener away. */
  readonly stop: () => void;
}

/** `ms` may be `Infinity`. */
export function startEnding(ms: number, signal: AbortSignal | undefined): Ending {
  const controller = new AbortController();
  const onAbort = (): void => {
    const cause: unknown = signal?.reason;
    controller.abort(new ConnectionError('ABORTED', 'the call was aborted by its signal', { cause }));
  };
  const onTimeout = (): void => {
    controller.abort(new ConnectionError('TIMEOUT', `no whole answer within ${Math.round(ms)} ms`));
  };
  const timer = Number.isFinite(ms) ? setTimeout(onTimeout, ms) : undefined;
  if (signal?.aborted === true) onAbort();
  const leave = signal === undefined ? undefined : listen(signal, onAbort);
  const stop = (): void => {
    clearTimeout(timer);
    leave?.();
  };
  return { ended: controller.signal, stop };
}

/** One listener for each signal, however many calls share it: Node.js 20 warns of a leak at the eleventh. */
const calls = new WeakMap<AbortSignal, Set<() => void>>();

function listen(signal: AbortSignal, onAbort: () => void): () => void {
  const ends = calls.get(signal) ?? new Set();
  if (!calls.has(signal)) {
    calls.set(signal, ends);
    signal.addEventListener('abort', () => ends.forEach((end) => end()));
  }
  ends.add(onAbort);
  return () => void ends.delete(onAbort);
}

/**
 * Rejects with a `ConnectionError` as soon as the time is over or the signal says so, and does not wait for the work
 * to notice: on Node.js 20 and 22 `fetch` can lose its signal when garbage is collected (undici 4627).
 */
export async function within<Value>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (ended: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { ended, stop } = startEnding(ms, signal);
  try {
    return await new Promise<Value>((resolve, reject) => {
      const leave = (): void => reject(ended.reason as Error);
      if (ended.aborted) return leave();
      ended.addEventListener('abort', leave);
      return void work(ended).then(resolve, reject);
    });
  } finally {
    stop();
  }
}

export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await within(Infinity, signal, () => new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
  } finally {
    clearTimeout(timer);
  }
}
