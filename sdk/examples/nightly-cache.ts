/** Keeps a copy of the catalogue of a few cities in a file, within the quota. Run it once a night. */
import { rename, writeFile } from 'node:fs/promises';
import { type PropertySummary, Stayport } from '@stayport/partner';

const client = new Stayport({
  baseUrl: process.env['STAYPORT_URL'] ?? 'http://127.0.0.1:8080',
  token: process.env['STAYPORT_TOKEN'] ?? '',
  // Waits for the next window instead of meeting a 429: nobody waits for this program.
  limiter: true,
});
const [file = 'catalogue.json', ...cities] = process.argv.slice(2);

const properties: PropertySummary[] = [];
for (const city of cities) {
  for await (const property of client.properties.each({ city, locale: 'en-GB' })) properties.push(property);
}
// In one step: a reader never meets half a file.
await writeFile(`${file}.new`, JSON.stringify({ writtenAt: new Date().toISOString(), properties }));
await rename(`${file}.new`, file);
console.log(`${properties.length} properties are in ${file}`);
