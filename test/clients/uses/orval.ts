/** A partner's program on the client that orval generates, with answers checked by its zod schemas. */
import { createPartnerQuote, listPartnerProperties } from '../generated/orval/client.ts';
import { CreatePartnerQuoteResponse, ListPartnerPropertiesResponse } from '../generated/orval/schemas.ts';

const { TOKEN = '' } = process.env;
const options = { headers: { Authorization: `Bearer ${TOKEN}` } };

const listed = await listPartnerProperties({ city: 'Venezia' }, options);
if (listed.status !== 200) throw new Error(`${listed.data.code} ${listed.data.correlationId}`);
const propertyId = ListPartnerPropertiesResponse.parse(listed.data).items[0]?.propertyId ?? '';

const stay = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
const quoted = await createPartnerQuote({ propertyId, stay, locale: 'en-GB' }, options);
const { total } = CreatePartnerQuoteResponse.parse(quoted.data).pricing;

const refused = await createPartnerQuote(
  { propertyId, stay: { ...stay, checkOut: stay.checkIn }, locale: 'en-GB' },
  options,
);
// @ts-expect-error -- which of the problems it is must be asked first
if (refused.status === 400) refused.data.errors;
const field =
  refused.status === 400 && refused.data.code === 'VALIDATION_ERROR'
    ? refused.data.errors[0]?.field
    : undefined;

process.stdout.write(JSON.stringify({ propertyId, total, field }));
