/** The metrics of a whole service after known requests, and everything that is made for them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { until } from './command-line.ts';
import { hotel } from './e2e/catalogue-lines.ts';
import { type Running, startInstallation } from './e2e/installation.ts';
import { quoteBody } from './e2e/partner-client.ts';

const ROOT = join(import.meta.dirname, '..');
const METRIC_NAME = /\b(?:stayport|process|nodejs)_[a-z0-9_]+\b/g;

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface AlertFile {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
}
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

describe('Metrics', () => {
  let running: Running;
  let text: string;
  /** Of families, and the series of histograms. */
  let names: ReadonlySet<string>;

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
    text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    names = familyNames(text);
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

  it('are what the alerts ask for', () => {
    const { groups } = parse(readText('ops/alerts.yaml')) as AlertFile;
    const rules = groups.flatMap((group) => group.rules);
    assert.ok(rules.length >= 10);
    assertKnown(rules.map(({ alert, expr }) => [alert, expr]));
    for (const { alert, labels, annotations } of rules) {
      assert.match(labels.severity, /^(?:critical|warning)$/, alert);
      assert.ok(annotations.summary.length > 0, alert);
    }
  });

  it('are what the dashboard shows, and all of ours are on it', () => {
    const { panels } = JSON.parse(readText('ops/grafana-dashboard.json')) as Dashboard;
    const exprs = panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }): [string, string] => [title, expr]),
    );
    assertKnown(exprs);
    const shown = new Set(exprs.flatMap(([, expr]) => expr.match(METRIC_NAME) ?? []));
    const missing = ownFamilies().filter(
      (name) => !shown.has(name) && ![...shown].some((series) => series.startsWith(`${name}_`)),
    );
    assert.deepEqual(missing, []);
  });

  it('and alerts are all explained to operators', () => {
    const page = readText('docs/operating.md');
    const { groups } = parse(readText('ops/alerts.yaml')) as AlertFile;
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    const unexplained = [...ownFamilies(), ...alerts].filter((name) => !page.includes(`\`${name}\``));
    assert.deepEqual(unexplained, []);
  });

  function ownFamilies(): string[] {
    return [...text.matchAll(/^# TYPE (stayport_\w+) /gm)].map(([, name]) => name!);
  }

  /** Parentheses and braces fit, and every name is one that a live process has. */
  function assertKnown(exprs: readonly (readonly [where: string, expr: string])[]): void {
    for (const [where, expr] of exprs) {
      for (const pair of ['()', '{}', '[]']) {
        const [openCount, closeCount] = [...pair].map((sign) => expr.split(sign).length);
        assert.equal(openCount, closeCount, `${where}: ${expr}`);
      }
      const used = expr.match(METRIC_NAME) ?? [];
      if (where !== 'StayportDown') assert.ok(used.length > 0, where);
      for (const name of used) assert.ok(names.has(name), `${where}: ${name} is no metric`);
    }
  }
});

function familyNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    names.add(name!);
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
  }
  return names;
}
