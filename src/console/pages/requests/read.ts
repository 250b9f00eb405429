/**
 * Answers to partners, newest first: the rows of `requests`, plus those that this machine's threads hold in memory
 * before they are stored. For one answer also its reason, judged by the present state, not by that of the time.
 */
import { mergeRequests } from '../../../operator/activity/recent-requests.ts';
import {
  parseStatuses,
  presentRequest,
  type RequestEntry,
} from '../../../operator/activity/request-report.ts';
import { addJudgements, NOTHING_JUDGED } from '../../../operator/activity/unmet-causes.ts';
import { listPartners } from '../../../access/partner-changes.ts';
import { parseDuration } from '../../../access/parse-duration.ts';
import { withWrittenAges } from '../../../domain/child-ages.ts';
import { PROBLEM_CODES, rowOfProblem } from '../../../contract/partner/problems.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import { shiftAt } from '../../../domain/nearest-shifts.ts';
import { DEFAULT_LOCALE, type Locale } from '../../../domain/property.ts';
import {
  type ExplainDeps,
  explainQuote,
  type QuoteExplanation,
} from '../../../partner/quotes/explain-quote.ts';
import type { RequestFilter, RequestRow } from '../../../storage/activity/store.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from '../../reading/console-page.ts';
import type { SeenCity } from '../../reading/partner-view.ts';
import { isAnything, NAME_LENGTH_MAX, readAsked, withQuery } from '../../reading/paths.ts';

export type { RequestEntry };
export const REQUESTS_PATH = '/console/requests';
export const REQUESTS_SHOWN = 50;

/** Filters, each with a check of its value. */
const READABLE = {
  partner: isAnything,
  status: (text: string) => parseStatuses(text) !== undefined,
  code: isAnything,
  operation: isAnything,
  since: (text: string) => parseDuration(text) !== undefined,
  correlation: isAnything,
};
export const REQUEST_FILTERS = Object.keys(READABLE) as readonly (keyof typeof READABLE)[];

/** The filters that could be read. */
export type RequestQuery = Readonly<Partial<Record<keyof typeof READABLE, string>>>;

export type RequestPorts = Pick<PagePorts, 'recentRequests' | 'storage'>;
export type RequestsShown = ShownBy<typeof readRequests>;

/** With more, the partner is typed: nobody searches so long a list. */
const PARTNERS_LISTED_MAX = 200;

export async function readRequests(ports: PagePorts, { query, isJson }: PageQuestion) {
  const { asked, unread } = readAsked(query, READABLE);
  const partners = isJson ? [] : await listPartners(ports);
  const found = await findRequests(ports, {
    ...filterOf(asked, ports.clock()),
    before: parsePlace(query.get('before') ?? ''),
    limit: REQUESTS_SHOWN + 1,
  });
  const { page, last } = firstPage(found, REQUESTS_SHOWN);
  const before = last && `${last.atMs}.${last.correlationId}`;
  return {
    rows: page.map(presentRequest),
    /** To choose from; empty if there are too many. */
    partnerIds: partners.length > PARTNERS_LISTED_MAX ? [] : partners.map(({ partnerId }) => partnerId),
    asked,
    unread,
    nextPath: before && withQuery(REQUESTS_PATH, { ...asked, before }),
  };
}

/** Requests in memory and in the database, without duplicates. */
export async function findRequests({ recentRequests, storage }: RequestPorts, filter: RequestFilter) {
  const [recent, stored] = await Promise.all([recentRequests.find(filter), storage.readRequests(filter)]);
  const one = new Map([...stored, ...recent].map((row) => [`${row.atMs} ${row.correlationId}`, row]));
  return mergeRequests([[...one.values()]], filter.limit);
}

function filterOf(asked: RequestQuery, nowMs: number): Omit<RequestFilter, 'limit'> {
  const { partner: partnerId, status, code, operation, since, correlation: correlationId } = asked;
  const sinceMs = since === undefined ? undefined : nowMs - parseDuration(since)!;
  const statuses = status === undefined ? undefined : parseStatuses(status);
  return { partnerId, statuses, code, operation, sinceMs, correlationId };
}

/** `1763800000000.CORRELATION_ID`; undefined for anything else. */
function parsePlace(text: string): RequestFilter['before'] {
  const [, at, correlationId] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? [];
  return correlationId === undefined ? undefined : { atMs: Number(at), correlationId };
}

// A single request.

/** Properties of one city checked for one search; `demand --unmet` checks the others. */
export const PROPERTIES_JUDGED_MAX = 100;

export type RequestShown = ShownBy<typeof readRequest>;

export type Explained =
  /** `title` and `remedy` come from the contract, in English. */
  | { readonly kind: 'problem'; readonly title: string; readonly remedy: string }
  | { readonly kind: 'noSuchProperty' | 'hiddenProperty' | 'unknownPlace' }
  | { readonly kind: 'emptySearch'; readonly cities: readonly ExplainedCity[] }
  | { readonly kind: 'refusedQuote'; readonly explanation: QuoteExplanation };

export type ExplainedCity = Awaited<ReturnType<typeof judgeCity>>;

/** Operations that can be asked again as the partner. */
const ASKED_AGAIN: ReadonlySet<string> = new Set([
  'listPartnerProperties',
  'getPartnerProperty',
  'getPartnerPropertyAvailability',
  'createPartnerQuote',
  'createStayQuote',
]);

/** `curl` is for a shell, without the token; null where what was asked is not kept. */
export async function readRequest(ports: PagePorts, { segments, locale }: PageQuestion) {
  const row = await findRequest(ports, segments['correlationId'] ?? '');
  if (row === undefined) return undefined;
  return {
    rows: [presentRequest(row)],
    explained: await explain(ports, row, locale),
    curl: curlOf(ports, row),
    canAskAgain: ASKED_AGAIN.has(row.operation),
  };
}

/** Undefined if it is no longer stored. */
export async function findRequest(ports: RequestPorts, correlationId: string) {
  if (correlationId.length > NAME_LENGTH_MAX) return undefined;
  return (await findRequests(ports, { correlationId, limit: 1 }))[0];
}

/** Operations that find properties for a stay. */
const SEARCHES: ReadonlySet<string> = new Set(['listPartnerProperties', 'searchStayPrices']);

async function explain(ports: PagePorts, row: RequestRow, locale: Locale): Promise<readonly Explained[]> {
  const { code, operation, propertyId, partnerId, total } = row;
  if (SEARCHES.has(operation) && total === 0) return [await explainEmpty(ports, row)];
  if (code === null) return [];
  const known = PROBLEM_CODES.filter((one) => one === code).map(rowOfProblem);
  const problem = known.map(({ title, remedy }): Explained => ({ kind: 'problem', title, remedy }));
  if (propertyId === null) return problem;
  if (code === 'PROPERTY_NOT_FOUND') {
    const seen = await ports.partnerView.findProperty(propertyId, partnerId);
    return seen === 'visible' ? problem : [...problem, { kind: seen }];
  }
  const isRefusedQuote = known[0]?.family === 'QuoteConflictProblem';
  const explanation = isRefusedQuote ? await explainStay(ports, row, locale) : undefined;
  return explanation === undefined ? problem : [...problem, { kind: 'refusedQuote', explanation }];
}

/** Undefined if the property no longer exists, or the stay is not stored. */
export async function explainStay(ports: ExplainDeps, row: RequestRow, locale?: Locale) {
  const { propertyId, checkIn, checkOut, guests, childAges } = row;
  if (propertyId === null || checkIn === null || checkOut === null) return undefined;
  const party = { guests: guests ?? 1, ...withWrittenAges(childAges) };
  return explainQuote(ports, { propertyId, checkIn, checkOut, ...party, locale });
}

/** Cities of that name in every country: the log does not store which one was meant. */
async function explainEmpty(ports: PagePorts, row: RequestRow): Promise<Explained> {
  const cities = await ports.partnerView.findCities(row.city ?? '', row.partnerId, PROPERTIES_JUDGED_MAX);
  if (cities.length === 0) return { kind: 'unknownPlace' };
  return {
    kind: 'emptySearch',
    cities: await Promise.all(cities.map((city) => judgeCity(ports, row, city))),
  };
}

/** The `properties` that the partner sees, and how many were `judged`; `isPassed`: the first night is past at each. */
async function judgeCity(ports: PagePorts, row: RequestRow, seen: SeenCity) {
  const { checkIn, checkOut, guests, childAges } = row;
  const { clock, horizonNights, judgeStays } = ports;
  const { city, country, properties, firstIds } = seen;
  const judgedIds = checkIn === null ? [] : firstIds;
  const party = { guests: guests ?? 1, ...withWrittenAges(childAges) };
  const stay = { checkIn: checkIn ?? 0, nights: (checkOut ?? 0) - (checkIn ?? 0), ...party };
  const question = { propertyIds: judgedIds, stays: [stay], nowMs: clock(), horizonNights };
  const [judged = NOTHING_JUDGED] = judgedIds.length === 0 ? [] : await judgeStays(question);
  const { causes, nearest, isPassed } = addJudgements(NOTHING_JUDGED, judged);
  return {
    city,
    country,
    properties,
    judged: judgedIds.length,
    isPassed,
    causes: causes.toSorted((one, other) => other.properties - one.properties),
    nearest: nearest && {
      checkIn: formatLocalDate(stay.checkIn + shiftAt(nearest.distance)),
      properties: nearest.properties,
    },
  };
}

/**
 * In double quotes nothing of it means anything to a shell: values are percent-encoded, or ids, dates and numbers. Of a
 * list of ids the first is kept, and of a price calendar or a question about many dates the first stay.
 */
function curlOf({ publicUrl }: PagePorts, row: RequestRow): string | null {
  const { operation, city, propertyId, checkIn, checkOut, guests, childAges, page } = presentRequest(row);
  const stay = { checkIn: checkIn ?? undefined, checkOut: checkOut ?? undefined };
  const party = { guests: guests?.toString(), childAges: childAges ?? undefined };
  const query = { ...stay, ...party, page: page?.toString() };
  const id = propertyId && encodeURIComponent(propertyId);
  const property = id && `/v1/properties/${id}`;
  const nights = nightsOf(row)?.toString();
  const paths: Readonly<Record<string, string | null>> = {
    listPartnerProperties: city && withQuery('/v1/properties', { city, ...query }),
    getPartnerProperty: property,
    getPartnerPropertyAvailability: property && withQuery(`${property}/availability`, query),
    createPartnerQuote: property && '/v1/quotes',
    createStayQuote: property && '/prices/v1/quotes',
    searchStayPrices: city && withQuery('/prices/v1/stays', { city, ...query }),
    suggestCities: city && withQuery('/places/v1/cities', { text: city }),
    searchFlexibleStays:
      city &&
      withQuery('/prices/v1/flexible-stays', {
        city,
        checkInFrom: stay.checkIn,
        nights,
        ...party,
        page: query.page,
      }),
    listPriceDays: city && withQuery('/prices/v1/days', { city, from: stay.checkIn, nights, ...party }),
    listPropertyContent: city && withQuery('/content/v1/properties', { city, page: query.page }),
    priceStays: property && '/prices/v1/stays',
    getPriceCalendar:
      id && withQuery(`/prices/v1/properties/${id}/calendar`, { from: stay.checkIn, nights, ...party }),
    getStayOffer: id && withQuery(`/prices/v1/properties/${id}/offer`, query),
    getPropertyContent: id && `/content/v1/properties/${id}`,
  };
  const { [operation]: path } = paths;
  if (!path) return null;
  const asked = operation === 'priceStays' ? { propertyIds: [propertyId] } : { propertyId };
  const body = JSON.stringify({
    ...asked,
    stay: { ...stay, guests, ...withWrittenAges(childAges) },
    locale: DEFAULT_LOCALE,
  });
  const isSent = ['priceStays', 'createPartnerQuote', 'createStayQuote'].includes(operation);
  const sent = isSent ? ` -H "Content-Type: application/json" -d '${body}'` : '';
  return `curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN"${sent} "${publicUrl}${path}"`;
}

function nightsOf({ checkIn, checkOut }: RequestRow): number | undefined {
  return checkIn === null || checkOut === null ? undefined : checkOut - checkIn;
}
