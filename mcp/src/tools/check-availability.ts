import type { Availability, AvailabilityParameters } from '../../../sdk/src/index.ts';
import { tooSmallFor } from '../too-small.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { fieldsOf, linesOfWhy, WHY_NOT_FIELDS, type WhyNot, whyNot } from '../why-not.ts';
import { limitsUntil, READ_ONLY, resultOf, type Tool, TOOL_MS_MAX } from './tool.ts';

const DATES_MAX = 10;

export const checkAvailability: Tool<AvailabilityParameters & { propertyId: string }> = {
  name: 'check_availability',
  title: 'Check a stay',
  description:
    'Whether a property takes the guests for the whole stay in one room or unit. Only `available` decides: single ' +
    'nights in `days` can be open while the stay is not possible. Where the token may see prices, a stay that is not ' +
    'possible has its `reasons`, and stays that are possible `instead`.',
  inputSchema: inputSchemaOf('getPartnerPropertyAvailability'),
  outputSchema: withWhy(outputSchemaOf('getPartnerPropertyAvailability')),
  annotations: READ_ONLY,
  async run(client, { propertyId, ...parameters }, signal, canQuote = true) {
    const endsAtMs = performance.now() + TOOL_MS_MAX;
    const limits = limitsUntil(signal, endsAtMs);
    const { data } = await client.properties.availability(propertyId, parameters, limits);
    const { stay, days, available } = data;
    const closed = days.filter((day) => !day.available).map(({ date }) => date);
    const why = available ? undefined : await whyNot(client, propertyId, stay, limitsUntil(signal, endsAtMs));
    const isKnown = (why?.reasons ?? []).length > 0;
    const tooSmall =
      !isKnown && closed.length === days.length
        ? await tooSmallFor(client, { propertyId, guests: stay.guests }, limitsUntil(signal, endsAtMs))
        : undefined;
    return resultOf({ ...data, ...fieldsOf(why) }, [
      `${propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${stay.guests} guests: ` +
        (available ? 'available' : 'not available'),
      ...(isKnown ? [] : [tooSmall ?? closedNights(closed, data)]),
      ...linesOfWhy(why),
      nextStep(data, why, { tooSmall, canQuote }),
    ]);
  },
};

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
