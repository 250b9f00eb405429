/** Query, path and headers of the supply operations, and the source of a request. */
import { decodePathSegment, readQueryText } from '../../contract/reading/validation.ts';
import { parseInstant } from '../../access/parse-duration.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { Refusal, type ScalarKeywords } from '../../contract/reading/field-rules.ts';
import type { Parameter } from '../../contract/partner/parameters.ts';
import { findReservedReason, isSourceName, SOURCE_FORM } from '../../domain/layers.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../../supply/messages/message-limits.ts';
import { sayDetail } from '../../domain/wrong.ts';
import type { MessageError } from '../../supply/messages/message-body.ts';
import type { OperatorExchange } from './operator-exchange.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';

const UNKNOWN_NAMES_MAX = 10;
/** Printable ASCII, which every client can send in a header (RFC 9110). */
const IDEMPOTENCY_KEY = new RegExp(`^[\\x20-\\x7e]{1,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`);

export type QueryValues = Readonly<Record<string, string>>;

/** The query by name; undefined, with the request answered, if it is invalid. */
export function readSupplyQuery(exchange: OperatorExchange): QueryValues | undefined {
  const { request, operation } = exchange;
  const parameters = operation.queryParameters ?? [];
  const indexByName = new Map(parameters.map(({ name }, index) => [name, index]));
  const rawQuery = (request.url ?? '').split('?').slice(1).join('?');
  const { values, unknownNames } = readQueryText(rawQuery, indexByName, UNKNOWN_NAMES_MAX);
  const errors: MessageError[] = [];
  const found: Record<string, string> = {};
  for (const [index, parameter] of parameters.entries()) {
    const value = values[index];
    if (value === undefined) continue;
    const problem = value instanceof Refusal ? value.detail : judge(parameter, value);
    if (problem === undefined) found[parameter.name] = value as string;
    else errors.push({ pointer: `?${parameter.name}`, code: 'PARAMETER_INVALID', detail: problem });
  }
  for (const [name, { detail }] of unknownNames)
    errors.push({ pointer: `?${name}`, code: 'PARAMETER_UNKNOWN', detail });
  return errors.length === 0 ? found : refuse(exchange, ...errors);
}

/** 400. */
export function refuse({ response }: OperatorExchange, ...errors: readonly MessageError[]): undefined {
  presentProblem(response, 'SUPPLY_VALIDATION_ERROR', { errors });
  return undefined;
}

/** The problem with the text of a parameter, as a sentence. */
function judge({ schema }: Parameter, text: string): string | undefined {
  const {
    type,
    format,
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    minLength = 0,
    maxLength,
  } = schema as ScalarKeywords;
  if (type === 'boolean') return text === 'true' || text === 'false' ? undefined : 'Must be true or false.';
  if (type === 'integer') {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return undefined;
    return `Must be a whole number from ${minimum} to ${maximum}.`;
  }
  if (format === 'date')
    return parseLocalDate(text) === undefined ? 'Must be a date such as 2026-12-01.' : undefined;
  if (format === 'date-time')
    return parseInstant(text) === undefined ? 'Must be an instant such as 2026-12-01T00:00:00Z.' : undefined;
  // The value's own grammar validates it later.
  if (maxLength === undefined) return undefined;
  const isGood = text.trim() === text && text.length >= minLength && text.length <= maxLength;
  if (isGood && text.isWellFormed() && !text.includes('\0')) return undefined;
  return `Must have ${minLength} to ${maxLength} characters, without blanks around them.`;
}

/**
 * The token's source, else that of the query; undefined, with the request answered, if there is none or they differ.
 */
export function sourceOf(exchange: OperatorExchange, { source }: QueryValues): string | undefined {
  const own = exchange.operator?.source ?? undefined;
  if (own !== undefined && source !== undefined && own !== source) {
    return refuseForeign(exchange, own, '?source');
  }
  const named = own ?? source;
  const reserved = named === undefined ? undefined : findReservedReason(named);
  if (reserved !== undefined) {
    const errors = [{ pointer: '?source', code: 'SOURCE_RESERVED', detail: sayDetail(reserved, 'en-GB') }];
    presentProblem(exchange.response, 'SUPPLY_SOURCE_MISMATCH', { errors });
    return undefined;
  }
  // An older token may have a source name that this rule would refuse, and its source owns documents.
  if (own !== undefined) return own;
  if (named !== undefined && isSourceName(named)) return named;
  const missing = 'Name the source, such as ?source=pms, or send with a token that has one.';
  const [code, detail] =
    named === undefined
      ? ['PARAMETER_REQUIRED', missing]
      : ['PARAMETER_INVALID', sayDetail(SOURCE_FORM, 'en-GB')];
  return refuse(exchange, { pointer: '?source', code, detail });
}

/** As `sourceOf`, for reading: undefined for all sources, null if the request is answered. */
export function sourceToRead(exchange: OperatorExchange, { source }: QueryValues): string | undefined | null {
  const own = exchange.operator?.source ?? undefined;
  if (own === undefined || source === undefined || own === source) return own ?? source;
  refuseForeign(exchange, own, '?source');
  return null;
}

/** 403: the token belongs to another source. */
export function refuseForeign({ response }: OperatorExchange, own: string, pointer: string): undefined {
  const detail = `The token speaks for the source "${own}" only.`;
  const errors = [{ pointer, code: 'SOURCE_MISMATCH', detail }];
  presentProblem(response, 'SUPPLY_SOURCE_MISMATCH', { errors });
  return undefined;
}

/** Null without the header; undefined, and answered, when it can't be a key. */
export function idempotencyKeyOf(exchange: OperatorExchange): string | null | undefined {
  const key = exchange.request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && IDEMPOTENCY_KEY.test(key)) return key;
  const detail = `Must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable characters.`;
  return refuse(exchange, { pointer: 'Idempotency-Key', code: 'HEADER_INVALID', detail });
}

/** Undefined, with the request answered, if the path has no valid property id. */
export function propertyIdOf(exchange: OperatorExchange): string | undefined {
  return idOf(exchange, 'propertyId');
}

/** The same of any id. */
export function idOf(exchange: OperatorExchange, name: string): string | undefined {
  const id = decodePathSegment(exchange.rawSegments[name] ?? '');
  if (id !== undefined && ID_PATTERN.test(id)) return id;
  const detail = 'Must be 1 to 160 of the characters A-Z a-z 0-9 . _ ~ -, and not . or ..';
  return refuse(exchange, { pointer: `{${name}}`, code: 'PARAMETER_INVALID', detail });
}

const NAME_LENGTH_MAX = 255;

/** A segment of the path that is a name of somebody's; undefined, and answered, when it can't be one. */
export function nameOf(exchange: OperatorExchange, name: string): string | undefined {
  const text = decodePathSegment(exchange.rawSegments[name] ?? '');
  if (text !== undefined && text.length <= NAME_LENGTH_MAX && text.isWellFormed() && !text.includes('\0'))
    return text;
  const detail = `Must be 1 to ${NAME_LENGTH_MAX} characters, percent-encoded.`;
  return refuse(exchange, { pointer: `{${name}}`, code: 'PARAMETER_INVALID', detail });
}
