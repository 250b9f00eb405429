/** Set-up of supply beside the acts: lists, single reads, and mappings by the thousand. */
import { Type } from '../partner/json-schema.ts';
import type { Parameter } from '../partner/parameters.ts';
import type { OperatorBody, OperatorOperation, OperatorSuccess } from './operation.ts';
import type { OperatorProblemCode } from './problems.ts';
import { body, JSON_TYPE, optional, pageParameters, source } from './supply-parts.ts';
import * as schemas from './setup-schemas.ts';
import { MessageSchema } from './supply-schemas.ts';

export const TAG = 'Set-up';
const NAME_LENGTH_MAX = 255;

export const READ_CODES = ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_SOURCE_MISMATCH'] as const;

export function unbound(description: string): string {
  return `${description} Not for a token with a source.`;
}

/** A segment of the path that is a name of somebody's. */
function named(name: string, description: string): Parameter<string> {
  const schema = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description });
  return { name, required: true, schema, fallback: undefined };
}

/** One small document. */
export function smallBody(schema: NonNullable<OperatorBody['schema']>): OperatorBody {
  return { reading: 'whole', limit: 'BODY_LIMIT_BYTES', mediaTypes: [JSON_TYPE], schema };
}

export function answered(
  status: OperatorSuccess['status'],
  description: string,
  schema: NonNullable<OperatorBody['schema']>,
) {
  return [{ status, description, mediaType: JSON_TYPE, schema }] as const;
}

interface ListParts {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: NonNullable<OperatorBody['schema']>;
  readonly filters?: readonly Parameter[];
  readonly problemCodes?: readonly OperatorProblemCode[];
}

function list<Id extends string>(operationId: Id, { schema, filters = [], ...rest }: ListParts) {
  return {
    operationId,
    method: 'GET',
    tag: TAG,
    scope: 'supply:read',
    queryParameters: [...filters, ...pageParameters],
    successes: answered(200, 'A page.', schema),
    problemCodes: READ_CODES,
    ...rest,
  } as const satisfies OperatorOperation;
}

export const listSupplySources = {
  operationId: 'listSupplySources',
  method: 'GET',
  path: '/supply/v1/sources',
  tag: TAG,
  summary: 'Who sends supply',
  description: 'Every source that has set or confirmed anything. A token with a source sees only that one.',
  scope: 'supply:read',
  successes: answered(200, 'The sources.', schemas.SourcesSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR'],
} as const satisfies OperatorOperation;

export const listSupplyProperties = list('listSupplyProperties', {
  path: '/supply/v1/properties',
  summary: 'List properties',
  description: 'By id, with the inventory types that mappings and feeds name.',
  filters: [
    optional(
      'source',
      Type.String({ minLength: 1, maxLength: 200, description: 'Whose documents this source owns.' }),
    ),
  ],
  schema: schemas.PropertiesSchema,
  problemCodes: ['SUPPLY_VALIDATION_ERROR'],
});

export const getSupplyMessage = {
  operationId: 'getSupplyMessage',
  method: 'GET',
  path: '/supply/v1/messages/{messageId}',
  tag: TAG,
  summary: 'Read one message',
  description: 'With its first entries. A token with a source sees the messages of that source.',
  scope: 'supply:read',
  pathParameters: [named('messageId', 'As in an answer or the list of messages.')],
  successes: answered(200, 'The message.', MessageSchema),
  problemCodes: ['SUPPLY_VALIDATION_ERROR', 'SUPPLY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const listSupplyMappings = list('listSupplyMappings', {
  path: '/supply/v1/mappings',
  summary: 'List mappings',
  description:
    'Names of other systems, and their inventory types. A token with a source sees those of that source.',
  filters: [source],
  schema: schemas.MappingsSchema,
});

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
  body: body(schemas.MappingsWrittenSchema),
  successes: answered(200, 'Set.', schemas.MappingsSetSchema),
  problemCodes: READ_CODES,
} as const satisfies OperatorOperation;

export const listFeeds = list('listFeeds', {
  path: '/supply/v1/feeds',
  summary: 'List feeds',
  description: unbound('Calendars of other platforms, and what their last poll read.'),
  schema: schemas.FeedsSchema,
});

export const getFeed = {
  operationId: 'getFeed',
  method: 'GET',
  path: '/supply/v1/feeds/{feedId}',
  tag: TAG,
  summary: 'Read a feed',
  description: unbound('What its last poll read.'),
  scope: 'supply:read',
  pathParameters: [named('feedId', 'As in the list of feeds.')],
  successes: answered(200, 'The feed.', schemas.FeedSchema),
  problemCodes: [...READ_CODES, 'SUPPLY_NOT_FOUND'],
} as const satisfies OperatorOperation;

export const listPublishedCalendars = list('listPublishedCalendars', {
  path: '/supply/v1/published-calendars',
  summary: 'List published calendars',
  description: unbound('Without their URLs, which are not stored.'),
  schema: schemas.PublishedSchema,
});
