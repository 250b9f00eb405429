/**
 * The one tool that is more than an operation: "three nights in May for two". It asks for single stays, at most
 * CALLS_MAX of them, and spreads them over the month.
 */
import { type Locale, type Stayport, UsageError } from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { fieldSchemaOf, parameterSchemaOf } from '../schemas.ts';
import { READ_ONLY, resultOf, type Tool } from './tool.ts';

const STAYS_MAX = 10;
/** Below a third of the default quota of 120 requests a minute. */
const CALLS_MAX = 35;
const PER_DATE_MAX = 2;
const LINES_MAX = 6;
const DAY_MS = 86_400_000;
const GUESTS = parameterSchemaOf('getPartnerPropertyAvailability', 'guests');
const GUESTS_DEFAULT = Number(GUESTS['default']);
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

interface Input {
  readonly propertyId?: string;
  readonly city?: string;
  readonly country?: string;
  readonly month: string;
  readonly nights: number;
  readonly guests?: number;
  readonly locale?: Locale;
}

interface OpenStay {
  readonly propertyId: string;
  readonly name: string | null;
  readonly checkIn: string;
  readonly checkOut: string;
}

export const findOpenStays: Tool<Input> = {
  name: 'find_open_stays',
  title: 'Find possible dates',
  description:
    `Up to ${STAYS_MAX} stays of a given length that are possible in a month, for one property or for a city. ` +
    'Each one is available for the whole stay. Dates of arrival are spread over the month.',
  inputSchema: {
    type: 'object',
    properties: {
      propertyId: parameterSchemaOf('getPartnerProperty', 'propertyId', 'Give this or city.'),
      city: parameterSchemaOf('listPartnerProperties', 'city', 'Give this or propertyId.'),
      country: parameterSchemaOf('listPartnerProperties', 'country', 'With city: ISO 3166-1 alpha-2.'),
      month: { type: 'string', description: 'Month of arrival, YYYY-MM.', pattern: MONTH.source },
      nights: fieldSchemaOf('Stay', 'nights'),
      guests: GUESTS,
      locale: parameterSchemaOf('listPartnerProperties', 'locale', 'Language of names.'),
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
          },
          required: ['propertyId', 'name', 'checkIn', 'checkOut'],
          additionalProperties: false,
        },
      },
      datesTried: { type: 'integer', description: 'Days of arrival that were asked for.' },
      isWholeMonth: { type: 'boolean', description: 'Whether every day of arrival was asked for.' },
    },
    required: ['stays', 'datesTried', 'isWholeMonth'],
    additionalProperties: false,
  },
  annotations: READ_ONLY,
  async run(client, input, signal) {
    const dates = spread(daysOf(input.month));
    const stays: OpenStay[] = [];
    let tried = 0;
    for (const checkIn of dates.slice(0, CALLS_MAX)) {
      if (stays.length >= STAYS_MAX) break;
      stays.push(...(await openStaysOn(client, input, checkIn, signal)).slice(0, STAYS_MAX - stays.length));
      tried += 1;
    }
    stays.sort((a, b) => (a.checkIn < b.checkIn ? -1 : 1));
    const body = { stays, datesTried: tried, isWholeMonth: tried === dates.length };
    return resultOf(body, linesOf(input, body));
  },
};

async function openStaysOn(
  client: Stayport,
  { propertyId, city, country, nights, guests = GUESTS_DEFAULT, locale }: Input,
  checkIn: string,
  signal: AbortSignal,
): Promise<OpenStay[]> {
  const checkOut = dateOf(Date.parse(checkIn) + nights * DAY_MS);
  if ((propertyId === undefined) === (city === undefined)) {
    throw new UsageError('INVALID_ARGUMENT', 'propertyId: give either propertyId or city', 'propertyId');
  }
  if (propertyId !== undefined) {
    const { data } = await client.properties.availability(
      propertyId,
      { checkIn, checkOut, guests },
      { signal },
    );
    return data.available ? [{ propertyId, name: null, checkIn, checkOut }] : [];
  }
  const place = { city: city ?? '', ...(country === undefined ? {} : { country }) };
  const language = locale === undefined ? {} : { locale };
  const query = { ...place, ...language, checkIn, checkOut, guests, pageSize: PER_DATE_MAX };
  const { data } = await client.properties.search(query, { signal });
  return data.items.map((item) => ({ propertyId: item.propertyId, name: item.name, checkIn, checkOut }));
}

function linesOf(
  { nights, guests = GUESTS_DEFAULT }: Input,
  body: { stays: OpenStay[]; isWholeMonth: boolean },
): string[] {
  const { stays, isWholeMonth } = body;
  const asked = `${nights} nights for ${guests}`;
  if (stays.length === 0) {
    return [
      `No stay of ${asked} was found.`,
      isWholeMonth ? 'Every day of arrival of the month was tried.' : 'Not every day of arrival was tried.',
      'Next: another month, fewer nights, or another city or property.',
    ];
  }
  const lines = stays
    .slice(0, LINES_MAX)
    .map(
      ({ propertyId, name, checkIn, checkOut }) =>
        `- ${checkIn} to ${checkOut}: ${propertyId}${name === null ? '' : ` ${fence(name)}`}`,
    );
  const more =
    stays.length > LINES_MAX ? `${stays.length - LINES_MAX} more are in the structured result. ` : '';
  return [
    `${stays.length} possible stays of ${asked}. ${FENCE_NOTE}`,
    ...lines,
    `${more}Next: create_quote.`,
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

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
