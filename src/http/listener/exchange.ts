/** A request on its way to its answer, passed from hook to hook. */
import type { IncomingMessage } from 'node:http';
import type { GuardedResponse } from '../answers/guarded-response.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: GuardedResponse;
  /** The whole body after `bodyHook`; empty before, and without a body. */
  body: Uint8Array;
  /** Answers when a hook throws: a bug, or a dependency is away. */
  readonly presentFailure: (exchange: Exchange, error: unknown) => void;
}

export const NO_BODY = new Uint8Array();

/** Lets the exchange pass, or answers it; a promise if it has to wait. The last one, the handler, answers. */
export type Hook<E extends Exchange = Exchange> = (exchange: E) => void | Promise<void>;
