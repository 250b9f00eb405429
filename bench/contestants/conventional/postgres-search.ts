/** The search over PostgreSQL: a pool, one prepared statement. */
import pg from 'pg';
import type { PropertyRow } from './rows.ts';
import type { ConventionalQuery, ConventionalResult, ConventionalSearch } from './search.ts';
import { readSql } from './sql-files.ts';

const POOL_SIZE = 10;

interface Row {
  readonly total: number;
  readonly property_id: string | null;
  readonly city_folded: string;
  readonly name: string;
  readonly description: string | null;
  readonly property_type: string;
  readonly city: string;
  readonly country: string;
  readonly area: string | null;
  readonly guests: number;
  readonly bathrooms: number;
  readonly amenities: readonly string[];
  readonly rating_score: number | null;
  readonly rating_count: number | null;
  readonly starting_price: string | null;
  readonly currency: string;
  readonly timezone: string;
}

export function openPostgresSearch(
  connectionString: string,
  keeping: 'postgres-nights' | 'postgres-ranges',
): ConventionalSearch {
  const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
  const statement = { name: 'search', text: readSql(`${keeping}-search`) };
  return {
    async search(query) {
      const { rows } = await pool.query<Row>({ ...statement, values: valuesOf(query) });
      return presentRows(rows);
    },
    close: () => pool.end(),
  };
}

function valuesOf(query: ConventionalQuery): unknown[] {
  const { cityFolded, country, checkIn, checkOut, nights, guests, limit, offset } = query;
  return [cityFolded, country, checkIn, checkOut, nights, guests, limit, offset];
}

function presentRows(rows: readonly Row[]): ConventionalResult {
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter(({ property_id: id }) => id !== null).map(presentRow),
  };
}

function presentRow(row: Row): PropertyRow {
  return {
    propertyId: row.property_id!,
    cityFolded: row.city_folded,
    name: row.name,
    description: row.description,
    propertyType: row.property_type,
    city: row.city,
    country: row.country,
    area: row.area,
    guests: row.guests,
    bathrooms: row.bathrooms,
    amenities: row.amenities,
    ratingScore: row.rating_score,
    ratingCount: row.rating_count,
    startingPrice: row.starting_price,
    currency: row.currency,
    timezone: row.timezone,
  };
}
