/**
 * The one tool that is more than an operation: "three nights in May for two". A first call finds out whether asking
 * makes sense: whether the city has such properties, or which nights of the property are open. Then it asks for single
 * stays, at most CALLS_MAX of them, spread over the month, until the time is over.
 */
import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  type CallOptions,
  type ExplainedStayPrice,
  type InsteadStay,
  isStayportError,
  type Locale,
  type StayFilters,
  type Stayport,
  type StayPriceList,
  UsageError,
} from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { FILTER_FIELDS, filtersIn, refuseFilters } from '../filters.ts';
import { PARTY_FIELDS, type PartyInput, sayParty, travellersOf } from '../party.ts';
import { fieldSchemaOf, parameterSchemaOf } from '../schemas.ts';
import { tooSmallFor } from '../too-small.ts';
import { type AskedStay, fieldsOf, linesOfWhy, WHY_NOT_FIELDS, whyNot } from '../why-not.ts';
import { firstPictures } from './first-pictures.ts';
import { whereAllowed } from './with-scope.ts';
import { limitsUntil, READ_ONLY, resultOf, type Tool, TOOL_MS_MAX } from './tool.ts';

const STAYS_MAX = 10;
/** Days of arrival. With the first calls and the pictures it stays below half of the default quota of 120 a minute. */
const CALLS_MAX = 31;
/** Nights of one question about availability. */
const NIGHTS_MAX = 60;
const PER_DATE_MAX = 2;
/** Of a calendar of prices. */
const CALENDAR_NIGHTS_MAX = 30;
const LINES_MAX = 6;
const DAY_MS = 86_400_000;
/** The longest horizon that a Stayport can be set to. */
const HORIZON_NIGHTS_MAX = 3_660;
const GUESTS = parameterSchemaOf('getPartnerPropertyAvailability', 'guests');
const GUESTS_DEFAULT = Number(GUESTS['default']);
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

interface Input extends StayFilters, PartyInput {
  readonly propertyId?: string;
  readonly city?: string;
  readonly country?: string;
  readonly month: string;
  readonly nights: number;
  readonly locale?: Locale;
}

type Reason =
  | 'MONTH_OVER'
  | 'BEYOND_HORIZON'
  | 'CITY_UNKNOWN'
  | 'TOO_MANY_GUESTS'
  | 'TIME'
  | 'RATE_LIMIT'
  | 'SERVICE_UNAVAILABLE';

/** The answer, in the words of the output schema. */
interface Body {
  readonly stays: OpenStay[];
  readonly datesTried: number;
  readonly isWholeMonth: boolean;
  readonly isPartial: boolean;
  readonly reason: Reason | null;
  /** Of an empty answer for a property: about its first date that can be asked for. */
  readonly reasons?: ExplainedStayPrice['reasons'];
  readonly instead?: readonly InsteadStay[];
  /** Of an empty answer for a city. */
  readonly nearest?: NonNullable<StayPriceList['nearest']>;
}

/** Guests, and ages for those operations that take them. */
interface Party {
  readonly guests: number;
  readonly childAges?: number[];
}

/** One use of the tool. */
interface Search {
  readonly client: Stayport;
  readonly input: Input;
  /** Those of the input. */
  readonly party: Party;
  readonly signal: AbortSignal;
  readonly canQuote: boolean;
  /** Of `performance.now()`. */
  readonly endsAtMs: number;
}

/** What the first call says. */
interface Outlook {
  /** Days of arrival that a call of their own has to judge. */
  readonly dates: readonly string[];
  readonly reason: Reason | null;
  /** For people, where the reason needs more than its name. */
  readonly detail?: string | undefined;
}

interface OpenStay {
  readonly propertyId: string;
  readonly name: string | null;
  readonly checkIn: string;
  readonly checkOut: string;
  /** Of the whole stay with all mandatory fees; null where the token may not see it, or no quote can be made. */
  readonly total: string | null;
  readonly currency: string | null;
  /** The address of the property's first picture. */
  readonly picture: string | null;
}

export const findOpenStays: Tool<Input> = {
  name: 'find_open_stays',
  title: 'Find possible dates',
  description:
    `Up to ${STAYS_MAX} stays of a given length that are possible in a month, for one property or for a city. ` +
    'Each one is available for the whole stay, with its total where the token may see prices. Dates of arrival ' +
    'are spread over the month. Where the token may see prices and none is possible, the answer says why and what is ' +
    'possible instead: of a property for its first date, of a city the nearest dates. After ' +
    `${TOOL_MS_MAX / 1000} seconds it gives what it has found, marked as partial.`,
  inputSchema: {
    type: 'object',
    properties: {
      propertyId: parameterSchemaOf('getPartnerProperty', 'propertyId', 'Give this or city.'),
      city: parameterSchemaOf('listPartnerProperties', 'city', 'Give this or propertyId.'),
      country: parameterSchemaOf('listPartnerProperties', 'country', 'With city: ISO 3166-1 alpha-2.'),
      month: { type: 'string', description: 'Month of arrival, YYYY-MM.', pattern: MONTH.source },
      nights: fieldSchemaOf('Stay', 'nights'),
      guests: GUESTS,
      ...PARTY_FIELDS,
      locale: parameterSchemaOf('listPartnerProperties', 'locale', 'Language of names.'),
      ...FILTER_FIELDS,
    },
    required: ['month', 'nights'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      stays: {
        type: 'array',
        maxItems: STAYS_MAX,
        items: {
          type: 'object',
          properties: {
            propertyId: { type: 'string' },
            name: { type: ['string', 'null'], description: 'Null when one property was asked for.' },
            checkIn: { type: 'string' },
            checkOut: { type: 'string' },
            total: {
              type: ['string', 'null'],
              description: 'Of the whole stay, all mandatory fees included. Null: not known to this token.',
            },
            currency: { type: ['string', 'null'] },
            picture: { type: ['string', 'null'], description: 'Address of a picture of the property.' },
          },
          required: ['propertyId', 'name', 'checkIn', 'checkOut', 'total', 'currency', 'picture'],
          additionalProperties: false,
        },
      },
      datesTried: { type: 'integer', description: 'Days of arrival that were asked for.' },
      isWholeMonth: { type: 'boolean', description: 'Whether every day of arrival was asked for.' },
      isPartial: {
        type: 'boolean',
        description: 'Whether the search was broken off: more stays may be possible than were found.',
      },
      reason: {
        type: ['string', 'null'],
        enum: [
          'MONTH_OVER',
          'BEYOND_HORIZON',
          'CITY_UNKNOWN',
          'TOO_MANY_GUESTS',
          'TIME',
          'RATE_LIMIT',
          'SERVICE_UNAVAILABLE',
          null,
        ],
        description: 'Why nothing can be found, or why the search was broken off.',
      },
      ...WHY_NOT_FIELDS,
      nearest: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            checkIn: { type: 'string' },
            checkOut: { type: 'string' },
            properties: { type: 'integer', description: 'Properties of the city that can host the stay.' },
          },
          required: ['checkIn', 'checkOut', 'properties'],
          additionalProperties: false,
        },
        description:
          'Possible dates in the city, the nearest to the middle of the month first. Absent: not asked.',
      },
    },
    required: ['stays', 'datesTried', 'isWholeMonth', 'isPartial', 'reason'],
    additionalProperties: false,
  },
  annotations: READ_ONLY,
  hasCards: true,
  run: (client, input, signal, canQuote) => findWithin(TOOL_MS_MAX, client, input, signal, canQuote),
};

/** The tool with a time of its own. Rejects with the failure of the first call; later ones make the answer partial. */
export async function findWithin(
  ms: number,
  client: Stayport,
  input: Input,
  signal: AbortSignal,
  canQuote = true,
): Promise<CallToolResult> {
  if ((input.propertyId === undefined) === (input.city === undefined)) {
    throw new UsageError('INVALID_ARGUMENT', 'propertyId: give either propertyId or city', 'propertyId');
  }
  if (input.propertyId !== undefined) refuseFilters(input, 'needs a city');
  const days = spread(daysOf(input.month));
  const party = { guests: GUESTS_DEFAULT, ...travellersOf(input) };
  const search: Search = { client, input, party, signal, canQuote, endsAtMs: performance.now() + ms };
  const priced =
    input.propertyId === undefined ? await priceCity(search, days) : await priceMonth(search, days);
  if (priced !== undefined) return answer(search, days, priced);
  refuseFilters(input, 'needs a token that may see totals');
  const outlook =
    input.propertyId === undefined ? await lookAtCity(search, days) : await lookAtProperty(search, days);
  return answer(search, days, await tryDates(search, days, outlook, ms));
}

interface Tried {
  readonly stays: readonly OpenStay[];
  readonly tried: number;
  readonly reason: Reason | null;
  readonly detail?: string | undefined;
  readonly isPartial: boolean;
}

/** A call for each day of arrival that is left to judge. */
async function tryDates(
  search: Search,
  days: readonly string[],
  outlook: Outlook,
  ms: number,
): Promise<Tried> {
  const stays: OpenStay[] = [];
  let tried = outlook.reason === null ? days.length - outlook.dates.length : 0;
  let stop: { reason: Reason; detail: string } | undefined;
  for (const checkIn of outlook.dates.slice(0, CALLS_MAX)) {
    if (stays.length >= STAYS_MAX) break;
    const found = await staysOpenOn(search, checkIn).catch((error: unknown) => {
      stop = stopFor(error, ms);
      return [];
    });
    if (stop !== undefined) break;
    stays.push(...found.slice(0, STAYS_MAX - stays.length));
    tried += 1;
  }
  return { stays, tried, ...(stop ?? outlook), isPartial: stop !== undefined };
}

async function answer(
  search: Search,
  days: readonly string[],
  { stays: found, tried, reason, detail, isPartial }: Tried,
): Promise<CallToolResult> {
  const inOrder = found.toSorted((a, b) => (a.checkIn < b.checkIn ? -1 : 1));
  const stays = await withPictures(search, inOrder);
  const isEmpty = stays.length === 0 && !isPartial;
  const { fields, lines } = isEmpty ? await whatInstead(search, days, reason) : NOTHING_INSTEAD;
  const body = {
    stays,
    datesTried: tried,
    isWholeMonth: tried === days.length,
    isPartial,
    reason,
    ...fields,
  };
  const [first = '', ...others] = linesOf(search, body, detail);
  return resultOf(body, [first, ...lines, ...others]);
}

/** Fields and lines of an empty answer; none where the token may not ask. */
interface Instead {
  readonly fields: Pick<Body, 'reasons' | 'instead' | 'nearest'>;
  readonly lines: readonly string[];
}

const NOTHING_INSTEAD: Instead = { fields: {}, lines: [] };

async function whatInstead(search: Search, days: readonly string[], reason: Reason | null): Promise<Instead> {
  const { client, input, party } = search;
  const { propertyId, nights } = input;
  const isOfStay = reason === null || (reason === 'TOO_MANY_GUESTS' && propertyId !== undefined);
  const ahead = isOfStay ? days.filter((day) => day >= dateAheadEverywhere()).toSorted() : [];
  const checkIn = ahead[propertyId === undefined ? ahead.length >> 1 : 0];
  if (checkIn === undefined) return NOTHING_INSTEAD;
  const stay = { checkIn, checkOut: daysAfter(checkIn, nights), ...party };
  if (propertyId === undefined) return nearestInCity(search, stay);
  const found = await whyNot(client, propertyId, stay, limitsOf(search));
  const lines = linesOfWhy(found).map((line) => line.replace(/^Why:/, `Why not from ${checkIn}:`));
  return { fields: fieldsOf(found), lines };
}

/** A date that is not past in any timezone: the first ones are 14 hours ahead of UTC. */
function dateAheadEverywhere(): string {
  return dateOf(Date.now() + (14 / 24) * DAY_MS);
}

async function nearestInCity(search: Search, stay: AskedStay): Promise<Instead> {
  const { client, input } = search;
  const query = { ...filtersIn(input), ...placeOf(input), ...stay, nearest: true, pageSize: 1 };
  try {
    const answered = await whereAllowed(client, 'prices', () =>
      client.prices.search(query, limitsOf(search)),
    );
    const nearest = answered?.data.nearest;
    if (nearest === undefined) return NOTHING_INSTEAD;
    const said = nearest.map(
      ({ checkIn, checkOut, properties }) => `${checkIn} to ${checkOut} (${properties})`,
    );
    const lines = said.length === 0 ? [] : [`Possible in the city, with properties: ${said.join('; ')}`];
    return { fields: { nearest }, lines };
  } catch (error) {
    if (isStayportError(error)) return NOTHING_INSTEAD;
    throw error;
  }
}

/** One question for the whole month of a city, the cheapest stay of each property; undefined as for a property. */
async function priceCity(search: Search, days: readonly string[]): Promise<Tried | undefined> {
  const { client, input, party } = search;
  const { nights } = input;
  if (nights > CALENDAR_NIGHTS_MAX) return undefined;
  const dates = days.toSorted();
  const window = { checkInFrom: dates[0]!, checkInUntil: dates.at(-1)! };
  const query = { ...filtersIn(input), ...placeOf(input), ...window, nights, ...party, pageSize: STAYS_MAX };
  const answered = await whereAllowed(client, 'prices', () =>
    client.prices.flexible(query, limitsOf(search)),
  );
  if (answered === undefined) return undefined;
  const { data, headers } = answered;
  const outside = outsideOf(headers, days);
  if (outside !== null) return { stays: [], tried: 0, reason: outside, isPartial: false };
  const stays = data.items.map(({ propertyId, name, currency, stay, pricing }): OpenStay => {
    const { checkIn, checkOut } = stay;
    return { propertyId, name, checkIn, checkOut, total: pricing?.total ?? null, currency, picture: null };
  });
  if (stays.length > 0) return { stays, tried: days.length, reason: null, isPartial: false };
  const { reason } = await lookAtCity(search, days);
  return { stays, tried: reason === null ? days.length : 0, reason, isPartial: false };
}

/** One question for the whole month of a property, with totals; undefined where the token may not ask it. */
async function priceMonth(search: Search, days: readonly string[]): Promise<Tried | undefined> {
  const { client, input, party } = search;
  const { propertyId = '', nights } = input;
  if (nights > CALENDAR_NIGHTS_MAX) return undefined;
  const [first = '', ...others] = days.toSorted();
  const until = daysAfter(others.at(-1) ?? first, 1);
  const answered = await whereAllowed(client, 'prices', () =>
    client.prices.calendar(propertyId, { from: first, until, nights, ...party }, limitsOf(search)),
  );
  if (answered === undefined) return undefined;
  const { data, headers } = answered;
  const outside = outsideOf(headers, days);
  if (outside !== null) return { stays: [], tried: 0, reason: outside, isPartial: false };
  const { currency } = data;
  const open = new Map(data.days.filter(({ available }) => available).map((day) => [day.checkIn, day.total]));
  const stays = days
    .filter((day) => open.has(day))
    .slice(0, STAYS_MAX)
    .map((checkIn): OpenStay => {
      const dates = { checkIn, checkOut: daysAfter(checkIn, nights) };
      return { propertyId, name: null, ...dates, total: open.get(checkIn) ?? null, currency, picture: null };
    });
  const detail =
    stays.length > 0 || party.childAges !== undefined
      ? undefined
      : await tooSmallFor(client, { propertyId, ...party }, limitsOf(search));
  const reason = detail === undefined ? null : 'TOO_MANY_GUESTS';
  return { stays, tried: days.length, reason, detail, isPartial: false };
}

/** The first picture of each property, where the token may see them; a stay without is good as well. */
async function withPictures(search: Search, stays: readonly OpenStay[]): Promise<OpenStay[]> {
  const { client, input } = search;
  const ids = stays.map(({ propertyId }) => propertyId);
  const pictures = await firstPictures(client, ids, { ...limitsOf(search), locale: input.locale });
  return stays.map((stay) => ({ ...stay, picture: pictures.get(stay.propertyId) ?? null }));
}

/** One search without dates: a city that is not there, or has nothing for so many, costs no month of calls. */
async function lookAtCity(search: Search, days: readonly string[]): Promise<Outlook> {
  const { guests: travellers, childAges = [] } = search.party;
  // This search counts children as adults, and some sleep in a cot.
  const guests = travellers - childAges.length;
  const query = { ...placeOf(search.input), pageSize: 1 };
  const ask = (options: { guests?: number }) =>
    search.client.properties.search({ ...query, ...options }, limitsOf(search));
  const { data, headers } = await ask({ guests });
  const outside = outsideOf(headers, days);
  if (outside !== null) return { dates: [], reason: outside };
  if (data.pagination.total > 0) return { dates: daysLeft(headers, days), reason: null };
  const isKnown = (await ask({})).data.pagination.total > 0;
  return { dates: [], reason: isKnown ? 'TOO_MANY_GUESTS' : 'CITY_UNKNOWN' };
}

/** Why no day of the month can be offered, by the clock of the service. */
function outsideOf(headers: Headers, days: readonly string[]): 'MONTH_OVER' | 'BEYOND_HORIZON' | null {
  if (daysLeft(headers, days).length === 0) return 'MONTH_OVER';
  const end = dateOf(nowOf(headers) + (HORIZON_NIGHTS_MAX + 1) * DAY_MS);
  return days.every((day) => day > end) ? 'BEYOND_HORIZON' : null;
}

/** A property may be a day behind UTC. */
function daysLeft(headers: Headers, days: readonly string[]): readonly string[] {
  const first = dateOf(nowOf(headers) - DAY_MS);
  return days.filter((day) => day >= first);
}

function nowOf(headers: Headers): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

/** One question for the whole month: a stay is only possible where each of its nights is open by itself. */
async function lookAtProperty(search: Search, days: readonly string[]): Promise<Outlook> {
  const { client, input, party } = search;
  const { guests } = party;
  const { propertyId = '', nights } = input;
  const first = days.toSorted()[0]!;
  const span = Math.min(NIGHTS_MAX, days.length - 1 + nights);
  const { data, headers } = await client.properties.availability(
    propertyId,
    { checkIn: first, checkOut: daysAfter(first, span), guests },
    limitsOf(search),
  );
  const outside = outsideOf(headers, days);
  if (outside !== null) return { dates: [], reason: outside };
  const closed = new Set(data.days.filter(({ available }) => !available).map(({ date }) => date));
  const dates = days.filter((day) =>
    Array.from({ length: nights }, (_, index) => daysAfter(day, index)).every((night) => !closed.has(night)),
  );
  if (closed.size < data.days.length) return { dates, reason: null };
  const detail = await tooSmallFor(client, { propertyId, guests }, limitsOf(search));
  return { dates, reason: detail === undefined ? null : 'TOO_MANY_GUESTS', detail };
}

const UNPRICED = { total: null, currency: null, picture: null };

async function staysOpenOn(search: Search, checkIn: string): Promise<OpenStay[]> {
  const { client, input, party } = search;
  const { propertyId, nights } = input;
  const stay = { checkIn, checkOut: daysAfter(checkIn, nights), guests: party.guests };
  const limits = limitsOf(search);
  const dates = { checkIn, checkOut: stay.checkOut };
  if (propertyId !== undefined) {
    const { data } = await client.properties.availability(propertyId, stay, limits);
    return data.available ? [{ propertyId, name: null, ...dates, ...UNPRICED }] : [];
  }
  const query = { ...placeOf(input), ...stay, pageSize: PER_DATE_MAX };
  const priced = await whereAllowed(client, 'prices', () =>
    client.prices.search({ ...query, ...party, sort: 'total' }, limits),
  );
  if (priced !== undefined)
    return priced.data.items.map(({ propertyId: id, name, pricing, currency }) => {
      return { ...UNPRICED, propertyId: id, name, ...dates, total: pricing?.total ?? null, currency };
    });
  const { data } = await client.properties.search(query, limits);
  return data.items.map(({ propertyId: id, name }) => ({ propertyId: id, name, ...dates, ...UNPRICED }));
}

function placeOf({ city = '', country, locale }: Input): { city: string; country?: string; locale?: Locale } {
  return { city, ...(country === undefined ? {} : { country }), ...(locale === undefined ? {} : { locale }) };
}

function limitsOf({ signal, endsAtMs }: Search): CallOptions {
  return limitsUntil(signal, endsAtMs);
}

/** Why a search ends early. What no later call could do better, such as a revoked token, is thrown on. */
function stopFor(error: unknown, ms: number): { reason: Reason; detail: string } {
  if (!isStayportError(error)) throw error;
  if (error.code === 'TIMEOUT')
    return { reason: 'TIME', detail: `it ended after ${Math.round(ms / 1000)} seconds` };
  if ('status' in error && error.status === 429) {
    const seconds = Math.ceil((error.retryAfterMs ?? 60_000) / 1000);
    return { reason: 'RATE_LIMIT', detail: `the rate limit is reached; call again in ${seconds} seconds` };
  }
  const isAway = ['CONNECTION_FAILED', 'INVALID_RESPONSE', 'PARTNER_API_UNAVAILABLE', 'INTERNAL_ERROR'];
  if (!isAway.includes(error.code)) throw error;
  return {
    reason: 'SERVICE_UNAVAILABLE',
    detail: `the service failed (${error.code}); call again in a minute`,
  };
}

function linesOf({ input, party, canQuote }: Search, body: Body, detail: string | undefined): string[] {
  const { nights } = input;
  const { stays, isPartial, datesTried } = body;
  const asked = `${nights} nights for ${sayParty(party)}`;
  const partial = `PARTIAL: ${detail}. ${datesTried} days of arrival were tried; more stays may be possible.`;
  if (stays.length === 0) {
    return isPartial
      ? [`No stay of ${asked} was found so far.`, partial, 'Next: call again.']
      : noStays(input, party, body, detail);
  }
  const linesMax = isPartial ? LINES_MAX - 1 : LINES_MAX;
  const lines = stays
    .slice(0, linesMax)
    .map(
      ({ propertyId, name, checkIn, checkOut, total, currency }) =>
        `- ${checkIn} to ${checkOut}: ${propertyId}${name === null ? '' : ` ${fence(name)}`}${
          total === null ? '' : `, ${total} ${currency} with all mandatory fees`
        }`,
    );
  const more =
    stays.length > linesMax ? `${stays.length - linesMax} more are in the structured result. ` : '';
  return [
    `${stays.length} possible stays of ${asked}. ${FENCE_NOTE}`,
    ...(isPartial ? [partial] : []),
    ...lines,
    `${more}Next: ${canQuote ? 'create_quote' : 'get_property'}.`,
  ];
}

function noStays(
  input: Input,
  party: Party,
  { reason, isWholeMonth }: Body,
  detail: string | undefined,
): string[] {
  const { city = '', nights } = input;
  const place = fence(city);
  if (reason === 'CITY_UNKNOWN') {
    return [
      `No property is listed in ${place}: the city is unknown here, or spelled differently. No date was tried.`,
      'This does not mean that it is sold out.',
      'Next: another spelling, such as the local name, or another city.',
    ];
  }
  if (reason === 'MONTH_OVER' || reason === 'BEYOND_HORIZON') {
    return [
      reason === 'MONTH_OVER'
        ? `${input.month} is over: no date was tried.`
        : `${input.month} is further ahead than anything can be offered: no date was tried.`,
      'This does not mean that it is sold out.',
      'Next: a month that lies ahead, nearer to today.',
    ];
  }
  if (reason === 'TOO_MANY_GUESTS') {
    return [
      detail === undefined
        ? `No property in ${place} has a room or unit for ${sayParty(party)}.`
        : `${detail}.`,
      'This does not mean that it is sold out: other dates would not help.',
      'Next: fewer guests, or another city or property.',
    ];
  }
  return [
    `No stay of ${nights} nights for ${sayParty(party)} was found.`,
    isWholeMonth ? 'Every day of arrival of the month was tried.' : 'Not every day of arrival was tried.',
    'Next: what is possible instead, another month, fewer nights, or another city or property.',
  ];
}

function daysOf(month: string): string[] {
  if (!MONTH.test(month))
    throw new UsageError('INVALID_ARGUMENT', `month: "${month}" is not YYYY-MM`, 'month');
  const first = Date.parse(`${month}-01`);
  const days = Array.from({ length: 31 }, (_, index) => dateOf(first + index * DAY_MS));
  return days.filter((day) => day.startsWith(month));
}

/** 1, 8, 15, 22, 29, then 2, 9, ...: a few calls show the whole month. */
function spread(days: readonly string[]): string[] {
  return Array.from({ length: 7 }, (_, offset) => days.filter((_day, index) => index % 7 === offset)).flat();
}

function daysAfter(date: string, dayCount: number): string {
  return dateOf(Date.parse(date) + dayCount * DAY_MS);
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
