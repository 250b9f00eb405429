/** `calendar.ics`: what is closed, for other systems. */
import type { SupplyApi } from '../../supply/messages/supply-api.ts';
import { CALENDAR_TYPE, isKnownEtag } from '../answers/answer-headers.ts';
import { presentProblem } from '../answers/present-problem.ts';
import type { OperatorExchange } from './operator-exchange.ts';
import { idOf, readSupplyQuery } from './supply-query.ts';

export async function getCalendar(exchange: OperatorExchange, supply: SupplyApi): Promise<void> {
  const propertyId = idOf(exchange, 'propertyId');
  const inventoryTypeId = propertyId && idOf(exchange, 'inventoryTypeId');
  if (propertyId === undefined || inventoryTypeId === undefined) return;
  if (readSupplyQuery(exchange) === undefined) return;
  const { request, response } = exchange;
  const calendar = await supply.publishCalendar(propertyId, inventoryTypeId);
  if (calendar === undefined) return presentProblem(response, 'SUPPLY_PROPERTY_NOT_FOUND');
  const { body, etag } = calendar;
  const headers = ['ETag', etag];
  const cacheControl = 'private, no-cache';
  if (isKnownEtag(request.headers['if-none-match'], etag)) {
    return response.answer({ status: 304, cacheControl, headers });
  }
  response.answer({ status: 200, mediaType: CALENDAR_TYPE, cacheControl, body, headers });
}
