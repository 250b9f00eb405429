/** Reads request bodies: bounded in size and time, and asked for only when every check before them has passed. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { sendContinue } from '../listener/continue.ts';
import type { Exchange, Hook } from '../listener/exchange.ts';

export interface BodyLimits {
  /** A body of exactly this size is accepted. */
  readonly limitBytes: number;
  /** Answers; where it does not, the body is taken as empty. */
  readonly onTooLarge: (exchange: Exchange) => void;
  /** From now on until the last byte. */
  readonly timeoutMs: number;
}

export const TOO_SLOW: ValidationIssue = {
  field: 'request',
  code: 'OUT_OF_RANGE',
  detail: 'The request took too long to arrive.',
};

/** A request that breaks off is answered by `client-errors.ts`, and the hook never comes to an end. */
export function bodyHook({ limitBytes, onTooLarge, timeoutMs }: BodyLimits): Hook {
  return (exchange) => {
    const { request, response } = exchange;
    if (Number(request.headers['content-length']) > limitBytes) return onTooLarge(exchange);
    sendContinue(request);
    return new Promise((resolve) => {
      const chunks: Uint8Array[] = [];
      let sizeBytes = 0;
      const timer = setTimeout(() => {
        stop();
        presentIssues(response, [TOO_SLOW], ['Connection', 'close']);
        resolve();
      }, timeoutMs);
      function take(chunk: Uint8Array): void {
        sizeBytes += chunk.length;
        if (sizeBytes <= limitBytes) {
          chunks.push(chunk);
          return;
        }
        stop();
        onTooLarge(exchange);
        resolve();
      }
      function finish(): void {
        stop();
        exchange.body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, sizeBytes);
        resolve();
      }
      function stop(): void {
        clearTimeout(timer);
        request.off('data', take).off('end', finish).off('close', stop);
        response.off('close', stop);
      }
      request.on('data', take).once('end', finish).once('close', stop);
      // A body whose coding is broken is answered elsewhere, and its request never closes.
      response.once('close', stop);
      request.on('error', ignore);
    });
  };
}

/** The connection broke: nobody is there to be answered. */
function ignore(): void {}
