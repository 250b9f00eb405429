/** The rows of supply: what the operator's systems send and read. */
import { Type } from '../partner/json-schema.ts';
import { propertyIdParameter } from '../partner/parameters.ts';
import type { OperatorOperation } from './operation.ts';
import {
  answered,
  body,
  inventoryTypeId,
  JSON_TYPE,
  MESSAGES_LIMIT_DEFAULT,
  MESSAGES_LIMIT_MAX,
  NDJSON_TYPE,
  optional,
  night,
  instant,
  partial,
  replace,
  REPEATABLE,
  REVISION_WAIT_SECONDS_MAX,
  SENT_CODES,
  idempotencyKey,
  source,
  TAG,
} from './supply-parts.ts';
import * as schemas from './supply-schemas.ts';

export const putSupplyProperty = {
  operationId: 'putSupplyProperty',
  method: 'PUT',
  path: '/supply/v1/properties/{propertyId}',
  tag: TAG,
  summary: 'Write a property',
  description:
    'The native document. Its calendars become the layer of its source; a type without a calendar keeps the layer it ' +
    `has. ${REPEATABLE}`,
  scope: 'supply:write',
  pathParameters: [propertyIdParameter],
  queryParameters: [source],
  headerParameters: [idempotencyKey],
  body: body(schemas.PropertyDocumentSchema),
  successes: [
    ...answered(200, 'Changed or unchanged.', schemas.PropertyWrittenSchema),
    ...answered(201, 'New, or back.', schemas.PropertyWrittenSchema),
  ],
  problemCodes: SENT_CODES,
} as const satisfies OperatorOperation;

export const getSupplyProperty = {
  operationId: 'getSupplyProperty',
  method: 'GET',
  path: '/supply/v1/properties/{propertyId}',
  tag: TAG,
  summary: 'Read a property',
  description:
    'The document, the layer of each source, the combined calendars, who set what, and when each last confirmed. ' +
    'With `from` or `to` only these nights; the document is then without calendars, so that sending it back opens and ' +
    'closes nothing.',
  scope: 'supply:read',
  pathParameters: [propertyIdParameter],
  queryParameters: [night('from', 'The first night, YYYY-MM-DD.'), night('to', 'The last night, included.')],
  successes: answered(200, 'The property.', schemas.StoredPropertySchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_PROPERTY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const deleteSupplyProperty = {
  operationId: 'deleteSupplyProperty',
  method: 'DELETE',
  path: '/supply/v1/properties/{propertyId}',
  tag: TAG,
  summary: 'Withdraw a property',
  description: 'Partners no longer see it. If it comes back, closings of other sources apply again.',
  scope: 'supply:write',
  pathParameters: [propertyIdParameter],
  queryParameters: [source],
  headerParameters: [idempotencyKey],
  successes: answered(200, 'Withdrawn.', schemas.PropertyWrittenSchema),
  problemCodes: [...SENT_CODES, 'SUPPLY_PROPERTY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const patchSupplyCalendars = {
  operationId: 'patchSupplyCalendars',
  method: 'PATCH',
  path: '/supply/v1/calendars',
  tag: TAG,
  summary: 'Change calendars',
  description:
    'Entries of any number of properties: all of them, or nothing. With `replace=true` a source that owns no document ' +
    `replaces all that it has set in a range. ${REPEATABLE}`,
  scope: 'supply:write',
  queryParameters: [source, partial, replace],
  headerParameters: [idempotencyKey],
  body: body(schemas.CalendarsSchema),
  successes: answered(200, 'Applied.', schemas.AppliedSchema),
  problemCodes: SENT_CODES,
} as const satisfies OperatorOperation;

export const postSupplyAri = {
  operationId: 'postSupplyAri',
  method: 'POST',
  path: '/supply/v1/ari',
  tag: TAG,
  summary: 'Change calendars, Channex style',
  description:
    'Availability, rates and restrictions by the names of the sending system. A value with an unmapped name is a ' +
    `warning, and the others are applied; if no name is mapped, the message is refused. ${REPEATABLE}`,
  scope: 'supply:write',
  queryParameters: [source, partial],
  headerParameters: [idempotencyKey],
  body: body(schemas.AriSchema),
  successes: answered(200, 'Applied.', schemas.AppliedSchema),
  problemCodes: [...SENT_CODES, 'SUPPLY_MAPPING_UNKNOWN'],
} as const satisfies OperatorOperation;

export const postSupplyImport = {
  operationId: 'postSupplyImport',
  method: 'POST',
  path: '/supply/v1/import',
  tag: TAG,
  summary: 'Import a catalogue',
  description:
    'Native documents, one per line, read while they arrive. Rejected lines are named and the others are written; ' +
    'documents of another source stay as they are. If the body breaks off, what was written stays.',
  scope: 'supply:write',
  queryParameters: [source],
  headerParameters: [idempotencyKey],
  body: {
    reading: 'stream',
    limit: 'SUPPLY_BODY_LIMIT_BYTES',
    tooLargeCode: 'SUPPLY_PAYLOAD_TOO_LARGE',
    mediaTypes: [NDJSON_TYPE, 'application/ndjson', 'application/jsonl', JSON_TYPE],
  },
  successes: answered(200, 'Imported.', schemas.ImportedSchema),
  problemCodes: SENT_CODES,
} as const satisfies OperatorOperation;

export const getSupplyRevision = {
  operationId: 'getSupplyRevision',
  method: 'GET',
  path: '/supply/v1/revision',
  tag: TAG,
  summary: 'Read the revision that this process shows',
  description:
    'With `wait`, answers once this process shows the revision `atLeast` to partners (the newest one unless given), or ' +
    'when the time is up: compare `revision`. `historyLostAt` is when this process last noticed that the database went ' +
    'back: messages answered before that may be lost, whatever their revision.',
  scope: 'supply:read',
  queryParameters: [
    optional(
      'wait',
      Type.Integer({ minimum: 0, maximum: REVISION_WAIT_SECONDS_MAX, description: 'Seconds.' }),
    ),
    optional(
      'atLeast',
      Type.Integer({ minimum: 0, description: 'A revision that a message was answered with.' }),
    ),
  ],
  successes: answered(200, 'The revisions.', schemas.RevisionSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_REVISION_LOST'],
} as const satisfies OperatorOperation;

export const getSupplyMessages = {
  operationId: 'getSupplyMessages',
  method: 'GET',
  path: '/supply/v1/messages',
  tag: TAG,
  summary: 'What arrived',
  description:
    'Messages with their verdicts and first entries, newest first, for `SUPPLY_HISTORY_DAYS`. A token with a source sees ' +
    'the messages of that source.',
  scope: 'supply:read',
  queryParameters: [
    optional('source', Type.String({ minLength: 1, maxLength: 200, description: 'Of this source only.' })),
    optional(
      'propertyId',
      Type.String({ minLength: 1, maxLength: 160, description: 'About this property only.' }),
    ),
    instant('since', 'Received then or later, such as 2026-12-01T00:00:00Z.'),
    instant('until', 'Received before.'),
    optional(
      'limit',
      Type.Integer({
        minimum: 1,
        maximum: MESSAGES_LIMIT_MAX,
        default: MESSAGES_LIMIT_DEFAULT,
        description: 'At most.',
      }),
    ),
  ],
  successes: answered(200, 'The messages.', schemas.MessagesSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_SOURCE_MISMATCH'],
} as const satisfies OperatorOperation;

export const getSupplyCalendar = {
  operationId: 'getSupplyCalendar',
  method: 'GET',
  path: '/supply/v1/inventory-types/{propertyId}/{inventoryTypeId}/calendar.ics',
  tag: TAG,
  summary: 'Read the closed nights as iCalendar',
  description:
    'An iCalendar file (RFC 5545) with one event for each stretch of nights from today to the horizon that cannot be ' +
    'booked. UIDs stay the same from day to day. Send the ETag back in If-None-Match.',
  scope: 'supply:read',
  pathParameters: [propertyIdParameter, inventoryTypeId],
  successes: [
    { status: 200, description: 'The calendar.', mediaType: 'text/calendar', schema: Type.String() },
    { status: 304, description: 'Not modified since that ETag.' },
  ],
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_PROPERTY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const getSupplyOpenApi = {
  operationId: 'getSupplyOpenApi',
  method: 'GET',
  path: '/supply/openapi.json',
  tag: 'Description',
  summary: 'The OpenAPI document of the supply API',
  description: 'The OpenAPI 3.1 document of the supply operations.',
  scope: undefined,
  successes: [{ status: 200, description: 'The document.', mediaType: JSON_TYPE }],
  problemCodes: [],
} as const satisfies OperatorOperation;

export const getSupplyDocs = {
  operationId: 'getSupplyDocs',
  method: 'GET',
  path: '/supply/docs',
  tag: 'Description',
  summary: 'The reference of the supply API',
  description: 'The reference as one page.',
  scope: undefined,
  successes: [{ status: 200, description: 'The page.', mediaType: 'text/html' }],
  problemCodes: [],
} as const satisfies OperatorOperation;

/** Messages, and what they have made. */
export const MESSAGE_OPERATIONS = [
  putSupplyProperty,
  deleteSupplyProperty,
  getSupplyProperty,
  patchSupplyCalendars,
  postSupplyAri,
  postSupplyImport,
  getSupplyRevision,
  getSupplyMessages,
  getSupplyCalendar,
] as const satisfies readonly OperatorOperation[];
