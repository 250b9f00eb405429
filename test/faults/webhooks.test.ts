/** Webhooks beside a disk that is full, a database that is away while they are sent, and one that was restored. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import type { WebhookEvent } from '../../src/storage/webhooks/store.ts';
import { createWebhook, testWebhook } from '../../src/partner/webhooks/webhook-changes.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { until } from '../kit/command-line.ts';
import { earlierPostgres, earlierSqlite, type EarlierCopy } from '../kit/earlier-copy.ts';
import { type HookServer, startHookServer, trustedCertificates } from '../kit/hook-server.ts';
import { type Installation, openInstallation, startInstallation, valueOf } from '../kit/installation.ts';
import { quoteBody } from '../kit/partner-client.ts';
import { startProcess } from '../kit/processes/start.ts';
import { openTcpProxy } from '../kit/tcp-proxy.ts';
import { describePostgres, untilItWorks } from '../suites/storage/postgres-fixture.ts';
import { mountSmallDisk, NO_SMALL_DISK } from './small-disk.ts';

const SETTINGS = { WEBHOOK_ALLOW_PRIVATE: 'true' };
const DISK_MEGABYTES = 16;
const QUOTES = 60;
/** Several looks for what is due. */
const AWAY_MS = 3_000;
const SETTLED_MS = 2_000;

const certificates = trustedCertificates();
let hooks: HookServer;
before(async () => {
  hooks = await startHookServer(certificates);
});
after(() => hooks.close());

interface Told {
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

const depsOf = ({ access, storage }: Installation) => ({ ...access, storage });

function createAt(installation: Installation, partnerId: string, events: readonly WebhookEvent[] = []) {
  const url = `${hooks.url}/${partnerId}`;
  return createWebhook(depsOf(installation), { partnerId, url, events, allowsPrivate: true }).then(valueOf);
}

/** Verified messages to the endpoint of a partner. */
function toldTo(partnerId: string, secret: string): (Told & { readonly id: string })[] {
  return hooks.received
    .filter(({ path }) => path === `/${partnerId}`)
    .map(({ body, headers }) => ({
      ...(new Verifier(secret).verify(body, { ...headers }) as Told),
      id: headers['webhook-id']!,
    }));
}

describe('Bookings that are reported while the disk is full', () => {
  it('are refused or told, and never one without the other', async (test) => {
    const disk = mountSmallDisk(DISK_MEGABYTES);
    if (disk === undefined) return test.skip(NO_SMALL_DISK);
    const databaseUrl = `sqlite:${join(disk.folder, 'stayport.db')}`;
    const running = await startInstallation([hotel('hotel-ponte')], SETTINGS, databaseUrl);
    const { installation, partner, service } = running;
    try {
      installation.time.nowMs = Date.now();
      const { secret } = await createAt(installation, 'acme', ['quote.converted']);
      const operatorToken = await installation.issueOperatorToken();
      const quote = quoteBody('hotel-ponte', '2026-12-01', '2026-12-04');
      const quoteIds: string[] = [];
      while (quoteIds.length < QUOTES) {
        const answer = await partner.quote(quote);
        if (answer.status === 201) quoteIds.push(answer.success.quoteId);
      }
      const book = async (quoteId: string): Promise<number> => {
        const response = await fetch(`${service.operatorUrl}/handoff/conversions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ quoteId, reference: `B-${quoteId}`, status: 'booked' }),
        });
        await response.arrayBuffer();
        return response.status;
      };
      await until(async () => (await book(quoteIds[0]!)) === 200);
      disk.fill();
      const refused: string[] = [];
      for (const quoteId of quoteIds.slice(1)) {
        const status = await book(quoteId);
        assert.ok(status === 200 || status === 503, String(status));
        if (status === 503) refused.push(quoteId);
        else disk.fill();
      }
      assert.ok(refused.length > 0, 'the disk was full');
      disk.free();
      const isTold = (quoteId: string) =>
        toldTo('acme', secret).some(({ data }) => data['quoteId'] === quoteId);
      const acknowledged = quoteIds.filter((quoteId) => !refused.includes(quoteId));
      await until(async () => acknowledged.every(isTold));
      assert.deepEqual(refused.filter(isTold), []);
      for (const quoteId of refused) await until(async () => (await book(quoteId)) === 200);
      await until(async () => quoteIds.every(isTold));
      await sleep(SETTLED_MS);
      assert.equal(new Set(toldTo('acme', secret).map(({ id }) => id)).size, quoteIds.length);
      test.diagnostic(`${refused.length} of ${quoteIds.length} were refused`);
    } finally {
      service.takeErrors();
      await installation.close();
      disk.close();
    }
  });
});

describe('Events while the database is away', () => {
  const tell = async (installation: Installation, away: () => Promise<() => Promise<unknown>>) => {
    hooks.received.length = 0;
    installation.time.nowMs = Date.now();
    await installation.issue();
    const { webhookId, secret } = await createAt(installation, 'acme');
    const service = await installation.serve(SETTINGS);
    const send = () => testWebhook(depsOf(installation), webhookId).then(valueOf);
    const { deliveryId } = await send();
    await until(async () => toldTo('acme', secret).length === 1);
    const comeBack = await away();
    await sleep(AWAY_MS);
    await comeBack();
    let second = '';
    await untilItWorks(async () => ({ deliveryId: second } = await send()));
    await until(async () => toldTo('acme', secret).length === 2);
    await sleep(SETTLED_MS);
    assert.deepEqual(
      toldTo('acme', secret).map(({ id }) => id),
      [deliveryId, second],
    );
    const text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    assert.match(text, /^stayport_background_failures_total\{work="send webhooks"\} 0$/m);
    service.takeErrors();
  };

  it('are sent once when it is back: SQLite, which another process locks', async (test) => {
    const installation = await openInstallation();
    test.after(() => installation.close());
    await tell(installation, async () => {
      const holder = startProcess('hold-lock', [installation.databasePath]);
      await holder.output.next();
      return () => holder.end();
    });
  });

  describePostgres('on PostgreSQL', (server) => {
    it('are sent once when it is back', async (test) => {
      const proxy = await openTcpProxy(server().port);
      test.after(() => proxy.close());
      const url = await server().createDatabase();
      const installation = await openInstallation(url.replace(/:\d+\//, `:${proxy.port}/`));
      test.after(() => installation.close());
      await tell(installation, async () => {
        proxy.cut();
        return async () => proxy.restore();
      });
    });
  });
});

describe('A database that was restored', () => {
  it('sends again what it does not know of, to the same endpoint alone: SQLite', async (test) => {
    const installation = await openInstallation();
    test.after(() => installation.close());
    await tellAgain(installation, earlierSqlite(installation.databasePath));
  });

  describePostgres('on PostgreSQL', (server) => {
    it('sends again what it does not know of, to the same endpoint alone', async (test) => {
      const url = await server().createDatabase();
      const installation = await openInstallation(url);
      test.after(() => installation.close());
      await tellAgain(installation, earlierPostgres(server(), url));
    });
  });

  async function tellAgain(installation: Installation, copy: EarlierCopy): Promise<void> {
    hooks.received.length = 0;
    installation.time.nowMs = Date.now();
    await installation.importLines([hotel('first', { visibleTo: ['acme'] })]);
    const secrets: Record<string, string> = {};
    const ids: Record<string, string> = {};
    for (const partnerId of ['acme', 'bits']) {
      await installation.issue({ partnerId });
      const created = await createAt(installation, partnerId);
      secrets[partnerId] = created.secret;
      ids[partnerId] = created.webhookId;
    }
    const told = (partnerId: string) =>
      toldTo(partnerId, secrets[partnerId]!).map(({ id, type }) => `${type} ${id}`);
    const send = (partnerId: string) => testWebhook(depsOf(installation), ids[partnerId]!).then(valueOf);
    const before = await send('acme');
    await copy.keep();
    const service = await installation.serve(SETTINGS);
    await until(async () => told('acme').length === 1);
    let lost = '';
    await untilItWorks(async () => ({ deliveryId: lost } = await send('bits')));
    await until(async () => told('bits').length === 1);
    await copy.goBack();
    await until(async () => told('acme').length === 2);
    await untilItWorks(() =>
      installation.importLines([hotel('first', { name: 'New', visibleTo: ['acme'] })]),
    );
    await until(async () => told('acme').length === 3);
    await sleep(SETTLED_MS);
    const test = `webhook.test ${before.deliveryId}`;
    assert.deepEqual(told('acme').slice(0, 2), [test, test]);
    assert.match(told('acme')[2]!, /^changes\.available /);
    assert.deepEqual(told('bits'), [`webhook.test ${lost}`], 'nothing of the other partner, nothing twice');
    service.takeErrors();
  }
});
