/** The handlers of the supply operations: query and source are read here, everything else in `supply/`. */
import type { MESSAGE_OPERATIONS } from '../../contract/operator/supply-operations.ts';
import { parseInstant } from '../../access/parse-duration.ts';
import { type EpochDay, parseLocalDate } from '../../domain/local-date.ts';
import { MESSAGES_LIMIT_DEFAULT } from '../../contract/operator/supply-parts.ts';
import { readMessages, readProperty } from '../../supply/messages/read-supply.ts';
import {
  type EntriesRequest,
  type PropertyRequest,
  receiveAri,
  receiveCalendars,
  receiveProperty,
  receiveWithdrawal,
  type SupplyRequest,
} from '../../supply/messages/receive-message.ts';
import type { SupplyContext } from '../../supply/messages/supply-context.ts';
import type { SupplyResult } from '../../supply/messages/supply-result.ts';
import { publishCalendar } from '../../supply/published/published-calendar.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { type ChunkLimits, readBodyChunks, type Reading } from '../../http/listener/body-chunks.ts';
import { answerJson, presentApplied, presentImported, presentWritten } from './present-supply.ts';
import {
  idempotencyKeyOf,
  idOf,
  propertyIdOf,
  type QueryValues,
  readSupplyQuery,
  refuse,
  sourceOf,
  sourceToRead,
} from './supply-query.ts';
import { CALENDAR_TYPE, isKnownEtag } from '../../http/answers/answer-headers.ts';
import { type ImportDeps, receiveImport } from '../../supply/messages/receive-import.ts';
import { inflateChunks, isGzip, sendContinue } from '../../http/listener/request-body.ts';

type SupplyOperationId = (typeof MESSAGE_OPERATIONS)[number]['operationId'];

/** One for each row of the table. */
export function supplyHandlers(
  supply: SupplyContext,
  importLimits: ChunkLimits<OperatorExchange>,
): Readonly<Record<SupplyOperationId, OperatorHook>> {
  return {
    putSupplyProperty: (exchange) => takeProperty(exchange, supply, receiveProperty),
    deleteSupplyProperty: (exchange) => takeProperty(exchange, supply, receiveWithdrawal),
    patchSupplyCalendars: (exchange) => takeEntries(exchange, supply, receiveCalendars),
    postSupplyAri: (exchange) => takeEntries(exchange, supply, receiveAri),
    postSupplyImport: importHandler(supply, importLimits),
    getSupplyProperty: (exchange) => getProperty(exchange, supply),
    getSupplyMessages: (exchange) => getMessages(exchange, supply),
    getSupplyCalendar: (exchange) => getCalendar(exchange, supply),
    getSupplyRevision: (exchange) => getRevision(exchange, supply),
  };
}

async function takeEntries(
  exchange: OperatorExchange,
  supply: SupplyContext,
  receive: (deps: SupplyContext, request: EntriesRequest) => Promise<SupplyResult>,
): Promise<void> {
  const read = readSent(exchange);
  if (read === undefined) return;
  const isPartial = read.query['partial'] === 'true';
  const replaces = read.query['replace'] === 'true';
  if (isPartial && replaces) return refuseBoth(exchange);
  presentApplied(exchange.response, await receive(supply, { ...read.request, isPartial, replaces }));
}

/** An entry that is left out would open what its source had closed. */
function refuseBoth(exchange: OperatorExchange): void {
  const detail = 'Give replace or partial: an entry that is left out would lose what was set before.';
  refuse(exchange, { pointer: '?replace', code: 'PARAMETER_INVALID', detail });
}

async function takeProperty(
  exchange: OperatorExchange,
  supply: SupplyContext,
  receive: (deps: SupplyContext, request: PropertyRequest) => Promise<SupplyResult>,
): Promise<void> {
  const propertyId = propertyIdOf(exchange);
  if (propertyId === undefined) return;
  const read = readSent(exchange);
  if (read === undefined) return;
  presentWritten(exchange.response, await receive(supply, { ...read.request, propertyId }), propertyId);
}

/** Undefined, and answered, when anything about it is wrong. */
function readSent(
  exchange: OperatorExchange,
): { readonly request: SupplyRequest; readonly query: QueryValues } | undefined {
  const { request, body } = exchange;
  const query = readSupplyQuery(exchange);
  const source = query && sourceOf(exchange, query);
  const idempotencyKey = source === undefined ? undefined : idempotencyKeyOf(exchange);
  if (query === undefined || source === undefined || idempotencyKey === undefined) return undefined;
  return { request: { source, idempotencyKey, target: `${request.method} ${request.url}`, body }, query };
}

async function getProperty(exchange: OperatorExchange, supply: SupplyContext): Promise<void> {
  const propertyId = propertyIdOf(exchange);
  const query = propertyId === undefined ? undefined : readSupplyQuery(exchange);
  if (propertyId === undefined || query === undefined) return;
  const { from, to } = query;
  const span = { from: dayOf(from), to: dayOf(to) };
  const property = await readProperty(supply.storage, propertyId, span);
  if (property === undefined) return presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND');
  answerJson(exchange.response, property);
}

function dayOf(text: string | undefined): EpochDay | undefined {
  return text === undefined ? undefined : parseLocalDate(text);
}

async function getMessages(exchange: OperatorExchange, supply: SupplyContext): Promise<void> {
  const query = readSupplyQuery(exchange);
  if (query === undefined) return;
  const source = sourceToRead(exchange, query);
  if (source === null) return;
  const { propertyId, since, until, limit = MESSAGES_LIMIT_DEFAULT } = query;
  const [sinceMs, untilMs] = [since, until].map((text) =>
    text === undefined ? undefined : parseInstant(text),
  );
  const messages = await readMessages(supply.storage, {
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
    ...(source === undefined ? {} : { source }),
    ...(propertyId === undefined ? {} : { propertyId }),
    limit: Number(limit),
  });
  answerJson(exchange.response, { messages });
}

async function getRevision(exchange: OperatorExchange, supply: SupplyContext): Promise<void> {
  const query = readSupplyQuery(exchange);
  if (query === undefined) return;
  const { wait = '0', atLeast } = query;
  const request = {
    waitMs: Number(wait) * 1000,
    atLeast: atLeast === undefined ? undefined : Number(atLeast),
  };
  const { revision, databaseRevision, historyLostAtMs, isLost } = await supply.readRevision(request);
  if (isLost) return presentProblem(exchange.response, 'SUPPLY_REVISION_LOST');
  const historyLostAt = historyLostAtMs === undefined ? null : new Date(historyLostAtMs).toISOString();
  answerJson(exchange.response, { revision, databaseRevision, historyLostAt });
}

// `calendar.ics`: what is closed, for other systems.

async function getCalendar(exchange: OperatorExchange, supply: SupplyContext): Promise<void> {
  const propertyId = idOf(exchange, 'propertyId');
  const inventoryTypeId = propertyId && idOf(exchange, 'inventoryTypeId');
  if (propertyId === undefined || inventoryTypeId === undefined) return;
  if (readSupplyQuery(exchange) === undefined) return;
  const { request, response } = exchange;
  const calendar = await publishCalendar(supply, propertyId, inventoryTypeId);
  if (calendar === undefined) return presentProblem(response, 'SUPPLY_PROPERTY_NOT_FOUND');
  const { body, etag } = calendar;
  const headers = ['ETag', etag];
  const cacheControl = 'private, no-cache';
  if (isKnownEtag(request.headers['if-none-match'], etag)) {
    return response.answer({ status: 304, cacheControl, headers });
  }
  response.answer({ status: 200, mediaType: CALENDAR_TYPE, cacheControl, body, headers });
}

/** Each part of the body is written before more is read, so a slow database slows the sender down. */
function importHandler(supply: ImportDeps, limits: ChunkLimits<OperatorExchange>): OperatorHook {
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
