/** One answer to a partner, and why it was what it was: judged by what is open now, not when it was asked. */
import { presentRequest, type RequestEntry } from '../activity/request-report.ts';
import { addJudgements, NOTHING_JUDGED, shiftAt, type UnmetCause } from '../activity/unmet-causes.ts';
import type { Found } from '../catalogue/read-model.ts';
import { PROBLEM_CODES, rowOfProblem } from '../contract/partner/problems.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import { DEFAULT_LOCALE, type Locale } from '../domain/property.ts';
import { explainQuote, type QuoteExplanation } from '../quotes/explain-quote.ts';
import type { RequestRow } from '../storage/activity/store.ts';
import type { ConsolePorts, PageQuestion } from './console-page.ts';
import { FILTER_LENGTH_MAX, findRequests } from './requests.ts';

/** Of one city, for one search: the others are judged by `demand --unmet`. */
export const PROPERTIES_JUDGED_MAX = 100;

export interface RequestShown {
  /** As `requests --correlation`: this one. */
  readonly rows: readonly RequestEntry[];
  readonly explained: readonly Explained[];
  /** For a shell, without the token; null where what was asked is not kept. */
  readonly curl: string | null;
}

/** What is to be said of an answer. */
export type Explained =
  /** `title` and `remedy` are those of the contract, in English. */
  | { readonly kind: 'problem'; readonly title: string; readonly remedy: string }
  | { readonly kind: 'noSuchProperty' | 'hiddenProperty' | 'unknownPlace' }
  | { readonly kind: 'emptySearch'; readonly cities: readonly ExplainedCity[] }
  | { readonly kind: 'refusedQuote'; readonly explanation: QuoteExplanation };

export interface ExplainedCity {
  readonly city: string;
  readonly country: string;
  /** That the partner sees. */
  readonly properties: number;
  /** At most PROPERTIES_JUDGED_MAX of them. */
  readonly judged: number;
  readonly causes: readonly UnmetCause[];
  readonly nearest: { readonly checkIn: string; readonly properties: number } | null;
  /** The first night is in the past at each of them. */
  readonly isPassed: boolean;
}

export async function readRequest(
  ports: ConsolePorts,
  { segments, locale }: PageQuestion,
): Promise<RequestShown | undefined> {
  const row = await findRequest(ports, segments['correlationId'] ?? '');
  if (row === undefined) return undefined;
  return {
    rows: [presentRequest(row)],
    explained: await explain(ports, row, locale),
    curl: curlOf(ports, row),
  };
}

export async function findRequest(
  ports: Pick<ConsolePorts, 'recentRequests' | 'storage'>,
  correlationId: string,
): Promise<RequestRow | undefined> {
  if (correlationId.length > FILTER_LENGTH_MAX) return undefined;
  return (await findRequests(ports, { correlationId, limit: 1 }))[0];
}

async function explain(ports: ConsolePorts, row: RequestRow, locale: Locale): Promise<readonly Explained[]> {
  const { code, operation, propertyId, partnerId, total } = row;
  if (operation === 'listPartnerProperties' && total === 0) return [await explainEmpty(ports, row)];
  if (code === null) return [];
  const problem = PROBLEM_CODES.filter((one) => one === code).map((one): Explained => {
    const { title, remedy } = rowOfProblem(one);
    return { kind: 'problem', title, remedy };
  });
  if (propertyId === null) return problem;
  if (code === 'PROPERTY_NOT_FOUND') {
    const { catalogue } = ports;
    if (catalogue.namesOf(propertyId).length === 0) return [...problem, { kind: 'noSuchProperty' }];
    return catalogue.isVisible(propertyId, partnerId) ? problem : [...problem, { kind: 'hiddenProperty' }];
  }
  const isRefused = code === 'STAY_UNAVAILABLE' || code === 'QUOTE_UNAVAILABLE';
  const explanation = isRefused ? await explainStay(ports, row, locale) : undefined;
  return explanation === undefined ? problem : [...problem, { kind: 'refusedQuote', explanation }];
}

/** Undefined where the property is gone, or the stay is not kept. */
export async function explainStay(
  ports: Pick<ConsolePorts, 'storage' | 'clock' | 'horizonNights'>,
  { propertyId, checkIn, checkOut, guests }: RequestRow,
  locale?: Locale,
): Promise<QuoteExplanation | undefined> {
  if (propertyId === null || checkIn === null || checkOut === null) return undefined;
  return explainQuote(ports, { propertyId, checkIn, checkOut, guests: guests ?? 1, locale });
}

/** Cities of that name in every country: which one was asked for is not kept. */
async function explainEmpty(ports: ConsolePorts, row: RequestRow): Promise<Explained> {
  const { markets } = searchNow(ports, row);
  if (markets.length === 0) return { kind: 'unknownPlace' };
  const cities = markets.map(async ({ market }) => judgeCity(ports, row, market));
  return { kind: 'emptySearch', cities: await Promise.all(cities) };
}

function searchNow({ catalogue }: ConsolePorts, row: RequestRow): Found {
  let found: Found | undefined;
  const query = { city: row.city ?? '', page: 1, pageSize: 1, locale: DEFAULT_LOCALE };
  catalogue.search({ ...query, partnerId: row.partnerId }, (_list, one) => {
    found = one;
    return true;
  });
  return found!;
}

async function judgeCity(
  { catalogue, clock, horizonNights, judgeStays }: ConsolePorts,
  { city: asked, checkIn, checkOut, guests, partnerId }: RequestRow,
  { city, country }: { readonly city: string; readonly country: string },
): Promise<ExplainedCity> {
  const { propertyIds } = catalogue.propertiesOf(asked ?? city, country);
  const seen = propertyIds.filter((propertyId) => catalogue.isVisible(propertyId, partnerId));
  const judgedIds = seen.slice(0, checkIn === null ? 0 : PROPERTIES_JUDGED_MAX);
  const stay = { checkIn: checkIn ?? 0, nights: (checkOut ?? 0) - (checkIn ?? 0), guests: guests ?? 1 };
  const question = { propertyIds: judgedIds, stays: [stay], nowMs: clock(), horizonNights };
  const [judged = NOTHING_JUDGED] = judgedIds.length === 0 ? [] : await judgeStays(question);
  const { causes, nearest, isPassed } = addJudgements(NOTHING_JUDGED, judged);
  return {
    ...{ city, country, properties: seen.length, judged: judgedIds.length, isPassed },
    causes: causes.toSorted((one, other) => other.properties - one.properties),
    nearest: nearest && {
      checkIn: formatLocalDate(stay.checkIn + shiftAt(nearest.distance)),
      properties: nearest.properties,
    },
  };
}

/** In double quotes nothing of it means anything to a shell: values are percent-encoded, or ids, dates and numbers. */
function curlOf({ publicUrl }: ConsolePorts, row: RequestRow): string | null {
  const { operation, city, propertyId, checkIn, checkOut, guests, page } = row;
  const stay =
    checkIn === null || checkOut === null
      ? {}
      : { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut) };
  const query = Object.entries({ ...stay, guests, page }).filter(([, value]) => value !== null);
  const get = (path: string, values: readonly (readonly [string, unknown])[]): string => {
    const text = new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString();
    return `curl -H "Authorization: Bearer $TOKEN" "${publicUrl}${path}${text === '' ? '' : `?${text}`}"`;
  };
  if (operation === 'listPartnerProperties')
    return city === null ? null : get('/v1/properties', [['city', city], ...query]);
  if (propertyId === null) return null;
  const path = `/v1/properties/${encodeURIComponent(propertyId)}`;
  switch (operation) {
    case 'getPartnerProperty':
      return get(path, []);
    case 'getPartnerPropertyAvailability':
      return get(`${path}/availability`, query);
    case 'createPartnerQuote': {
      const body = JSON.stringify({ propertyId, stay: { ...stay, guests }, locale: DEFAULT_LOCALE });
      return `curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '${body}' "${publicUrl}/v1/quotes"`;
    }
    default:
      return null;
  }
}
