/** A partner's program on openapi-typescript's types, with openapi-fetch. */
import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript.ts';

const { BASE_URL = '', TOKEN = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` } });

const { data, error } = await client.GET('/v1/properties', { params: { query: { city: 'Venezia' } } });
if (error !== undefined) throw new Error(`${error.code} ${error.correlationId}`);
const propertyId = data.items[0]?.propertyId ?? '';

const stay = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
const quoted = await client.POST('/v1/quotes', { body: { propertyId, stay, locale: 'en-GB' } });

const refused = await client.POST('/v1/quotes', {
  body: { propertyId, stay: { ...stay, checkOut: stay.checkIn }, locale: 'en-GB' },
});
// @ts-expect-error -- which of the problems it is must be asked first
refused.error?.errors;
const field = refused.error?.code === 'VALIDATION_ERROR' ? refused.error.errors[0]?.field : undefined;

process.stdout.write(JSON.stringify({ propertyId, total: quoted.data?.pricing.total, field }));
