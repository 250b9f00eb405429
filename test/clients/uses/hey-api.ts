/** A partner's program on the client that hey-api generates. */
import { client } from '../generated/hey-api/client.gen.ts';
import { createPartnerQuote, listPartnerProperties } from '../generated/hey-api/index.ts';

const { BASE_URL = '', TOKEN = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: TOKEN });

const { data, error } = await listPartnerProperties({ query: { city: 'Venezia' } });
if (error !== undefined) throw new Error(`${error.code} ${error.correlationId}`);
const propertyId = data.items[0]?.propertyId ?? '';

const stay = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
const quoted = await createPartnerQuote({ body: { propertyId, stay, locale: 'en-GB' } });

const refused = await createPartnerQuote({
  body: { propertyId, stay: { ...stay, checkOut: stay.checkIn }, locale: 'en-GB' },
});
// @ts-expect-error -- which of the problems it is must be asked first
refused.error?.errors;
const field = refused.error?.code === 'VALIDATION_ERROR' ? refused.error.errors[0]?.field : undefined;

process.stdout.write(JSON.stringify({ propertyId, total: quoted.data?.pricing.total, field }));
