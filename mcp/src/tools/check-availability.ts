import type { Availability, AvailabilityParameters } from '../../../sdk/src/index.ts';
import { tooSmallFor } from '../too-small.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { limitsUntil, READ_ONLY, resultOf, type Tool, TOOL_MS_MAX } from './tool.ts';

const DATES_MAX = 10;

export const checkAvailability: Tool<AvailabilityParameters & { propertyId: string }> = {
  name: 'check_availability',
  title: 'Check a stay',
  description:
    'Whether a property takes the guests for the whole stay in one room or unit. Only `available` decides: single ' +
    'nights in `days` can be open while the stay is not possible.',
  inputSchema: inputSchemaOf('getPartnerPropertyAvailability'),
  outputSchema: outputSchemaOf('getPartnerPropertyAvailability'),
  annotations: READ_ONLY,
  async run(client, { propertyId, ...parameters }, signal, canQuote = true) {
    const endsAtMs = performance.now() + TOOL_MS_MAX;
    const limits = limitsUntil(signal, endsAtMs);
    const { data } = await client.properties.availability(propertyId, parameters, limits);
    const { stay, days, available } = data;
    const closed = days.filter((day) => !day.available).map(({ date }) => date);
    const isClosed = closed.length === days.length;
    const tooSmall = isClosed
      ? await tooSmallFor(client, { propertyId, guests: stay.guests }, limitsUntil(signal, endsAtMs))
      : undefined;
    return resultOf({ ...data }, [
      `${propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${stay.guests} guests: ` +
        (available ? 'available' : 'not available'),
      tooSmall ?? closedNights(closed, data),
      nextStep(available, tooSmall, canQuote),
    ]);
  },
};

function nextStep(available: boolean, tooSmall: string | undefined, canQuote: boolean): string {
  if (available)
    return canQuote
      ? 'Next: create_quote for an indicative price and the link for the traveller.'
      : 'Next: find_open_stays for other dates and totals; quotes are not made here.';
  return tooSmall === undefined
    ? 'Next: find_open_stays for dates that are possible.'
    : 'Next: fewer guests, or search_properties for another property.';
}

function closedNights(closed: readonly string[], { available, stay }: Availability): string {
  if (closed.length > 0) {
    const more = closed.length > DATES_MAX ? ` and ${closed.length - DATES_MAX} more` : '';
    return `Nights without a room or unit for ${stay.guests}: ${closed.slice(0, DATES_MAX).join(', ')}${more}`;
  }
  if (available) return 'Every night is open';
  return 'Every night is open, but a rule on arrival, departure or length excludes this stay';
}
