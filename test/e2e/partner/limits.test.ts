/** The two limits: requests per source address, and requests per credential (SPEC 8). */
import assert from 'node:assert/strict';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { type Answer, GOOD_REQUESTS, OPERATION_IDS, PartnerClient } from '../../kit/partner-client.ts';

const QUOTA = 10;
const INGRESS_LIMIT = 12;
const WINDOW_SECONDS = 60;

/** One credential for each test that uses up a quota, by the name of what it is used for. */
const QUOTAS = {
  countdown: QUOTA,
  concurrent: QUOTA,
  refusals: 3,
  first: 1,
  second: 1,
  roomy: 1_000_000,
  behindIngress: INGRESS_LIMIT + 1,
  standard: 120,
} as const;
type Purpose = keyof typeof QUOTAS;

let installation: Installation;
const tokens = new Map<Purpose, string>();
/** Without an ingress limit; with a small one behind a trusted proxy; with that of the contract. */
let unlimited: Served;
let limited: Served;
let standard: Served;
before(async () => {
  installation = await openInstallation();
  await installation.importLines([HOTEL_PONTE]);
  for (const [purpose, quota] of Object.entries(QUOTAS) as [Purpose, number][]) {
    tokens.set(purpose, (await installation.issue({ quota, scopes: ALL_SCOPE_NAMES })).token);
  }
  unlimited = await installation.serve();
  limited = await installation.serve({
    INGRESS_LIMIT: `${INGRESS_LIMIT}`,
    TRUSTED_PROXIES: '127.0.0.0/8',
  });
  standard = await installation.serve({ INGRESS_LIMIT: '' });
});
after(() => installation.close());

/** X-RateLimit-Limit, -Remaining and Retry-After of an answer, and whether its window ends as it should. */
function limitOf(answer: Answer<unknown>) {
  const number = (name: string) => {
    const text = answer.header(name);
    return text === undefined ? undefined : Number(text);
  };
  const resetSeconds = number('x-ratelimit-reset');
  if (resetSeconds !== undefined) {
    const inSeconds = resetSeconds - Date.now() / 1000;
    assert.ok(inSeconds > 0 && inSeconds <= WINDOW_SECONDS + 1, `the window ends in ${inSeconds} s`);
  }
  return {
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    retryAfter: number('retry-after'),
  };
}

function assertRetryAfter(answer: Answer<unknown>): void {
  const { retryAfter = 0 } = limitOf(answer);
  assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= WINDOW_SECONDS, `${retryAfter}`);
}

describe('the quota of a credential', () => {
  const clientFor = (purpose: Purpose) => new PartnerClient(unlimited.partnerUrl, tokens.get(purpose));

  it('counts down over all operations; beyond it every one is refused', async () => {
    const client = clientFor('countdown');
    for (let count = 1; count <= QUOTA; count++) {
      const operationId = OPERATION_IDS[count % OPERATION_IDS.length]!;
      const answer = await client.ask(operationId, GOOD_REQUESTS[operationId]);
      assert.ok(answer.status < 300, answer.text);
      const expected = { limit: QUOTA, remaining: QUOTA - count, retryAfter: undefined };
      assert.deepEqual(limitOf(answer), expected);
    }
    for (const operationId of OPERATION_IDS) {
      const answer = await client.ask(operationId, GOOD_REQUESTS[operationId]);
      assert.equal(answer.outcome, '429 RATE_LIMIT_EXCEEDED');
      assert.equal(limitOf(answer).limit, QUOTA);
      assert.equal(limitOf(answer).remaining, 0);
      assertRetryAfter(answer);
    }
  });

  it('admits exactly as many of many requests at once', async () => {
    const client = clientFor('concurrent');
    const asked = Array.from({ length: 4 * QUOTA }, () => client.property('hotel-ponte'));
    const answers = await Promise.all(asked);
    assert.equal(answers.filter(({ status }) => status === 200).length, QUOTA);
    const left = answers.flatMap((answer) => (answer.status === 200 ? [limitOf(answer).remaining] : []));
    assert.deepEqual(
      left.toSorted((a, b) => Number(a) - Number(b)),
      Array.from({ length: QUOTA }, (_, index) => index),
    );
  });

  it('counts requests that are refused for what they ask', async () => {
    const client = clientFor('refusals');
    assert.equal((await client.property('a%20b')).status, 400);
    assert.equal((await client.property('nowhere')).status, 404);
    assert.equal((await client.quote('{')).status, 400);
    assert.equal((await client.property('hotel-ponte')).status, 429);
  });

  it('is of one credential, not of its partner', async () => {
    const [first, second] = [clientFor('first'), clientFor('second')];
    assert.equal((await first.property('hotel-ponte')).status, 200);
    assert.equal((await first.property('hotel-ponte')).status, 429);
    assert.equal((await second.property('hotel-ponte')).status, 200);
  });
});

describe('the ingress limit', () => {
  /** Behind a trusted proxy every test has source addresses of its own. */
  const from = (address: string, token = tokens.get('roomy')) =>
    new PartnerClient(limited.partnerUrl, token, { 'x-forwarded-for': address });

  it('counts every request of an address, of any partner and for any path', async () => {
    const good = from('192.0.2.1');
    const stranger = from('192.0.2.1', 'sp_live_nobody');
    for (let count = 0; count < INGRESS_LIMIT; count += 3) {
      assert.equal((await good.property('hotel-ponte')).status, 200);
      assert.equal((await stranger.property('hotel-ponte')).status, 401);
      assert.equal((await good.ask(null, { path: '/v1/nowhere' })).status, 404);
    }
    for (const client of [good, stranger]) {
      assert.equal((await client.property('hotel-ponte')).outcome, '429 RATE_LIMIT_EXCEEDED');
    }
  });

  it('describes itself when it refuses; before that, answers describe the quota', async () => {
    const client = from('192.0.2.2');
    for (let count = 1; count <= INGRESS_LIMIT; count++) {
      assert.equal(limitOf(await client.property('hotel-ponte')).limit, 1_000_000);
    }
    const answer = await client.property('hotel-ponte');
    assert.deepEqual([limitOf(answer).limit, limitOf(answer).remaining], [INGRESS_LIMIT, 0]);
    assertRetryAfter(answer);
  });

  it('is of one address: another one is still served', async () => {
    const client = from('192.0.2.3');
    for (let count = 0; count <= INGRESS_LIMIT; count++) await client.property('hotel-ponte');
    assert.equal((await client.property('hotel-ponte')).status, 429);
    assert.equal((await from('192.0.2.4').property('hotel-ponte')).status, 200);
  });

  it('is not escaped by addresses that the caller makes up', async () => {
    for (let count = 0; count < INGRESS_LIMIT; count++) {
      assert.equal((await from(`198.51.100.${count}, 192.0.2.5`).property('hotel-ponte')).status, 200);
    }
    assert.equal((await from('198.51.100.99, 192.0.2.5').property('hotel-ponte')).status, 429);
  });

  it('does not use up the quota with requests that it refuses', async () => {
    const small = tokens.get('behindIngress');
    const client = from('192.0.2.6', small);
    for (let count = 0; count < INGRESS_LIMIT + 5; count++) await client.property('hotel-ponte');
    assert.equal(limitOf(await from('192.0.2.7', small).property('hotel-ponte')).remaining, 0);
  });
});

describe('the limits of the contract', () => {
  it('are 300 requests per address and 120 per credential unless the operator sets others', async () => {
    const client = new PartnerClient(standard.partnerUrl, tokens.get('standard'));
    const statuses: number[] = [];
    for (let count = 1; count <= 301; count++) statuses.push((await client.property('hotel-ponte')).status);
    assert.deepEqual(
      [120, 121, 300, 301].map((count) => statuses[count - 1]),
      [200, 429, 429, 429],
    );
    assert.equal(limitOf(await client.property('hotel-ponte')).limit, 300);
  });
});
