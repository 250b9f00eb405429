import type { QuoteRequest } from '../../../sdk/src/index.ts';
import { inputSchemaOf, outputSchemaOf } from '../schemas.ts';
import { resultOf, type Tool, withinLimits } from './tool.ts';

export const createQuote: Tool<QuoteRequest> = {
  name: 'create_quote',
  title: 'Quote a stay',
  description:
    'An indicative price for a stay, and the handoff link. The price is not guaranteed: it is checked again when the ' +
    'traveller opens the link. Give the link to the traveller unchanged, and say that the price is indicative. ' +
    'Nothing is booked. Each call makes a new quote.',
  inputSchema: inputSchemaOf('createPartnerQuote'),
  outputSchema: outputSchemaOf('createPartnerQuote'),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(client, input, signal) {
    const { data } = await client.quotes.create(input, withinLimits(signal));
    const { stay, pricing, currency } = data;
    return resultOf({ ...data }, [
      `${data.propertyId}, ${stay.checkIn} to ${stay.checkOut}, ${stay.nights} nights, ${stay.guests} guests`,
      `Indicative total: ${pricing.total} ${currency} (accommodation ${pricing.accommodation}, ` +
        `cleaning ${pricing.cleaningFee}, taxes ${pricing.taxes})`,
      'The price is indicative: it is not guaranteed, and is checked again when the link is opened.',
      `The quote expires at ${data.expiresAt}. Nothing is booked.`,
      `The traveller must open this link unchanged: ${data.handoffUrl}`,
    ]);
  },
};
