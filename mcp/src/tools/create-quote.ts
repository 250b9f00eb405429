import { type QuoteRequest, UsageError } from '../../../sdk/src/index.ts';
import { type PartyInput, sayParty, settleParty, withAges, withParty } from '../party.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { resultOf, type Tool, withinLimits } from './tool.ts';

type Input = Omit<QuoteRequest, 'stay'> & {
  readonly stay: Omit<QuoteRequest['stay'], 'guests' | 'childAges'> & PartyInput;
};

export const createQuote: Tool<Input> = {
  name: 'create_quote',
  title: 'Quote a stay',
  description:
    'An indicative price for a stay, and the handoff link. The price is not guaranteed: it is checked again when the ' +
    'traveller opens the link. Give the link to the traveller unchanged, and say that the price is indicative. ' +
    'Nothing is booked. Each call makes a new quote.',
  inputSchema: withPartyOfStay(inputSchemaOf('createPartnerQuote')),
  outputSchema: withAges(outputSchemaOf('createPartnerQuote')),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(client, input, signal) {
    const { guests, ...asked } = settleParty(input.stay);
    if (guests === undefined)
      throw new UsageError('INVALID_ARGUMENT', 'stay.guests: is missing', 'stay.guests');
    const { data } = await client.quotes.create(
      { ...input, stay: { ...asked, guests } },
      withinLimits(signal),
    );
    const { stay, pricing, currency } = data;
    return resultOf({ ...data }, [
      `${data.propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${sayParty(stay)}`,
      `Indicative total: ${pricing.total} ${currency} (accommodation ${pricing.accommodation}, ` +
        `cleaning ${pricing.cleaningFee}, taxes ${pricing.taxes})`,
      'The price is indicative: it is not guaranteed, and is checked again when the link is opened.',
      `The quote expires at ${data.expiresAt}. Nothing is booked.`,
      `The traveller must open this link unchanged: ${data.handoffUrl}`,
    ]);
  },
};

type Schema = Readonly<Record<string, unknown>>;

/** Who travels may be told as adults and children, so `guests` is no longer required. */
function withPartyOfStay(body: Schema): Record<string, unknown> {
  const properties = body['properties'] as Record<string, Schema>;
  const stay = properties['stay']!;
  const fields = withParty(stay['properties'] as Schema);
  const required = (stay['required'] as readonly string[]).filter((name) => name !== 'guests');
  return { ...body, properties: { ...properties, stay: { ...stay, properties: fields, required } } };
}
