import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  isStayportError,
  type OfferParameters,
  type Problem,
  type StayOffer,
  type StayportError,
} from '../../../sdk/src/index.ts';
import { fence, FENCE_NOTE } from '../fence.ts';
import { type PartyInput, sayParty, settleParty, withParty } from '../party.ts';
import { refusalOf } from '../refusal.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { linesOfWhy } from '../why-not.ts';
import { READ_ONLY, resultOf, type Tool, withinLimits } from './tool.ts';

/** Characters of the text; the structured result has all of them. */
const RULES_LENGTH_MAX = 400;
/** Taxes and fees, refunds or payments of one line. */
const PARTS_MAX = 8;

type Input = Omit<OfferParameters, 'guests' | 'childAges'> & PartyInput & { readonly propertyId: string };

const INPUT = inputSchemaOf('getStayOffer');

export const getOffer: Tool<Input> = {
  name: 'get_offer',
  title: 'Read a stay with its price and terms',
  description:
    'One stay at one property, whole: the price of each night, taxes and fees and which of them are paid at the ' +
    'property, what cancelling gives back until when, when to pay, arrival times and house rules. Where the stay is not ' +
    'possible, why, and what is possible instead. The token must be allowed to read prices and content. Nothing is stored.',
  inputSchema: { ...INPUT, properties: withParty(INPUT['properties'] as Record<string, unknown>) },
  outputSchema: outputSchemaOf('getStayOffer'),
  annotations: READ_ONLY,
  async run(client, { propertyId, ...input }, signal, canQuote = true) {
    const parameters = settleParty(input);
    try {
      const { data } = await client.prices.offer(propertyId, parameters, withinLimits(signal));
      return resultOf({ ...data }, linesOf(data, canQuote));
    } catch (error) {
      if (!isStayportError(error) || !('problem' in error) || error.problem.instead === undefined)
        throw error;
      return explained(error, error.problem);
    }
  },
};

/** The refusal, with a line for the reasons and one for the other stays before what to try. */
function explained(error: StayportError, { reasons = null, instead = [] }: Problem): CallToolResult {
  const { content, ...refusal } = refusalOf(error);
  const said = linesOfWhy({ reasons, instead, currency: null });
  const lines = said.map((text) => ({ type: 'text' as const, text }));
  return { ...refusal, content: [...content.slice(0, -1), ...lines, ...content.slice(-1)] };
}

function linesOf(offer: StayOffer, canQuote: boolean): string[] {
  const { propertyId, stay, pricing, currency } = offer;
  return [
    `${propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${sayParty(stay)}: total ` +
      `${pricing.total} ${currency} (accommodation ${pricing.accommodation}, cleaning ${pricing.cleaningFee}, ` +
      `taxes ${pricing.taxes})`,
    `Taxes and fees: ${listed(offer.charges.map(sayCharge))}`,
    `Cancelling gives back: ${sayCancellation(offer)}`,
    `Paid: ${offer.payment === null ? 'not said' : listed(offer.payment.map(sayPayment))}`,
    `${sayTimes(offer)}. Sold by ${offer.seller === null ? 'not said' : fence(offer.seller)}`,
    ...(offer.houseRules === null ? [] : [`House rules: ${fence(offer.houseRules, RULES_LENGTH_MAX)}`]),
    `${FENCE_NOTE} The price is indicative.`,
    canQuote
      ? 'Next: create_quote for the link that the traveller opens. Nothing is booked.'
      : 'Next: find_open_stays for other dates. Nothing is booked, and quotes are not made here.',
  ];
}

function sayCharge({ name, amount, included, due }: StayOffer['charges'][number]): string {
  if (included !== null) return `${fence(name)} ${included}, in the price already`;
  return `${fence(name)} ${amount}${due === 'arrival' ? ', paid at the property' : ''}`;
}

function sayCancellation({ cancellation }: StayOffer): string {
  if (cancellation === null) return 'not said';
  if (cancellation.length === 0) return 'nothing';
  const steps = cancellation.map(
    ({ until, refundPercent, refundAmount }) => `${refundAmount} (${refundPercent} %) until ${until}`,
  );
  return `${listed(steps)}; then nothing`;
}

function sayPayment({ due, date, amount }: NonNullable<StayOffer['payment']>[number]): string {
  if (date !== null) return `${amount} by ${date}`;
  return `${amount} ${due === 'booking' ? 'when booking' : 'at arrival'}`;
}

function sayTimes({ checkIn, checkOut }: StayOffer): string {
  const until = checkIn === null || checkIn.until === null ? '' : ` to ${checkIn.until}`;
  const arrival = checkIn === null ? 'not said' : `from ${checkIn.from}${until}`;
  return `Arrival: ${arrival}; departure: ${checkOut === null ? 'not said' : `until ${checkOut.until}`}`;
}

function listed(parts: readonly string[]): string {
  if (parts.length === 0) return 'none';
  const more = parts.length > PARTS_MAX ? `; and ${parts.length - PARTS_MAX} more` : '';
  return parts.slice(0, PARTS_MAX).join('; ') + more;
}
