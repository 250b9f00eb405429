/** What the rows of supply have in common. */
import { Type } from 'typebox';
import { type Parameter, propertyIdParameter } from '../partner/parameters.ts';
import type { OperatorBody } from './operation.ts';

export const JSON_TYPE = 'application/json';
export const NDJSON_TYPE = 'application/x-ndjson';
export const TAG = 'Supply';

export const MESSAGES_LIMIT_MAX = 1_000;
export const MESSAGES_LIMIT_DEFAULT = 50;
/** A caller that wants to wait longer asks again. */
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
    maxLength: 200,
    description:
      "Which source speaks; needed unless it is the token's. `stayport:...` and `ical:...` are reserved.",
  }),
);
export const partial = optional(
  'partial',
  Type.Boolean({
    description: 'Apply the good entries and name the others; otherwise one mistake stops the message.',
  }),
);

const jsonBody = {
  reading: 'whole',
  limit: 'SUPPLY_BODY_LIMIT_BYTES',
  tooLargeCode: 'SUPPLY_PAYLOAD_TOO_LARGE',
} as const;

export function body(schema: OperatorBody['schema']): OperatorBody {
  return { ...jsonBody, mediaTypes: [JSON_TYPE], ...(schema === undefined ? {} : { schema }) };
}

export const REPEATABLE =
  'A repeated message with the same `Idempotency-Key` is answered as the first time, for 24 hours.';
export const SENT_CODES = [
  'SUPPLY_VALIDATION_ERROR',
  'SUPPLY_SOURCE_MISMATCH',
  'IDEMPOTENCY_KEY_REUSED',
] as const;
