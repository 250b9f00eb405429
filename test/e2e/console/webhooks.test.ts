/** Webhooks in the console: created, tried, rotated, disabled, and deliveries sent again; secrets are shown once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FAILING_MS_MAX, FAILING_TRIES_MIN } from '../../../src/partner/webhooks/webhook-sender.ts';
import { until } from '../../kit/command-line.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { startHookServer, status, trustedCertificates } from '../../kit/hook-server.ts';
import { type Installation, type Served, startInstallation } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const DAY_MS = 86_400_000;
const PARTNER = '/console/partners/acme';
const JSON_ONLY = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };

describe('Webhooks in the console', () => describeWebhooks(async () => undefined));
describePostgres('Webhooks in the console on PostgreSQL', (server) =>
  describeWebhooks(() => server().createDatabase()),
);

function describeWebhooks(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let admin: ConsoleClient;
  let viewer: ConsoleClient;
  let webhookId = '';
  let page = '';
  before(async () => {
    ({ installation, service } = await startInstallation([], {}, await openDatabase()));
    admin = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
    viewer = await signInTo(installation, service.operatorUrl);
  });
  after(() => installation.close());
  const act = async (name: string, fields = {}): Promise<string> => {
    const answer = await admin.act(`${page}/${name}`, fields);
    assert.deepEqual([answer.status, answer.location], [303, page], answer.text);
    return (await admin.get(page)).text;
  };
  const secretOf = (text: string): string => /whsec_[\w+/=]+/.exec(text)?.[0] ?? '';

  it('are created on the page of the partner; the secret is shown once', async () => {
    const { text: form } = await admin.get(PARTNER);
    assert.ok(form.includes('data-act="webhook-create"'));
    const url = 'https://hooks.acme.example/in?key=hunter2';
    const created = await admin.act(`${PARTNER}/webhook-create`, { url, event: 'quote.converted' });
    assert.equal(created.status, 200, created.text);
    assert.ok(secretOf(created.text).length > 40 && created.text.includes('whpk_'), created.text);
    [{ webhookId }] = (await installation.storage.listWebhooks()) as unknown as [{ webhookId: string }];
    page = `/console/webhooks/${webhookId}`;
    for (const path of [PARTNER, page])
      for (const client of [admin, viewer]) {
        const { status, text: code } = await client.get(path);
        const text = code.replaceAll('<wbr />', '');
        assert.equal(status, 200);
        assert.ok(text.includes('hooks.acme.example') && text.includes('quote.converted'), text);
        assert.doesNotMatch(text, /whsec_|whpk_|hunter2/);
      }
    const { text } = await admin.get(page, { 'accept-language': 'it-IT' });
    assert.ok(text.includes('Invia una prova'), text);
  });

  it('are refused as the command refuses them', async () => {
    const inEnglish = { 'accept-language': 'en-GB', 'sec-fetch-site': 'same-origin' };
    for (const [url, reason] of [
      ['http://acme.example/', 'must begin with https'],
      ['https://127.0.0.1/', 'private address'],
      ['https://a:b@acme.example/', 'must not hold a name'],
    ] as const) {
      const { status, text } = await admin.act(`${PARTNER}/webhook-create`, { url }, inEnglish);
      assert.equal(status, 422);
      assert.ok(text.includes(reason), text);
    }
    const unknown = { url: 'https://acme.example/', event: 'quote.lost' };
    assert.equal((await admin.act(`${PARTNER}/webhook-create`, unknown)).status, 422);
    const nobody = '/console/partners/nobody/webhook-create';
    assert.equal((await admin.act(nobody, { url: 'https://acme.example/' })).status, 404);
    assert.equal((await admin.get('/console/webhooks/wh_nobody')).status, 404);
    assert.equal((await admin.act('/console/webhooks/wh_nobody/webhook-test')).status, 404);
  });

  it('are tried, disabled and enabled, and a delivery that failed is sent again', async () => {
    assert.match(await act('webhook-test'), /webhook\.test/);
    const disabled = await act('webhook-disable');
    assert.ok(
      !disabled.includes('data-act="webhook-test"') && disabled.includes('data-act="webhook-enable"'),
    );
    assert.ok(!disabled.includes('data-act="webhook-replay"'));
    assert.equal((await admin.act(`${page}/webhook-test`)).status, 422);
    const enabled = await act('webhook-enable');
    const [row] = await viewer.rows<[{ deliveryId: string; status: string }]>(page);
    assert.equal(row.status, 'failed');
    assert.ok(enabled.includes('data-act="webhook-replay"') && enabled.includes(`value="${row.deliveryId}"`));
    await act('webhook-replay', { deliveryId: row.deliveryId });
    const replay = await admin.act(`${page}/webhook-replay`, { deliveryId: 'msg_nobody' }, JSON_ONLY);
    assert.equal(replay.status, 422);
  });

  it('get a new secret, shown once', async () => {
    const before = await admin.act(`${page}/webhook-rotate`);
    assert.equal(before.status, 200, before.text);
    const later = await admin.act(`${page}/webhook-rotate`);
    assert.ok(secretOf(before.text) !== '' && secretOf(before.text) !== secretOf(later.text));
    assert.doesNotMatch((await admin.get(page)).text, /whsec_/);
  });

  it('are for viewers to look at, and for operators to try and to send again', async () => {
    assert.ok(!(await viewer.get(page)).text.includes('data-act="webhook-'));
    const operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
    const { text } = await operator.get(page);
    const acts = [...text.matchAll(/data-act="(webhook-\w+)"/g)].map(([, name]) => name);
    assert.ok(acts.includes('webhook-test'));
    const others = acts.filter((name) => name !== 'webhook-test' && name !== 'webhook-replay');
    assert.deepEqual(others, []);
    assert.equal((await viewer.act(`${page}/webhook-test`)).status, 403);
    assert.equal((await operator.act(`${page}/webhook-rotate`)).status, 403);
    assert.equal((await operator.act(`${page}/webhook-test`)).status, 303);
  });

  it('leave who did what in the audit trail, without a secret', async () => {
    const trail = await admin.rows<readonly { act: string; person: string; on: string }[]>('/console/audit');
    const acts = new Set(trail.filter(({ person }) => person === 'Grace').map(({ act: name }) => name));
    for (const name of ['create', 'test', 'rotate', 'disable', 'enable', 'replay'])
      assert.ok(acts.has(`webhook ${name}`), `${name}: ${[...acts].join(', ')}`);
    assert.doesNotMatch(JSON.stringify(trail), /whsec_|whpk_|hunter2/);
  });
}

describe('A webhook that fails for five days', () => {
  it('is disabled, which metrics, console and audit trail say, until somebody enables it', async (test) => {
    const hooks = await startHookServer(trustedCertificates());
    test.after(() => hooks.close());
    hooks.answer = status(500);
    const { installation, service } = await startInstallation([], { WEBHOOK_ALLOW_PRIVATE: 'true' });
    test.after(() => installation.close());
    const signIn = () => signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
    let admin = await signIn();
    await admin.act(`${PARTNER}/webhook-create`, { url: hooks.url });
    const [webhook] = await installation.storage.listWebhooks();
    const page = `/console/webhooks/${webhook!.webhookId}`;
    const textOf = async (path: string) => (await admin.get(path, { 'accept-language': 'en-GB' })).text;
    const stopped = async (): Promise<string | undefined> => {
      const text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
      return /^stayport_webhooks\{state="stopped"\} (\d+)$/m.exec(text)?.[1];
    };
    for (let count = 1; count < FAILING_TRIES_MIN; count += 1) {
      await admin.act(`${page}/webhook-test`);
      await until(async () => hooks.received.length === count);
    }
    await until(async () => (await textOf(page)).includes('fails since'));
    installation.time.nowMs += FAILING_MS_MAX - DAY_MS;
    await until(async () => hooks.received.length >= FAILING_TRIES_MIN);
    assert.equal(await stopped(), '0', 'four days are not five');
    installation.time.nowMs += DAY_MS;
    await until(async () => (await stopped()) === '1');
    admin = await signIn();
    for (const path of [page, PARTNER])
      assert.match(await textOf(path), /stopped, because it failed for 5 days/);
    const trail = await admin.rows<readonly { act: string; person: string; on: string }[]>('/console/audit');
    assert.ok(trail.some(({ act, person }) => act === 'webhook disable' && person === 'service'));
    const triedCount = hooks.received.length;
    assert.equal((await admin.act(`${page}/webhook-test`)).status, 422);
    hooks.answer = status(204);
    await admin.act(`${page}/webhook-enable`);
    await admin.act(`${page}/webhook-test`);
    await until(async () => hooks.received.length === triedCount + 1);
    await until(async () => (await stopped()) === '0');
  });
});
