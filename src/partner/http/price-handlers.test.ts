import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessRows, type RunningServer, startPartnerServer } from '../../../test/kit/http-fixtures.ts';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import type { Ask, Asked } from '../../read-model/catalogue/questions/questions.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-02', guests: 2 };
const SEARCH = `/prices/v1/stays?city=Venezia&checkIn=${STAY.checkIn}&checkOut=${STAY.checkOut}&sort=total`;
const ASKED: Readonly<Record<string, readonly [path: string, body?: object]>> = {
  search: [SEARCH],
  'flexible stays': ['/prices/v1/flexible-stays?city=Venezia&checkInFrom=2026-12-01&nights=2'],
  'days of a city': ['/prices/v1/days?city=Venezia'],
  'properties by id': ['/prices/v1/stays', { propertyIds: ['hotel-ponte'], stay: STAY }],
  calendar: ['/prices/v1/properties/hotel-ponte/calendar?from=2026-12-01'],
  cities: ['/places/v1/cities?text=ven'],
};

/** Answers each question when it is told to. */
class Elsewhere {
  readonly asked: Asked[] = [];
  #waiting: ((answer: unknown) => void)[] = [];

  readonly ask: Ask = (_kind, _about, asked) => {
    this.asked.push(asked());
    return new Promise<never>((resolve) => this.#waiting.push(resolve as (answer: unknown) => void));
  };

  async waits(): Promise<void> {
    for (let looks = 0; this.#waiting.length === 0; looks += 1) {
      assert.ok(looks < 10_000, 'no question came');
      await sleep(1);
    }
  }

  /** Once a question waits. */
  async answerAll(answer: unknown): Promise<void> {
    await this.waits();
    for (const resolve of this.#waiting.splice(0)) resolve(answer);
  }
}

describe('Questions that another thread answers', () => {
  const elsewhere = new Elsewhere();
  let directory = buildAccessDirectory(accessRows());
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer({ ask: elsewhere.ask, access: () => directory });
  });
  after(() => server.close());

  function ask([path, body]: readonly [path: string, body?: object]): Promise<Response> {
    if (body === undefined) return server.fetch(path);
    const headers = { 'content-type': 'application/json' };
    return server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  for (const [name, asked] of Object.entries(ASKED)) {
    it(`are refused with 503 and the time to try again where too many wait: ${name}`, async () => {
      const asking = ask(asked);
      await elsewhere.answerAll('busy');
      const response = await asking;
      const { detail } = (await response.json()) as { readonly detail: string };
      assert.equal(response.status, 503);
      assert.match(detail, /too many (prices of stays under way|cities at once)/);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
    });

    it(`are not answered to a credential that was revoked meanwhile: ${name}`, async () => {
      const asking = ask(asked);
      await elsewhere.waits();
      directory = buildAccessDirectory(accessRows({ revokedAtMs: 1 }));
      await elsewhere.answerAll({ body: Buffer.from('{"secret":1}'), found: undefined });
      const response = await asking;
      directory = buildAccessDirectory(accessRows());
      assert.equal(response.status, 401);
      assert.ok(!(await response.text()).includes('secret'));
    });
  }

  it('are dropped when the client goes away', async () => {
    const client = new AbortController();
    const asking = server.fetch(SEARCH, { signal: client.signal }).catch(() => 'gone');
    await elsewhere.waits();
    const { gone, asker } = elsewhere.asked.at(-1)!;
    assert.equal(asker, 'cred_full');
    client.abort();
    if (!gone.aborted) await once(gone, 'abort');
    assert.equal(await asking, 'gone');
    await elsewhere.answerAll('busy');
  });

  it('leave other requests as they are', async () => {
    const asking = ask(ASKED['search']!);
    assert.equal((await server.fetch('/v1/properties?city=Venezia')).status, 200);
    await elsewhere.answerAll('busy');
    await asking;
  });
});
