/** The webhook commands beside a service that is killed within a try. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Webhook as Verifier } from 'standardwebhooks';
import { hotel } from './kit/catalogue-lines.ts';
import { startServer, until, Workplace } from './kit/command-line.ts';
import { type HookServer, startHookServer, status, trustedCertificates } from './kit/hook-server.ts';
import { describePostgres } from './suites/storage/postgres-fixture.ts';

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
const skip = process.platform === 'win32';
describe('Webhooks of a service', { skip }, () => describeWebhooks(async () => ({})));
describePostgres('Webhooks of a service on PostgreSQL', (server) => {
  describe('beside its commands', { skip }, () =>
    describeWebhooks(async () => ({ DATABASE_URL: await server().createDatabase() })),
  );
});

function describeWebhooks(openDatabase: () => Promise<Readonly<Record<string, string>>>): void {
  const certificates = trustedCertificates();
  let hooks: HookServer;
  let workplace: Workplace;
  before(async () => {
    hooks = await startHookServer(certificates);
    workplace = new Workplace({
      ...(await openDatabase()),
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
      'lastError',
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

  it('are sent once by two services, and by the one that is left when the other is killed', async () => {
    const { webhookId } = await webhook('create', '--partner', 'acme', '--url', `${hooks.url}/both`);
    const received = () => hooks.received.filter(({ path }) => path === '/both');
    const idsOf = () => new Set(received().map(({ headers }) => headers['webhook-id']));
    const both = [await startServer(workplace), await startServer(workplace)] as const;
    // As far ahead as the service before them, whose claim ended by its own clock.
    for (const { child } of both) child.kill('SIGUSR2');
    for (let count = 1; count <= 5; count += 1) await webhook('test', webhookId);
    await until(async () => idsOf().size === 5);
    await sleep(1_000);
    assert.equal(received().length, 5);
    const deliveries = await webhook('deliveries', webhookId);
    assert.ok(deliveries.every(({ attempts }: { attempts: number }) => attempts === 1));
    both[0].child.kill('SIGKILL');
    await both[0].ended;
    const { deliveryId } = await webhook('test', webhookId);
    both[1].child.kill('SIGUSR2');
    await until(async () => idsOf().has(deliveryId));
    both[1].child.kill('SIGTERM');
    await both[1].ended;
    assert.equal(received().length, 6);
  });
}

/** The feed is the real one: from an import by another process to the endpoints of two partners. */
describe('changes.available of a service', () => {
  const certificates = trustedCertificates();
  let hooks: HookServer;
  let workplace: Workplace;
  before(async () => {
    hooks = await startHookServer(certificates);
    workplace = new Workplace({ WEBHOOK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: 'authority.pem' });
    writeFileSync(join(workplace.directory, 'authority.pem'), certificates.authority);
  });
  after(async () => {
    await workplace.remove();
    await hooks.close();
  });
  const importHotel = async (propertyId: string, name: string, visibleTo: unknown): Promise<number> => {
    const path = join(workplace.directory, 'catalogue.ndjson');
    writeFileSync(path, `${JSON.stringify(hotel(propertyId, { name, visibleTo }))}\n`);
    await workplace.json(['import', 'catalogue', path]);
    return Date.now();
  };
  const toldTo = (partnerId: string) => hooks.received.filter(({ path }) => path === `/${partnerId}`);

  it('is told to the partner that sees the change, within 11 s and once in 10 s, and to nobody else', async () => {
    await importHotel('shared', 'Before', 'all');
    for (const partnerId of ['acme', 'bits']) {
      await workplace.json(['partner', 'create', '--name', partnerId, '--partner-id', partnerId]);
      const url = `${hooks.url}/${partnerId}`;
      const event = ['--event', 'changes.available'];
      await workplace.json(['webhook', 'create', '--partner', partnerId, '--url', url, ...event]);
    }
    const running = await startServer(workplace);
    const committedMs = await importHotel('secret', 'One', ['acme']);
    await until(async () => toldTo('acme').length === 1);
    assert.ok(toldTo('acme')[0]!.atMs - committedMs <= 11_000);
    let lastMs = 0;
    for (const name of ['Two', 'Three', 'Four']) lastMs = await importHotel('secret', name, ['acme']);
    await until(async () => toldTo('acme').at(-1)!.atMs > lastMs);
    assert.ok(toldTo('acme').at(-1)!.atMs - lastMs <= 11_000);
    await sleep(11_000);
    const told = toldTo('acme');
    for (const [index, { atMs, body }] of told.entries()) {
      assert.deepEqual((JSON.parse(body) as { data: unknown }).data, {});
      const stamps = told.map((one) => Date.parse((JSON.parse(one.body) as { timestamp: string }).timestamp));
      if (index > 0) assert.ok(stamps[index]! - stamps[index - 1]! >= 10_000, String(atMs));
    }
    assert.deepEqual(toldTo('bits'), []);
    const sharedMs = await importHotel('shared', 'After', 'all');
    await until(async () => toldTo('bits').length === 1);
    assert.ok(toldTo('bits')[0]!.atMs - sharedMs <= 11_000);
    running.child.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });
});
