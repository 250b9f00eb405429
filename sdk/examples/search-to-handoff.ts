/** From a search to a link for the traveller. Needs STAYPORT_URL and STAYPORT_TOKEN. */
import { isStayportError, Stayport } from '@stayport/partner';

const client = new Stayport({
  baseUrl: process.env['STAYPORT_URL'] ?? 'http://127.0.0.1:8080',
  token: process.env['STAYPORT_TOKEN'] ?? '',
});
const [city = 'Antwerp', checkIn = '2027-05-07', checkOut = '2027-05-10'] = process.argv.slice(2);

try {
  const found = await client.properties.search({ city, checkIn, checkOut, guests: 2, locale: 'en-GB' });
  console.log(`${found.data.pagination.total} properties are available`);
  const [first] = found.data.items;
  if (first !== undefined) {
    const stay = { checkIn, checkOut, guests: 2 };
    const { data } = await client.quotes.create({ propertyId: first.propertyId, stay, locale: 'en-GB' });
    console.log(`${first.name}: ${data.pricing.total} ${data.currency}, indicative`);
    console.log(data.handoffUrl);
  }
} catch (error) {
  if (!isStayportError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
