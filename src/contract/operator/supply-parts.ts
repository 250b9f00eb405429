/** Parts shared by the rows of supply operations. */
import { SOURCE_LENGTH_MAX } from '../../domain/layers.ts';
import type { TSchema } from 'typebox';
import { Type } from '../partner/json-schema.ts';
import { type Parameter, propertyIdParameter } from '../partner/parameters.ts';
import type { OperatorBody, OperatorSuccess } from './operation.ts';

export function text(description: string): TSchema {
  return Type.String({ description });
}

export function orNull(type: string, description: string): TSchema {
  return Type.Unsafe<unknown>({ type: [type, 'null'], description });
}

export const JSON_TYPE = 'application/json';
export const NDJSON_TYPE = 'application/x-ndjson';
export const TAG = 'Supply';

export const MESSAGES_LIMIT_MAX = 1_000;
export const MESSAGES_LIMIT_DEFAULT = 50;
/** A caller that wants to wait longer repeats the request. */
export const REVISION_WAIT_SECONDS_MAX = 30;

export function optional(name: string, schema: Parameter['schema']): Parameter {
  return { name, required: false, schema, fallback: undefined };
}

export const inventoryTypeId: Parameter<string> = {
  ...propertyIdParameter,
  name: 'inventoryTypeId',
};

export const source = optional(
  'source',
  Type.String({
    minLength: 1,
    maxLength: SOURCE_LENGTH_MAX,
    description:
      'Source of the message; required unless the token has one. Of A-Z a-z 0-9 . _ : ~ -; `manual`, `stayport:...` and ' +
      '`ical:...` are reserved.',
  }),
);
export const idempotencyKey = optional(
  'Idempotency-Key',
  Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'The same message under the same key gets the first answer for 24 hours, another message 409. Each source has ' +
      'its own keys. Printable ASCII.',
  }),
);
export const partial = optional(
  'partial',
  Type.Boolean({
    description: 'Apply valid entries and name the others; otherwise one mistake refuses the message.',
  }),
);

/** Rows per page of a list. */
export const PAGE_LIMIT_MAX = 200;
export const PAGE_LIMIT_DEFAULT = 100;
const CURSOR_LENGTH_MAX = 2_000;

export const pageParameters = [
  optional(
    'after',
    Type.String({
      minLength: 1,
      maxLength: CURSOR_LENGTH_MAX,
      description: 'The `next` of the page before; the first page without it.',
    }),
  ),
  optional(
    'limit',
    Type.Integer({
      minimum: 1,
      maximum: PAGE_LIMIT_MAX,
      default: PAGE_LIMIT_DEFAULT,
      description: 'Rows of a page, at most.',
    }),
  ),
] as const;

export const replace = optional(
  'replace',
  Type.Boolean({
    description:
      'Of each type, the message replaces all that this source has set from the first to the last night that it ' +
      'names. Not together with `partial`.',
  }),
);

/** A night as a query parameter. */
export function night(name: string, description: string): Parameter {
  return optional(name, Type.String({ format: 'date', description }));
}

/** An instant as a query parameter. */
export function instant(name: string, description: string): Parameter {
  return optional(name, Type.String({ format: 'date-time', description }));
}

const jsonBody = {
  reading: 'whole',
  limit: 'SUPPLY_BODY_LIMIT_BYTES',
  tooLargeCode: 'SUPPLY_PAYLOAD_TOO_LARGE',
} as const;

export function body(schema: NonNullable<OperatorBody['schema']>): OperatorBody {
  return { ...jsonBody, mediaTypes: [JSON_TYPE], schema };
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

export const REPEATABLE =
  'A repeated message with the same `Idempotency-Key` is answered as the first time, for 24 hours.';
export const SENT_CODES = [
  'SUPPLY_VALIDATION_ERROR',
  'SUPPLY_SOURCE_MISMATCH',
  'IDEMPOTENCY_KEY_REUSED',
] as const;
