/** The handlers of the supply operations: query and source are read here, everything else is `SupplyApi`. */
import type { SUPPLY_OPERATIONS } from '../../contract/operator/supply-operations.ts';
import { MESSAGES_LIMIT_DEFAULT } from '../../contract/operator/supply-parts.ts';
import type { EntriesRequest, SupplyRequest } from '../../supply/messages/send-message.ts';
import type { SupplyApi } from '../../supply/messages/supply-api.ts';
import type { SupplyResult } from '../../supply/messages/supply-result.ts';
import { presentProblem } from '../answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { getCalendar } from './supply-calendar.ts';
import { importHandler, type ImportLimits } from './supply-import.ts';
import { answerJson, presentApplied, presentWritten } from './present-supply.ts';
import {
  idempotencyKeyOf,
  propertyIdOf,
  type QueryValues,
  readSupplyQuery,
  sourceOf,
} from './supply-query.ts';

type SupplyOperationId = (typeof SUPPLY_OPERATIONS)[number]['operationId'];

/** One for each row of the table. */
export function supplyHandlers(
  supply: SupplyApi,
  importLimits: ImportLimits,
): Readonly<Record<SupplyOperationId, OperatorHook>> {
  return {
    putSupplyProperty: (exchange) => sendProperty(exchange, supply.sendProperty),
    deleteSupplyProperty: (exchange) => sendProperty(exchange, supply.sendWithdrawal),
    patchSupplyCalendars: (exchange) => sendEntries(exchange, supply.sendCalendars),
    postSupplyAri: (exchange) => sendEntries(exchange, supply.sendAri),
    postSupplyImport: importHandler(supply, importLimits),
    getSupplyProperty: (exchange) => getProperty(exchange, supply),
    getSupplyMessages: (exchange) => getMessages(exchange, supply),
    getSupplyCalendar: (exchange) => getCalendar(exchange, supply),
    getSupplyRevision: (exchange) => getRevision(exchange, supply),
  };
}

async function sendEntries(
  exchange: OperatorExchange,
  send: (request: EntriesRequest) => Promise<SupplyResult>,
): Promise<void> {
  const read = readSent(exchange);
  if (read === undefined) return;
  const isPartial = read.query['partial'] === 'true';
  presentApplied(exchange.response, await send({ ...read.request, isPartial }));
}

async function sendProperty(
  exchange: OperatorExchange,
  send: (request: SupplyRequest & { readonly propertyId: string }) => Promise<SupplyResult>,
): Promise<void> {
  const propertyId = propertyIdOf(exchange);
  if (propertyId === undefined) return;
  const read = readSent(exchange);
  if (read === undefined) return;
  presentWritten(exchange.response, await send({ ...read.request, propertyId }), propertyId);
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

async function getProperty(exchange: OperatorExchange, supply: SupplyApi): Promise<void> {
  const propertyId = propertyIdOf(exchange);
  if (propertyId === undefined || readSupplyQuery(exchange) === undefined) return;
  const property = await supply.findProperty(propertyId);
  if (property === undefined) return presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND');
  answerJson(exchange.response, property);
}

async function getMessages(exchange: OperatorExchange, supply: SupplyApi): Promise<void> {
  const query = readSupplyQuery(exchange);
  if (query === undefined) return;
  const { source, propertyId, limit = MESSAGES_LIMIT_DEFAULT } = query;
  const messages = await supply.listMessages({
    ...(source === undefined ? {} : { source }),
    ...(propertyId === undefined ? {} : { propertyId }),
    limit: Number(limit),
  });
  answerJson(exchange.response, { messages });
}

async function getRevision(exchange: OperatorExchange, supply: SupplyApi): Promise<void> {
  const query = readSupplyQuery(exchange);
  if (query === undefined) return;
  const { wait = '0', atLeast } = query;
  const wish = { waitMs: Number(wait) * 1000, atLeast: atLeast === undefined ? undefined : Number(atLeast) };
  answerJson(exchange.response, await supply.readRevision(wish));
}
