/** Bookings that the operator's system reports: what it is answered, and where they are counted. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { reportAttribution } from '../../../src/traveller/attribution/attribution-report.ts';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;

const SENDERS = 8;

describe('POST /handoff/conversions, on SQLite', () => describeConversions());
describePostgres('POST /handoff/conversions, on PostgreSQL', (server) =>
  describeConversions(() => server().createDatabase()),
);

function describeConversions(createDatabase?: () => Promise<string>): void {
  let installation: Installation;
  let operatorUrls: readonly string[] = [];
  let operatorToken = '';
  let partner: PartnerClient;
  before(async () => {
    installation = await openInstallation(await createDatabase?.());
    await installation.importLines([HOTEL_PONTE]);
    const { token } = await installation.issue({ partnerId: 'acme' });
    operatorToken = await installation.issueOperatorToken();
    // SQLite has one process, PostgreSQL several.
    const service = await installation.serve();
    const others = createDatabase === undefined ? [] : [await installation.serve()];
    operatorUrls = [service, ...others].map(({ operatorUrl }) => operatorUrl);
    partner = new PartnerClient(service.partnerUrl, token);
  });
  after(() => installation.close());

  interface Answer {
    readonly status: number;
    readonly body: Readonly<Record<string, unknown>> & {
      readonly errors?: readonly { readonly field: string; readonly code: string }[];
    };
  }

  async function post(body: unknown, token = operatorToken, sender = 0): Promise<Answer> {
    const operatorUrl = operatorUrls[sender % operatorUrls.length]!;
    const response = await fetch(`${operatorUrl}/handoff/conversions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  async function makeQuote(): Promise<string> {
    return (await partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'))).success.quoteId;
  }

  it('records a booking once, and the report of attribution counts it', async () => {
    const quoteId = await makeQuote();
    const booking = { quoteId, reference: 'B-1', status: 'booked', total: '410.5', currency: 'EUR' };
    const recorded = { quoteId, reference: 'B-1', status: 'booked', recorded: true };
    assert.deepEqual(await post(booking), { status: 200, body: recorded });
    assert.deepEqual(await post(booking), { status: 200, body: { ...recorded, recorded: false } });
    await post({ ...booking, reference: 'B-2' });
    const end = { quoteId, reference: 'B-2', status: 'cancelled' };
    assert.deepEqual(await post(end), { status: 200, body: { ...end, recorded: true } });
    const today = Math.floor(installation.time.nowMs / DAY_MS);
    const [row] = await reportAttribution(installation.storage, { from: today, to: today });
    assert.deepEqual(
      [row?.partnerId, row?.quotes, row?.converted, row?.cancelled, row?.convertedTotals],
      ['acme', 1, 1, 1, { EUR: '410.50' }],
    );
  });

  it('refuses what contradicts, with a code and a reason', async () => {
    const quoteId = await makeQuote();
    const booking = { quoteId, reference: 'C-1', status: 'booked', total: '100.00', currency: 'EUR' };
    await post(booking);
    for (const [body, status, code, detail] of [
      [{ ...booking, quoteId: 'qt_none', reference: 'C-2' }, 404, 'QUOTE_NOT_FOUND', /deleted/],
      [{ ...booking, total: '100.01' }, 409, 'CONVERSION_CONFLICT', /another total/],
      [{ ...booking, quoteId: await makeQuote() }, 409, 'CONVERSION_CONFLICT', /another quote/],
    ] as const) {
      const answer = await post(body);
      assert.deepEqual([answer.status, answer.body['code']], [status, code]);
      assert.match(String(answer.body['detail']), detail);
    }
  });

  it('names every field that cannot be used', async () => {
    const quoteId = await makeQuote();
    const good = { quoteId, reference: 'D-1', status: 'booked', total: '1.00', currency: 'EUR' };
    const { currency: _, ...withoutCurrency } = good;
    const { total: __, ...withoutTotal } = good;
    for (const [body, field, code] of [
      [{ ...good, total: '-1.00' }, 'total', 'FORMAT_INVALID'],
      [{ ...good, total: '1.001' }, 'total', 'FORMAT_INVALID'],
      [{ ...good, total: 1 }, 'total', 'TYPE_INVALID'],
      [{ ...good, currency: 'USD' }, 'currency', 'NOT_ALLOWED'],
      [{ ...good, currency: 'eur' }, 'currency', 'FORMAT_INVALID'],
      [withoutCurrency, 'currency', 'REQUIRED'],
      [withoutTotal, 'total', 'REQUIRED'],
      [{ ...good, status: 'paid' }, 'status', 'NOT_ALLOWED'],
      [{ ...good, reference: '' }, 'reference', 'LENGTH_INVALID'],
      [{ ...good, reference: 'x'.repeat(121) }, 'reference', 'LENGTH_INVALID'],
      [{ ...good, reference: 'a\u0000b' }, 'reference', 'FORMAT_INVALID'],
      [{ ...good, reference: '\ud800' }, 'reference', 'FORMAT_INVALID'],
      [{ ...good, guest: 'Rossi' }, 'guest', 'UNKNOWN_FIELD'],
      [[], 'body', 'TYPE_INVALID'],
    ] as const) {
      const answer = await post(body);
      assert.deepEqual(
        [answer.status, answer.body.errors?.map((error) => [error.field, error.code])],
        [400, [[field, code]]],
        JSON.stringify(body),
      );
    }
    const longest = await post({ ...good, reference: 'x'.repeat(120) });
    assert.equal(longest.status, 200);
    const doubled = await post('{"quoteId":"a","quoteId":"b","reference":"r","status":"booked"}');
    assert.deepEqual([doubled.status, doubled.body['code']], [400, 'INVALID_JSON']);
  });

  const postAtOnce = (bodyOf: (sender: number) => object): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: SENDERS }, (_, sender) => post(bodyOf(sender), operatorToken, sender)));

  it('counts a reference once that several systems send at once, and refuses all that contradict it', async () => {
    const [quoteId, otherQuote] = [await makeQuote(), await makeQuote()];
    const booking = { quoteId, status: 'booked', total: '100.00', currency: 'EUR' };
    const same = await postAtOnce(() => ({ ...booking, reference: 'E-same' }));
    assert.ok(same.every(({ status }) => status === 200));
    assert.equal(same.filter(({ body }) => body['recorded'] === true).length, 1);

    for (const [reference, rival] of [
      ['E-quote', { quoteId: otherQuote }],
      ['E-total', { total: '90.00' }],
    ] as const) {
      const answers = await postAtOnce((sender) => ({
        ...booking,
        reference,
        // Both are with each of two services.
        ...(sender % 4 < 2 ? {} : rival),
      }));
      const codes = answers
        .map(({ status, body }) => `${status} ${String(body['code'] ?? body['recorded'])}`)
        .sort();
      assert.deepEqual(codes, [
        ...Array.from({ length: SENDERS / 2 - 1 }, () => '200 false'),
        '200 true',
        ...Array.from({ length: SENDERS / 2 }, () => '409 CONVERSION_CONFLICT'),
      ]);
    }
    const ends = await postAtOnce(() => ({ quoteId, reference: 'E-same', status: 'cancelled' }));
    assert.equal(ends.filter(({ body }) => body['recorded'] === true).length, 1);
    assert.equal((await post({ ...booking, reference: 'E-same' })).body['code'], 'CONVERSION_CONFLICT');
  });

  it('keeps nothing of what it refused', async () => {
    const today = Math.floor(installation.time.nowMs / DAY_MS);
    const read = () => installation.storage.readConversions(today, today);
    const quoteId = await makeQuote();
    const before = await read();
    for (const body of [
      { quoteId: 'qt_none', reference: 'F-1', status: 'booked' },
      { quoteId, reference: 'F-2', status: 'booked', total: '1.00', currency: 'USD' },
      { quoteId, reference: 'F-3', status: 'booked', total: '-1.00', currency: 'EUR' },
      { quoteId, reference: 'F-4', status: 'booked', total: '1.00' },
    ])
      assert.ok((await post(body)).status >= 400);
    assert.deepEqual(await read(), before);
    // None of the references is taken.
    for (const reference of ['F-1', 'F-2', 'F-3', 'F-4'])
      assert.equal((await post({ quoteId, reference, status: 'booked' })).body['recorded'], true);
  });

  it('asks for a token with the scope of resolution', async () => {
    const answer = await post({ quoteId: 'q', reference: 'r', status: 'booked' }, 'nothing');
    assert.deepEqual([answer.status, answer.body['code']], [401, 'OPERATOR_TOKEN_INVALID']);
  });
}
