import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertWellFormed } from '../../../test/kit/answer-checks.ts';
import {
  QUOTE_REQUEST,
  type RunningServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { exchange } from '../../../test/kit/raw-client.ts';

const QUOTE = JSON.stringify(QUOTE_REQUEST);
const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKENS.full}\r\n`;
const SEEDS = [
  `GET /v1/properties?city=Venezia&checkIn=2026-12-01&checkOut=2026-12-02 HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /v1/properties/hotel-ponte/availability?checkIn=2026-12-01&checkOut=2026-12-02 HTTP/1.1\r\n${HEAD}\r\n`,
  `POST /v1/quotes HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${QUOTE.length}\r\n\r\n${QUOTE}`,
  `POST /v1/quotes HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${QUOTE.length.toString(16)}\r\n${QUOTE}\r\n0\r\n\r\n`,
];
const PIECES = [
  '\r\n',
  '\0',
  ' ',
  ':',
  '%zz',
  '%ff',
  '\x80',
  '\t',
  'HTTP/1.1',
  'Host: y\r\n',
  '?',
  '#',
  '/',
  '{',
  '\r',
  'Expect: x\r\n',
];
const RUN_COUNT = 300;

interface Mutation {
  readonly kind: 'insert' | 'delete' | 'replace' | 'truncate' | 'repeat';
  readonly at: number;
  readonly piece: string;
  readonly length: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'truncate', 'repeat'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8, unit: 'binary-ascii' })),
  length: fc.nat({ max: 12 }),
});

function mutate(text: string, { kind, at, piece, length }: Mutation): string {
  const index = Math.floor(at * text.length);
  const start = text.slice(0, index);
  switch (kind) {
    case 'insert':
      return start + piece + text.slice(index);
    case 'delete':
      return start + text.slice(index + length);
    case 'replace':
      return start + piece + text.slice(index + piece.length);
    case 'truncate':
      return start;
    case 'repeat':
      return start + text.slice(index, index + length).repeat(3) + text.slice(index);
  }
}

describe('mutated requests', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  it('get well-formed answers only, and leave the listener working', async () => {
    const request = fc
      .tuple(fc.constantFrom(...SEEDS), fc.array(mutation, { minLength: 1, maxLength: 4 }))
      .map(([seed, mutations]) => mutations.reduce(mutate, seed));
    const property = fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 10 }), async (batch) => {
      await Promise.all(batch.map((text) => checkAnswers(server.port, text)));
    });
    await fc.assert(property, { seed: 20261120, numRuns: RUN_COUNT / 10, endOnFailure: true });
    assert.equal((await server.fetch('/v1/properties/hotel-ponte')).status, 200);
  });
});

/** Half-closes, so that every exchange ends without a timeout. */
async function checkAnswers(port: number, text: string): Promise<void> {
  const context = JSON.stringify(text);
  const isHead = text.startsWith('HEAD ');
  const { answers, rest } = await exchange(port, [text], { halfClose: true, isHead });
  assert.equal(rest, '', context);
  for (const answer of answers) assertWellFormed(answer, context, isHead);
  if (text.trim() !== '') assert.ok(answers.length > 0, `${context}: no answer`);
}
