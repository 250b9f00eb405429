/** Recent answers of a thread match every filter, and stay within their memory. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import type { RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import type { Subject } from '../../http/answers/answered-request.ts';
import { mergeRequests, RECENT_REQUESTS_MAX, RequestRing } from './recent-requests.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ASKERS = [
  { partnerId: 'acme', credentialId: 'c1' },
  { partnerId: 'acme', credentialId: 'c2' },
  { partnerId: 'bits', credentialId: 'c3' },
] as const;
const STAY = { checkIn: 20_000, checkOut: 20_003 };
const FOUND = { total: 0, askedName: 'Łódź', cityName: 'LODZ', markets: [], isKnownElsewhere: false };
const SUBJECTS: readonly (Subject | undefined)[] = [
  undefined,
  { propertyId: 'ponte' },
  { propertyId: 'p'.repeat(40) },
  { propertyId: 'p'.repeat(41) },
  { propertyId: 'p'.repeat(160) },
  { propertyId: 'ponte', stay: STAY, guests: 2, quoteId: 'qt_1' },
  { city: 'Łódź', country: 'PL', stay: STAY, guests: 3, page: 1, found: FOUND },
  { city: 'Como' },
  { propertyId: 'ponte', stay: STAY, guests: 2, reasons: ['NIGHTS_CLOSED', 'MIN_STAY'] },
  { propertyId: 'ponte', stay: STAY, guests: 2, reasons: [] },
  { propertyId: 'ponte', stay: STAY, guests: 4, childAges: [4, 9] },
];

function add(ring: RequestRing, number: number): RequestRow {
  const subject = SUBJECTS[number % SUBJECTS.length];
  const asker = ASKERS[number % ASKERS.length]!;
  const operation = ['listPartnerProperties', 'createPartnerQuote'][number % 2]!;
  const [status, code] = (
    [
      [200, ''],
      [404, 'PROPERTY_NOT_FOUND'],
      [429, 'RATE_LIMITED'],
    ] as const
  )[(number >> 1) % 3]!;
  const correlationId = `id-${number}`;
  const result = { status, code, durationUs: number + 0.4 };
  ring.add({ correlationId, operationName: operation, subject }, asker, number * 10, result);
  const {
    city = null,
    propertyId = null,
    stay,
    guests = null,
    page = null,
    found,
    quoteId,
    reasons,
    childAges,
  } = subject ?? {};
  return {
    atMs: number * 10,
    correlationId,
    ...asker,
    operation,
    status,
    code: code === '' ? null : code,
    durationUs: number,
    city,
    propertyId,
    guests,
    page,
    total: found?.total ?? null,
    checkIn: stay?.checkIn ?? null,
    checkOut: stay?.checkOut ?? null,
    quoteId: quoteId ?? null,
    reasons: reasons?.join(' ') || null,
    childAges: childAges?.join() || null,
  };
}

describe('The last requests', () => {
  it('recent requests are listed newest first, by each filter', () => {
    const ring = new RequestRing();
    const book = Array.from({ length: RECENT_REQUESTS_MAX + 77 }, (_, number) => add(ring, number));
    const kept = book.toReversed().slice(0, RECENT_REQUESTS_MAX);
    const option = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
    const filterArbitrary: fc.Arbitrary<RequestFilter> = fc.record({
      partnerId: option(['acme', 'bits']),
      credentialId: option(['c1', 'c2', 'c3']),
      operation: option(['listPartnerProperties']),
      statuses: option<readonly [number, number]>([
        [400, 499],
        [404, 404],
      ]),
      code: option(['PROPERTY_NOT_FOUND']),
      sinceMs: option([0, 30_000]),
      correlationId: option(['id-3000', 'id-76', 'id-77']),
      limit: fc.constantFrom(1, 50, 10_000),
    });
    fc.assert(
      fc.property(filterArbitrary, (filter) => {
        const { statuses = [0, 999] } = filter;
        const expected = kept.filter(
          (row) =>
            (['partnerId', 'credentialId', 'operation', 'code', 'correlationId'] as const).every(
              (name) => filter[name] === undefined || row[name] === filter[name],
            ) &&
            row.status >= statuses[0] &&
            row.status <= statuses[1] &&
            row.atMs >= (filter.sinceMs ?? 0),
        );
        assert.deepEqual(ring.find(filter), expected.slice(0, filter.limit));
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('of several threads are one list', () => {
    const rings = [new RequestRing(), new RequestRing()];
    const book = Array.from({ length: 60 }, (_, number) => add(rings[number % 2]!, number));
    const lists = rings.map((ring) => ring.find({ limit: 40 }));
    assert.deepEqual(mergeRequests(lists, 40), book.toReversed().slice(0, 40));
  });

  it('keep a city or a property that is part of a long line, and not the line', () => {
    const ring = new RequestRing();
    const lineBytes = 16_384;
    const before = heapBytes();
    for (let number = 0; number < 2 * RECENT_REQUESTS_MAX; number += 1) {
      const line = `${number}`.padStart(120, 'é') + 'x'.repeat(lineBytes);
      const city = line.slice(0, 120);
      const request = {
        correlationId: line.slice(0, 16),
        operationName: 'o',
        subject: { city, propertyId: city },
      };
      ring.add(request, ASKERS[0], 1, { status: 200, code: '', durationUs: 1 });
    }
    const taken = heapBytes() - before;
    assert.equal(ring.find({ limit: 1 })[0]!.city!.length, 120);
    assert.ok(taken < 4 * 1024 * 1024, `${taken} bytes`);
  });
});

function heapBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
