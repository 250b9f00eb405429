/** How many quotes a credential may have stored in a day, and which of them are kept. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const LIMIT = 3;
const DAY_MS = 86_400_000;

describe('QUOTES_PER_DAY', () => {
  let installation: Installation;
  before(async () => {
    installation = await openInstallation();
    await installation.importLines([HOTEL_PONTE]);
  });
  after(() => installation.close());
  const body = quoteBody('hotel-ponte', '2026-12-01', '2026-12-04');

  it('refuses the next one until the day ends, and nothing else', async () => {
    const { token } = await installation.issue();
    const { partnerUrl } = await installation.serve({ QUOTES_PER_DAY: String(LIMIT) });
    const partner = new PartnerClient(partnerUrl, token);
    const outcomes: string[] = [];
    for (let count = 0; count <= LIMIT; count++) outcomes.push((await partner.quote(body)).outcome);
    assert.deepEqual(outcomes, ['201', '201', '201', '429 RATE_LIMIT_EXCEEDED']);

    const refused = await partner.quote(body);
    const midnightMs = Math.ceil(installation.time.nowMs / DAY_MS) * DAY_MS;
    assert.equal(refused.header('retry-after'), String((midnightMs - installation.time.nowMs) / 1000));
    assert.equal(refused.header('x-ratelimit-limit'), String(LIMIT));
    assert.equal(refused.header('x-ratelimit-remaining'), '0');
    assert.equal(refused.header('x-ratelimit-reset'), String(midnightMs / 1000));
    assert.match(refused.problem.detail ?? '', /3 quotes/);

    assert.equal((await partner.property('hotel-ponte')).outcome, '200');
    const other = new PartnerClient(partnerUrl, (await installation.issue()).token);
    await until(async () => (await other.quote(body)).outcome === '201');
    installation.time.nowMs = midnightMs;
    assert.equal((await partner.quote(body)).outcome, '201');
  });

  it('counts what is stored only, of test tokens too, and survives a restart', async () => {
    const { token } = await installation.issue({ isTest: true });
    const service = await installation.serve({ QUOTES_PER_DAY: '2' });
    const partner = new PartnerClient(service.partnerUrl, token);
    const sandboxBody = quoteBody('test-always', '2026-12-01', '2026-12-04');
    const unknown = quoteBody('nowhere', '2026-12-01', '2026-12-04');
    assert.equal((await partner.quote(unknown)).outcome, '404 PROPERTY_NOT_FOUND');
    assert.equal((await partner.quote(sandboxBody)).outcome, '201');
    await service.close();
    const again = new PartnerClient((await installation.serve({ QUOTES_PER_DAY: '2' })).partnerUrl, token);
    assert.equal((await again.quote(sandboxBody)).outcome, '201');
    await until(async () => (await again.quote(unknown)).outcome === '429 RATE_LIMIT_EXCEEDED');
  });

  it('is unbounded with 0', async () => {
    const { token } = await installation.issue();
    const { partnerUrl } = await installation.serve({ QUOTES_PER_DAY: '0' });
    const partner = new PartnerClient(partnerUrl, token);
    for (let count = 0; count < 5; count++) assert.equal((await partner.quote(body)).outcome, '201');
  });

  it("keeps a quote as opened that the operator's own page has resolved, without counting a visit", async () => {
    const { storage } = installation;
    const { token } = await installation.issue();
    const operatorToken = await installation.issueOperatorToken();
    const { partnerUrl, operatorUrl } = await installation.serve();
    const partner = new PartnerClient(partnerUrl, token);
    const [resolved, unopened] = [(await partner.quote(body)).success, (await partner.quote(body)).success];
    const today = Math.floor(installation.time.nowMs / DAY_MS);
    const handoff = new URL(resolved.handoffUrl).searchParams.get('handoff');
    const answer = await fetch(`${operatorUrl}/handoff/resolve`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ handoff }),
    });
    assert.equal(answer.status, 200);
    await answer.arrayBuffer();
    const slice = {
      after: { expiresAtMs: 0, quoteId: '' },
      expiredBeforeMs: installation.time.nowMs + DAY_MS,
      limit: 1_000,
    };
    // Visits are written behind the answers.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await storage.deleteUnopenedQuotes(slice);
    assert.ok(await storage.findQuote(resolved.quoteId));
    assert.equal(await storage.findQuote(unopened.quoteId), undefined);
    const [row] = await storage.readAttribution(today, today);
    assert.equal(row?.opened, 0);
  });
});
