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
