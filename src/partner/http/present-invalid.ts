/** Answers 400 to a request that breaks the rules of its operation. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import { type ReadableValues, readableValues } from '../../contract/reading/readable-values.ts';
import type { ScalarValue } from '../../contract/reading/field-rules.ts';
import { withChildAges } from '../../domain/child-ages.ts';
import type { Subject } from '../../http/answers/answered-request.ts';
import { presentIssues } from '../../http/answers/present-problem.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { type PartnerExchange, rawSegmentsOf } from './partner-exchange.ts';

/** Answers with every issue, and keeps the readable fields for the request log. `body` is the parsed JSON. */
export function presentInvalid(
  exchange: PartnerExchange,
  operation: Operation,
  issues: readonly ValidationIssue[],
  body?: unknown,
): void {
  const { request, response } = exchange;
  const rawQuery = rawQueryOf(request.url ?? '');
  const readable = readableValues(operation, { rawSegments: rawSegmentsOf(exchange), rawQuery, body });
  response.subject = toSubject(readable);
  presentIssues(response, issues);
}

/** Two readers could read a key that stands twice differently. `path`: from `findRepeatedKey`. */
export function repeatedKeyIssue(path: string): ValidationIssue {
  // Places in a list are dotted too, as in issues of the schema.
  const field = path.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, '');
  return { field, code: 'DUPLICATE_PARAMETER', detail: 'Must be given once.' };
}

function toSubject({
  city,
  country,
  propertyId,
  checkIn,
  checkOut,
  guests,
  childAges,
  page,
}: ReadableValues): Subject {
  const hasStay = typeof checkIn === 'number' && typeof checkOut === 'number';
  return {
    city: textOf(city),
    country: textOf(country),
    propertyId: textOf(propertyId),
    stay: hasStay ? { checkIn, checkOut } : undefined,
    guests: numberOf(guests),
    childAges: agesOf(childAges),
    page: numberOf(page),
  };
}

/** Sent in a query: the lists of a body are not read. */
function agesOf(value: ScalarValue | undefined): Subject['childAges'] {
  return Array.isArray(value) ? withChildAges(value as readonly number[]).childAges : undefined;
}

function textOf(value: ScalarValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: ScalarValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
