/** HEAD answers as GET does: same checks, same headers, without a body; and it counts. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type RunningServer, startPartnerServer, TOKENS } from '../../../test/kit/http-fixtures.ts';
import { onlyAnswer } from '../../../test/kit/answer-checks.ts';
import { exchange, type RawAnswer } from '../../../test/kit/raw-client.ts';

const STAY = 'checkIn=2026-12-01&checkOut=2026-12-02';
const PATHS: readonly [path: string, status: number][] = [
  ['/v1/properties?city=Venezia', 200],
  ['/v1/properties', 400],
  ['/v1/properties/hotel-ponte', 200],
  ['/v1/properties/nope', 404],
  [`/v1/properties/hotel-ponte/availability?${STAY}`, 200],
  [`/prices/v1/stays?city=Venezia&${STAY}`, 200],
  [`/prices/v1/stays?city=Venezia&${STAY}&sort=total`, 200],
  ['/prices/v1/properties/nope/calendar', 404],
  ['/content/v1/properties?city=Venezia', 200],
  ['/content/v1/properties/hotel-ponte', 200],
  ['/docs', 200],
  ['/extras/openapi.json', 200],
  ['/openapi.json', 200],
  ['/nope', 404],
];

describe('HEAD', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  async function ask(method: string, path: string, token: string = TOKENS.full): Promise<RawAnswer> {
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const { answers, rest } = await exchange(server.port, [request], { isHead: method === 'HEAD' });
    assert.equal(rest, '', `${method} ${path}: bytes behind the answer`);
    return onlyAnswer(answers, `${method} ${path}`);
  }

  /** Without headers that differ between requests. */
  function headersOf({ headers }: RawAnswer): Record<string, string> {
    const {
      'x-correlation-id': _id,
      date: _date,
      'x-ratelimit-remaining': _left,
      ...same
    } = Object.fromEntries(headers);
    return same;
  }

  for (const [path, status] of PATHS) {
    it(`${path} has the headers of GET (${status})`, async () => {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
      assert.deepEqual([get.status, head.status], [status, status]);
      const { 'content-length': length, ...others } = headersOf(get);
      const { 'content-length': headLength, ...headOthers } = headersOf(head);
      assert.deepEqual(headOthers, others);
      // The correlation id stands in a problem's body, and need not have the same length.
      if (status === 200) assert.equal(headLength, length);
      assert.ok(Number(headLength) > 0);
    });
  }

  it('passes the same checks', async () => {
    assert.equal((await ask('HEAD', '/v1/properties/hotel-ponte', TOKENS.revoked)).status, 401);
    assert.equal(
      (await ask('HEAD', `/v1/properties/x/availability?${STAY}`, TOKENS.propertiesOnly)).status,
      403,
    );
  });

  it('counts against the limits', async () => {
    const left = async (method: string): Promise<number> =>
      Number((await ask(method, '/v1/properties/hotel-ponte')).headers.get('x-ratelimit-remaining'));
    const leftBefore = await left('GET');
    assert.equal(await left('HEAD'), leftBefore - 1);
    assert.equal(await left('GET'), leftBefore - 2);
  });
});
