/**
 * The release before and this one serve one database behind a balancer, while one process after the other is replaced:
 * forwards to this release, then back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StayPrices } from '../../src/contract/partner/price-schemas.ts';
import type { PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { type Balancer, openBalancer } from '../kit/balancer.ts';
import { daysAhead, inCity, openNow } from '../kit/catalogue-lines.ts';
import { NO_WEB, type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { EARLIER_RELEASE, earlierReleaseMissing, unpackEarlierRelease } from '../kit/earlier-release.ts';
import { closeConnections } from '../kit/http-exchange.ts';
import { PartnerClient, quoteBody } from '../kit/partner-client.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { redisMissing, type RedisServer, startRedis } from '../kit/redis-server.ts';
import { callSupply } from '../kit/supply-client.ts';
import { assertOutcomes, report, type Seen, startLoad } from '../faults/load.ts';

const REVOKED_WITHIN_MS = 1_000;
const QUOTA = 20;
/** In all states beside `both of one release`. */
const STATES = 6;
const SETTINGS = { INGRESS_LIMIT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '1' };
const CITY = 'Rolling';
/** Between the replacements, so that both releases serve together. */
const TOGETHER_MS = 1_500;
/** A process looks for older ones this often, and counts what it sees twice. */
const DISCOUNTS_SETTLED_MS = 20_000;

type Release = 'earlier' | 'present';

const missing = earlierReleaseMissing();
if (missing === undefined) describeUpgrades();
// Not a skipped suite: that would read as if it had been tested.
else process.stderr.write(`the rolling upgrade is NOT tested: ${missing}\n`);

function describeUpgrades(): void {
  describe(
    `${EARLIER_RELEASE} and this release on PostgreSQL and Redis`,
    {
      skip: postgresMissing() || redisMissing(),
    },
    () => {
      let postgres: PostgresServer;
      let redis: RedisServer;
      before(async () => {
        postgres = await startPostgres();
        redis = await startRedis();
      });
      after(async () => {
        await postgres.close();
        await redis.close();
      });

      it('replace each other without a failed request, and back', async (test) => {
        const databaseUrl = await postgres.createDatabase();
        const upgrade = await Upgrade.prepare({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
        try {
          await rollForwardAndBack(test, upgrade, { sharesLimits: true });
        } finally {
          await upgrade.remove();
        }
      });

      it('survive that their connections are cut, whatever the other release added', async () => {
        const databaseUrl = await postgres.createDatabase();
        const upgrade = await Upgrade.prepare({ DATABASE_URL: databaseUrl, REDIS_URL: redis.url });
        try {
          const earlier = await upgrade.start('earlier');
          const present = await upgrade.start('present');
          for (let round = 0; round < 3; round += 1) {
            const name = new URL(databaseUrl).pathname.slice(1);
            await postgres.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
            );
            for (const { partnerUrl, child } of [earlier, present]) {
              const partner = new PartnerClient(partnerUrl, upgrade.token);
              await until(async () => (await partner.quote(body('open-house'))).status === 201);
              assert.equal((await partner.property('open-house')).status, 200);
              assert.equal(child.exitCode, null);
            }
          }
          await upgrade.workplaces.earlier.json(['partner', 'list']);
          const contracting = await upgrade.workplaces.present.run(['migrate', '--contract']);
          assert.equal(contracting.code, 1);
          assert.match(contracting.stderr, /1488e62 or older\) on .*, \d+ connections/);
          await upgrade.stop(earlier);
          await until(
            async () => (await upgrade.workplaces.present.run(['migrate', '--contract'])).code === 0,
          );
        } finally {
          await upgrade.remove();
        }
      });
    },
  );

  describe(`${EARLIER_RELEASE} and this release on one SQLite file`, () => {
    it('replace each other without a failed request, and back', async (test) => {
      const upgrade = await Upgrade.prepare({});
      try {
        await rollForwardAndBack(test, upgrade, { sharesLimits: false });
      } finally {
        await upgrade.remove();
      }
    });
  });
}

class EarlierWorkplace extends Workplace {
  protected override readonly bin: string;

  constructor(environment: Readonly<Record<string, string>>, bin: string) {
    super(environment);
    this.bin = bin;
  }
}

class Upgrade {
  readonly workplaces: Readonly<Record<Release, Workplace>>;
  readonly balancer: Balancer;
  readonly #removeCode: () => void;
  token = '';
  /** Of this release: with scopes that the one before does not know. */
  pricesToken = '';
  operatorToken = '';
  /** One for each state: revoked, and used up. */
  readonly revocable: { readonly credentialId: string; readonly token: string }[] = [];
  readonly limited: string[] = [];

  /** A database that the earlier release made and filled. */
  static async prepare(settings: Readonly<Record<string, string>>): Promise<Upgrade> {
    const upgrade = new Upgrade(settings, await openBalancer());
    const { earlier } = upgrade.workplaces;
    const lines = [openNow('open-house', inCity(CITY)), openNow('changing', inCity(CITY))];
    await earlier.json(['import', 'catalogue', '-'], {
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    await earlier.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issue = async (quota: number) =>
      earlier.json(['credential', 'issue', '--partner', 'acme', '--quota', String(quota)]);
    upgrade.token = (await issue(1_000_000)).token;
    for (let state = 0; state < STATES; state += 1) {
      upgrade.revocable.push(await issue(1_000_000));
      upgrade.limited.push((await issue(QUOTA)).token);
    }
    const args = ['operator-token', 'issue', '--name', 'pms', '--source', 'catalogue'];
    upgrade.operatorToken = (await earlier.json(args)).token;
    return upgrade;
  }

  private constructor(settings: Readonly<Record<string, string>>, balancer: Balancer) {
    const release = unpackEarlierRelease();
    // Without a web listener: the earlier release has none unless it is asked for one, and knows no `off`.
    const earlier = new EarlierWorkplace({ ...SETTINGS, ...settings, WEB_PORT: '' }, release.bin);
    const present = new Workplace({ ...earlier.environment, WEB_PORT: NO_WEB.WEB_PORT });
    this.workplaces = { earlier, present };
    this.balancer = balancer;
    this.#removeCode = () => release.remove();
  }

  get databaseUrl(): string {
    return this.workplaces.earlier.environment['DATABASE_URL'] ?? '';
  }

  async start(release: Release): Promise<RunningServer> {
    const server = await startServer(this.workplaces[release]);
    await this.balancer.add(server);
    return server;
  }

  /** As its supervisor stops it, after the balancer has noticed. */
  async stop(server: RunningServer): Promise<void> {
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    this.balancer.remove(server);
    assert.deepEqual([code, stderr], [0, '']);
  }

  async remove(): Promise<void> {
    closeConnections();
    await this.balancer.close();
    await this.workplaces.earlier.remove();
    await this.workplaces.present.remove();
    this.#removeCode();
  }
}

const STAY = { checkIn: daysAhead(2), checkOut: daysAhead(5) };
const body = (propertyId: string) => quoteBody(propertyId, STAY.checkIn, STAY.checkOut);

/** Messages one after the other, each with another price of the same night; what was acknowledged last. */
function startMessages(upgrade: Upgrade): {
  stop(): Promise<{ readonly rate: string; readonly ids: readonly string[] }>;
} {
  const ids: string[] = [];
  let rate = '';
  let isStopped = false;
  const underway = (async () => {
    for (let number = 1; !isStopped; number += 1) {
      const next = `${100 + (number % 800)}.00`;
      const entry = { propertyId: 'changing', inventoryTypeId: 'double', rate: next };
      const { status, body: answer } = await callSupply(upgrade.balancer.operatorUrl, 'PATCH', 'calendars', {
        token: upgrade.operatorToken,
        body: { entries: [{ ...entry, dateFrom: daysAhead(20), dateTo: daysAhead(20) }] },
      });
      assert.equal(status, 200, JSON.stringify(answer));
      ids.push(answer.messageId);
      rate = next;
      await sleep(10);
    }
  })();
  underway.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await underway;
      return { rate, ids };
    },
  };
}

/** Answers stop within a second after the command of either release returned; the last 2xx, in milliseconds after it. */
async function assertRevoked(upgrade: Upgrade, state: number, release: Release): Promise<number> {
  const { credentialId, token } = upgrade.revocable[state]!;
  const partner = new PartnerClient(upgrade.balancer.partnerUrl, token);
  assert.equal((await partner.property('open-house')).status, 200);
  const load = startLoad(() => partner.property('open-house'), { clientCount: 4, pauseMs: 5 });
  await upgrade.workplaces[release].json(['credential', 'revoke', credentialId]);
  const returnedAtMs = performance.now();
  await sleep(REVOKED_WITHIN_MS + 300);
  const answers = await load.stop();
  assertOutcomes(answers, ['200', '401 PARTNER_ACCESS_REVOKED']);
  const lastMs = (answers.findLast(({ outcome }) => outcome === '200')?.answeredAtMs ?? 0) - returnedAtMs;
  assert.ok(lastMs < REVOKED_WITHIN_MS, `a 200 came ${lastMs} ms after the revocation`);
  return lastMs;
}

/** The quota counts over all processes together: so many are answered, and not one more. */
async function assertExactLimit(upgrade: Upgrade, state: number): Promise<void> {
  const partner = new PartnerClient(upgrade.balancer.partnerUrl, upgrade.limited[state]);
  const answers = await Promise.all(Array.from({ length: 2 * QUOTA }, () => partner.property('open-house')));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    [200, 429].map((status) => statuses.filter((one) => one === status).length),
    [QUOTA, QUOTA],
  );
}

async function rollForwardAndBack(
  test: TestContext,
  upgrade: Upgrade,
  { sharesLimits }: { readonly sharesLimits: boolean },
): Promise<void> {
  const partner = new PartnerClient(upgrade.balancer.partnerUrl, upgrade.token);
  const serving = [await upgrade.start('earlier'), await upgrade.start('earlier')];
  const searches = startLoad(() => partner.search({ city: CITY, ...STAY }), { clientCount: 3, pauseMs: 5 });
  const quotes = startLoad(() => partner.quote(body('open-house')), { clientCount: 2, pauseMs: 5 });
  const messages = startMessages(upgrade);
  const lastMs: number[] = [];
  let state = 0;
  /** The commands are of the release before this once, then of this one. */
  async function check(release: Release): Promise<void> {
    lastMs.push(await assertRevoked(upgrade, state, release));
    if (sharesLimits) await assertExactLimit(upgrade, state);
    state += 1;
  }

  await check('earlier');
  for (const release of ['present', 'earlier'] as const) {
    for (let place = 0; place < serving.length; place += 1) {
      const replaced = serving.shift()!;
      serving.push(await upgrade.start(release));
      await sleep(TOGETHER_MS);
      await upgrade.stop(replaced);
      if (release === 'earlier' && place === 0) await assertOnePrice(upgrade, serving);
      if (place === 0 || release === 'present') await check(place === 0 ? 'earlier' : 'present');
    }
    if (release === 'present') await assertNewFields(upgrade, serving[0]!);
  }
  await check('earlier');

  const { rate, ids } = await messages.stop();
  assertOutcomes(await searches.stop(), ['200']);
  assertOutcomes(await quotes.stop(), ['201']);
  await assertKept(upgrade, { quotes: quotes.seen, rate, ids });
  for (const server of serving) await upgrade.stop(server);
  report(test, 'searches', searches.seen);
  report(test, 'quotes', quotes.seen);
  test.diagnostic(
    `messages: ${ids.length}; the last 200 after a revocation: ${Math.round(Math.max(...lastMs))} ms`,
  );
}

/** A document of this release: with a discount, which every process applies once both are of this release. */
async function assertNewFields(upgrade: Upgrade, { partnerUrl, operatorUrl }: RunningServer): Promise<void> {
  const document = openNow('discounted', {
    ...inCity('Elsewhere'),
    discounts: [{ code: 'ten', percent: '10' }],
    images: [{ src: 'https://cdn.example.com/a.jpg', alt: 'A', width: 4, height: 3 }],
  });
  const { token: _of, ...put } = { token: '', body: document };
  const { status } = await callSupply(operatorUrl, 'PUT', 'properties/discounted', {
    ...put,
    token: upgrade.operatorToken,
  });
  assert.equal(status, 201);
  const partner = new PartnerClient(partnerUrl, upgrade.token);
  await until(async () => (await totalOf(partner)) === '324.00', DISCOUNTS_SETTLED_MS);
  const scopes = ['prices:read', 'quotes:write'].flatMap((scope) => ['--scope', scope]);
  const asked = ['credential', 'issue', '--partner', 'acme', '--quota', '1000000', ...scopes];
  upgrade.pricesToken = (await upgrade.workplaces.present.json(asked)).token;
  const reader = new PartnerClient(partnerUrl, upgrade.pricesToken);
  await until(async () => (await totalFromMemory(reader)) === '324.00');
}

/**
 * Beside a process that knows no discounts nobody applies them: the price does not depend on who answers. Scopes that it
 * does not know grant nothing there, and take nothing from those that it knows.
 */
async function assertOnePrice(upgrade: Upgrade, serving: readonly RunningServer[]): Promise<void> {
  for (const { partnerUrl } of serving) {
    const partner = new PartnerClient(partnerUrl, upgrade.token);
    await until(async () => (await totalOf(partner)) === '360.00', DISCOUNTS_SETTLED_MS);
    const reader = new PartnerClient(partnerUrl, upgrade.pricesToken);
    await until(async () => (await totalOf(reader)) === '360.00');
    assert.equal((await reader.search({ city: CITY })).outcome, '403 PARTNER_SCOPE_INSUFFICIENT');
  }
  const [present, earlier] = serving.map(
    ({ partnerUrl }) => new PartnerClient(partnerUrl, upgrade.pricesToken),
  );
  assert.equal(await totalFromMemory(present!), '360.00');
  assert.equal((await earlier!.ask(null, PRICES)).outcome, '404 PARTNER_OPERATION_NOT_FOUND');
}

const PRICES = {
  method: 'POST',
  path: '/prices/v1/stays',
  body: JSON.stringify({ propertyIds: ['discounted'], stay: { ...STAY, guests: 2 } }),
};

async function totalFromMemory(partner: PartnerClient): Promise<string | undefined> {
  const answer = await partner.ask<StayPrices>('priceStays', PRICES);
  return answer.status === 200 ? answer.success.items[0]?.pricing?.total : undefined;
}

async function totalOf(partner: PartnerClient): Promise<string | undefined> {
  const answer = await partner.quote(body('discounted'));
  return answer.status === 201 ? answer.success.pricing.total : undefined;
}

interface Acknowledged {
  readonly quotes: readonly Seen<PartnerQuote>[];
  readonly rate: string;
  readonly ids: readonly string[];
}

/** Nothing that was acknowledged is lost, whichever release took it; the older one left alone what it does not know. */
async function assertKept(upgrade: Upgrade, { quotes, rate, ids }: Acknowledged): Promise<void> {
  const changed = await callSupply(upgrade.balancer.operatorUrl, 'PATCH', 'calendars', {
    token: upgrade.operatorToken,
    body: {
      entries: [
        {
          propertyId: 'discounted',
          inventoryTypeId: 'double',
          dateFrom: daysAhead(9),
          dateTo: daysAhead(9),
          rate: '99.00',
        },
      ],
    },
  });
  assert.equal(changed.status, 200);
  const storage = await openStorage(upgrade.databaseUrl, { clock: systemClock });
  try {
    const found = await Promise.all(
      quotes.map(({ answer }) => storage.findQuote(answer?.success.quoteId ?? '')),
    );
    assert.ok(found.length > 100 && found.every((quote) => quote !== undefined), `${found.length} quotes`);
  } finally {
    await storage.close();
  }
  const { present } = upgrade.workplaces;
  const shown = await present.json(['property', 'show', 'changing']);
  assert.ok(JSON.stringify(shown).includes(`"rate":"${rate}"`), `the last price is ${rate}`);
  const listed = await callSupply(
    upgrade.balancer.operatorUrl,
    'GET',
    'messages?propertyId=changing&limit=100',
    {
      token: upgrade.operatorToken,
    },
  );
  const found: readonly { readonly messageId: string }[] = listed.body.messages;
  assert.ok(ids.length > 100, `${ids.length} messages`);
  assert.deepEqual(found.map(({ messageId }) => messageId).toSorted(), ids.slice(-100).toSorted());
  const discounted = await present.json(['property', 'show', 'discounted']);
  assert.deepEqual([discounted.discounts?.length, discounted.images?.length], [1, 1]);
}
