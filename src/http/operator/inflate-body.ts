/**
 * Bodies with `Content-Encoding: gzip`. What they inflate to is bounded as a plain body is, and reserves memory as a plain
 * body does: a small body may stand for very many bytes.
 */
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import type { MessageError } from '../../supply/messages/message-errors.ts';
import { presentProblem } from '../answers/present-problem.ts';
import type { Exchange } from '../listener/exchange.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';

const inflate = promisify(gunzip);

export function isGzip({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === 'gzip' || encoding === 'x-gzip';
}

export interface InflateLimits {
  readonly limitBytes: number;
  readonly onTooLarge: (exchange: Exchange) => void;
  /** `MemoryBudget.reserve`: false, and answered, when the budget is spent. */
  readonly reserveMemory: (exchange: OperatorExchange, bytes: number) => boolean;
}

/** Behind the hook that reads the body, which has reserved memory for the bytes that were sent. */
export function inflateHook({ limitBytes, onTooLarge, reserveMemory }: InflateLimits): OperatorHook {
  return async (exchange) => {
    const { request, body } = exchange;
    if (!isGzip(request)) return;
    if (!reserveMemory(exchange, limitBytes - body.byteLength)) return;
    try {
      exchange.body = await inflate(body, { maxOutputLength: limitBytes });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') return onTooLarge(exchange);
      return refuseBroken(exchange);
    }
    reserveMemory(exchange, exchange.body.byteLength - limitBytes);
  };
}

function refuseBroken({ response }: Exchange): void {
  const detail = 'Content-Encoding is gzip, but the body is not a whole gzip stream.';
  const errors: MessageError[] = [{ pointer: '', code: 'BODY_BROKEN', detail }];
  presentProblem(response, 'SUPPLY_VALIDATION_ERROR', { errors });
}

/** The same of a body that is read as it comes: no more of it is inflated than its reader takes. */
export async function* inflateChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const stream = createGunzip();
  const feeding = (async (): Promise<void> => {
    for await (const chunk of chunks) {
      if (stream.destroyed) return;
      if (!stream.write(chunk))
        await new Promise((resolve) => stream.once('drain', resolve).once('close', resolve));
    }
    stream.end();
  })().catch((error: unknown) => void stream.destroy(error as Error));
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } finally {
    stream.destroy();
    await feeding;
  }
}
