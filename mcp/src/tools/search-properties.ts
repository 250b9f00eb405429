import type { PropertySummary, SearchParameters } from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { READ_ONLY, resultOf, type Tool, withinLimits } from './tool.ts';

/** A page that fits into 2,000 tokens; the caller may ask for more. */
const PAGE_SIZE = 3;
const LINES_MAX = 5;

export const searchProperties: Tool<SearchParameters> = {
  name: 'search_properties',
  title: 'Search properties',
  description:
    'Lists properties of a city. With checkIn and checkOut: only those where one room or unit takes all guests on ' +
    `every night. Dates are YYYY-MM-DD; checkOut is the day of departure. ${PAGE_SIZE} properties a page unless ` +
    'pageSize says otherwise. startingPrice is the lowest rate of any night, not the price of a stay.',
  inputSchema: inputSchemaOf('listPartnerProperties'),
  outputSchema: outputSchemaOf('listPartnerProperties'),
  annotations: READ_ONLY,
  async run(client, input, signal, canQuote = true) {
    const { data } = await client.properties.search({ pageSize: PAGE_SIZE, ...input }, withinLimits(signal));
    const { page, pageSize, total, hasMore } = data.pagination;
    const isWhole = data.items.length <= LINES_MAX;
    return resultOf({ ...data }, [
      `${total} properties match; page ${page} of ${Math.max(1, Math.ceil(total / pageSize))}. ${FENCE_NOTE}`,
      ...data.items.slice(0, LINES_MAX).map(lineOf),
      `${isWhole ? '' : `${data.items.length - LINES_MAX} more are in the structured result. `}${
        hasMore ? `More: page ${page + 1}. ` : ''
      }Next: check_availability${canQuote ? ' or create_quote' : ''} with a propertyId.`,
    ]);
  },
};

function lineOf({
  propertyId,
  name,
  propertyType,
  capacity,
  startingPrice,
  currency,
}: PropertySummary): string {
  const price = startingPrice === null ? 'no price' : `nights from ${startingPrice} ${currency}`;
  return `- ${propertyId}: ${fence(name)}, ${fence(propertyType)}, up to ${capacity.guests} guests, ${price}`;
}
