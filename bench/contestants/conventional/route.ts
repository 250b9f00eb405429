/**
 * What a user would build: the dated search as a conventional Fastify route. Query schema with coercion and defaults,
 * a bearer token looked up by its hash, a window counter with its headers, rows mapped to objects, a response schema
 * that writes them as JSON.
 */
import { createHash, randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { parseLocalDate } from '../../../src/domain/local-date.ts';
import { foldPlaceName } from '../../../src/domain/place-name.ts';
import type { PropertyRow } from './rows.ts';
import { QUERY_SCHEMA, RESPONSE_SCHEMA } from './schemas.ts';
import type { ConventionalSearch } from './search.ts';

const WINDOW_MS = 60_000;
const QUOTA = 1_000_000;

interface Query {
  readonly city: string;
  readonly country?: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly page: number;
  readonly pageSize: number;
}

export function buildConventionalServer(
  database: ConventionalSearch,
  tokens: readonly string[],
): FastifyInstance {
  const app = fastify({ logger: false, keepAliveTimeout: 72_000 });
  const credentials = new Map(tokens.map((token) => [hash(token), { used: 0, resetAtMs: 0 }]));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('X-Correlation-ID', randomUUID());
    const credential = credentials.get(hash((request.headers.authorization ?? '').replace(/^Bearer /, '')));
    if (credential === undefined) return reply.code(401).send({ code: 'INVALID_PARTNER_CREDENTIAL' });
    const nowMs = Date.now();
    if (nowMs >= credential.resetAtMs) Object.assign(credential, { used: 0, resetAtMs: nowMs + WINDOW_MS });
    credential.used++;
    reply.header('X-RateLimit-Limit', QUOTA);
    reply.header('X-RateLimit-Remaining', Math.max(0, QUOTA - credential.used));
    reply.header('X-RateLimit-Reset', Math.ceil(credential.resetAtMs / 1000));
  });

  app.get<{ Querystring: Query }>(
    '/v1/properties',
    { schema: { querystring: QUERY_SCHEMA, response: { 200: RESPONSE_SCHEMA } } },
    async (request, reply) => {
      const { city, country, checkIn, checkOut, guests, page, pageSize } = request.query;
      const { total, rows } = await database.search({
        cityFolded: foldPlaceName(city),
        country: country ?? null,
        checkIn,
        checkOut,
        nights: parseLocalDate(checkOut)! - parseLocalDate(checkIn)!,
        guests,
        limit: pageSize,
        offset: (page - 1) * pageSize,
      });
      reply.header('Cache-Control', 'private, max-age=60');
      return {
        items: rows.map(presentRow),
        pagination: { page, pageSize, total, hasMore: page * pageSize < total },
      };
    },
  );
  return app;
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function presentRow(row: PropertyRow) {
  const { ratingScore, ratingCount } = row;
  return {
    propertyId: row.propertyId,
    name: row.name,
    description: row.description,
    propertyType: row.propertyType,
    location: { city: row.city, country: row.country, area: row.area },
    capacity: { guests: row.guests, bathrooms: row.bathrooms },
    amenities: row.amenities,
    rating: ratingScore === null ? null : { score: ratingScore, count: ratingCount },
    startingPrice: row.startingPrice,
    currency: row.currency,
    timezone: row.timezone,
  };
}
