/** Prices of stays from the read model alone: no quote is stored, and no link is made. */
import {
  CALENDAR_DATES_DEFAULT,
  CALENDAR_DATES_MAX,
  CALENDAR_STAYS_MAX,
} from '../../contract/partner/limits.ts';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import {
  getPriceCalendar,
  listPriceDays,
  priceStays,
  searchFlexibleStays,
  searchStayPrices,
} from '../../contract/partner/extra-operations.ts';
import { validateBody, validatePath, validateQuery } from '../../contract/reading/validation.ts';
import type { DayRange } from '../../read-model/catalogue/prices/city-days.ts';
import { withChildAges } from '../../domain/child-ages.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { EPOCH_DAY_MAX, type EpochDay } from '../../domain/local-date.ts';
import { reasonCodesOf } from '../../domain/stay-reasons.ts';
import { readJsonText } from '../../supply/native/json-text.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentIssues, presentProblem } from '../../http/answers/present-problem.ts';
import { decodeJsonText } from '../../http/listener/request-body.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { askQuestion } from './ask-question.ts';
import { getBackend, getCredential } from './gates.ts';
import { issuesOf, type PartnerHook, rawSegmentsOf } from './partner-exchange.ts';
import { presentInvalid, repeatedKeyIssue } from './present-invalid.ts';

const BUSY = {
  reason: 'prices of stays take too long, or are asked for too often at once',
  detail:
    'The service has too many prices of stays under way. Try again, or ask for less: an earlier page, fewer properties.',
};

export interface Reasons {
  /** Whether partners are told why a stay can't be had: a setting of the site. */
  readonly partnerReasons: () => boolean;
}

/** GET /prices/v1/stays */
export function searchPricesHandler(authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = searchStayPrices;
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(searchStayPrices, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, searchStayPrices, query.issues);
    const { city, country, stay, guests, childAges, page } = query.value;
    const { partnerId } = getCredential(exchange);
    response.subject = { city, country, stay, guests, childAges, page };
    const search = { ...query.value, partnerId };
    const asked = await askQuestion(exchange, authenticate, BUSY, 'search', search);
    if (asked === undefined) return;
    const { body, found } = asked.answer;
    response.subject = { ...response.subject, found };
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
  };
}

/** GET /prices/v1/flexible-stays */
export function searchFlexibleHandler(authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = searchFlexibleStays;
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(searchFlexibleStays, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, searchFlexibleStays, query.issues);
    const { city, country, checkIns, nights, guests, childAges, page } = query.value;
    const [checkIn] = checkIns;
    // The first of its stays stands for them all: where nothing is found, that one is not available either.
    const stay = checkIn === undefined ? undefined : { checkIn, checkOut: checkIn + nights };
    response.subject = { city, country, stay, guests, childAges, page };
    const search = { ...query.value, partnerId: getCredential(exchange).partnerId };
    const asked = await askQuestion(exchange, authenticate, BUSY, 'flexible', search);
    if (asked === undefined) return;
    const { body, found } = asked.answer;
    response.subject = { ...response.subject, found };
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
  };
}

/** GET /prices/v1/days */
export function priceDaysHandler(authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = listPriceDays;
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(listPriceDays, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, listPriceDays, query.issues);
    const { city, country, from, until, nights, guests, childAges } = query.value;
    const { partnerId } = getCredential(exchange);
    const first = from ?? getBackend(exchange).prices.firstDay({ city, country, partnerId });
    const range = settleRange(first, until);
    if ('refused' in range) return presentInvalid(exchange, listPriceDays, [range.refused]);
    response.subject = { city, country, guests, childAges };
    const question = { ...query.value, ...range, partnerId };
    const days = await askQuestion(exchange, authenticate, BUSY, 'days', question);
    if (days === undefined) return;
    response.subject = { ...response.subject, stay: { checkIn: first, checkOut: first + nights } };
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body: days.answer });
  };
}

/** POST /prices/v1/stays */
export function priceStaysHandler(authenticate: PartnerHook, { partnerReasons }: Reasons): PartnerHook {
  const { cacheControl, successStatus: status } = priceStays;
  return async (exchange) => {
    const { request, response } = exchange;
    const json = readBody(exchange.body);
    if (json === undefined) return presentProblem(response, 'INVALID_JSON');
    if ('issue' in json) return presentIssues(response, [json.issue]);
    const query = validateQuery(priceStays, rawQueryOf(request.url ?? ''));
    const valid = validateBody(priceStays, json.value);
    if (!query.ok || !valid.ok)
      return presentInvalid(exchange, priceStays, issuesOf(query, valid), json.value);
    const { propertyIds } = valid.value;
    const stay = readStay(valid.value.stay);
    const why = valid.value.why === true ? (partnerReasons() ? 'reasons' : 'instead') : undefined;
    const { guests, childAges } = stay;
    response.subject = { propertyId: propertyIds[0], propertyIds, stay, guests, childAges };
    const { partnerId } = getCredential(exchange);
    const items = await askQuestion(exchange, authenticate, BUSY, 'properties', {
      propertyIds,
      stay,
      why,
      partnerId,
    });
    if (items === undefined) return;
    const told = items.answer.flatMap((item) => (item.why === undefined ? [] : [item.why.reasons]));
    if (told.length > 0) response.subject = { ...response.subject, reasons: reasonCodesOf(told) };
    const texts = items.answer.map(({ code, currency, pricing, why: whyNot }, index) => {
      const about = JSON.stringify({ propertyId: propertyIds[index], code, currency });
      const more = whyNot === undefined ? '}' : `,${JSON.stringify(whyNot).slice(1)}`;
      return `${about.slice(0, -1)},"pricing":${pricing}${more}`;
    });
    response.answer({
      status,
      mediaType: JSON_TYPE,
      cacheControl,
      body: Buffer.from(`{"items":[${texts.join(',')}]}`),
    });
  };
}

/** As a body says it: its ages come in any order. */
export function readStay({ childAges, ...stay }: StayRequest): StayRequest {
  return { ...stay, ...withChildAges(childAges) };
}

/** Undefined: not JSON. */
function readBody(
  bytes: Uint8Array,
): { readonly value: unknown } | { readonly issue: ValidationIssue } | undefined {
  const text = decodeJsonText(bytes);
  if (text === undefined) return undefined;
  const json = readJsonText(text);
  if (json.ok) return json;
  if (json.code !== 'FIELD_REPEATED') return undefined;
  return { issue: repeatedKeyIssue(json.field) };
}

/** GET /prices/v1/properties/{propertyId}/calendar */
export function priceCalendarHandler(authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = getPriceCalendar;
  return async (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPriceCalendar, rawSegmentsOf(exchange));
    const query = validateQuery(getPriceCalendar, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentInvalid(exchange, getPriceCalendar, issuesOf(path, query));
    const { propertyId } = path.value;
    const { from, until, nights, maxNights = nights, guests, childAges } = query.value;
    const lengths = maxNights - nights + 1;
    const { partnerId } = getCredential(exchange);
    const first = from ?? getBackend(exchange).prices.todayAt({ propertyId, partnerId });
    const range = first === undefined ? undefined : settleRange(first, until, lengths);
    if (range !== undefined && 'refused' in range)
      return presentInvalid(exchange, getPriceCalendar, [range.refused]);
    response.subject = { propertyId, guests, childAges };
    if (range === undefined) return presentProblem(response, 'PROPERTY_NOT_FOUND');
    const question = { propertyId, ...query.value, ...range, partnerId };
    const calendar = await askQuestion(exchange, authenticate, BUSY, 'calendar', question);
    if (calendar === undefined) return;
    if (calendar.answer === undefined) return presentProblem(response, 'PROPERTY_NOT_FOUND');
    // The first of its stays is the look that is counted.
    const stay = { checkIn: range.from, checkOut: range.from + nights };
    response.subject = { ...response.subject, stay };
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body: calendar.answer });
  };
}

function settleRange(
  from: EpochDay,
  until: EpochDay | undefined,
  lengths = 1,
): DayRange | { readonly refused: ValidationIssue } {
  const end = until ?? Math.min(from + CALENDAR_DATES_DEFAULT, EPOCH_DAY_MAX);
  const refuse = (code: ValidationIssue['code'], detail: string, field = 'until') => ({
    refused: { field, code, detail },
  });
  if (until !== undefined && until <= from) return refuse('DATE_ORDER_INVALID', 'Must be after from.');
  if (end - from > CALENDAR_DATES_MAX)
    return refuse('OUT_OF_RANGE', `Must be at most ${CALENDAR_DATES_MAX} days after from.`);
  if (lengths > 1 && (end - from) * lengths > CALENDAR_STAYS_MAX) {
    const detail = `Dates times lengths must be at most ${CALENDAR_STAYS_MAX}.`;
    return refuse('OUT_OF_RANGE', detail, 'maxNights');
  }
  return { from, until: end };
}
