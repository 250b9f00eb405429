import type {
  CallOptions,
  PropertySummary,
  SearchParameters,
  StayFilters,
  Stayport,
} from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { FILTER_FIELDS, refuseFilters } from '../filters.ts';
import { type PartyInput, settleParty, type Travellers, withParty } from '../party.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { firstPictures } from './first-pictures.ts';
import { READ_ONLY, resultOf, type Tool, withinLimits } from './tool.ts';
import { whereAllowed } from './with-scope.ts';

/** A page that fits into 2,000 tokens; the caller may ask for more. */
const PAGE_SIZE = 3;
const LINES_MAX = 5;
/** Each is a call. */
const PICTURES_MAX = 5;

/** Without the fields that the token may not see. */
interface Item extends PropertySummary {
  /** Of the stay; null where no quote can be made. */
  readonly total?: string | null;
  readonly picture?: string | null;
}

type Asked = SearchParameters & StayFilters & Travellers;
type Input = Omit<SearchParameters & StayFilters, 'guests'> & PartyInput;

export const searchProperties: Tool<Input> = {
  name: 'search_properties',
  title: 'Search properties',
  description:
    'Lists properties of a city. With checkIn and checkOut: only those where one room or unit takes all guests on ' +
    `every night. Dates are YYYY-MM-DD; checkOut is the day of departure. ${PAGE_SIZE} properties a page unless ` +
    'pageSize says otherwise. startingPrice is the lowest rate of any night, not the price of a stay; total is the ' +
    'price of the stay, where the token may see it. Filters need dates, and a token that may see totals.',
  inputSchema: withFilters(inputSchemaOf('listPartnerProperties')),
  outputSchema: withCardFields(outputSchemaOf('listPartnerProperties')),
  annotations: READ_ONLY,
  hasCards: true,
  async run(client, input, signal, canQuote = true) {
    const limits = withinLimits(signal);
    const found = await search(client, { pageSize: PAGE_SIZE, ...settleParty(input) }, limits);
    const { page, pageSize, total, hasMore } = found.pagination;
    const ids = found.items.slice(0, PICTURES_MAX).map(({ propertyId }) => propertyId);
    const pictures = await firstPictures(client, ids, { ...limits, locale: input.locale });
    const items = found.items.map((item) => {
      const picture = pictures.get(item.propertyId);
      return picture === undefined ? item : { ...item, picture };
    });
    const isWhole = items.length <= LINES_MAX;
    return resultOf({ ...found, items }, [
      `${total} properties match; page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}. ${FENCE_NOTE}`,
      ...items.slice(0, LINES_MAX).map(lineOf),
      `${isWhole ? '' : `${items.length - LINES_MAX} more are in the structured result. `}${
        hasMore ? `More: page ${page + 1}. ` : ''
      }Next: check_availability${canQuote ? ' or create_quote' : ''} with a propertyId.`,
    ]);
  },
};

/** With totals where there are dates and the token may see prices. */
async function search(client: Stayport, input: Asked, limits: CallOptions) {
  const { checkIn, checkOut } = input;
  const priced =
    checkIn === undefined || checkOut === undefined
      ? undefined
      : await whereAllowed(client, 'prices', () =>
          client.prices.search({ ...input, checkIn, checkOut }, limits),
        );
  if (priced === undefined) {
    refuseFilters(input, checkIn === undefined ? 'needs dates' : 'needs a token that may see totals');
    // The contract counts everybody as an adult.
    const { childAges: _ages, ...ofAdults } = input;
    const { data } = await client.properties.search(ofAdults, limits);
    return { ...data, items: data.items as readonly Item[] };
  }
  const items = priced.data.items.map(({ pricing, ...item }): Item => {
    return { ...item, total: pricing?.total ?? null };
  });
  return { ...priced.data, items };
}

type Schema = Record<string, unknown>;

function withFilters(input: Schema): Schema {
  return { ...input, properties: { ...withParty(input['properties'] as Schema), ...FILTER_FIELDS } };
}

/** The page of the contract, with what a card shows beside. */
function withCardFields(page: Schema): Schema {
  const properties = page['properties'] as Record<string, Schema>;
  const items = properties['items'] as Schema;
  const item = items['items'] as Schema;
  const text = (description: string): Schema => ({ type: ['string', 'null'], description });
  const shown = {
    total: text('Price of the stay with all mandatory fees; null where no quote can be made.'),
    picture: text('Address of the first picture.'),
  };
  const fields = { ...(item['properties'] as Schema), ...shown };
  return {
    ...page,
    properties: { ...properties, items: { ...items, items: { ...item, properties: fields } } },
  };
}

function lineOf({ propertyId, name, propertyType, capacity, startingPrice, currency, total }: Item): string {
  const nights = startingPrice === null ? 'no price' : `nights from ${startingPrice} ${currency}`;
  const price = typeof total === 'string' ? `${total} ${currency} with all mandatory fees` : nights;
  return `- ${propertyId}: ${fence(name)}, ${fence(propertyType)}, up to ${capacity.guests} guests, ${price}`;
}
