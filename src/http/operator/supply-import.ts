/**
 * `POST /supply/v1/import`: each part of the body is written before more is read, so a slow database slows the sender
 * down.
 */
import { type ImportDeps, receiveImport } from '../../supply/messages/receive-import.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { type ChunkLimits, readBodyChunks, type Reading } from '../listener/body-chunks.ts';
import { inflateChunks, isGzip, sendContinue } from '../listener/request-body.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { presentImported } from './present-supply.ts';
import { idempotencyKeyOf, readSupplyQuery, sourceOf } from './supply-query.ts';

export function importHandler(supply: ImportDeps, limits: ChunkLimits<OperatorExchange>): OperatorHook {
  return async (exchange) => {
    const { request, response } = exchange;
    if (Number(request.headers['content-length']) > limits.bodyLimitBytes) return tooLarge(exchange);
    const query = readSupplyQuery(exchange);
    const source = query && sourceOf(exchange, query);
    const idempotencyKey = source === undefined ? undefined : idempotencyKeyOf(exchange);
    if (source === undefined || idempotencyKey === undefined) return;
    sendContinue(request);
    const reading: Reading = { isTooLarge: false, isOverBudget: false };
    const sent = readBodyChunks(exchange, limits, reading);
    const chunks = isGzip(request) ? bounded(inflateChunks(sent), limits, reading) : sent;
    const target = `${request.method} ${request.url}`;
    const result = await receiveImport(supply, { source, idempotencyKey, target, chunks });
    if (reading.isTooLarge) tooLarge(exchange);
    else if (!reading.isOverBudget) presentImported(response, result);
  };
}

function tooLarge({ response }: OperatorExchange): void {
  presentProblem(response, 'SUPPLY_PAYLOAD_TOO_LARGE');
}

/** Limits the inflated size of a compressed body as it would a plain one. */
async function* bounded(
  chunks: AsyncIterable<Buffer>,
  { bodyLimitBytes }: Pick<ChunkLimits, 'bodyLimitBytes'>,
  reading: Reading,
): AsyncGenerator<Buffer, void> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    reading.isTooLarge ||= sizeBytes > bodyLimitBytes;
    if (reading.isTooLarge) throw new Error('the body is too large');
    yield chunk;
  }
}
