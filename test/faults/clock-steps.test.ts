/**
 * The clock of the machine is set an hour ahead or back while the service runs: what expires goes by the new time,
 * what only lasts (windows, the age of the catalogue) takes no notice, and nothing that was revoked comes back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListedChanges } from '../../src/partner/changes/change-feed.ts';
import { revokeCredential } from '../../src/access/credential-changes.ts';
import { until } from '../kit/command-line.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { exchange } from '../kit/http-exchange.ts';
import { NOW_MS, type Running, startInstallation, valueOf } from '../kit/installation.ts';
import { type Answer, PartnerClient, quoteBody } from '../kit/partner-client.ts';

const HOUR_MS = 3_600_000;
const QUOTE_TTL_MS = 1_800_000;
const WINDOW_SECONDS = 60;
const QUOTA = 5;
/** Several polls of the database, so that a step has every chance to be noticed. */
const NOTICED_MS = 300;
const STEPS = [
  ['ahead', HOUR_MS],
  ['back', -HOUR_MS],
] as const;

describe('A clock that steps by an hour', () => {
  let running: Running;
  let operatorToken: string;
  before(async () => {
    mock.timers.enable({ apis: ['Date'], now: NOW_MS });
    running = await startInstallation([hotel('hotel-ponte')], { STALENESS_MAX_SECONDS: '2' });
    operatorToken = await running.installation.issueOperatorToken();
    await until(async () => (await quote()).status === 201);
  });
  after(async () => {
    await running.installation.close();
    mock.timers.reset();
  });

  const quote = () => running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
  const clientOf = (token: string) => new PartnerClient(running.service.partnerUrl, token);
  const property = async (token: string): Promise<string> =>
    (await clientOf(token).property('hotel-ponte')).outcome;

  /** Of the machine and of the service, which is told its time by the test. */
  async function setClock(nowMs: number): Promise<void> {
    running.installation.time.nowMs = nowMs;
    mock.timers.setTime(nowMs);
    await sleep(NOTICED_MS);
  }

  async function resolve(handoffUrl: string): Promise<unknown> {
    const received = await exchange(running.service.operatorUrl, {
      method: 'POST',
      path: '/handoff/resolve',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ handoff: new URL(handoffUrl).searchParams.get('handoff') }),
    });
    return JSON.parse(Buffer.from(received.body).toString()).outcome;
  }

  function assertWindow(answer: Answer<unknown>, nowMs: number): void {
    const inSeconds = Number(answer.header('x-ratelimit-reset')) - nowMs / 1000;
    assert.ok(inSeconds > 0 && inSeconds <= WINDOW_SECONDS + 1, `the window ends in ${inSeconds} s`);
  }

  for (const [direction, stepMs] of STEPS) {
    it(`${direction}, and then to where it was, leaves a window as long as it is`, async () => {
      const { token } = await running.installation.issue({ quota: QUOTA });
      await until(async () => (await clientOf(token).property('hotel-ponte')).status === 200);
      let answer = await clientOf(token).property('hotel-ponte');
      while (answer.status === 200) answer = await clientOf(token).property('hotel-ponte');
      for (const nowMs of [NOW_MS, NOW_MS + stepMs, NOW_MS]) {
        await setClock(nowMs);
        answer = await clientOf(token).property('hotel-ponte');
        assert.equal(answer.outcome, '429 RATE_LIMIT_EXCEEDED');
        assertWindow(answer, nowMs);
        const retryAfter = Number(answer.header('retry-after'));
        assert.ok(retryAfter >= 1 && retryAfter <= WINDOW_SECONDS, `wait for ${retryAfter} s`);
      }
    });

    it(`${direction}, leaves the service ready and its catalogue fresh, and follows changes`, async () => {
      await setClock(NOW_MS + stepMs);
      assert.equal((await exchange(running.service.operatorUrl, { path: '/readyz' })).status, 200);
      const name = `Changed an hour ${direction}`;
      await running.installation.importLines([hotel('hotel-ponte', { name })]);
      await until(async () => (await running.partner.property('hotel-ponte')).success.name === name);
      const { success } = await quote();
      assert.equal(Date.parse(success.expiresAt), NOW_MS + stepMs + QUOTE_TTL_MS);
      assert.equal(await resolve(success.handoffUrl), 'unchanged');
      await setClock(NOW_MS);
    });
  }

  it('leaves a request that waits for changes as long as it asked, and told in time', async () => {
    const ask = async (query: string) => {
      const answer = await running.partner.ask('listChanges', { path: `/feeds/v1/changes${query}` });
      return answer.success as ListedChanges;
    };
    for (const [, stepMs] of STEPS) {
      const { next } = await ask('');
      const startedMs = performance.now();
      const waiting = ask(`?since=${next}&wait=3`);
      await setClock(NOW_MS + stepMs);
      assert.deepEqual((await waiting).changes, []);
      const tookMs = performance.now() - startedMs;
      assert.ok(tookMs > 2_500 && tookMs < 10_000, `${tookMs} ms`);
      const told = ask(`?since=${next}&wait=20`);
      await setClock(NOW_MS);
      await running.installation.importLines([hotel('hotel-ponte', { name: `After a step of ${stepMs}` })]);
      assert.deepEqual((await told).changes, [{ propertyId: 'hotel-ponte', change: 'content' }]);
    }
  });

  it('makes a quote expire, and be valid again when the clock is set back', async () => {
    const { handoffUrl } = (await quote()).success;
    assert.equal(await resolve(handoffUrl), 'unchanged');
    await setClock(NOW_MS + HOUR_MS);
    assert.equal(await resolve(handoffUrl), 'expired');
    await setClock(NOW_MS - HOUR_MS);
    assert.equal(await resolve(handoffUrl), 'unchanged');
    await setClock(NOW_MS);
  });

  it('makes a credential expire, and be valid again when the clock is set back', async () => {
    const { token } = await running.installation.issue({ expiresAtMs: NOW_MS + HOUR_MS / 2 });
    await until(async () => (await property(token)) === '200');
    await setClock(NOW_MS + HOUR_MS);
    assert.equal(await property(token), '401 INVALID_PARTNER_CREDENTIAL');
    await setClock(NOW_MS - HOUR_MS);
    assert.equal(await property(token), '200');
    await setClock(NOW_MS);
  });

  it('never brings back what was revoked, whichever way it steps', async () => {
    const { token, credentialId } = await running.installation.issue();
    await until(async () => (await property(token)) === '200');
    valueOf(await revokeCredential(running.installation.access, credentialId));
    await until(async () => (await property(token)) === '401 PARTNER_ACCESS_REVOKED');
    for (const [, stepMs] of STEPS) {
      await setClock(NOW_MS + stepMs);
      assert.equal(await property(token), '401 PARTNER_ACCESS_REVOKED');
    }
    await setClock(NOW_MS);
  });
});
