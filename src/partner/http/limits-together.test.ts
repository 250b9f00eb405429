import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOwnLimits } from '../../limits/own-limits.ts';
import { countNow, type CountRequest } from '../../limits/request-limits.ts';
import { createSharedLimits, fallbackTo } from '../../limits/shared-limits.ts';
import { type Overrides, startPartnerServer, TOKENS } from '../../../test/kit/http-fixtures.ts';

const PATH = '/v1/properties/hotel-ponte';

/** A server with limits elsewhere, and its calls to them. */
async function start(overrides: Overrides = {}) {
  const windows = createOwnLimits();
  const orders: CountRequest[] = [];
  const limits = createSharedLimits({
    counters: [
      {
        async count(asked) {
          orders.push(...asked);
          return asked.map((order) => countNow(windows, order));
        },
      },
    ],
    fallback: fallbackTo(createOwnLimits()),
    onLost: assert.fail,
    onBack: assert.fail,
  });
  const server = await startPartnerServer({
    ...limits,
    ...overrides,
    settings: { ingressLimit: 300, ...overrides.settings },
  });
  /** The counts of one request, as the kinds of their windows. */
  async function kindsOf(path: string, init?: RequestInit): Promise<string[]> {
    orders.length = 0;
    await (await server.fetch(path, init)).arrayBuffer();
    return orders.map(({ kind, next }) => (next === undefined ? kind : `${kind}+quota`));
  }
  return { server, windows, kindsOf, close: () => server.close() };
}

describe('limits that are held elsewhere', () => {
  it('are asked with one question, once the token was accepted', async () => {
    const { kindsOf, close } = await start();
    assert.deepEqual(await kindsOf(PATH), ['ingress', 'quota']);
    assert.deepEqual(await kindsOf(PATH), ['ingress+quota']);
    assert.deepEqual(await kindsOf('/v1/properties?unknown=1'), ['ingress+quota']);
    await close();
  });

  const others: readonly (readonly [string, string, RequestInit?])[] = [
    ['an unknown path', '/v1/nothing'],
    ['another method', PATH, { method: 'DELETE' }],
    ['an empty identifier', '/v1/properties//availability'],
    ['a page', '/problems/internal-error'],
    ['a preflight', PATH, { method: 'OPTIONS', headers: { origin: 'https://shop.example' } }],
    ['a wrong token', PATH, { headers: { authorization: `Bearer ${TOKENS.unknown}` } }],
    ['no token', PATH, { headers: { authorization: '' } }],
  ];
  for (const [what, path, init] of others) {
    it(`count nothing for the credential for ${what}`, async () => {
      const { kindsOf, close } = await start();
      await kindsOf(PATH);
      assert.deepEqual(await kindsOf(path, init), ['ingress']);
      await close();
    });
  }

  it('count nothing for the credential while the service is not ready', async () => {
    let isReady = true;
    const { kindsOf, close } = await start({
      readiness: () => (isReady ? 'ready' : { reason: 'not yet' }),
    });
    await kindsOf(PATH);
    isReady = false;
    assert.deepEqual(await kindsOf(PATH), ['ingress']);
    await close();
  });

  it('leave the quota alone when the ingress limit refuses', async () => {
    const { server, windows, close } = await start({ settings: { ingressLimit: 3 } });
    const answers: [number, string | null][] = [];
    for (let request = 1; request <= 5; request += 1) {
      const answer = await server.fetch(PATH);
      answers.push([answer.status, answer.headers.get('x-ratelimit-limit')]);
      await answer.arrayBuffer();
    }
    assert.deepEqual(answers, [
      [200, '1000000'],
      [200, '1000000'],
      [200, '1000000'],
      [429, '3'],
      [429, '3'],
    ]);
    assert.equal(windows.quota.hit('cred_full').count, 4);
    await close();
  });

  it('let exactly the quota of many requests at once pass', async () => {
    const { server, close } = await start({ settings: { ingressLimit: 120 } });
    const all = await Promise.all(Array.from({ length: 121 }, () => server.fetch(PATH)));
    assert.equal(all.filter(({ status }) => status === 200).length, 120);
    assert.equal(all.filter(({ status }) => status === 429).length, 1);
    await close();
  });
});
