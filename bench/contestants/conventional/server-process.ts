/**
 * What a user would build: a route that asks PostgreSQL. It checks a token and counts its requests in memory, as the
 * contract requires, and leaves out its other requirements.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { parseLocalDate } from '../../../src/domain/local-date.ts';
import { foldPlaceName } from '../../../src/domain/place-name.ts';
import { obeyOrders } from '../../machine/channel.ts';
import { DIAGNOSTICS } from '../../machine/diagnostics.ts';
import { readSql } from './sql-files.ts';

const QUOTA = 1_000_000;
const POOL_SIZE = 10;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const STATEMENT = { name: 'search', text: readSql('search') };

interface ServeOrder {
  readonly connectionString: string;
  readonly tokens: readonly string[];
}

/** As the table has it; without an id where the page is empty. */
type Row = Readonly<Record<string, unknown>> & { readonly total: number };

obeyOrders({
  ...DIAGNOSTICS,
  /** Answers the port. */
  async serve({ connectionString, tokens }: ServeOrder): Promise<number> {
    const pool = new pg.Pool({ connectionString, max: POOL_SIZE });
    const used = new Map(tokens.map((token) => [hash(token), 0]));
    const server = createServer((request, response) => {
      const credential = hash((request.headers.authorization ?? '').replace(/^Bearer /, ''));
      const count = used.get(credential);
      if (count === undefined) {
        response.writeHead(401).end();
        return;
      }
      used.set(credential, count + 1);
      void search(pool, new URL(request.url!, 'http://bench').searchParams).then((page) =>
        answer(response, JSON.stringify(page), QUOTA - count - 1),
      );
    });
    server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
});

function answer(response: ServerResponse, body: string, remaining: number): void {
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, max-age=60',
    'X-Correlation-ID': randomUUID(),
    'X-RateLimit-Limit': QUOTA,
    'X-RateLimit-Remaining': Math.max(0, remaining),
  });
  response.end(body);
}

async function search(pool: pg.Pool, query: URLSearchParams): Promise<object> {
  const [checkIn, checkOut] = [query.get('checkIn')!, query.get('checkOut')!];
  const nights = parseLocalDate(checkOut)! - parseLocalDate(checkIn)!;
  const page = Number(query.get('page') ?? 1);
  const pageSize = Number(query.get('pageSize') ?? 20);
  const place = [foldPlaceName(query.get('city')!), query.get('country')];
  const stay = [checkIn, checkOut, nights, Number(query.get('guests') ?? 2)];
  const values = [...place, ...stay, pageSize, (page - 1) * pageSize];
  const { rows } = await pool.query<Row>({ ...STATEMENT, values });
  const total = rows[0]?.total ?? 0;
  return {
    items: rows.filter((row) => row['property_id'] !== null).map(presentRow),
    pagination: { page, pageSize, total, hasMore: page * pageSize < total },
  };
}

function presentRow(row: Row): object {
  return {
    propertyId: row['property_id'],
    name: row['name'],
    description: row['description'],
    propertyType: row['property_type'],
    location: { city: row['city'], country: row['country'], area: row['area'] },
    capacity: { guests: row['guests'], bathrooms: row['bathrooms'] },
    amenities: row['amenities'],
    rating: row['rating_score'] === null ? null : { score: row['rating_score'], count: row['rating_count'] },
    startingPrice: row['starting_price'],
    currency: row['currency'],
    timezone: row['timezone'],
  };
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
