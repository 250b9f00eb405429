import type { Availability, AvailabilityParameters, ExplainedStayPrice } from '../../../sdk/src/index.ts';
import { type PartyInput, sayParty, settleParty, withAges, withParty } from '../party.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { tooSmallFor } from '../too-small.ts';
import { askPrices, fieldsOf, linesOfWhy, WHY_NOT_FIELDS, type WhyNot } from '../why-not.ts';
import { limitsUntil, READ_ONLY, resultOf, type Tool, TOOL_MS_MAX } from './tool.ts';

const DATES_MAX = 10;
const AS_ADULTS = 'Children are counted as adults: this token may not see prices.';

type Input = Omit<AvailabilityParameters, 'guests'> & PartyInput & { readonly propertyId: string };

const INPUT = inputSchemaOf('getPartnerPropertyAvailability');

export const checkAvailability: Tool<Input> = {
  name: 'check_availability',
  title: 'Check a stay',
  description:
    'Whether a property takes the guests for the whole stay in one room or unit. Only `available` decides: single ' +
    'nights in `days` can be open while the stay is not possible. Where the token may see prices, a stay that is not ' +
    'possible has its `reasons`, and stays that are possible `instead`.',
  inputSchema: { ...INPUT, properties: withParty(INPUT['properties'] as Record<string, unknown>) },
  outputSchema: withWhy(withAges(outputSchemaOf('getPartnerPropertyAvailability'))),
  annotations: READ_ONLY,
  async run(client, { propertyId, ...input }, signal, canQuote = true) {
    const { childAges, ...parameters } = settleParty(input);
    const endsAtMs = performance.now() + TOOL_MS_MAX;
    const limits = limitsUntil(signal, endsAtMs);
    const { data: ofAdults } = await client.properties.availability(propertyId, parameters, limits);
    const ages = childAges === undefined ? {} : { childAges };
    const stay = { ...ofAdults.stay, ...ages };
    const asked = ofAdults.available
      ? undefined
      : await askPrices(client, propertyId, stay, limitsUntil(signal, endsAtMs));
    // With a cot a family may fit where as many adults do not.
    const fits = childAges !== undefined && asked !== undefined && isAvailable(asked);
    const available = ofAdults.available || fits;
    const data = { ...ofAdults, stay, available };
    const why = fits || asked?.code === null ? undefined : asked;
    const closed = fits ? [] : closedOf(ofAdults);
    const isKnown = (why?.reasons ?? []).length > 0;
    const tooSmall =
      childAges === undefined && !isKnown && closed.length === ofAdults.days.length
        ? await tooSmallFor(client, { propertyId, guests: stay.guests }, limitsUntil(signal, endsAtMs))
        : undefined;
    return resultOf({ ...data, ...fieldsOf(why) }, [
      `${propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${sayParty(stay)}: ` +
        (available ? 'available' : 'not available'),
      ...(isKnown ? [] : [tooSmall ?? closedNights(closed, data)]),
      ...(childAges !== undefined && !available && asked === undefined ? [AS_ADULTS] : []),
      ...linesOfWhy(why),
      nextStep(data, why, { tooSmall, canQuote }),
    ]);
  },
};

/** Without a price it may be available all the same. */
function isAvailable({ code }: ExplainedStayPrice): boolean {
  return code === null || code === 'QUOTE_UNAVAILABLE';
}

function closedOf({ days }: Availability): readonly string[] {
  return days.filter((day) => !day.available).map(({ date }) => date);
}

/** The contract's answer, and what only some tokens see. */
function withWhy(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...schema, properties: { ...(schema['properties'] as object), ...WHY_NOT_FIELDS } };
}

interface Known {
  readonly tooSmall: string | undefined;
  readonly canQuote: boolean;
}

function nextStep(
  { available }: Availability,
  why: WhyNot | undefined,
  { tooSmall, canQuote }: Known,
): string {
  if (available)
    return canQuote
      ? 'Next: create_quote for an indicative price and the link for the traveller.'
      : 'Next: find_open_stays for other dates and totals; quotes are not made here.';
  if (tooSmall !== undefined || why?.reasons?.some(({ code }) => code === 'CAPACITY') === true)
    return 'Next: fewer guests, or search_properties for another property.';
  if (why !== undefined && why.instead.length > 0)
    return 'Next: offer one of these stays; find_open_stays for other dates.';
  return 'Next: find_open_stays for dates that are possible.';
}

function closedNights(closed: readonly string[], { available, stay }: Availability): string {
  if (closed.length > 0) {
    const more = closed.length > DATES_MAX ? ` and ${closed.length - DATES_MAX} more` : '';
    return `Nights without a room or unit for ${stay.guests}: ${closed.slice(0, DATES_MAX).join(', ')}${more}`;
  }
  if (available) return 'Every night is open';
  return 'Every night is open, but a rule on arrival, departure or length excludes this stay';
}
