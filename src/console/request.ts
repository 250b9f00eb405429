/** One answer to a partner, and why it was what it was: judged by what is open now, not when it was asked. */
import { presentRequest } from '../activity/request-report.ts';
import { addJudgements, NOTHING_JUDGED, shiftAt } from '../activity/unmet-causes.ts';
import { PROBLEM_CODES, rowOfProblem } from '../contract/partner/problems.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import { DEFAULT_LOCALE, type Locale } from '../domain/property.ts';
import { type ExplainDeps, explainQuote, type QuoteExplanation } from '../quotes/explain-quote.ts';
import type { RequestRow } from '../storage/activity/store.ts';
import { NAME_LENGTH_MAX } from './asked-days.ts';
import type { PagePorts, PageQuestion, ShownBy } from './console-page.ts';
import type { SeenCity } from './partner-view.ts';
import { withQuery } from './paths.ts';
import { findRequests, type RequestPorts } from './requests.ts';

/** Of one city, for one search: the others are judged by `demand --unmet`. */
export const PROPERTIES_JUDGED_MAX = 100;

export type RequestShown = ShownBy<typeof readRequest>;

/** What is to be said of an answer. */
export type Explained =
  /** `title` and `remedy` are those of the contract, in English. */
  | { readonly kind: 'problem'; readonly title: string; readonly remedy: string }
  | { readonly kind: 'noSuchProperty' | 'hiddenProperty' | 'unknownPlace' }
  | { readonly kind: 'emptySearch'; readonly cities: readonly ExplainedCity[] }
  | { readonly kind: 'refusedQuote'; readonly explanation: QuoteExplanation };

export type ExplainedCity = Awaited<ReturnType<typeof judgeCity>>;

/** `curl` is for a shell, without the token; null where what was asked is not kept. */
export async function readRequest(ports: PagePorts, { segments, locale }: PageQuestion) {
  const row = await findRequest(ports, segments['correlationId'] ?? '');
  if (row === undefined) return undefined;
  return {
    rows: [presentRequest(row)],
    explained: await explain(ports, row, locale),
    curl: curlOf(ports, row),
  };
}

export async function findRequest(ports: RequestPorts, correlationId: string) {
  if (correlationId.length > NAME_LENGTH_MAX) return undefined;
  return (await findRequests(ports, { correlationId, limit: 1 }))[0];
}

async function explain(ports: PagePorts, row: RequestRow, locale: Locale): Promise<readonly Explained[]> {
  const { code, operation, propertyId, partnerId, total } = row;
  if (operation === 'listPartnerProperties' && total === 0) return [await explainEmpty(ports, row)];
  if (code === null) return [];
  const problem = PROBLEM_CODES.filter((one) => one === code).map((one): Explained => {
    const { title, remedy } = rowOfProblem(one);
    return { kind: 'problem', title, remedy };
  });
  if (propertyId === null) return problem;
  if (code === 'PROPERTY_NOT_FOUND') {
    const seen = await ports.partnerView.findProperty(propertyId, partnerId);
    return seen === 'visible' ? problem : [...problem, { kind: seen }];
  }
  const isRefused = code === 'STAY_UNAVAILABLE' || code === 'QUOTE_UNAVAILABLE';
  const explanation = isRefused ? await explainStay(ports, row, locale) : undefined;
  return explanation === undefined ? problem : [...problem, { kind: 'refusedQuote', explanation }];
}

/** Undefined where the property is gone, or the stay is not kept. */
export async function explainStay(ports: ExplainDeps, row: RequestRow, locale?: Locale) {
  const { propertyId, checkIn, checkOut, guests } = row;
  if (propertyId === null || checkIn === null || checkOut === null) return undefined;
  return explainQuote(ports, { propertyId, checkIn, checkOut, guests: guests ?? 1, locale });
}

/** Cities of that name in every country: which one was asked for is not kept. */
async function explainEmpty(ports: PagePorts, row: RequestRow): Promise<Explained> {
  const cities = await ports.partnerView.findCities(row.city ?? '', row.partnerId, PROPERTIES_JUDGED_MAX);
  if (cities.length === 0) return { kind: 'unknownPlace' };
  return {
    kind: 'emptySearch',
    cities: await Promise.all(cities.map((city) => judgeCity(ports, row, city))),
  };
}

/** `properties` that the partner sees, and how many of them were `judged`; `isPassed`: the first night is, at each of them. */
async function judgeCity(ports: PagePorts, { checkIn, checkOut, guests }: RequestRow, seen: SeenCity) {
  const { clock, horizonNights, judgeStays } = ports;
  const { city, country, properties, firstIds } = seen;
  const judgedIds = checkIn === null ? [] : firstIds;
  const stay = { checkIn: checkIn ?? 0, nights: (checkOut ?? 0) - (checkIn ?? 0), guests: guests ?? 1 };
  const question = { propertyIds: judgedIds, stays: [stay], nowMs: clock(), horizonNights };
  const [judged = NOTHING_JUDGED] = judgedIds.length === 0 ? [] : await judgeStays(question);
  const { causes, nearest, isPassed } = addJudgements(NOTHING_JUDGED, judged);
  return {
    ...{ city, country, properties, judged: judgedIds.length, isPassed },
    causes: causes.toSorted((one, other) => other.properties - one.properties),
    nearest: nearest && {
      checkIn: formatLocalDate(stay.checkIn + shiftAt(nearest.distance)),
      properties: nearest.properties,
    },
  };
}

/** In double quotes nothing of it means anything to a shell: values are percent-encoded, or ids, dates and numbers. */
function curlOf({ publicUrl }: PagePorts, row: RequestRow): string | null {
  const { operation, city, propertyId, checkIn, checkOut, guests, page } = row;
  const dateOf = (day: number | null) => (day === null ? undefined : formatLocalDate(day));
  const stay = { checkIn: dateOf(checkIn), checkOut: dateOf(checkOut) };
  const query = { ...stay, guests: guests?.toString(), page: page?.toString() };
  const start = 'curl -H "Authorization: Bearer $TOKEN"';
  if (operation === 'listPartnerProperties')
    return city === null ? null : `${start} "${publicUrl}${withQuery('/v1/properties', { city, ...query })}"`;
  if (propertyId === null) return null;
  const path = `/v1/properties/${encodeURIComponent(propertyId)}`;
  switch (operation) {
    case 'getPartnerProperty':
      return `${start} "${publicUrl}${path}"`;
    case 'getPartnerPropertyAvailability':
      return `${start} "${publicUrl}${withQuery(`${path}/availability`, query)}"`;
    case 'createPartnerQuote': {
      const body = JSON.stringify({ propertyId, stay: { ...stay, guests }, locale: DEFAULT_LOCALE });
      return `${start} -H "Content-Type: application/json" -d '${body}' "${publicUrl}/v1/quotes"`;
    }
    default:
      return null;
  }
}
