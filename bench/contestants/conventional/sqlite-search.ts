/** The search over SQLite: one prepared statement, answered on the event loop as node:sqlite does. */
import { DatabaseSync } from 'node:sqlite';
import { parseLocalDate } from '../../../src/domain/local-date.ts';
import type { PropertyRow } from './rows.ts';
import type { ConventionalSearch } from './search.ts';
import { readSql } from './sql-files.ts';

type Row = Record<string, number | string | null>;

export function openSqliteSearch(path: string): ConventionalSearch {
  const database = new DatabaseSync(path, { readOnly: true });
  database.exec('PRAGMA cache_size = -262144; PRAGMA mmap_size = 1073741824');
  const statement = database.prepare(readSql('sqlite-nights-search'));
  return {
    // eslint-disable-next-line typescript/require-await
    async search({ cityFolded, country, checkIn, checkOut, nights, guests, limit, offset }) {
      const dates = [parseLocalDate(checkIn)!, parseLocalDate(checkOut)!] as const;
      const rows = statement.all(cityFolded, country, ...dates, nights, guests, limit, offset) as Row[];
      return {
        total: Number(rows[0]?.['total'] ?? 0),
        rows: rows.filter((row) => row['property_id'] !== null).map(presentRow),
      };
    },
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

function presentRow(row: Row): PropertyRow {
  const text = (name: string): string => row[name] as string;
  const textOrNull = (name: string): string | null => row[name] as string | null;
  return {
    propertyId: text('property_id'),
    cityFolded: text('city_folded'),
    name: text('name'),
    description: textOrNull('description'),
    propertyType: text('property_type'),
    city: text('city'),
    country: text('country'),
    area: textOrNull('area'),
    guests: row['guests'] as number,
    bathrooms: row['bathrooms'] as number,
    amenities: JSON.parse(text('amenities')) as string[],
    ratingScore: row['rating_score'] as number | null,
    ratingCount: row['rating_count'] as number | null,
    startingPrice: textOrNull('starting_price'),
    currency: text('currency'),
    timezone: text('timezone'),
  };
}
