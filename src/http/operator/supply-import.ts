/** `POST /supply/v1/import`: the body is read as it is written, so that a slow database slows the sender down. */
import type { IncomingMessage } from 'node:http';
import type { SupplyApi } from '../../supply/messages/supply-api.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { sendContinue } from '../listener/continue.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { presentImported } from './present-supply.ts';
import { idempotencyKeyOf, readSupplyQuery, sourceOf } from './supply-query.ts';

export interface ImportLimits {
  readonly bodyLimitBytes: number;
  /** Between two pieces of the body. */
  readonly silenceMsMax: number;
}

export function importHandler(supply: SupplyApi, limits: ImportLimits): OperatorHook {
  return async (exchange) => {
    const { request, response } = exchange;
    if (Number(request.headers['content-length']) > limits.bodyLimitBytes) return tooLarge(exchange);
    const query = readSupplyQuery(exchange);
    const source = query && sourceOf(exchange, query);
    const idempotencyKey = source === undefined ? undefined : idempotencyKeyOf(exchange);
    if (source === undefined || idempotencyKey === undefined) return;
    sendContinue(request);
    const reading = { isTooLarge: false };
    const chunks = readBounded(request, limits, reading);
    const target = `${request.method} ${request.url}`;
    const result = await supply.sendImport({ source, idempotencyKey, target, chunks });
    if (reading.isTooLarge) tooLarge(exchange);
    else presentImported(response, result);
  };
}

function tooLarge({ response }: OperatorExchange): void {
  presentProblem(response, 'SUPPLY_PAYLOAD_TOO_LARGE');
}

/** Reads on when the piece before has been dealt with; ends in an error where the body is too large or too slow. */
async function* readBounded(
  request: IncomingMessage,
  { bodyLimitBytes, silenceMsMax }: ImportLimits,
  reading: { isTooLarge: boolean },
): AsyncGenerator<Buffer, void> {
  let sizeBytes = 0;
  // The request itself stays: what comes after a refusal is for the listener to drop.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  try {
    for (;;) {
      const { value: chunk, done } = await within(chunks.next(), silenceMsMax);
      if (done === true || chunk === undefined) return;
      sizeBytes += chunk.length;
      reading.isTooLarge = sizeBytes > bodyLimitBytes;
      if (reading.isTooLarge) throw new Error('the body is too large');
      yield chunk;
    }
  } finally {
    // As long as it listens, nobody else can read the rest.
    void chunks.return?.();
  }
}

async function within<T>(next: Promise<T>, silenceMsMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the body took too long to arrive')), silenceMsMax);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}
