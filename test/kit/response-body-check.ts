/** Rules of answers beyond their schemas (SPEC 2, SPEC 4, SPEC 7). */
import { parseLocalDate } from '../../src/domain/local-date.ts';

export interface AnswerFacts {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly header: (name: string) => string | undefined;
}

/** Members that the checks below read; whether they are there at all is the schema's matter. */
interface SeenBody {
  readonly type?: string;
  readonly status?: number;
  readonly code?: string;
  readonly correlationId?: string;
  readonly stay?: { readonly checkIn: string; readonly checkOut: string; readonly nights: number };
  readonly days?: readonly { readonly date: string }[];
  readonly items?: readonly { readonly propertyId: string; readonly pricing?: unknown }[];
  readonly pagination?: { page: number; pageSize: number; total: number; hasMore: boolean };
  readonly pricing?: { accommodation: string; cleaningFee: string; taxes: string; total: string };
  readonly handoffUrl?: string;
}

/** `codes` are those that may come with the status. */
export function checkProblemBody(
  facts: AnswerFacts,
  codes: readonly string[],
  problemsBaseUrl: string,
): string[] {
  const { type, status, code = '', correlationId } = asObject(facts.body);
  const slug = code.toLowerCase().replaceAll('_', '-');
  return collect([
    [status === facts.status, `the body says status ${status}, the answer has ${facts.status}`],
    [codes.includes(code), `code ${code} does not come with ${facts.status}`],
    [type === `${problemsBaseUrl}/${slug}`, `type is ${type}`],
    [
      correlationId === facts.header('x-correlation-id'),
      `correlationId ${correlationId} is not the header's`,
    ],
  ]);
}

export function checkSuccessBody({ status, body, header }: AnswerFacts): string[] {
  const { stay, days, items, pagination, pricing, handoffUrl } = asObject(body);
  const violations: string[] = [];
  if (stay !== undefined) violations.push(...checkStay(stay, days));
  if (items !== undefined && pagination !== undefined) violations.push(...checkPage(items, pagination));
  if (pricing !== undefined) violations.push(...checkSum(pricing));
  if (status === 201 && header('location') !== handoffUrl) violations.push('Location is not handoffUrl');
  return violations;
}

function checkStay(
  { checkIn, checkOut, nights }: NonNullable<SeenBody['stay']>,
  days: SeenBody['days'],
): string[] {
  const first = parseLocalDate(checkIn) ?? 0;
  const inOrder = days?.every(({ date }, index) => parseLocalDate(date) === first + index) ?? true;
  return collect([
    [
      (parseLocalDate(checkOut) ?? 0) - first === nights,
      `${nights} nights are not ${checkIn} to ${checkOut}`,
    ],
    [days === undefined || days.length === nights, `${days?.length} days for ${nights} nights`],
    [inOrder, 'days are not the occupied nights in order'],
  ]);
}

function checkPage(
  items: NonNullable<SeenBody['items']>,
  { page, pageSize, total, hasMore }: NonNullable<SeenBody['pagination']>,
): string[] {
  const before = (page - 1) * pageSize;
  const expected = Math.max(0, Math.min(pageSize, total - before));
  // Searches with prices may be in the order of these.
  const ordered = items.every(({ propertyId, pricing }, index) => {
    const previous = items[index - 1];
    return pricing !== undefined || previous === undefined || previous.propertyId < propertyId;
  });
  return collect([
    [items.length === expected, `${items.length} items, not ${expected}`],
    [hasMore === total > before + pageSize, `hasMore is ${hasMore} with ${total} in all`],
    [ordered, 'items are not ordered by propertyId'],
  ]);
}

function checkSum({ accommodation, cleaningFee, taxes, total }: NonNullable<SeenBody['pricing']>): string[] {
  const sum = cents(accommodation) + cents(cleaningFee) + cents(taxes);
  return collect([[sum === cents(total), `the parts sum to ${sum} cents, the total is ${total}`]]);
}

function cents(money: unknown): bigint {
  return typeof money === 'string' && /^\d+\.\d{2}$/.test(money) ? BigInt(money.replace('.', '')) : 0n;
}

function collect(rules: readonly (readonly [holds: boolean, violation: string])[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, violation]) => violation);
}

function asObject(body: unknown): SeenBody {
  return typeof body === 'object' && body !== null ? body : {};
}
