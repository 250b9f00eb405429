/**
 * One request on its way to its answer: what the hooks of a listener pass from one to the next, how long the work behind
 * an answer may take, and to which span it belongs.
 */
import type { IncomingMessage } from 'node:http';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import type { RequestTrace } from '../../observability/tracing.ts';
import { Deadlines } from '../../runtime/deadlines.ts';
import { StorageUnavailable } from '../../storage/storage.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: GuardedResponse;
  /** The whole body, once `bodyHook` has read it; empty before, and where there is none. */
  body: Uint8Array;
  /** Answers when a hook throws: a bug, or what it depends on is away. */
  readonly presentFailure: (exchange: Exchange, error: unknown) => void;
}

export const NO_BODY = new Uint8Array();

/** Lets the exchange pass, or answers it; a promise where it has to wait. The last one, the handler, answers. */
export type Hook<E extends Exchange = Exchange> = (exchange: E) => void | Promise<void>;

/** Runs the hooks in order until one has answered. What one throws becomes a problem; so does having no answer. */
export function runHooks<E extends Exchange>(hooks: readonly Hook<E>[], exchange: E): void {
  goOn(hooks, exchange, 0);
}

function goOn<E extends Exchange>(hooks: readonly Hook<E>[], exchange: E, from: number): void {
  const { response, presentFailure } = exchange;
  try {
    for (let index = from; index < hooks.length; index += 1) {
      const late = hooks[index]!(exchange);
      if (late !== undefined) {
        late.then(
          () => (response.isAnswered ? undefined : goOn(hooks, exchange, index + 1)),
          (error: unknown) => presentFailure(exchange, error),
        );
        return;
      }
      if (response.isAnswered) return;
    }
    presentFailure(exchange, new Error('the handler gave no answer'));
  } catch (error) {
    presentFailure(exchange, error);
  }
}

// No caller waits for ever: what takes too long is answered 503, whatever hangs behind it.

/** Well above the 2 s that storing a quote may take, well below what clients wait. */
export const ANSWER_MS_MAX = 5_000;

/** By their limit, of which there are a few. */
const deadlinesByLimit = new Map<number, Deadlines>();

function deadlinesOf(limitMs: number): Deadlines {
  const known = deadlinesByLimit.get(limitMs);
  if (known !== undefined) return known;
  const deadlines = new Deadlines(limitMs);
  deadlinesByLimit.set(limitMs, deadlines);
  return deadlines;
}

/** The work's result; rejects with StorageUnavailable when it is not there in time. The work itself goes on. */
export async function withinDeadline<T>(work: Promise<T>, limitMs = ANSWER_MS_MAX): Promise<T> {
  const deadlines = deadlinesOf(limitMs);
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const deadline = deadlines.start(() => reject(new StorageUnavailable(`no answer within ${limitMs} ms`)));
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    deadlines.end(deadline);
  }
}

/** Runs `work` as part of the request's span, where there is one. */
export function tracedWork<T>(trace: RequestTrace | undefined, work: () => T): T {
  return trace === undefined ? work() : trace.run(work);
}
