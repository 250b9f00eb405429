/** `Expect: 100-continue`: the client waits with its body until it is asked for, so it is asked after the checks. */
import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

export function awaitContinue(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** Asks for the body, if the client waits for that. Without it, node ends the connection behind the answer. */
export function sendContinue(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
}
