/** The metrics of a whole service after known requests. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describePostgres } from './suites/storage/postgres-fixture.ts';
import { until } from './kit/command-line.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { type Running, startInstallation } from './kit/installation.ts';
import { quoteBody } from './kit/partner-client.ts';

describe('Metrics', () => {
  let running: Running;
  let text: string;

  before(async () => {
    running = await startInstallation([hotel('ponte'), hotel('rialto')], { INGRESS_LIMIT: '1000' });
    const { service, partner, installation } = running;
    const quoted = await partner.quote(quoteBody('ponte', '2026-12-01', '2026-12-03'));
    await fetch(`${service.partnerUrl}/v1/properties?city=Venezia`);
    const { token } = await installation.issue({ quota: 1 });
    await until(async () => (await search(token)) !== 401);
    assert.equal(await search(token), 429);

    const operatorToken = await installation.issueOperatorToken();
    const handoff = new URL(quoted.success.handoffUrl).searchParams.get('handoff');
    await until(async () => (await resolve(operatorToken, handoff)) === 200);
    await resolve(operatorToken, 'not ours');
    // The tokens are revisions too, which the catalogue's loop has yet to see.
    await until(async () => {
      text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
      return valueOf('stayport_follower_lag_revisions') === 0;
    });
  });
  after(() => running.installation.close());

  async function search(token: string): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${running.service.partnerUrl}/v1/properties?city=Venezia`, { headers })).status;
  }

  async function resolve(operatorToken: string, handoff: string | null): Promise<number> {
    const answer = await fetch(`${running.service.operatorUrl}/handoff/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ handoff }),
    });
    return answer.status;
  }

  function valueOf(series: string): number {
    const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
    assert.ok(line !== undefined, `${series} in\n${text}`);
    return Number(line.slice(series.length + 1));
  }

  it('count answers by operation, status and code, those of refused requests included', () => {
    const count = (operation: string, status: number, code: string): number =>
      valueOf(`stayport_requests_total{operation="${operation}",status="${status}",code="${code}"}`);
    assert.equal(count('createPartnerQuote', 201, 'OK'), 1);
    assert.equal(count('listPartnerProperties', 401, 'PARTNER_AUTH_REQUIRED'), 1);
    assert.equal(count('listPartnerProperties', 429, 'RATE_LIMIT_EXCEEDED'), 1);
    assert.equal(count('listPartnerProperties', 200, 'OK'), 1);
    assert.equal(valueOf('stayport_request_duration_seconds_count{operation="createPartnerQuote"}'), 1);
    assert.match(text, /# TYPE stayport_request_duration_seconds histogram/);
  });

  it('count what the limits decided', () => {
    assert.equal(valueOf('stayport_limit_decisions_total{limit="quota",decision="refused"}'), 1);
    assert.equal(valueOf('stayport_limit_decisions_total{limit="quota",decision="passed"}'), 2);
    assert.equal(valueOf('stayport_limit_decisions_total{limit="ingress",decision="refused"}'), 0);
    assert.ok(valueOf('stayport_limit_decisions_total{limit="ingress",decision="passed"}') >= 4);
    assert.equal(valueOf('stayport_limits_shared'), 1);
  });

  it('tell the catalogue and how far it is behind', () => {
    assert.equal(valueOf('stayport_ready'), 1);
    assert.equal(valueOf('stayport_catalogue_properties'), 2);
    assert.equal(valueOf('stayport_catalogue_inventory_types'), 2);
    assert.equal(valueOf('stayport_catalogue_markets'), 1);
    assert.equal(valueOf('stayport_follower_lag_revisions'), 0);
    assert.ok(valueOf('stayport_follower_lag_seconds') < 5);
    assert.ok(valueOf('stayport_database_contact_age_seconds') < 5);
    assert.ok(valueOf('stayport_access_age_seconds') < 5);
  });

  it('count quotes and handoffs', () => {
    assert.equal(valueOf('stayport_quotes_stored_total'), 1);
    assert.equal(valueOf('stayport_handoffs_resolved_total{outcome="unchanged"}'), 1);
    assert.equal(valueOf('stayport_handoffs_resolved_total{outcome="invalid"}'), 1);
    assert.equal(valueOf('stayport_handoffs_resolved_total{outcome="expired"}'), 0);
  });

  it('tell the delay of the event loop', () => {
    const delay = (quantile: string): number =>
      valueOf(`stayport_event_loop_delay_seconds{quantile="${quantile}"}`);
    assert.ok(delay('0.5') <= delay('0.99') && delay('0.99') <= delay('1'));
    assert.equal(valueOf('stayport_overloaded'), 0);
    assert.equal(valueOf('stayport_requests_shed_total'), 0);
  });
});

describePostgres('The metrics of a service on PostgreSQL', (server) => {
  it('tell how much of each pool is used', async () => {
    const url = await server().createDatabase();
    const { installation, service } = await startInstallation([hotel('ponte')], {}, url);
    const text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    for (const pool of ['decisions', 'following', 'background']) {
      for (const state of ['open', 'idle', 'waiting', 'max']) {
        const series = `stayport_database_pool_connections{pool="${pool}",state="${state}"}`;
        const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
        assert.match(line ?? `${series} is missing`, /^\S+ \d+$/);
      }
    }
    assert.match(text, /\{pool="following",state="open"\} [123]\n/);
    await installation.close();
  });
});
