/**
 * How much room stored quotes take in SQLite, index pages included: `node bin/node.cjs scripts/measure-quote-rows.ts`.
 * Each night of the long stay has another rate, which is the largest breakdown that there is.
 */
import { statSync } from 'node:fs';
import { createQuote } from '../src/partner/quotes/create-quote.ts';
import { bridgeHotel, NOW_MS, quoteDeps, quoteRequest } from '../test/kit/quote-fixtures.ts';
import { dayOf } from '../test/kit/property-fixtures.ts';
import { openTemporaryStorage } from '../test/kit/temporary-storage.ts';

const QUOTE_COUNT = 5_000;
const QUOTES_AT_ONCE = 100;
const QUOTES_PER_DAY = 120 * 60 * 24;

for (const nightCount of [3, 14, 60]) {
  const bytes = await measure(nightCount);
  const gigabytes = ((bytes * QUOTES_PER_DAY) / 1e9).toFixed(2);
  process.stdout.write(
    `${nightCount} nights: ${bytes} bytes a quote, ${gigabytes} GB a day at 120 a minute\n`,
  );
}

async function measure(nightCount: number): Promise<number> {
  const database = await openTemporaryStorage(() => NOW_MS);
  const checkIn = dayOf('2026-12-01');
  const entries = Array.from({ length: nightCount }, (_, index) => ({
    from: checkIn + index,
    to: checkIn + index,
    set: { availability: 1, rate: 10_000 + index },
  }));
  await database.storage.writeProperties([bridgeHotel({}, [entries, []])]);
  const deps = quoteDeps(database.storage);
  const request = quoteRequest({ checkIn, checkOut: checkIn + nightCount });
  const path = database.databaseUrl.replace('sqlite:', '');
  // A checkpoint moves the log into the file; the log itself does not count.
  for (let count = 0; count < QUOTE_COUNT; count += QUOTES_AT_ONCE)
    await Promise.all(Array.from({ length: QUOTES_AT_ONCE }, () => createQuote(deps, request)));
  const { DatabaseSync } = await import('node:sqlite');
  const checkpoint = new DatabaseSync(path);
  checkpoint.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  checkpoint.close();
  const bytes = statSync(path).size / QUOTE_COUNT;
  await database.close();
  return Math.round(bytes);
}
