/**
 * Calls of one thread to another over a message port. They are numbered, so that answers may come in any order:
 * `OpenCalls` is the caller's side, `answerCall` the other.
 */
import type { Transferable } from 'node:worker_threads';

export interface Call<Request> {
  readonly call: number;
  readonly request: Request;
}

export type Reply = { readonly replyTo: number } & (
  | { readonly result: unknown }
  | { readonly error: unknown }
);

/** What waits for replies of one thread. */
export class OpenCalls {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #callCount = 0;

  get count(): number {
    return this.#waiting.size;
  }

  /** Rejects when `send` throws, with the other thread's error, or with that of `rejectAll`. */
  async open<Request, Result>(request: Request, send: (call: Call<Request>) => void): Promise<Result> {
    const call = ++this.#callCount;
    send({ call, request });
    const asker = Promise.withResolvers<unknown>();
    this.#waiting.set(call, asker);
    return (await asker.promise) as Result;
  }

  /** A class does not survive the way between threads: `restoreError` makes one of what arrived. */
  settle(reply: Reply, restoreError: (packed: unknown) => Error = asError): void {
    const asker = this.#waiting.get(reply.replyTo);
    this.#waiting.delete(reply.replyTo);
    if ('error' in reply) asker?.reject(restoreError(reply.error));
    else asker?.resolve(reply.result);
  }

  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** Resolves when all calls made so far have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(Array.from(this.#waiting.values(), ({ promise }) => promise));
  }
}

export interface Answer {
  readonly result: unknown;
  /** Memory of the result that is handed over, not copied. */
  readonly transfer?: readonly Transferable[];
}

export interface Answering<Request> {
  readonly answer: (request: Request) => Answer | Promise<Answer>;
  readonly packError?: (error: unknown) => unknown;
}

/** Where replies go. */
export interface ReplyPort {
  postMessage(reply: Reply, transfer?: readonly Transferable[]): void;
}

/** Never rejects: an error is sent to the caller, also that a result can't be sent. */
export async function answerCall<Request>(
  port: ReplyPort,
  { call, request }: Call<Request>,
  { answer, packError = asError }: Answering<Request>,
): Promise<void> {
  try {
    const { result, transfer = [] } = await answer(request);
    port.postMessage({ replyTo: call, result }, transfer);
  } catch (error) {
    port.postMessage({ replyTo: call, error: packError(error) }, []);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
