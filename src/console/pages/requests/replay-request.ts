/**
 * Replays a request as the same partner now: from memory, for a quote from the stored calendars. It uses no quota,
 * counts nothing and stores nothing.
 */
import { Wrong } from '../../../domain/wrong.ts';
import { listPartners } from '../../../access/partner-changes.ts';
import { type ByteText, parseByteText } from '../../../read-model/catalogue/bodies/byte-text.ts';
import { type ProblemCode, PROBLEMS } from '../../../contract/partner/problems.ts';
import { DEFAULT_LOCALE } from '../../../domain/property.ts';
import type { RequestRow } from '../../../storage/activity/store.ts';
import { type Acted, type ActPorts, type ActQuestion, refused } from '../../reading/console-page.ts';
import { explainStay, findRequest } from './read.ts';

export interface AskedAgain {
  readonly correlationId: string;
  readonly partnerId: string;
  /** The answer at that time, and the answer now. */
  readonly before: { readonly status: number; readonly code: string | null };
  readonly status: number;
  readonly code: ProblemCode | null;
  /** Properties that a search found then and now; null for other operations. */
  readonly found: { readonly before: number; readonly now: number } | null;
  /** The body as the partner would get it; for a quote without id, expiry and handoff. Null for a refusal. */
  readonly answer: unknown;
}

type Answered = Pick<AskedAgain, 'status' | 'code' | 'answer'> & { readonly total?: number };

const PAGE_SIZE = 20;
const REFUSED_AS_WRITTEN = 400;

/** Undefined: the request is no longer stored. */
export async function replayRequest(ports: ActPorts, { segments }: ActQuestion): Acted<AskedAgain> {
  const row = await findRequest(ports, segments['correlationId'] ?? '');
  if (row === undefined) return undefined;
  const answered = await answerNow(ports, row);
  if (answered === undefined) return refused(new Wrong('requestCut'));
  const { correlationId, partnerId, status, code, total: before } = row;
  const { total: now, ...answer } = answered;
  const found = before === null || now === undefined ? null : { before, now };
  return { kind: 'shown', shown: { correlationId, partnerId, before: { status, code }, found, ...answer } };
}

async function answerNow(ports: ActPorts, row: RequestRow): Promise<Answered | undefined> {
  const partners = await listPartners(ports);
  const partner = partners.find(({ partnerId }) => partnerId === row.partnerId);
  if (partner === undefined || partner.disabled) return refusal('PARTNER_ACCESS_REVOKED');
  const { catalogue } = ports;
  const { partnerId, propertyId, checkIn, checkOut, guests } = row;
  // For an invalid request, the log keeps only the readable part: replaying that would be a different question.
  if (row.status === REFUSED_AS_WRITTEN) return undefined;
  const stay = checkIn === null || checkOut === null ? undefined : { checkIn, checkOut };
  switch (row.operation) {
    case 'listPartnerProperties':
      return row.city === null ? undefined : search(ports, row, stay);
    case 'getPartnerProperty':
      if (propertyId === null) return undefined;
      return answerOf(catalogue.findSummary(propertyId, DEFAULT_LOCALE, partnerId));
    case 'getPartnerPropertyAvailability':
      if (propertyId === null || stay === undefined) return undefined;
      return answerOf(catalogue.findAvailability({ propertyId, ...stay, guests: guests ?? 1, partnerId }));
    case 'createPartnerQuote':
    case 'createStayQuote':
      return propertyId === null || stay === undefined ? undefined : decide(ports, row, propertyId);
    default:
      return undefined;
  }
}

function search({ catalogue }: ActPorts, row: RequestRow, stay: Stay | undefined): Answered {
  let body = '';
  let total = 0;
  const { partnerId, guests } = row;
  const query = { city: row.city ?? '', stay, guests: guests ?? (stay === undefined ? undefined : 1) };
  const page = { page: row.page ?? 1, pageSize: PAGE_SIZE, locale: DEFAULT_LOCALE };
  catalogue.search({ ...query, ...page, partnerId }, (list, found) => {
    body = Buffer.from(list).toString('utf8');
    total = found.total;
    return true;
  });
  return { status: 200, code: null, total, answer: JSON.parse(body) };
}

type Stay = { readonly checkIn: number; readonly checkOut: number };

function answerOf(body: ByteText | undefined): Answered {
  if (body === undefined) return refusal('PROPERTY_NOT_FOUND');
  return { status: 200, code: null, answer: parseByteText(body) };
}

async function decide(ports: ActPorts, row: RequestRow, propertyId: string): Promise<Answered> {
  if (!ports.catalogue.isVisible(propertyId, row.partnerId)) return refusal('PROPERTY_NOT_FOUND');
  const explained = await explainStay(ports, row);
  if (explained === undefined) return refusal('PROPERTY_NOT_FOUND');
  const { outcome, stay, currency, inventoryTypeId, inventoryTypes } = explained;
  if (outcome !== 'priced') return refusal(outcome);
  const quoted = inventoryTypes.find((type) => type.inventoryTypeId === inventoryTypeId);
  const answer = { propertyId, stay, pricing: quoted?.pricing ?? null, currency };
  return { status: 201, code: null, answer };
}

function refusal(code: ProblemCode): Answered {
  return { status: PROBLEMS[code].status, code, answer: null };
}
