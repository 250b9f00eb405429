/**
 * Works on the database in argv[2], which it may not write at first. Prints one JSON line with what happened, waits
 * for a line on standard input, tries to write again, and prints the second.
 */
import { once } from 'node:events';
import { systemClock } from '../../../src/runtime/clock.ts';
import { sampleQuote } from '../../suites/storage/sample-rows.ts';
import { openSqliteStorage } from '../../../src/storage/open-sqlite.ts';

const storage = await openSqliteStorage({ path: String(process.argv[2]), clock: systemClock });

async function attempt(quoteId: string): Promise<void> {
  const property = await storage.findProperty('a');
  const write = await storage.insertQuote(sampleQuote(quoteId)).then(
    () => 'stored',
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : 'thrown'),
  );
  process.stdout.write(`${JSON.stringify({ read: property?.property.propertyId, write })}\n`);
}

await attempt('first');
await once(process.stdin, 'data');
await attempt('second');
await storage.close();
process.stdin.destroy();
