/** Fills both PostgreSQL databases by COPY, then VACUUM ANALYZE, as for a table that is there to stay. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type EpochDay, formatLocalDate } from '../../../src/domain/local-date.ts';
import { nightRows, rangesOfOpenNights, type Rows, ruleRows } from './rows.ts';
import { readSql } from './sql-files.ts';

export async function loadPostgresNights(connectionString: string, rows: Rows): Promise<void> {
  await withClient(connectionString, async (client) => {
    await loadProperties(client, rows);
    await client.query(readSql('postgres-nights-schema'));
    await copy(client, 'nights', rows.types, function* linesOf(type) {
      for (const row of nightRows(type)) {
        const { typeId, night, units, stopSell, closedToArrival, closedToDeparture } = row;
        const rules = [row.minStayArrival, row.minStayThrough, row.maxStay];
        yield [typeId, day(night), units, stopSell, closedToArrival, closedToDeparture, ...rules, row.rate];
      }
    });
    await copy(client, 'type_prices', rows.types, function* linesOf({ typeId, ...prices }) {
      yield [typeId, prices.includedGuests, prices.extraGuestRate, prices.cleaningFee];
    });
  });
}

export async function loadPostgresRanges(connectionString: string, rows: Rows): Promise<void> {
  await withClient(connectionString, async (client) => {
    await loadProperties(client, rows);
    await client.query(readSql('postgres-ranges-schema'));
    await copy(client, 'open_nights', rows.types, function* linesOf(type) {
      const ranges = rangesOfOpenNights(type).map(({ from, until }) => `[${day(from)},${day(until)})`);
      yield [type.typeId, `{${ranges.join(',')}}`];
    });
    await copy(client, 'stay_rules', rows.types, function* linesOf(type) {
      for (const row of ruleRows(type)) {
        const nights = `[${day(row.from)},${day(row.until)})`;
        const { typeId, closedToArrival, closedToDeparture, minStayArrival, minStayThrough, maxStay } = row;
        yield [typeId, nights, closedToArrival, closedToDeparture, minStayArrival, minStayThrough, maxStay];
      }
    });
  });
}

async function withClient(
  connectionString: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await use(client);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

async function loadProperties(client: pg.Client, { properties, types }: Rows): Promise<void> {
  await client.query(readSql('postgres-schema'));
  await copy(client, 'properties', properties, function* lineOf(row) {
    const { amenities, ...rest } = row;
    const values: (string | number | null)[] = Object.values(rest);
    values.splice(Object.keys(row).indexOf('amenities'), 0, formatTextArray(amenities));
    yield values;
  });
  await copy(client, 'inventory_types', types, function* lineOf({ typeId, propertyId, guestsMax }) {
    yield [typeId, propertyId, guestsMax];
  });
}

type Line = readonly (string | number | null)[];

async function copy<T>(
  client: pg.Client,
  table: string,
  rows: readonly T[],
  linesOf: (row: T) => Iterable<Line>,
): Promise<void> {
  function* text(): Generator<string> {
    for (const row of rows) {
      let lines = '';
      for (const line of linesOf(row)) lines += `${line.map(escapeValue).join('\t')}\n`;
      yield lines;
    }
  }
  await pipeline(Readable.from(text()), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
}

/** The text format of COPY: backslash, tab and newlines are escaped, NULL is \N. */
function escapeValue(value: string | number | null): string {
  if (value === null) return String.raw`\N`;
  if (typeof value === 'number') return String(value);
  return value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`);
}

function formatTextArray(values: readonly string[]): string {
  const quoted = values.map((value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`);
  return `{${quoted.join(',')}}`;
}

function day(night: EpochDay): string {
  return formatLocalDate(night);
}
