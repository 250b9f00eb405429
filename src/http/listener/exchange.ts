/** One request on its way to its answer: what the hooks of a listener pass from one to the next. */
import type { IncomingMessage } from 'node:http';
import type { GuardedResponse } from '../answers/guarded-response.ts';

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
