/** Requests and answers of the supply operations. */
import { inEnglish } from '../../domain/wrong.ts';
import type { TSchema } from 'typebox';
import { Type } from '../partner/json-schema.ts';
import { orNull, text } from './supply-parts.ts';
import { type AnyField, FIELDS, rowOf } from '../../domain/calendar-fields.ts';
import {
  CHANGING_FIELDS,
  type ChangingField,
  FRACTION_DIGITS_MAX,
  PER_ROOM,
} from '../../domain/changing-fields.ts';
import type { JsonSchema } from '../../domain/document/grammar.ts';
import { ENTRY_REQUIRED, ENTRY_SCHEMAS } from '../../domain/document/calendar-entry.ts';
import { PROPERTY_DOCUMENT } from '../../domain/document/property-grammar.ts';

const ARI_RATE = Type.Unsafe<unknown>({
  type: ['string', 'integer', 'null'],
  description:
    'Above 0: a decimal string such as "120.00", or whole minor units of the currency (ISO 4217): 12000 is 120.00 EUR, 12000.00 JPY.',
});
const OWN_CURRENCY = orNull(
  'string',
  'Must be the currency of the property; a message with another is refused.',
);
const FRACTION_DIGITS = Type.Unsafe<unknown>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: FRACTION_DIGITS_MAX,
  description: 'Decimals of a rate in whole minor units; those of the currency (ISO 4217) unless given.',
});
const OCCUPANCY_RATE = Type.Object(
  {
    occupancy: Type.Optional(orNull('integer', 'Number of guests of the rate.')),
    rate: ARI_RATE,
    currency: Type.Optional(OWN_CURRENCY),
    fraction_size: Type.Optional(FRACTION_DIGITS),
  },
  { additionalProperties: false },
);

/** A field that changes what the others mean: read, or refused unless it is null. */
function changingSchema({ reading }: ChangingField): TSchema {
  if (typeof reading === 'object')
    return Type.Unsafe<unknown>({
      type: 'null',
      description: `Refused, because it changes what the rate means: ${inEnglish(reading.refused)}.`,
    });
  switch (reading) {
    case 'currency':
      return OWN_CURRENCY;
    case 'digits':
      return FRACTION_DIGITS;
    case 'perRoom':
      return Type.Unsafe<unknown>({
        enum: [...PER_ROOM, null],
        description: 'A rate is that of a room; a message with another kind of rate is refused.',
      });
  }
}

/** A name of a field in a message in the style of Channex; a second name of a field says which one it stands for. */
function ariSchema(field: AnyField, name: string): TSchema {
  const { shape, meaning, ariNames } = rowOf(field);
  const own = ariNames.at(-1)!;
  const means = name === own ? meaning : `As ${own}.`;
  switch (shape) {
    case 'units':
      return orNull('integer', `${means} Below zero: 0, with a warning.`);
    case 'nights':
      return orNull('integer', `${means} 0 is not a restriction.`);
    case 'flag':
      return orNull('boolean', means);
    case 'money':
      return ARI_RATE;
    case 'moneyByGuests':
      return Type.Unsafe<unknown>({
        type: ['array', 'null'],
        items: OCCUPANCY_RATE,
        description:
          'Rates by occupancy: [{"occupancy":2,"rate":"120.00"}]; a single one without occupancy is the rate for all.',
      });
  }
}

/** As a document has them, and as systems also send them: overbooked nights, and 0 nights for no limit. */
const calendarFields = Object.fromEntries(
  Object.entries(ENTRY_SCHEMAS).map(([name, schema]) => {
    const field = Type.Unsafe<unknown>(ofSystem(name, schema));
    return [name, ENTRY_REQUIRED.includes(name) ? field : Type.Optional(field)];
  }),
);
const date = ENTRY_SCHEMAS['dateFrom']!;

function ofSystem(name: string, { minimum, ...schema }: JsonSchema): JsonSchema {
  if (minimum === undefined) return schema;
  const isUnits = name === 'availability';
  const means = isUnits ? 'Below zero: 0, with a warning.' : '0 is not a restriction.';
  const description = `${schema['description'] as string} ${means}`;
  return isUnits ? { ...schema, description } : { ...schema, minimum: 0, description };
}

const changingFields = Object.fromEntries(
  CHANGING_FIELDS.flatMap((row) =>
    row.names.map((name) => [name, Type.Optional(changingSchema(row))] as const),
  ),
);

const ariFields = Object.fromEntries(
  FIELDS.flatMap((field) =>
    rowOf(field).ariNames.map((name) => [name, Type.Optional(ariSchema(field, name))] as const),
  ),
);

export const CalendarsSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          propertyId: text('Id of the property.'),
          inventoryTypeId: text('Id of its inventory type.'),
          currency: Type.Optional(OWN_CURRENCY),
          ...calendarFields,
        },
        { additionalProperties: false },
      ),
      {
        description:
          'Applied in order to the layer of the source; null clears a field. Empty: nothing has changed.',
      },
    ),
  },
  { additionalProperties: false },
);

/** Null is absent for a name or a date. */
function absentOrNull(type: 'string' | 'array', more: object): TSchema {
  return Type.Optional(Type.Unsafe<unknown>({ ...more, type: [type, 'null'] }));
}

const ariValue = Type.Object({
  property_id: absentOrNull('string', {
    description: 'Not used: the room type or rate plan identifies the property.',
  }),
  room_type_id: absentOrNull('string', { description: 'A mapped name; or send rate_plan_id.' }),
  rate_plan_id: absentOrNull('string', { description: 'A mapped name; used if both are given.' }),
  date: absentOrNull('string', date),
  date_from: absentOrNull('string', date),
  date_to: absentOrNull('string', date),
  days: absentOrNull('array', {
    items: { type: 'string' },
    description: '`mo` to `su`: only these nights of the range.',
  }),
  ...ariFields,
  ...changingFields,
});

const ariChange = Type.Object({
  type: Type.Optional(
    text('Of `availability_changes`, the room type counts if the rate plan has no mapping.'),
  ),
  attributes: ariValue,
});

/** As a PMS sends them, or as Channex does to a channel. */
export const AriSchema = Type.Union([
  Type.Object({ values: Type.Array(ariValue) }, { additionalProperties: false }),
  Type.Object(
    {
      data: Type.Array(Type.Object({ attributes: Type.Object({ changes: Type.Array(ariChange) }) }), {
        description: 'Notifications of changes, as Channex sends them to a channel.',
      }),
    },
    { additionalProperties: false },
  ),
]);

export const PropertyDocumentSchema = Type.Unsafe<object>({
  ...PROPERTY_DOCUMENT.schema,
  description: 'The native property document, one line of a catalogue file (docs/supply.md).',
});

const issue = Type.Object({
  pointer: text('JSON pointer into the body, such as /entries/3/rate.'),
  code: text('Stable, for programs.'),
  detail: text('For people.'),
});

const applied = {
  messageId: text('As GET /supply/v1/messages lists it.'),
  revision: Type.Integer({ description: 'Partners see the message once a process has this revision.' }),
  changed: Type.Integer({ description: 'Entries (or documents) that changed something.' }),
  unchanged: Type.Integer({ description: 'Entries (or documents) that changed nothing.' }),
  warnings: Type.Array(issue, {
    description: 'What was not applied, or may not be meant; the first hundred.',
  }),
};

export const AppliedSchema = Type.Object({
  ...applied,
  errors: Type.Optional(
    Type.Array(issue, { description: 'With `partial=true`: entries that were left out.' }),
  ),
});

export const PropertyWrittenSchema = Type.Object({
  propertyId: Type.String(),
  revision: applied.revision,
  changed: Type.Boolean(),
  messageId: applied.messageId,
  warnings: applied.warnings,
});

export const ImportedSchema = Type.Object({
  ...applied,
  read: Type.Integer(),
  created: Type.Integer(),
  rejected: Type.Integer({ description: 'Lines that were not taken; `warnings` names them.' }),
});

export const RevisionSchema = Type.Object({
  revision: Type.Integer({ description: 'This process shows changes to partners up to this revision.' }),
  databaseRevision: Type.Integer({
    description: 'The newest in the database; lower than before if the database went back.',
  }),
  historyLostAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When this process last noticed that the database went back to an earlier state.',
  }),
});

const calendar = Type.Array(Type.Object({}), {
  description: 'Entries as in a document, ascending, without overlap.',
});

const setBy = Type.Array(
  Type.Object({
    dateFrom: Type.String({ format: 'date' }),
    dateTo: Type.String({ format: 'date' }),
    settings: Type.Array(
      Type.Object({
        field: Type.String(),
        value: Type.Unknown(),
        source: Type.String(),
        at: Type.String({ format: 'date-time' }),
        messageId: Type.Union([Type.String(), Type.Null()]),
        decides: Type.Boolean(),
      }),
    ),
  }),
  { description: 'What each source has set for these nights, and when; `decides`: partners see this value.' },
);

export const StoredPropertySchema = Type.Object({
  propertyId: Type.String(),
  source: text('Owns the document.'),
  revision: Type.Integer(),
  changedAt: Type.String({ format: 'date-time' }),
  document: Type.Unsafe<object>({
    type: 'object',
    description: 'As its source wrote it, with the calendars of its own layer.',
  }),
  layers: Type.Array(
    Type.Object({
      inventoryTypeId: Type.String(),
      source: Type.String(),
      changedAt: Type.String({ format: 'date-time' }),
      calendar,
    }),
  ),
  calendars: Type.Array(
    Type.Object({ inventoryTypeId: Type.String(), priceSource: Type.String(), calendar, setBy }),
    {
      description: 'What partners see: the strictest of all layers, and the prices of one source.',
    },
  ),
  confirmed: Type.Array(Type.Object({ source: Type.String(), at: Type.String({ format: 'date-time' }) }), {
    description: 'When each source last confirmed this property, changed or not.',
  }),
});

export const MessageSchema = Type.Object({
  messageId: Type.String(),
  source: Type.String(),
  kind: Type.String(),
  receivedAt: Type.String({ format: 'date-time' }),
  verdict: Type.Enum(['applied', 'partial', 'refused']),
  revision: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  warnings: Type.Array(issue),
  warningCount: Type.Integer({ description: 'Including those that are not named.' }),
  errors: Type.Array(issue),
  errorCount: Type.Integer({ description: 'Including those that are not named.' }),
  entries: Type.Unsafe<unknown>({
    type: ['array', 'null'],
    description:
      'The first entries as they were sent, up to 64 KB of a message; null if too long for this answer.',
  }),
  entriesLeftOut: orNull('integer', 'Entries that are not included.'),
});

export const MessagesSchema = Type.Object({ messages: Type.Array(MessageSchema) });
