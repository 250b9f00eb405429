/** Real databases, real sockets; each message is verified by the library of Standard Webhooks. */
import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { until } from '../../../test/kit/command-line.ts';
import { type EarlierCopy, earlierPostgres, earlierSqlite } from '../../../test/kit/earlier-copy.ts';
import {
  type HookServer,
  startHookServer,
  status,
  trustedCertificates,
} from '../../../test/kit/hook-server.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../../../test/kit/postgres-server.ts';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { valueOf } from '../../../test/kit/value-of.ts';
import { untilItWorks } from '../../../test/suites/storage/postgres-fixture.ts';
import { sampleCredential, samplePartner, sampleQuote } from '../../../test/suites/storage/sample-rows.ts';
import { type Clock, machineUptime, systemClock } from '../../runtime/clock.ts';
import { systemRandom } from '../../runtime/random.ts';
import { openStorage } from '../../storage/open.ts';
import { type NewDelivery, WEBHOOKS_PER_PARTNER_MAX } from '../../storage/webhooks/store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { VisibleChanges } from '../changes/visible-changes.ts';
import { CHANGES_PAUSE_MS, createChangeAnnouncer } from './announce-changes.ts';
import { EXPIRY_NOTICE_MS } from './announce-expiry.ts';
import { CLAIM_MS, startWebhooks, type Webhooks, type WebhooksDeps } from './start-webhooks.ts';
import {
  createWebhook,
  type CreatedWebhook,
  ROTATION_OVERLAP_MS,
  rotateWebhook,
  testWebhook,
} from './webhook-changes.ts';
import {
  FAILING_MS_MAX,
  FAILING_TRIES_MIN,
  LEASE_MS,
  PER_ENDPOINT_MAX,
  PER_PARTNER_MAX,
} from './webhook-sender.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface World {
  readonly storage: Storage;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

const certificates = trustedCertificates();
let postgres: PostgresServer | undefined;
before(async () => {
  if (postgresMissing() === false) postgres = await startPostgres();
});
after(() => postgres?.close());

async function openPostgresWorld(clock: Clock): Promise<World> {
  const databaseUrl = await postgres!.createDatabase();
  const storage = await openStorage(databaseUrl, { clock });
  await storage.migrate();
  return { storage, databaseUrl, close: () => storage.close() };
}

describe('Webhooks on SQLite', () => describeWebhooks(openTemporaryStorage));
describe('Webhooks on PostgreSQL', { skip: postgresMissing() }, () => describeWebhooks(openPostgresWorld));

class Clocks {
  /** Time that has passed. */
  aheadMs = 0;
  /** The error of the wall clock. */
  wrongMs = 0;
  readonly now: Clock = () => systemClock() + this.aheadMs + this.wrongMs;
  readonly uptime: Clock = () => machineUptime() + this.aheadMs;
}

interface Scene extends World {
  readonly clocks: Clocks;
  readonly hooks: HookServer;
  readonly logged: string[];
  readonly start: (changes?: Partial<WebhooksDeps>) => Webhooks;
  readonly create: (path?: string, events?: readonly string[]) => Promise<CreatedWebhook>;
  readonly test: (webhookId: string) => Promise<string>;
  readonly earlier: () => EarlierCopy;
}

async function inScene(open: (clock: Clock) => Promise<World>, body: (scene: Scene) => Promise<void>) {
  const clocks = new Clocks();
  const world = await open(clocks.now);
  const hooks = await startHookServer(certificates);
  const started: Webhooks[] = [];
  const logged: string[] = [];
  const { storage } = world;
  const deps = { storage, clock: clocks.now, random: systemRandom };
  const log = (_fields: object, message: string) => void logged.push(message);
  await storage.putPartner(samplePartner('partner'));
  try {
    await body({
      ...world,
      clocks,
      hooks,
      logged,
      start(changes = {}) {
        const webhooks = startWebhooks({
          ...deps,
          logger: { error: log, info: log, warn: log },
          holder: randomUUID(),
          addresses: { allowsPrivate: true },
          changes: undefined,
          uptimeMs: clocks.uptime,
          roundMs: 20,
          ...changes,
        });
        started.push(webhooks);
        return webhooks;
      },
      earlier: () =>
        world.databaseUrl.startsWith('sqlite:')
          ? earlierSqlite(world.databaseUrl.slice('sqlite:'.length))
          : earlierPostgres(postgres!, world.databaseUrl),
      async create(path = '/', events = []) {
        const url = `${hooks.url}${path}`;
        const created = await createWebhook(deps, { partnerId: 'partner', url, events, allowsPrivate: true });
        assert.ok(created.ok);
        return created.value;
      },
      async test(webhookId) {
        const tested = await testWebhook(deps, webhookId);
        assert.ok(tested.ok);
        return tested.value.deliveryId;
      },
    });
  } finally {
    await Promise.all(started.map((webhooks) => webhooks.stop()));
    await hooks.close();
    await world.close();
  }
}

/** A feed whose changes the partner can see, or cannot. */
function visibleChanges({ storage }: Scene) {
  const isVisible = new Set<number>();
  const changes: VisibleChanges = {
    async hasChanges(partnerId, { revision: after }, upTo) {
      assert.equal(partnerId, 'partner');
      const revision = await storage.readRevision();
      const changed = [...isVisible].some((one) => one > after && one <= revision);
      return { changed, from: { revision: upTo } };
    },
  };
  return {
    changes,
    change: async (visible: boolean): Promise<void> => {
      // Before the commit: a round may look right after it.
      if (visible) isVisible.add((await storage.readRevision()) + 1);
      await storage.putPartner(samplePartner('somebody'));
    },
  };
}

function describeWebhooks(open: (clock: Clock) => Promise<World>): void {
  it('deliver what a transaction stored, so that the library verifies it', () =>
    inScene(open, async ({ storage, hooks, start, create }) => {
      const { webhookId, secret } = await create();
      await storage.insertQuote(sampleQuote('q', { propertyId: 'ponte' }));
      const { tries } = start();
      await storage.recordVisits([
        {
          quoteId: 'q',
          openedCount: 1,
          firstOpenedAtMs: Date.UTC(2026, 10, 20),
          outcome: 'unchanged',
          priceChangePerMille: null,
          continuedAtMs: null,
        },
      ]);
      await until(async () => hooks.received.length > 0);
      const [{ headers, body }] = hooks.received as [(typeof hooks.received)[0]];
      assert.deepEqual(new Verifier(secret).verify(body, headers), {
        type: 'quote.opened',
        timestamp: '2026-11-20T00:00:00.000Z',
        data: { quoteId: 'q', propertyId: 'ponte' },
      });
      await until(async () => tries.delivered === 1);
      const [delivery] = await storage.listDeliveries(webhookId, 9);
      assert.equal(delivery?.deliveryId, headers['webhook-id']);
      assert.deepEqual([delivery?.status, delivery?.attempts, delivery?.lastStatus], ['delivered', 1, 204]);
    }));

  it('try again with the same id and body, later each time', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      hooks.answer = status(500);
      const { webhookId } = await create();
      const deliveryId = await test(webhookId);
      const { tries } = start();
      await until(async () => tries.failed === 1);
      await sleep(200);
      assert.equal(hooks.received.length, 1);
      clocks.aheadMs += 6_000;
      await until(async () => tries.failed === 2);
      const [delivery] = await storage.listDeliveries(webhookId, 9);
      assert.equal(delivery?.status, 'pending');
      const waitMs = delivery!.nextAttemptAtMs! - clocks.now();
      assert.ok(waitMs > 290_000 && waitMs <= 360_000, String(waitMs));
      hooks.answer = status(200);
      clocks.aheadMs += 360_000;
      await until(async () => tries.delivered === 1);
      assert.deepEqual(
        new Set(hooks.received.map(({ headers }) => headers['webhook-id'])),
        new Set([deliveryId]),
      );
      assert.equal(new Set(hooks.received.map(({ body }) => body)).size, 1);
    }));

  it('leave a server alone as long as it asks, by seconds and by date, up to a day', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      const { webhookId } = await create();
      const { tries } = start();
      const dateIn = (ms: number): string => new Date(clocks.now() + ms).toUTCString();
      const answers = [
        ['3600', HOUR_MS],
        [dateIn(HOUR_MS), HOUR_MS],
        ['172800', DAY_MS],
        [dateIn(3 * DAY_MS), DAY_MS],
      ] as const;
      for (const [index, [retryAfter, expectedMs]] of answers.entries()) {
        hooks.answer = status(503, { 'retry-after': retryAfter });
        const deliveryId = await test(webhookId);
        await until(async () => tries.failed === index + 1);
        const deliveries = await storage.listDeliveries(webhookId, 9);
        const { nextAttemptAtMs } = deliveries.find((one) => one.deliveryId === deliveryId)!;
        const waitMs = nextAttemptAtMs! - clocks.now();
        assert.ok(waitMs > expectedMs - 15_000 && waitMs <= expectedMs * 1.2, String(waitMs));
      }
    }));

  it('of one partner take a quarter of the tries at most', () =>
    inScene(open, async ({ storage, hooks, clocks, start }) => {
      const deps = { storage, clock: clocks.now, random: systemRandom };
      hooks.answer = (response, { path }) => void (path === '/greedy' || response.writeHead(200).end());
      const deliveries: NewDelivery[] = [];
      for (const partnerId of ['greedy', 'other']) {
        await storage.putPartner(samplePartner(partnerId));
        for (let count = 0; count < WEBHOOKS_PER_PARTNER_MAX; count += 1) {
          const url = `${hooks.url}/${partnerId}`;
          const created = await createWebhook(deps, { partnerId, url, allowsPrivate: true });
          const { webhookId } = valueOf(created);
          for (let each = 0; each < PER_ENDPOINT_MAX; each += 1)
            deliveries.push({
              deliveryId: `msg_${webhookId}_${each}`,
              webhookId,
              event: 'webhook.test',
              body: '{}',
              createdAtMs: clocks.now(),
            });
        }
      }
      const oneMore = await createWebhook(deps, {
        partnerId: 'greedy',
        url: `${hooks.url}/greedy`,
        allowsPrivate: true,
      });
      assert.match(
        oneMore.ok ? '' : inEnglish(oneMore.problem),
        /at most 20 enabled webhooks.*: disable one first/,
      );
      await storage.insertDeliveries(deliveries);
      const { tries } = start();
      await until(async () => tries.delivered === deliveries.length / 2);
      await until(async () => hooks.received.some(({ path }) => path === '/greedy'));
      const greedy = hooks.received.filter(({ path }) => path === '/greedy').length;
      assert.ok(greedy > 1 && greedy <= PER_PARTNER_MAX, String(greedy));
    }));

  it('keep nobody waiting for ten of a hundred that never answer', (test) =>
    inScene(open, async ({ storage, hooks, clocks, start }) => {
      const deps = { storage, clock: clocks.now, random: systemRandom };
      const ids: string[] = [];
      for (let count = 0; count < 100; count += 1) {
        const partnerId = `p${count % 10}`;
        if (count < 10) await storage.putPartner(samplePartner(partnerId));
        const path = count < 10 ? 'never' : `fine/${count}`;
        const created = await createWebhook(deps, {
          partnerId,
          url: `${hooks.url}/${path}`,
          allowsPrivate: true,
        });
        assert.ok(created.ok);
        ids.push(created.value.webhookId);
      }
      hooks.answer = (response, { path }) => void (path === '/never' || response.writeHead(200).end());
      const deliveriesTo = (some: readonly string[], each: number) =>
        some.flatMap((webhookId) =>
          Array.from({ length: each }, (_, count) => ({
            deliveryId: `msg_${webhookId}_${count}`,
            webhookId,
            event: 'webhook.test' as const,
            body: '{}',
            createdAtMs: clocks.now(),
          })),
        );
      await storage.insertDeliveries(deliveriesTo(ids.slice(0, 10), 30));
      const { tries } = start();
      await until(async () => hooks.received.filter(({ path }) => path === '/never').length >= 40);
      await storage.insertDeliveries(deliveriesTo(ids.slice(10), 1));
      const storedMs = Date.now();
      await until(async () => tries.delivered === 90);
      const toldMs = Math.max(
        ...hooks.received.filter(({ path }) => path !== '/never').map(({ atMs }) => atMs),
      );
      test.diagnostic(`the other 90 had theirs after ${toldMs - storedMs} ms`);
      // All of them while the first tries of the others still wait.
      assert.equal(tries.failed, 0);
      assert.equal(new Set(hooks.received.map(({ path }) => path)).size, 91);
      assert.equal(hooks.received.length, 130);
    }));

  it('give each endpoint its turn, however much waits for the others', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create }) => {
      const busy = await create('/busy');
      const quiet = await create('/quiet');
      const deliveryTo = (webhookId: string, count: number) => ({
        deliveryId: `msg_${webhookId}_${count}`,
        webhookId,
        event: 'webhook.test' as const,
        body: '{}',
        createdAtMs: clocks.now(),
      });
      await storage.insertDeliveries(
        Array.from({ length: 60 }, (_, count) => deliveryTo(busy.webhookId, count)),
      );
      await storage.insertDeliveries([deliveryTo(quiet.webhookId, 0)]);
      // Nothing waits for a round: an end of one is the beginning of the next.
      const { tries } = start({ roundMs: 60_000 });
      await until(async () => tries.delivered === 61);
      assert.ok(hooks.received.findIndex(({ path }) => path === '/quiet') <= PER_ENDPOINT_MAX + 1);
      assert.equal(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size, 61);
    }));

  it('are sent once by two processes; one goes on when the other stops', () =>
    inScene(open, async ({ databaseUrl, hooks, clocks, start, create, test }) => {
      const other = await openStorage(databaseUrl, { clock: clocks.now });
      try {
        const { webhookId } = await create();
        const both = [start(), start({ storage: other })];
        for (let count = 0; count < 30; count += 1) await test(webhookId);
        await until(async () => hooks.received.length >= 30);
        await sleep(200);
        assert.equal(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size, 30);
        assert.equal(hooks.received.length, 30);
        const owner = both.find(({ tries }) => tries.delivered === 30);
        assert.ok(owner);
        await owner.stop();
        await test(webhookId);
        clocks.aheadMs += CLAIM_MS;
        await until(async () => hooks.received.length === 31);
      } finally {
        await other.close();
      }
    }));

  it('are sent by the next process when one died within a try', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      const { webhookId } = await create();
      await test(webhookId);
      const nowMs = clocks.now();
      await storage.claimTask('send webhooks', 'died', { nowMs, untilMs: nowMs + CLAIM_MS });
      const [due] = await storage.listDueDeliveries(nowMs);
      await storage.takeDeliveries([due!.deliveryId], { nowMs, leaseUntilMs: nowMs + LEASE_MS });
      start();
      await sleep(200);
      assert.equal(hooks.received.length, 0);
      clocks.aheadMs += LEASE_MS;
      await until(async () => hooks.received.length === 1);
    }));

  it('give back what waits for an answer when they stop', () =>
    inScene(open, async ({ storage, hooks, start, create, test }) => {
      hooks.answer = () => undefined;
      const { webhookId } = await create();
      await test(webhookId);
      const webhooks = start();
      await until(async () => hooks.received.length === 1);
      await webhooks.stop();
      const [delivery] = await storage.listDeliveries(webhookId, 9);
      assert.deepEqual([delivery?.status, delivery?.nextAttemptAtMs], ['pending', 0]);
      assert.equal((await storage.findWebhook(webhookId))?.failingSinceMs, null);
    }));

  it('are sent although the clock went back an hour', () =>
    inScene(open, async ({ hooks, clocks, start, create, test }) => {
      clocks.wrongMs = HOUR_MS;
      const { webhookId } = await create();
      hooks.answer = status(500);
      const { tries } = start();
      await test(webhookId);
      await until(async () => tries.failed === 1);
      hooks.answer = status(200);
      clocks.wrongMs = 0;
      await test(webhookId);
      await until(async () => tries.delivered === 2);
    }));

  it('sign with both secrets for a day after a rotation, and then with the new one', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      const before = await create();
      const deps = { storage, clock: clocks.now, random: systemRandom };
      const rotated = await rotateWebhook(deps, before.webhookId);
      assert.ok(rotated.ok);
      const rotatedMs = clocks.now();
      const { tries } = start();
      const verifies = (secret: string): boolean => {
        const { headers, body } = hooks.received.at(-1)!;
        // The library would compare the time with its own clock.
        const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
        const mine = new Verifier(secret).sign(headers['webhook-id']!, sentAt, body);
        return headers['webhook-signature']!.split(' ').includes(mine);
      };
      const send = async (count: number): Promise<boolean[]> => {
        await test(before.webhookId);
        await until(async () => tries.delivered === count);
        return [before.secret, rotated.value.secret].map(verifies);
      };
      assert.deepEqual(await send(1), [true, true]);
      for (const [index, wrongMs] of [HOUR_MS, -HOUR_MS].entries()) {
        clocks.wrongMs = wrongMs;
        assert.deepEqual(
          await send(2 + index),
          [true, true],
          'a clock that is wrong by an hour ends nothing',
        );
      }
      clocks.wrongMs = 0;
      clocks.aheadMs += ROTATION_OVERLAP_MS - (clocks.now() - rotatedMs) - 5_000;
      assert.deepEqual(await send(4), [true, true]);
      clocks.aheadMs += 10_000;
      assert.deepEqual(await send(5), [false, true]);
      assert.equal(ROTATION_OVERLAP_MS, 24 * 3_600_000);
    }));

  it('are stopped by 410, and after failing for five days; the audit trail has it', () =>
    inScene(open, async ({ storage, hooks, clocks, logged, start, create, test }) => {
      const gone = await create('/gone');
      const failing = await create('/failing');
      hooks.answer = (response, { path }) => void response.writeHead(path === '/gone' ? 410 : 500).end();
      const { tries } = start();
      await test(gone.webhookId);
      await until(async () => (await storage.findWebhook(gone.webhookId))?.disabledReason === 'gone');
      for (let count = 1; count < FAILING_TRIES_MIN; count += 1) {
        await test(failing.webhookId);
        await until(async () => tries.failed === count + 1);
      }
      const stopped = async () => (await storage.findWebhook(failing.webhookId))?.disabledReason;
      assert.equal(await stopped(), null);
      clocks.aheadMs += FAILING_MS_MAX;
      await until(async () => (await stopped()) === 'failing');
      assert.equal(FAILING_MS_MAX, 5 * 86_400_000);
      const audit = await storage.readAudit(0, 9);
      assert.deepEqual(
        audit.map(({ person, act, on }) => [person, act, on]),
        [failing, gone].map(({ webhookId }) => ['service', 'webhook disable', webhookId]),
      );
      assert.equal(logged.filter((message) => message.startsWith('webhook disabled')).length, 2);
      const waiting = (await storage.listDeliveries(failing.webhookId, 99)).map((one) => one.nextAttemptAtMs);
      assert.deepEqual(new Set(waiting), new Set([null]));
    }));

  it('tell of changes that the partner can see: at most once in ten seconds, and then soon', () =>
    inScene(open, async (scene) => {
      const { hooks, clocks, start, create } = scene;
      const { changes, change } = visibleChanges(scene);
      await change(true);
      const { secret } = await create('/', ['changes.available']);
      start({ changes });
      await change(false);
      await sleep(200);
      assert.equal(hooks.received.length, 0);
      await change(true);
      await until(async () => hooks.received.length === 1);
      const { body, headers } = hooks.received[0]!;
      const told = new Verifier(secret).verify(body, headers) as { type: string; data: object };
      assert.deepEqual([told.type, told.data], ['changes.available', {}]);
      await change(true);
      await change(true);
      await sleep(300);
      assert.equal(hooks.received.length, 1);
      clocks.aheadMs += CHANGES_PAUSE_MS;
      await until(async () => hooks.received.length === 2);
      clocks.aheadMs += CHANGES_PAUSE_MS;
      await sleep(300);
      assert.equal(hooks.received.length, 2);
      assert.equal(CHANGES_PAUSE_MS, 10_000);
    }));

  it('tell of changes from the commit that created or enabled them, before any process looked', () =>
    inScene(open, async (scene) => {
      const { storage, hooks, start, create } = scene;
      const { changes, change } = visibleChanges(scene);
      const { webhookId } = await create('/', ['changes.available']);
      await change(true);
      const first = start({ changes });
      await until(async () => first.tries.delivered === 1);
      await first.stop();
      await storage.disableWebhook(webhookId, 1, 'operator');
      await change(true);
      await storage.enableWebhook(webhookId);
      const second = start({ changes });
      await sleep(300);
      assert.equal(hooks.received.length, 1);
      await second.stop();
      await change(true);
      start({ changes });
      await until(async () => hooks.received.length === 2);
    }));

  it('tell of changes at most once in ten seconds although the clock jumps by an hour', () =>
    inScene(open, async (scene) => {
      const { hooks, clocks, start, create } = scene;
      const { changes, change } = visibleChanges(scene);
      await create('/', ['changes.available']);
      const first = start({ changes });
      await change(true);
      await until(async () => hooks.received.length === 1);
      for (const wrongMs of [HOUR_MS, -HOUR_MS, 0]) {
        clocks.wrongMs = wrongMs;
        await change(true);
        await sleep(200);
        assert.equal(hooks.received.length, 1, String(wrongMs));
      }
      clocks.aheadMs += CHANGES_PAUSE_MS;
      await until(async () => first.tries.delivered === 2);
      await first.stop();
      await change(true);
      start({ changes });
      await sleep(200);
      assert.equal(hooks.received.length, 2, 'another process knows when it was told');
      clocks.aheadMs += CHANGES_PAUSE_MS;
      await until(async () => hooks.received.length === 3);
    }));

  it('tell of changes that came after a database went back, to before what was looked at', () =>
    inScene(open, async (scene) => {
      const { storage, clocks, earlier, create } = scene;
      const { changes, change } = visibleChanges(scene);
      const { webhookId } = await create('/', ['changes.available']);
      const copy = earlier();
      await copy.keep();
      const deps = { storage, changes, clock: clocks.now, uptimeMs: clocks.uptime, random: systemRandom };
      const announcer = createChangeAnnouncer(deps);
      const { signal } = new AbortController();
      for (let count = 0; count < 3; count += 1) await untilItWorks(() => change(false));
      await announcer.round(signal);
      await copy.goBack();
      await untilItWorks(() => change(true));
      for (let count = 0; count < 3; count += 1) await change(false);
      await announcer.round(signal);
      assert.deepEqual(
        (await storage.listDeliveries(webhookId, 9)).map(({ event }) => event),
        ['changes.available'],
      );
    }));

  it('tell of changes that came after a database lost what was written during a look', () =>
    inScene(open, async (scene) => {
      const { storage, clocks, earlier, create } = scene;
      const { changes, change } = visibleChanges(scene);
      const { webhookId } = await create('/', ['changes.available']);
      await change(false);
      const copy = earlier();
      await copy.keep();
      let looks = 0;
      const looking: VisibleChanges = {
        async hasChanges(...asked) {
          looks += 1;
          for (let count = 0; looks === 1 && count < 3; count += 1) await untilItWorks(() => change(false));
          return changes.hasChanges(...asked);
        },
      };
      const deps = { storage, clock: clocks.now, uptimeMs: clocks.uptime, random: systemRandom };
      const announcer = createChangeAnnouncer({ ...deps, changes: looking });
      const { signal } = new AbortController();
      await announcer.round(signal);
      await copy.goBack();
      await untilItWorks(() => change(true));
      await announcer.round(signal);
      const told = (await storage.listDeliveries(webhookId, 9)).map(({ event }) => event);
      assert.deepEqual(told, ['changes.available']);
    }));

  it('know of no more than a database has that went back before they told of it', () =>
    inScene(open, async (scene) => {
      const { storage, clocks, earlier, create } = scene;
      const { changes, change } = visibleChanges(scene);
      await create('/', ['changes.available']);
      const copy = earlier();
      await copy.keep();
      for (let count = 0; count < 3; count += 1) await untilItWorks(() => change(true));
      const looking: VisibleChanges = {
        async hasChanges(...asked) {
          const found = await changes.hasChanges(...asked);
          await copy.goBack();
          await untilItWorks(() => storage.readRevision());
          return found;
        },
      };
      const deps = { storage, clock: clocks.now, uptimeMs: clocks.uptime, random: systemRandom };
      await createChangeAnnouncer({ ...deps, changes: looking }).round(new AbortController().signal);
      const [listener] = await storage.listChangeListeners();
      assert.equal(listener?.changesRevision, await storage.readRevision());
      assert.notEqual(listener?.changesAtMs, null);
    }));

  it('are sent in time although the process before had a clock an hour ahead, and stopped or died', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      const { webhookId } = await create();
      const sendBy = async (webhooks: Webhooks): Promise<void> => {
        await test(webhookId);
        await until(async () => webhooks.tries.delivered === 1);
        await webhooks.stop();
      };
      clocks.wrongMs = HOUR_MS;
      await sendBy(start());
      clocks.wrongMs = 0;
      await sendBy(start());
      const untilMs = clocks.now() + HOUR_MS + CLAIM_MS;
      assert.ok(await storage.claimTask('send webhooks', 'died', { nowMs: clocks.now(), untilMs }));
      const seen = Promise.withResolvers<void>();
      const sent = sendBy(
        start({
          storage: {
            ...storage,
            readClaimEnd: async (task) => {
              const endMs = await storage.readClaimEnd(task);
              setImmediate(seen.resolve);
              return endMs;
            },
          },
        }),
      );
      await seen.promise;
      await sleep(100);
      assert.equal(hooks.received.length, 2, 'it may be alive');
      clocks.aheadMs += CLAIM_MS;
      await sent;
    }));

  it('tell once that a credential ends in seven days', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create }) => {
      const { secret } = await create();
      const expiresAtMs = clocks.now() + EXPIRY_NOTICE_MS - 60_000;
      await storage.putCredentials([sampleCredential('cr_1', { expiresAtMs })]);
      const first = start();
      await until(async () => first.tries.delivered === 1);
      const { body, headers } = hooks.received[0]!;
      const told = new Verifier(secret).verify(body, headers) as { type: string; data: object };
      assert.deepEqual([told.type, told.data], ['credential.expiring', { credentialId: 'cr_1' }]);
      await first.stop();
      start();
      await sleep(300);
      assert.equal(hooks.received.length, 1);
      assert.equal(EXPIRY_NOTICE_MS, 7 * 86_400_000);
    }));

  it('find that an endpoint which led elsewhere leads to a private address now', () =>
    inScene(open, async ({ storage, hooks, clocks, start, create, test }) => {
      let address = '127.0.0.1';
      const { webhookId } = await create();
      const { tries } = start({
        addresses: {
          allowsPrivate: false,
          isPublic: (one) => one === '127.0.0.1',
          lookup: (_host, done) => done(null, [{ address, family: 4 }]),
        },
      });
      await test(webhookId);
      await until(async () => tries.delivered === 1);
      address = '192.168.0.1';
      clocks.aheadMs += 1_000;
      await test(webhookId);
      await until(async () => tries.failed === 1);
      const [refused] = await storage.listDeliveries(webhookId, 1);
      assert.deepEqual([refused?.status, refused?.lastStatus], ['pending', null]);
      assert.equal(hooks.received.length, 1);
    }));
}
