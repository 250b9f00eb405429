/** Answers of the operations that set supply up, and the request that no act describes. */
import type { TSchema } from 'typebox';
import { Type } from '../partner/json-schema.ts';
import { orNull, text } from './supply-parts.ts';

/** A list with pages. */
function page(name: string, items: TSchema): TSchema {
  return Type.Object({
    [name]: Type.Array(items),
    next: orNull('string', 'For `after` of the next page; null on the last one.'),
  });
}

const propertyId = text('Id of the property.');
const inventoryTypeId = text('Id of its inventory type.');
const instant = Type.String({ format: 'date-time' });

export const SourcesSchema = Type.Object({
  sources: Type.Array(
    Type.Object({
      source: Type.String(),
      properties: Type.Integer({ description: 'Of which it has set or confirmed something.' }),
      lastConfirmedAt: orNull('string', 'Null for `manual`, and for a source without properties.'),
    }),
  ),
});

export const RetiredSchema = Type.Object({
  source: Type.String(),
  properties: Type.Integer({ description: 'Of which it had set or confirmed something.' }),
  nights: Type.Integer({ description: 'Nights of inventory types for which it had set something.' }),
  dryRun: Type.Boolean(),
});

export const PropertiesSchema = page(
  'properties',
  Type.Object({
    propertyId,
    name: text('In the default language.'),
    source: text('Owns the document.'),
    revision: Type.Integer(),
    changedAt: instant,
    inventoryTypes: Type.Array(Type.Object({ inventoryTypeId, name: Type.String() })),
  }),
);

const mapping = {
  externalKey: text('A `room_type_id` or `rate_plan_id` of the other system.'),
  propertyId,
  inventoryTypeId,
};

export const MappingsSchema = page('mappings', Type.Object({ source: Type.String(), ...mapping }));

export const MappingsWrittenSchema = Type.Object(
  { mappings: Type.Array(Type.Object(mapping, { additionalProperties: false })) },
  { additionalProperties: false },
);

export const MappingsSetSchema = Type.Object({
  source: Type.String(),
  set: Type.Integer({ description: 'Mappings of the message, all of which are in force.' }),
});

export const MappingDeletedSchema = Type.Object({ source: Type.String(), externalKey: Type.String() });

const feed = {
  feedId: Type.String(),
  name: orNull('string', 'What you call it.'),
  propertyId,
  inventoryTypeId,
  host: text('Host of the URL; the rest is often a secret.'),
  every: Type.String(),
  state: Type.Enum(['new', 'ok', 'held', 'failing']),
  events: orNull('integer', 'Events of the calendar that was read last.'),
  nights: orNull('integer', 'Nights from yesterday on that the last calendar closes.'),
  confirmedAt: orNull('string', 'When it last confirmed its calendar.'),
  nextPollAt: instant,
  failure: orNull('string', 'What was wrong with the last poll.'),
};

export const FeedSchema = Type.Object(feed);
export const FeedsSchema = page('feeds', FeedSchema);
export const PolledSchema = Type.Object({
  ...feed,
  outcome: Type.Enum(['changed', 'unchanged', 'held', 'failed']),
  ownEvents: orNull('integer', 'Events that were our own and closed nothing.'),
  leftOut: Type.Unsafe<unknown>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'Names of lines and components of the calendar that may mean something and are not read, at most 20. Null if ' +
      'the calendar was not read.',
  }),
});

const nights = {
  dateFrom: Type.String({ format: 'date' }),
  dateTo: Type.String({ format: 'date' }),
};

export const NightsChangedSchema = Type.Object({
  propertyId: Type.String(),
  action: Type.Enum(['close', 'open']),
  dryRun: Type.Boolean(),
  changed: Type.Boolean({ description: 'The layer `manual` changes.' }),
  revision: Type.Integer(),
  changes: Type.Array(
    Type.Object({
      propertyId: Type.String(),
      inventoryTypeId: Type.String(),
      ...nights,
      before: Type.Object({}),
      after: Type.Object({}),
    }),
    { description: 'What changes for partners.' },
  ),
  changesLeftOut: Type.Integer({ description: 'Changes that are not listed.' }),
  closedElsewhere: Type.Array(
    Type.Object({
      inventoryTypeId: Type.String(),
      source: Type.String(),
      ...nights,
      reason: Type.Enum(['stopSell', 'availability']),
    }),
    { description: 'Nights of the request that other sources keep closed.' },
  ),
});

export const PublishedUrlSchema = Type.Object({
  url: text('Contains a secret; it cannot be shown again.'),
  replaced: Type.Boolean({ description: 'There was an earlier URL; it no longer works.' }),
});

const published = { propertyId, inventoryTypeId };
export const UnpublishedSchema = Type.Object(published);
export const PublishedSchema = page('calendars', Type.Object({ ...published, publishedAt: instant }));
