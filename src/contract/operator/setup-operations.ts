/** The rows that set supply up: sources, mappings, feeds, manual overrides, published calendars. */
import { Type } from '../partner/json-schema.ts';
import { type Parameter, propertyIdParameter } from '../partner/parameters.ts';
import type { OperatorBody, OperatorOperation } from './operation.ts';
import type { OperatorProblemCode } from './problems.ts';
import {
  body,
  idempotencyKey,
  inventoryTypeId,
  JSON_TYPE,
  optional,
  pageParameters,
  source,
} from './supply-parts.ts';
import {
  FeedSchema,
  FeedsSchema,
  FeedRequestSchema,
  MappingDeletedSchema,
  MappingsSchema,
  MappingsSetSchema,
  MappingsWrittenSchema,
  NightsChangedSchema,
  NightsRequestSchema,
  PolledSchema,
  PropertiesSchema,
  PublishedSchema,
  PublishedUrlSchema,
  RetiredSchema,
  SourcesSchema,
  UnpublishedSchema,
} from './setup-schemas.ts';
import { MessageSchema } from './supply-schemas.ts';

const TAG = 'Set-up';
const NAME_LENGTH_MAX = 255;

const READ_CODES = ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_SOURCE_MISMATCH'] as const;
const FOUND_CODES = [...READ_CODES, 'SUPPLY_NOT_FOUND'] as const;
const NO_SOURCE = 'Not for a token with a source.';

/** A segment of the path that is a name of somebody's. */
function named(name: string, description: string): Parameter<string> {
  const schema = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description });
  return { name, required: true, schema, fallback: undefined };
}

/** One small document. */
function smallBody(schema: OperatorBody['schema']): OperatorBody {
  return {
    reading: 'whole',
    limit: 'BODY_LIMIT_BYTES',
    mediaTypes: [JSON_TYPE],
    ...(schema === undefined ? {} : { schema }),
  };
}

function answered(description: string, schema: NonNullable<OperatorBody['schema']>) {
  return [{ status: 200, description, mediaType: JSON_TYPE, schema }] as const;
}

const feedId = named('feedId', 'As in the list of feeds.');
const place = [propertyIdParameter, inventoryTypeId] as const;

export const listSupplySources = {
  operationId: 'listSupplySources',
  method: 'GET',
  path: '/supply/v1/sources',
  tag: TAG,
  summary: 'Who sends supply',
  description: 'Every source that has set or confirmed anything. A token with a source sees only that one.',
  scope: 'supply:read',
  successes: answered('The sources.', SourcesSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR'],
} as const satisfies OperatorOperation;

export const retireSupplySource = {
  operationId: 'retireSupplySource',
  method: 'DELETE',
  path: '/supply/v1/sources/{source}',
  tag: TAG,
  summary: 'Retire a source',
  description:
    'Deletes what the source has set and confirmed; what others set applies again. Refused if it owns a document ' +
    '(withdraw the property) or is a subscribed calendar (unsubscribe it). Its mappings stay.',
  scope: 'supply:write',
  pathParameters: [named('source', 'As in the list of sources.')],
  queryParameters: [
    optional(
      'propertyId',
      Type.String({ minLength: 1, maxLength: 160, description: 'Of this property only.' }),
    ),
    optional('dryRun', Type.Boolean({ description: 'Say what would be deleted, write nothing.' })),
  ],
  successes: answered('Retired.', RetiredSchema),
  problemCodes: [...FOUND_CODES, 'SUPPLY_CONFLICT'],
} as const satisfies OperatorOperation;

export const listSupplyProperties = {
  operationId: 'listSupplyProperties',
  method: 'GET',
  path: '/supply/v1/properties',
  tag: TAG,
  summary: 'List properties',
  description: 'By id, with the inventory types that mappings and feeds name.',
  scope: 'supply:read',
  queryParameters: [
    optional(
      'source',
      Type.String({ minLength: 1, maxLength: 200, description: 'Whose documents this source owns.' }),
    ),
    ...pageParameters,
  ],
  successes: answered('A page.', PropertiesSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR'],
} as const satisfies OperatorOperation;

export const getSupplyMessage = {
  operationId: 'getSupplyMessage',
  method: 'GET',
  path: '/supply/v1/messages/{messageId}',
  tag: TAG,
  summary: 'Read one message',
  description: 'With its first entries. A token with a source sees the messages of that source.',
  scope: 'supply:read',
  pathParameters: [named('messageId', 'As in an answer or the list of messages.')],
  successes: answered('The message.', MessageSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const listSupplyMappings = {
  operationId: 'listSupplyMappings',
  method: 'GET',
  path: '/supply/v1/mappings',
  tag: TAG,
  summary: 'List mappings',
  description:
    'Names of other systems, and their inventory types. A token with a source sees those of that source.',
  scope: 'supply:read',
  queryParameters: [source, ...pageParameters],
  successes: answered('A page.', MappingsSchema),
  problemCodes: READ_CODES,
} as const satisfies OperatorOperation;

export const putSupplyMappings = {
  operationId: 'putSupplyMappings',
  method: 'PUT',
  path: '/supply/v1/mappings',
  tag: TAG,
  summary: 'Set mappings',
  description:
    'Up to 1000 at once, all or nothing. A name that is already mapped is mapped again; other mappings stay.',
  scope: 'supply:write',
  queryParameters: [source],
  body: body(MappingsWrittenSchema),
  successes: answered('Set.', MappingsSetSchema),
  problemCodes: READ_CODES,
} as const satisfies OperatorOperation;

export const deleteSupplyMapping = {
  operationId: 'deleteSupplyMapping',
  method: 'DELETE',
  path: '/supply/v1/mappings/{externalKey}',
  tag: TAG,
  summary: 'Delete a mapping',
  description: 'The name is no longer mapped.',
  scope: 'supply:write',
  pathParameters: [named('externalKey', 'The name, percent-encoded.')],
  queryParameters: [source],
  successes: answered('Deleted.', MappingDeletedSchema),
  problemCodes: FOUND_CODES,
} as const satisfies OperatorOperation;

export const listFeeds = {
  operationId: 'listFeeds',
  method: 'GET',
  path: '/supply/v1/feeds',
  tag: TAG,
  summary: 'List feeds',
  description: `Calendars of other platforms, and what their last poll read. ${NO_SOURCE}`,
  scope: 'supply:read',
  queryParameters: [...pageParameters],
  successes: answered('A page.', FeedsSchema),
  problemCodes: READ_CODES,
} as const satisfies OperatorOperation;

export const subscribeFeed = {
  operationId: 'subscribeFeed',
  method: 'POST',
  path: '/supply/v1/feeds',
  tag: TAG,
  summary: 'Subscribe to a calendar',
  description:
    'It is fetched as soon as the service can, under the same rules as on the command line: no private address unless ' +
    '`ICAL_ALLOW_PRIVATE` allows it. A repeated request with the same `Idempotency-Key` is answered with the same feed. ' +
    NO_SOURCE,
  scope: 'supply:write',
  headerParameters: [idempotencyKey],
  body: smallBody(FeedRequestSchema),
  successes: [{ status: 201, description: 'Subscribed.', mediaType: JSON_TYPE, schema: FeedSchema }],
  problemCodes: [...READ_CODES, 'SUPPLY_PROPERTY_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
} as const satisfies OperatorOperation;

export const getFeed = {
  operationId: 'getFeed',
  method: 'GET',
  path: '/supply/v1/feeds/{feedId}',
  tag: TAG,
  summary: 'Read a feed',
  description: `What its last poll read. ${NO_SOURCE}`,
  scope: 'supply:read',
  pathParameters: [feedId],
  successes: answered('The feed.', FeedSchema),
  problemCodes: FOUND_CODES,
} as const satisfies OperatorOperation;

function feedAct<Id extends string>(
  operationId: Id,
  act: 'poll' | 'accept',
  { summary, description }: { readonly summary: string; readonly description: string },
) {
  const conflict: OperatorProblemCode = 'SUPPLY_CONFLICT';
  return {
    operationId,
    method: 'POST',
    path: `/supply/v1/feeds/{feedId}/${act}`,
    tag: TAG,
    summary,
    description: `${description} ${NO_SOURCE}`,
    scope: 'supply:write',
    pathParameters: [feedId],
    successes: answered('The feed after it.', PolledSchema),
    problemCodes: [...FOUND_CODES, conflict],
  } as const satisfies OperatorOperation;
}

export const pollFeed = feedAct('pollFeed', 'poll', {
  summary: 'Fetch a calendar now',
  description: 'Waits for the fetch; a failure of the other server is an `outcome`, not a problem.',
});

export const acceptFeed = feedAct('acceptFeed', 'accept', {
  summary: 'Apply a held-back calendar',
  description: 'A calendar that would open half or more of the closed nights waits for this.',
});

export const unsubscribeFeed = {
  operationId: 'unsubscribeFeed',
  method: 'DELETE',
  path: '/supply/v1/feeds/{feedId}',
  tag: TAG,
  summary: 'Unsubscribe a calendar',
  description: `Nights that only it closed open again. ${NO_SOURCE}`,
  scope: 'supply:write',
  pathParameters: [feedId],
  successes: answered('The deleted feed.', FeedSchema),
  problemCodes: [...FOUND_CODES, 'SUPPLY_CONFLICT'],
} as const satisfies OperatorOperation;

function manualOverride<Id extends string>(operationId: Id, action: 'close' | 'open', summary: string) {
  return {
    operationId,
    method: 'POST',
    path: `/supply/v1/${action}`,
    tag: TAG,
    summary,
    description: `The layer \`manual\`, as the command \`${action}\`. ${NO_SOURCE}`,
    scope: 'supply:write',
    body: smallBody(NightsRequestSchema),
    successes: answered('What changes.', NightsChangedSchema),
    problemCodes: [...READ_CODES, 'SUPPLY_PROPERTY_NOT_FOUND'],
  } as const satisfies OperatorOperation;
}

export const closeNights = manualOverride('closeNights', 'close', 'Close nights manually');
export const openNights = manualOverride('openNights', 'open', 'Take back manual closings');

const PUBLISHED_PATH = '/supply/v1/inventory-types/{propertyId}/{inventoryTypeId}/published-calendar';

export const publishCalendar = {
  operationId: 'publishCalendar',
  method: 'POST',
  path: PUBLISHED_PATH,
  tag: TAG,
  summary: 'Publish a calendar',
  description:
    'A URL on the web listener under which other platforms read the closed nights. A type has one: a repeated request ' +
    `makes a new one, and the earlier one stops working within a second. ${NO_SOURCE}`,
  scope: 'supply:write',
  pathParameters: place,
  successes: [{ status: 201, description: 'Published.', mediaType: JSON_TYPE, schema: PublishedUrlSchema }],
  problemCodes: [...READ_CODES, 'SUPPLY_PROPERTY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const unpublishCalendar = {
  operationId: 'unpublishCalendar',
  method: 'DELETE',
  path: PUBLISHED_PATH,
  tag: TAG,
  summary: 'Unpublish a calendar',
  description: `Its URL answers 404 within a second. ${NO_SOURCE}`,
  scope: 'supply:write',
  pathParameters: place,
  successes: answered('Unpublished.', UnpublishedSchema),
  problemCodes: FOUND_CODES,
} as const satisfies OperatorOperation;

export const listPublishedCalendars = {
  operationId: 'listPublishedCalendars',
  method: 'GET',
  path: '/supply/v1/published-calendars',
  tag: TAG,
  summary: 'List published calendars',
  description: `Without their URLs, which are not stored. ${NO_SOURCE}`,
  scope: 'supply:read',
  queryParameters: [...pageParameters],
  successes: answered('A page.', PublishedSchema),
  problemCodes: READ_CODES,
} as const satisfies OperatorOperation;

export const SETUP_OPERATIONS = [
  listSupplyProperties,
  listSupplySources,
  retireSupplySource,
  getSupplyMessage,
  listSupplyMappings,
  putSupplyMappings,
  deleteSupplyMapping,
  listFeeds,
  subscribeFeed,
  getFeed,
  pollFeed,
  acceptFeed,
  unsubscribeFeed,
  closeNights,
  openNights,
  publishCalendar,
  unpublishCalendar,
  listPublishedCalendars,
] as const satisfies readonly OperatorOperation[];
