/**
 * Stores quotes and imports properties in the database of the URL in argv[2] until it is killed. Ids begin with
 * argv[3]. Prints each quote's id once it has been acknowledged.
 */
import { systemClock } from '../../../src/runtime/clock.ts';
import { sampleQuote, sampleWrite } from '../../suites/storage/sample-rows.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { STORM_BATCH_IDS, STORM_IMPORTED, STORM_QUOTES_AT_ONCE } from './storm-shape.ts';

const storage = await openStorage(String(process.argv[2]), { clock: systemClock });
const prefix = String(process.argv[3]);
let count = 0;

async function storeQuotes(): Promise<never> {
  for (;;) {
    const quoteId = `${prefix}-${count++}`;
    await storage.insertQuote(sampleQuote(quoteId, { breakdown: 'x'.repeat(1_000) }));
    process.stdout.write(`${quoteId}\n`);
  }
}

async function importProperties(): Promise<never> {
  for (let version = 0; ; version++) {
    await storage.writeProperties(
      STORM_BATCH_IDS.map((id) => sampleWrite(id, { version: version % 250, source: prefix })),
    );
    process.stdout.write(`${STORM_IMPORTED}\n`);
  }
}

await Promise.all([...Array.from({ length: STORM_QUOTES_AT_ONCE }, storeQuotes), importProperties()]);
