/** A backup that is restored under a running service, as partners and supply systems meet it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { revokeCredential } from '../../../src/access/credential-changes.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type EarlierCopy, earlierSqlite } from '../../kit/earlier-copy.ts';
import { type Running, startInstallation, valueOf } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

const LONG_WAIT_SECONDS = 30;

let running: Running;
let copy: EarlierCopy;
let token: string;
before(async () => {
  running = await startInstallation([hotel('first'), hotel('second')]);
  token = await running.installation.issueOperatorToken();
  copy = earlierSqlite(running.installation.databasePath);
});
after(() => running.installation.close());

const operator = (path: string) =>
  fetch(`${running.service.operatorUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
const statusOf = async (partner: PartnerClient, propertyId: string) =>
  (await partner.property(propertyId)).status;

describe('a service whose database went back', () => {
  it('serves on, shows what there is now, and ends a wait for what was lost', async () => {
    const { installation, partner, service } = running;
    const kept = await installation.issue();
    await copy.keep();
    await installation.importLines([hotel('lost'), hotel('first', { name: 'Lost name' })]);
    valueOf(await revokeCredential(installation.access, kept.credentialId));
    const lost = await installation.issue();
    const keptPartner = new PartnerClient(service.partnerUrl, kept.token);
    const lostPartner = new PartnerClient(service.partnerUrl, lost.token);
    await until(async () => (await statusOf(lostPartner, 'lost')) === 200);
    await until(async () => (await statusOf(keptPartner, 'first')) === 401);
    const { revision, historyLostAt } = (await (await operator('/supply/v1/revision')).json()) as {
      revision: number;
      historyLostAt: null;
    };
    assert.equal(historyLostAt, null);
    const wait = operator(`/supply/v1/revision?wait=${LONG_WAIT_SECONDS}&atLeast=${revision + 1}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedAtMs = performance.now();
    await copy.goBack();
    const ended = await wait;
    assert.equal(ended.status, 409);
    assert.equal(((await ended.json()) as { code: string }).code, 'SUPPLY_REVISION_LOST');
    await until(async () => (await statusOf(lostPartner, 'first')) === 401);
    await until(async () => (await statusOf(keptPartner, 'first')) === 200);
    assert.ok(performance.now() - startedAtMs < 5_000);
    await until(async () => (await statusOf(partner, 'lost')) === 404);
    assert.notEqual((await partner.property('first')).success.name, 'Lost name');
    assert.equal((await fetch(`${service.operatorUrl}/readyz`)).status, 200);
    const now = (await (await operator('/supply/v1/revision?wait=5')).json()) as Record<string, unknown>;
    assert.ok(Number(now['databaseRevision']) < revision);
    assert.equal(now['revision'], now['databaseRevision']);
    assert.equal(now['historyLostAt'], new Date(installation.time.nowMs).toISOString());
    const gone = await operator(`/supply/v1/revision?wait=${LONG_WAIT_SECONDS}&atLeast=${revision}`);
    assert.equal(gone.status, 409);
    const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    assert.match(metrics, /stayport_history_lost_total\{what="access"\} 1/);
    assert.match(metrics, /stayport_history_lost_total\{what="catalogue"\} 1/);
  });
});
