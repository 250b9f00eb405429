/** The webhook commands beside a service that is killed within a try. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Webhook as Verifier } from 'standardwebhooks';
import { startServer, until, Workplace } from './kit/command-line.ts';
import { type HookServer, startHookServer, status, trustedCertificates } from './kit/hook-server.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'kit', 'processes', 'clock-ahead.ts')).href;
const ALL_EVENTS = [
  'changes.available',
  'quote.opened',
  'quote.continued',
  'quote.price_changed',
  'quote.converted',
  'credential.expiring',
];

/** Windows has no signal that would set the clock. */
describe('Webhooks of a service', { skip: process.platform === 'win32' }, () => {
  const certificates = trustedCertificates();
  let hooks: HookServer;
  let workplace: Workplace;
  before(async () => {
    hooks = await startHookServer(certificates);
    workplace = new Workplace({
      WEBHOOK_ALLOW_PRIVATE: 'true',
      NODE_EXTRA_CA_CERTS: 'authority.pem',
      NODE_OPTIONS: `--import=${PRELOAD}`,
      // Longer than a claim and a lease.
      CLOCK_AHEAD_MS: '60000',
    });
    writeFileSync(join(workplace.directory, 'authority.pem'), certificates.authority);
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  });
  after(async () => {
    await workplace.remove();
    await hooks.close();
  });
  const webhook = (...args: readonly string[]) => workplace.json(['webhook', ...args]);
  const refusal = async (args: readonly string[], env = {}): Promise<string> => {
    const { code, stdout, stderr } = await workplace.run(['webhook', ...args], { env });
    assert.deepEqual([code, stdout], [1, '']);
    return stderr;
  };

  it('are created with a secret, and refused where they may not lead', async () => {
    const create = (url: string) => ['create', '--partner', 'acme', '--url', url];
    const strict = { WEBHOOK_ALLOW_PRIVATE: 'false' };
    assert.match(await refusal(create('http://acme.example/')), /must begin with https/);
    assert.match(await refusal(create('https://name:word@acme.example/')), /must not hold a name/);
    assert.match(await refusal(create('https://127.0.0.1/'), strict), /private address 127\.0\.0\.1/);
    assert.match(await refusal(create('https://[::1]/'), strict), /private address/);
    assert.match(await refusal(['create', '--partner', 'nobody', '--url', hooks.url]), /no partner nobody/);
    const { code } = await workplace.run(['webhook', ...create(hooks.url), '--event', 'quote.lost']);
    assert.equal(code, 2);
    const created = await webhook(...create(`${hooks.url}/hooks`));
    assert.deepEqual(Object.keys(created), ['webhookId', 'url', 'events', 'secret', 'publicKey']);
    assert.deepEqual([created.url, created.events], [`${hooks.url}/hooks`, ALL_EVENTS]);
    const listed = await webhook('list');
    assert.equal(listed.length, 1);
    assert.doesNotMatch(JSON.stringify(listed), /whsec_|whpk_/);
  });

  it('are sent again after kill -9 within a try, replayed, rotated and disabled', async () => {
    const [{ webhookId }] = await webhook('list');
    const { secret } = await webhook('rotate', webhookId);
    const first = await startServer(workplace);
    hooks.answer = () => undefined;
    const { deliveryId, ...tested } = await webhook('test', webhookId);
    assert.deepEqual([tested.event, tested.status, tested.attempts], ['webhook.test', 'pending', 0]);
    await until(async () => hooks.received.length === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    hooks.answer = status(200);
    const second = await startServer(workplace);
    second.child.kill('SIGUSR2');
    await until(async () => hooks.received.length === 2);
    const sameId = (): boolean => hooks.received.every(({ headers }) => headers['webhook-id'] === deliveryId);
    assert.ok(sameId());
    const delivered = async () => (await webhook('deliveries', webhookId))[0];
    await until(async () => (await delivered()).status === 'delivered');
    assert.deepEqual(Object.keys(await delivered()), [
      'deliveryId',
      'event',
      'status',
      'attempts',
      'lastStatus',
      'nextAttemptAt',
      'createdAt',
    ]);
    const rotated = await webhook('rotate', webhookId);
    await webhook('replay', deliveryId);
    await until(async () => hooks.received.length === 3);
    assert.ok(sameId());
    const { headers, body } = hooks.received[2]!;
    for (const key of [secret, rotated.secret]) {
      const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
      const signature = new Verifier(key).sign(deliveryId, sentAt, body);
      assert.ok(headers['webhook-signature']!.split(' ').includes(signature));
    }
    assert.equal((await webhook('disable', webhookId)).disabledReason, 'operator');
    assert.match(await refusal(['test', webhookId]), /is disabled/);
    assert.match(await refusal(['replay', deliveryId]), /is disabled/);
    assert.equal((await webhook('enable', webhookId)).disabledReason, null);
    assert.match(await refusal(['rotate', 'wh_nobody']), /no webhook wh_nobody/);
    const audit = (await workplace.json(['audit'])) as readonly { readonly act: string }[];
    const acts = new Set(audit.map(({ act }) => act));
    for (const act of ['create', 'rotate', 'test', 'replay', 'disable', 'enable'])
      assert.ok(acts.has(`webhook ${act}`), act);
    second.child.kill('SIGTERM');
    const { stdout, stderr } = await second.ended;
    assert.doesNotMatch(stdout + stderr, /whsec_|\/hooks/);
  });
});
