/** Requests and answers of the supply operations. */
import { Type, type TSchema } from 'typebox';

const date = { type: 'string', format: 'date', description: 'A night, YYYY-MM-DD; both ends are included.' };

function text(description: string): TSchema {
  return Type.String({ description });
}

function orNull(type: string, description: string): TSchema {
  return Type.Unsafe<unknown>({ type: [type, 'null'], description });
}

const calendarFields = {
  dateFrom: Type.Unsafe<string>(date),
  dateTo: Type.Unsafe<string>(date),
  weekdays: Type.Optional(
    Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']), {
      description: 'The entry names only these nights of its range.',
    }),
  ),
  availability: Type.Optional(orNull('integer', 'Units left; null clears the field, as everywhere here.')),
  rate: Type.Optional(orNull('string', 'Per night, such as "120.00".')),
  ratesByGuests: Type.Optional(
    orNull('object', 'Amounts by number of guests, such as {"1":"90.00","2":"110.00"}.'),
  ),
  stopSell: Type.Optional(orNull('boolean', 'The night is not sold.')),
  closedToArrival: Type.Optional(orNull('boolean', 'No stay begins on this date.')),
  closedToDeparture: Type.Optional(orNull('boolean', 'No stay ends on this date.')),
  minStayArrival: Type.Optional(orNull('integer', 'Nights that a stay beginning here has at least.')),
  minStayThrough: Type.Optional(orNull('integer', 'Nights that a stay over this night has at least.')),
  maxStay: Type.Optional(orNull('integer', 'Nights that a stay beginning here has at most.')),
};

export const CalendarsSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          propertyId: text('Id of the property.'),
          inventoryTypeId: text('Id of its inventory type.'),
          ...calendarFields,
        },
        { additionalProperties: false },
      ),
      {
        description:
          'Laid over the layer of the source, the later over the earlier. Empty: nothing has changed.',
      },
    ),
  },
  { additionalProperties: false },
);

export const AriSchema = Type.Object(
  {
    values: Type.Array(
      Type.Object({
        property_id: Type.Optional(
          text('Not used: the room type or rate plan says which property is meant.'),
        ),
        room_type_id: Type.Optional(text('A name that `mapping set` knows; or rate_plan_id.')),
        rate_plan_id: Type.Optional(text('A name that `mapping set` knows; it counts where both are given.')),
        date: Type.Optional(Type.Unsafe<string>(date)),
        date_from: Type.Optional(Type.Unsafe<string>(date)),
        date_to: Type.Optional(Type.Unsafe<string>(date)),
        days: Type.Optional(
          Type.Array(Type.String(), { description: '`mo` to `su`: only these nights of the range.' }),
        ),
        availability: Type.Optional(orNull('integer', 'Units left.')),
        rate: Type.Optional(
          Type.Unsafe<unknown>({
            type: ['string', 'integer', 'null'],
            description: 'A decimal string such as "120.00", or whole minor units such as 12000.',
          }),
        ),
        rates: Type.Optional(orNull('array', 'Rates by occupancy: [{"occupancy":2,"rate":"120.00"}].')),
        stop_sell: Type.Optional(orNull('boolean', 'The night is not sold.')),
        closed_to_arrival: Type.Optional(orNull('boolean', 'No stay begins on this date.')),
        closed_to_departure: Type.Optional(orNull('boolean', 'No stay ends on this date.')),
        min_stay: Type.Optional(
          orNull('integer', 'As min_stay_arrival. 0 is not a restriction, here and below.'),
        ),
        min_stay_arrival: Type.Optional(orNull('integer', 'Nights that a stay beginning here has at least.')),
        min_stay_through: Type.Optional(
          orNull('integer', 'Nights that a stay over this night has at least.'),
        ),
        max_stay: Type.Optional(orNull('integer', 'Nights that a stay beginning here has at most.')),
      }),
    ),
  },
  { additionalProperties: false },
);

export const PropertyDocumentSchema = Type.Unsafe<object>({
  type: 'object',
  required: [
    'propertyId',
    'name',
    'propertyType',
    'location',
    'bathrooms',
    'currency',
    'timezone',
    'inventoryTypes',
  ],
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
  unchanged: Type.Integer({ description: 'Entries (or documents) that said what was known.' }),
  warnings: Type.Array(issue, { description: 'What was left out and should be known; the first hundred.' }),
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
});

export const ImportedSchema = Type.Object({
  ...applied,
  read: Type.Integer(),
  created: Type.Integer(),
  rejected: Type.Integer({ description: 'Lines that were not taken; `warnings` names them.' }),
});

export const RevisionSchema = Type.Object({
  revision: Type.Integer({ description: 'Up to here this process shows changes to partners.' }),
  databaseRevision: Type.Integer({ description: 'The newest there is.' }),
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
    description: 'When each source last spoke of this property, changed or not.',
  }),
});

export const MessagesSchema = Type.Object({
  messages: Type.Array(
    Type.Object({
      messageId: Type.String(),
      source: Type.String(),
      kind: Type.String(),
      receivedAt: Type.String({ format: 'date-time' }),
      verdict: Type.Enum(['applied', 'partial', 'refused']),
      revision: Type.Integer(),
      changed: Type.Integer(),
      unchanged: Type.Integer(),
      warnings: Type.Array(issue),
      errors: Type.Array(issue),
    }),
  ),
});
