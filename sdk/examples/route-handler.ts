/**
 * A handler as Next.js and other frameworks take them (`app/api/quote/route.ts`): the browser asks your server, and
 * your server, which alone has the token, asks Stayport.
 */
import { isStayportError, type Locale, Stayport } from '@stayport/partner';

const client = new Stayport({
  baseUrl: process.env['STAYPORT_URL'] ?? 'http://127.0.0.1:8080',
  token: process.env['STAYPORT_TOKEN'] ?? 'not-set',
  timeout: 5_000,
});

interface QuoteOptions {
  propertyId: string;
  checkIn: string;
  checkOut: string;
  guests: number;
  locale: Locale;
}

export async function POST(request: Request): Promise<Response> {
  const { propertyId, locale, ...stay } = (await request.json()) as QuoteOptions;
  try {
    const { data } = await client.quotes.create({ propertyId, stay, locale }, { signal: request.signal });
    const { pricing, currency, expiresAt, handoffUrl } = data;
    return Response.json({ total: pricing.total, currency, isIndicative: true, expiresAt, handoffUrl });
  } catch (error) {
    if (!isStayportError(error)) throw error;
    switch (error.code) {
      case 'STAY_UNAVAILABLE':
      case 'QUOTE_UNAVAILABLE':
        return Response.json({ message: 'These dates are no longer available.' }, { status: 409 });
      case 'VALIDATION_ERROR':
      case 'INVALID_ARGUMENT':
        return Response.json({ message: error.message }, { status: 400 });
      default:
        // The reason is for your log; a visitor can do nothing with it.
        console.error(error);
        return Response.json({ message: 'Please try again in a minute.' }, { status: 502 });
    }
  }
}
