/**
 * This release and the next one serve one database behind a balancer, while one process after the other is replaced:
 * forwards to the next release, then back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { type Balancer, openBalancer } from '../kit/balancer.ts';
import { daysAhead, inCity, openNow } from '../kit/catalogue-lines.ts';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { closeConnections } from '../kit/http-exchange.ts';
import { LATER_FIELD, makeLaterRelease } from '../kit/later-release.ts';
import { PartnerClient, quoteBody } from '../kit/partner-client.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { redisMissing, type RedisServer, startRedis } from '../kit/redis-server.ts';
import { callSupply } from '../kit/supply-client.ts';
import { assertOutcomes, report, type Seen, startLoad } from '../faults/load.ts';

const REVOKED_WITHIN_MS = 1_000;
const QUOTA = 20;
/** In all states beside `both of one release`. */
const STATES = 6;
/** A killed process would count for longer; one that ends is forgotten at once. */
const FIELD_SETTLED_MS = 20_000;
const SETTINGS = {
  INGRESS_LIMIT: '0',
  LOG_LEVEL: 'error',
  DRAIN_SECONDS: '1',
  // Answers are checked against it.
  PUBLIC_URL: 'http://127.0.0.1:8080',
};
const CITY = 'Rolling';
/** Between the replacements, so that both releases serve together. */
const TOGETHER_MS = 1_500;

type Release = 'present' | 'later';

describe(
  'This release and the next one on PostgreSQL and Redis',
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
        const present = await upgrade.start('present');
        const later = await upgrade.start('later');
        for (let round = 0; round < 3; round += 1) {
          const name = new URL(databaseUrl).pathname.slice(1);
          await postgres.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
          );
          for (const { partnerUrl, child } of [present, later]) {
            const partner = new PartnerClient(partnerUrl, upgrade.token);
            await until(async () => (await partner.quote(body('open-house'))).status === 201);
            assert.equal((await partner.property('open-house')).status, 200);
            assert.equal(child.exitCode, null);
          }
        }
        await upgrade.workplaces.present.json(['partner', 'list']);
        const contracting = await upgrade.workplaces.later.run(['migrate', '--contract']);
        assert.equal(contracting.code, 1);
        assert.match(contracting.stderr, /Stayport \S+ on .*, process \d+, seen/);
        await upgrade.stop(present);
        await until(async () => (await upgrade.workplaces.later.run(['migrate', '--contract'])).code === 0);
      } finally {
        await upgrade.remove();
      }
    });
  },
);

describe('This release and the next one on one SQLite file', () => {
  it('replace each other without a failed request, and back', async (test) => {
    const upgrade = await Upgrade.prepare({});
    try {
      await rollForwardAndBack(test, upgrade, { sharesLimits: false });
    } finally {
      await upgrade.remove();
    }
  });
});

class LaterWorkplace extends Workplace {
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
  operatorToken = '';
  /** One for each state: revoked, and used up. */
  readonly revocable: { readonly credentialId: string; readonly token: string }[] = [];
  readonly limited: string[] = [];

  /** A database that this release made and filled. */
  static async prepare(settings: Readonly<Record<string, string>>): Promise<Upgrade> {
    const upgrade = new Upgrade(settings, await openBalancer());
    const { present } = upgrade.workplaces;
    const lines = [
      ...['open-house', 'changing'].map((propertyId) => openNow(propertyId, inCity(CITY))),
      // What the newer release alone knows: neither in the searches nor among the messages that are counted.
      openNow('kept', inCity('Elsewhere')),
    ];
    await present.json(['import', 'catalogue', '-'], {
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    await present.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issue = async (quota: number) =>
      present.json(['credential', 'issue', '--partner', 'acme', '--quota', String(quota)]);
    upgrade.token = (await issue(1_000_000)).token;
    for (let state = 0; state < STATES; state += 1) {
      upgrade.revocable.push(await issue(1_000_000));
      upgrade.limited.push((await issue(QUOTA)).token);
    }
    const args = ['operator-token', 'issue', '--name', 'pms', '--source', 'catalogue'];
    upgrade.operatorToken = (await present.json(args)).token;
    return upgrade;
  }

  private constructor(settings: Readonly<Record<string, string>>, balancer: Balancer) {
    const release = makeLaterRelease();
    const present = new Workplace({ ...SETTINGS, ...settings });
    this.workplaces = { present, later: new LaterWorkplace(present.environment, release.bin) };
    this.balancer = balancer;
    this.#removeCode = () => release.remove();
  }

  get databaseUrl(): string {
    return this.workplaces.present.environment['DATABASE_URL'] ?? '';
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
    await this.workplaces.present.remove();
    await this.workplaces.later.remove();
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
  const serving = [await upgrade.start('present'), await upgrade.start('present')];
  const searches = startLoad(() => partner.search({ city: CITY, ...STAY }), { clientCount: 3, pauseMs: 5 });
  const quotes = startLoad(() => partner.quote(body('open-house')), { clientCount: 2, pauseMs: 5 });
  const messages = startMessages(upgrade);
  const lastMs: number[] = [];
  let state = 0;
  /** Revoked by a command of this release. */
  async function check(release: Release): Promise<void> {
    lastMs.push(await assertRevoked(upgrade, state, release));
    if (sharesLimits) await assertExactLimit(upgrade, state);
    state += 1;
  }

  await check('present');
  for (const release of ['later', 'present'] as const) {
    for (let place = 0; place < serving.length; place += 1) {
      const replaced = serving.shift()!;
      serving.push(await upgrade.start(release));
      await sleep(TOGETHER_MS);
      await upgrade.stop(replaced);
      if (release === 'later' && place === 0) assert.equal(await setNewField(upgrade, serving[1]!), 503);
      if (place === 0 || release === 'later') await check(place === 0 ? 'present' : 'later');
    }
    if (release === 'later')
      await until(async () => (await setNewField(upgrade, serving[0]!)) === 200, FIELD_SETTLED_MS);
  }
  await check('present');

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

/** Sets the field of the next release, which waits while a process of this one serves; the status. */
async function setNewField(upgrade: Upgrade, { operatorUrl }: RunningServer): Promise<number> {
  const { status } = await callSupply(operatorUrl, 'PATCH', 'calendars', {
    token: upgrade.operatorToken,
    body: { entries: [{ ...NIGHT, [LATER_FIELD]: 2 }] },
  });
  return status;
}

const NIGHT = {
  propertyId: 'kept',
  inventoryTypeId: 'double',
  dateFrom: daysAhead(9),
  dateTo: daysAhead(9),
};

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
      entries: [{ ...NIGHT, rate: '99.00' }],
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
  const kept = await upgrade.workplaces.later.json(['property', 'show', 'kept']);
  assert.ok(JSON.stringify(kept).includes(`"${LATER_FIELD}":2`), 'this release keeps what it does not know');
}
