/** The alerts, the dashboard and the operators' page, held against what a running service tells. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ALL_OPERATIONS } from '../src/contract/partner/extra-operations.ts';
import { CREDENTIAL_OUTCOMES } from '../src/http/observability/metrics/request-meter.ts';
import { PROBLEM_CODES } from '../src/contract/partner/problems.ts';
import { startServer, Workplace } from './kit/command-line.ts';

const ROOT = join(import.meta.dirname, '..');
const METRIC_NAME = /\b(?:stayport|process|nodejs)_[a-z0-9_]+\b/g;
const ALERT_NAME = /`(Stayport[A-Z]\w+)`/g;
/** `code="OK"`, `operation=~"a|b"`; what is a variable of the dashboard or a pattern is not taken. */
const MATCHER = /\b(\w+)=~?"([\w.|]+)"/g;
/** Prometheus' own. */
const JOB = 'stayport';

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const allMatches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, group]) => group ?? whole);

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

const page = readText('docs/operating.md');
const { groups } = parse(readText('ops/alerts.yaml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(readText('ops/grafana-dashboard.json')) as Dashboard;
const shown = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }): [string, string] => [title, expr]),
);

describe('What watches the service', () => {
  // With several workers there are the metrics of one process and those of the machine.
  const workplace = new Workplace({ WORKERS: '2' });
  let own: readonly string[];
  /** Of families, and the series of histograms. */
  let names: ReadonlySet<string>;
  let labelValues: ReadonlySet<string>;
  before(async () => {
    const { operatorUrl, partnerUrl } = await startServer(workplace);
    await (await fetch(`${partnerUrl}/v1/properties?city=Venezia`)).text();
    const text = await (await fetch(`${operatorUrl}/metrics`)).text();
    own = allMatches(text, /^# TYPE (stayport_\w+) /gm);
    const histograms = allMatches(text, /^# TYPE (\w+) histogram$/gm);
    names = new Set([
      ...allMatches(text, /^# TYPE (\w+) /gm),
      ...histograms.flatMap((name) => [`${name}_bucket`, `${name}_sum`, `${name}_count`]),
    ]);
    labelValues = new Set([
      ...[...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => `${label}=${value}`),
      ...ALL_OPERATIONS.map(({ operationId }) => `operation=${operationId}`),
      ...PROBLEM_CODES.map((code) => `code=${code}`),
      // Told by PostgreSQL alone: test/metrics.test.ts.
      'state=waiting',
      ...CREDENTIAL_OUTCOMES.map((outcome) => `outcome=${outcome}`),
      `job=${JOB}`,
    ]);
  });
  after(() => workplace.remove());

  it('has alerts about metrics and labels that exist', () => {
    assert.ok(alerts.length >= 10);
    assertKnown(alerts.map(({ alert, expr }) => [alert, expr]));
    for (const { alert, labels, annotations } of alerts) {
      assert.match(labels.severity, /^(?:critical|warning)$/, alert);
      assert.ok(annotations.summary.length > 0, alert);
    }
  });

  it('has a dashboard of metrics that exist, and all of ours are on it', () => {
    assertKnown(shown);
    const onDashboard = new Set(shown.flatMap(([, expr]) => expr.match(METRIC_NAME) ?? []));
    const missing = own.filter(
      (name) => !onDashboard.has(name) && ![...onDashboard].some((series) => series.startsWith(`${name}_`)),
    );
    assert.deepEqual(missing, []);
  });

  it('is explained to operators: all of our metrics, all alerts, and none that do not exist', () => {
    const alertNames = alerts.map(({ alert }) => alert);
    const unexplained = [...own, ...alertNames].filter((name) => !page.includes(`\`${name}\``));
    assert.deepEqual(unexplained, []);
    const unknownMetrics = (page.match(METRIC_NAME) ?? []).filter((name) => !names.has(name));
    assert.deepEqual(unknownMetrics, []);
    const unknownAlerts = allMatches(page, ALERT_NAME).filter((name) => !alertNames.includes(name));
    assert.deepEqual(unknownAlerts, []);
  });

  /** Parentheses and braces fit; every name and every label value is one that a live process has. */
  function assertKnown(exprs: readonly (readonly [where: string, expr: string])[]): void {
    for (const [where, expr] of exprs) {
      for (const pair of ['()', '{}', '[]']) {
        const [openCount, closeCount] = [...pair].map((sign) => expr.split(sign).length);
        assert.equal(openCount, closeCount, `${where}: ${expr}`);
      }
      const used = expr.match(METRIC_NAME) ?? [];
      if (!expr.startsWith('up{')) assert.ok(used.length > 0, where);
      for (const name of used) assert.ok(names.has(name), `${where}: ${name} is not a metric`);
      for (const [, label, values] of expr.matchAll(MATCHER)) {
        // `5..` stands for every status of a failure.
        for (const value of values!.split('|').filter((one) => !one.includes('.'))) {
          assert.ok(labelValues.has(`${label}=${value}`), `${where}: no ${label} is ${value}`);
        }
      }
    }
  }
});
