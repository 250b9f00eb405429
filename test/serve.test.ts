/** `serve` as a child process: what commands change shows in the running server within a second. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { daysAhead, openNow } from './kit/catalogue-lines.ts';
import { type RunningServer, SAMPLE, startServer, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

/**
 * A second, as `test/e2e/partner/changes.test.ts` measures it; here a process of its own may have to wait for a processor.
 */
const VISIBLE_WITHIN_MS = 5_000;
const ITALY = readFileSync(join(SAMPLE, 'italy.ndjson'), 'utf8').trimEnd().split('\n');

describe('A running server', () => {
  // The test asks far more often than any client.
  const workplace = new WorkplaceHere({ INGRESS_LIMIT: '0' });
  let server: RunningServer;
  before(async () => {
    server = await startServer(workplace);
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  });
  after(async () => workplace.remove());

  it('knows a new credential, and no longer a revoked one, within a second', async () => {
    const { token, credentialId } = await issue();
    await becomes(async () => (await get('/v1/properties?city=x', token)).status, 200);
    await workplace.json(['credential', 'revoke', credentialId]);
    await becomes(async () => (await get('/v1/properties?city=x', token)).status, 401);
    const problem = await jsonOf(await get('/v1/properties?city=x', token));
    assert.equal(problem.code, 'PARTNER_ACCESS_REVOKED');
  });

  it('knows within a second that a partner is disabled, and enabled again', async () => {
    const { token } = await issue();
    await becomes(async () => (await get('/v1/properties?city=x', token)).status, 200);
    await workplace.json(['partner', 'update', 'acme', '--disable']);
    await becomes(async () => (await get('/v1/properties?city=x', token)).status, 401);
    await workplace.json(['partner', 'update', 'acme', '--enable']);
    await becomes(async () => (await get('/v1/properties?city=x', token)).status, 200);
  });

  it('shows an import, a change and a withdrawal within a second', async () => {
    const { token } = await issue();
    const path = '/v1/properties/trulli-della-valle?locale=en-GB';
    const nameOf = async (): Promise<unknown> => (await jsonOf(await get(path, token))).name;
    await becomes(async () => (await get(path, token)).status, 404);
    await workplace.json(['import', 'catalogue', '-'], { input: ITALY.join('\n') });
    await becomes(nameOf, 'Valley Trulli');
    const renamed = {
      ...JSON.parse(ITALY.find((line) => line.includes('trulli-della-valle'))!),
      name: 'Trulli Nuovi',
    };
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(renamed) });
    await becomes(nameOf, 'Trulli Nuovi');
    await workplace.json(['property', 'withdraw', 'trulli-della-valle']);
    await becomes(async () => (await get(path, token)).status, 404);
  });

  it('seals with a new handoff key within a second, and still opens the values of the old one', async () => {
    const { token } = await issue();
    await workplace.json(['import', 'catalogue', '-'], { input: openDocument() });
    const first = await quoteWhenPossible(token);
    const { keyId } = await workplace.json(['handoff', 'rotate-key']);
    await becomes(async () => (await inspect((await quote(token)).handoffUrl)).keyId, keyId);
    assert.notEqual((await inspect(first.handoffUrl)).keyId, keyId);
  });

  it('has stored what quote show and handoff inspect print', async () => {
    const { token } = await issue();
    await workplace.json(['import', 'catalogue', '-'], { input: openDocument() });
    const answer = await quoteWhenPossible(token);
    const shown = await workplace.json(['quote', 'show', answer.quoteId]);
    const { partnerId, locale, createdAt, inventoryTypeId, discount, nights, taxes, ...asGiven } = shown;
    assert.deepEqual(asGiven, answer);
    assert.deepEqual([partnerId, locale, inventoryTypeId, discount], ['acme', 'en-GB', 'double', null]);
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
    assert.deepEqual(
      nights.map((night: { price: string }) => night.price),
      ['120.00', '120.00'],
    );
    assert.equal(taxes[0].amount, '8.00');
    const { keyId: _, ...bound } = await inspect(answer.handoffUrl);
    assert.deepEqual(bound, {
      valid: true,
      expired: false,
      quoteId: answer.quoteId,
      propertyId: 'open-house',
      checkIn: answer.stay.checkIn,
      checkOut: answer.stay.checkOut,
      guests: 2,
      locale: 'en-GB',
      partnerId: 'acme',
      total: '248.00',
      currency: 'EUR',
      expiresAt: answer.expiresAt,
    });
    const readable = await workplace.run(['quote', 'show', answer.quoteId]);
    assert.match(readable.stdout, /total +248\.00 EUR/);
  });

  it('takes operator tokens on the operator listener within a second', async () => {
    const { token } = await workplace.json(['operator-token', 'issue', '--name', 'web shop']);
    const resolve = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ handoff: 'abc' });
      return (await fetch(`${server.operatorUrl}/handoff/resolve`, { method: 'POST', headers, body })).status;
    };
    await becomes(resolve, 400);
  });

  async function issue(): Promise<{ token: string; credentialId: string }> {
    return await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '10000']);
  }

  async function get(path: string, token: string): Promise<Response> {
    return await fetch(`${server.partnerUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
  }

  async function quote(token: string) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const stay = { checkIn: daysAhead(2), checkOut: daysAhead(4), guests: 2 };
    const body = JSON.stringify({ propertyId: 'open-house', stay, locale: 'en-GB' });
    const response = await fetch(`${server.partnerUrl}/v1/quotes`, { method: 'POST', headers, body });
    return { status: response.status, ...(await jsonOf(response)) };
  }

  async function quoteWhenPossible(token: string) {
    await becomes(async () => (await quote(token)).status, 201);
    const { status: _, ...answer } = await quote(token);
    return answer;
  }

  async function inspect(handoffUrl: string) {
    return await workplace.json(['handoff', 'inspect', new URL(handoffUrl).searchParams.get('handoff')!]);
  }
});

/** What `read` answers is `expected` soon. */
async function becomes(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  let last: unknown;
  const isSo = async (): Promise<boolean> => {
    last = await read();
    return last === expected;
  };
  await until(isSo, VISIBLE_WITHIN_MS).catch(() => assert.equal(last, expected));
}

function openDocument(): string {
  const taxes = [{ code: 'city', kind: 'city_tax', logic: 'per_person_per_night', amount: '2.00' }];
  return JSON.stringify(openNow('open-house', { taxes }));
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers; the assertions judge it
async function jsonOf(response: Response): Promise<any> {
  return await response.json();
}
