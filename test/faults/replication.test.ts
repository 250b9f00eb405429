/**
 * A primary of PostgreSQL that fails and is replaced by its standby, while services are under load: what is
 * acknowledged under synchronous replication stays, what asynchronous replication loses is noticed by all processes,
 * and nobody goes on writing to a primary that was replaced.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeCredential } from '../../src/access/credential-changes.ts';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import type { PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import type { ListedChanges } from '../../src/partner/changes/change-feed.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { until } from '../kit/command-line.ts';
import { type Installation, openInstallation, type Served, valueOf } from '../kit/installation.ts';
import { type Answer, PartnerClient, quoteBody } from '../kit/partner-client.ts';
import {
  type PostgresServer,
  postgresMissing,
  type StandbyServer,
  startPostgres,
  startStandby,
} from '../kit/postgres-server.ts';
import { openTcpProxy, type TcpProxy } from '../kit/tcp-proxy.ts';
import { countOutcomes, type Load, startLoad, withOutcome } from './load.ts';

const PROPERTY_IDS = Array.from({ length: 12 }, (_, index) => `hotel-${index}`);
const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
/** From the first answer of the new primary until every process shows what it has. */
const EQUAL_MS_MAX = 5_000;
const REVOKED_MS_MAX = 1_000;
const LOAD_MS = 1_500;
/** Shorter than a follower waits for an answer. */
const FROZEN_MS = 3_000;
/** The followers have asked again, on connections that they opened since, on a busy machine too. */
const THAWED_MS = 1_500;

/** Two services behind one name, which leads to the primary. */
interface Site {
  readonly primary: PostgresServer;
  readonly standby: StandbyServer;
  readonly proxy: TcpProxy;
  readonly installation: Installation;
  readonly services: readonly Served[];
  readonly partners: readonly PartnerClient[];
  /** In the database of the new primary, past the name. */
  query(server: PostgresServer, sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

async function openSite(): Promise<Site> {
  const primary = await startPostgres();
  const url = await primary.createDatabase();
  const standby = await startStandby(primary);
  const proxy = await openTcpProxy(primary.port);
  const installation = await openInstallation(url.replace(/:\d+\//, `:${proxy.port}/`));
  await installation.importLines(PROPERTY_IDS.map((propertyId) => hotel(propertyId)));
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  const services = [await installation.serve(), await installation.serve()];
  return {
    primary,
    standby,
    proxy,
    installation,
    services,
    partners: services.map(({ partnerUrl }) => new PartnerClient(partnerUrl, token)),
    async query(server, sql) {
      return (await server.query(sql, url.replace(/:\d+\//, `:${server.port}/`))).rows;
    },
    async close() {
      // The database was away: services have said so.
      for (const service of services) service.takeErrors();
      await installation.close();
      await proxy.close();
      await standby.close();
      await primary.close();
    },
  };
}

function askQuotes({ partners }: Site, clientCount: number): Load<PartnerQuote> {
  let turn = 0;
  const ask = () => {
    turn++;
    const partner = partners[turn % partners.length]!;
    return partner.quote(quoteBody(PROPERTY_IDS[turn % 10]!, STAY.checkIn, STAY.checkOut));
  };
  return startLoad(ask, { clientCount, pauseMs: 5 });
}

/** Does something again and again until stopped; what did not fail was acknowledged. */
function repeat<T>(act: (round: number) => Promise<T>) {
  const acknowledged: T[] = [];
  let isStopped = false;
  const underway = (async () => {
    for (let round = 0; !isStopped; round++) {
      try {
        acknowledged.push(await act(round));
      } catch {
        await sleep(20);
      }
    }
  })();
  return {
    acknowledged: acknowledged as readonly T[],
    async stop(): Promise<readonly T[]> {
      isStopped = true;
      await underway;
      return acknowledged;
    },
  };
}

/** The id of the message that was answered. */
async function sendMessage(site: Site, token: string, round: number): Promise<string> {
  const response = await fetch(`${site.services[0]!.operatorUrl}/supply/v1/calendars?source=pms`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      entries: [
        {
          propertyId: PROPERTY_IDS[10],
          inventoryTypeId: 'double',
          dateFrom: '2026-12-20',
          dateTo: '2026-12-20',
          availability: round % 2,
        },
      ],
    }),
  });
  const body = (await response.json()) as { messageId: string };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body.messageId;
}

async function issueAndRevoke({ installation }: Site): Promise<string> {
  const { credentialId } = await installation.issue();
  valueOf(await revokeCredential(installation.access, credentialId));
  return credentialId;
}

/** The name leads to the standby, which is the primary now. Returns when the new primary has answered. */
async function failOver({ standby, proxy }: Site): Promise<void> {
  await standby.promote();
  proxy.moveTo(standby.port);
}

async function metric(service: Served, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${service.operatorUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Without a cursor the answer has the one of now. */
async function changesSince(partner: PartnerClient, cursor?: string): Promise<Answer<ListedChanges>> {
  const since = cursor === undefined ? '' : `?since=${cursor}`;
  return partner.ask('listChanges', { path: `/feeds/v1/changes${since}` });
}

const losses = (service: Served) => metric(service, /^stayport_history_lost_total/);
const idsOf = (load: readonly { readonly answer: { readonly success: PartnerQuote } | undefined }[]) =>
  load.map(({ answer }) => answer!.success.quoteId);
const textList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(',');

async function missing(
  site: Site,
  { table, column, where = 'true' }: { table: string; column: string; where?: string },
  ids: readonly string[],
): Promise<number> {
  const found = await site.query(
    site.standby,
    `SELECT count(*) AS n FROM ${table} WHERE ${where} AND ${column} IN (${textList(ids)})`,
  );
  return new Set(ids).size - Number(found[0]?.['n']);
}

function describeSite(name: string, body: (site: () => Site) => void): void {
  describe(name, { skip: postgresMissing() }, () => {
    let site: Site;
    before(async () => {
      site = await openSite();
    });
    after(() => site.close());
    body(() => site);
  });
}

describeSite('a primary that is killed, with synchronous replication', (opened) => {
  it('loses no quote, no revocation and no message that was acknowledged', async (test: TestContext) => {
    const site = opened();
    await site.primary.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await site.primary.query('SELECT pg_reload_conf()');
    await until(
      async () =>
        (await site.primary.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount ===
        1,
    );
    const token = await site.installation.issueOperatorToken();
    await until(async () => (await sendMessage(site, token, 0).catch(() => '')) !== '');
    const quotes = askQuotes(site, 6);
    const revocations = repeat(() => issueAndRevoke(site));
    const messages = repeat((round) => sendMessage(site, token, round));
    const cursors = await Promise.all(
      site.partners.map(async (partner) => (await changesSince(partner)).success.next),
    );
    await until(
      async () =>
        withOutcome(quotes.seen, '201').length > 50 &&
        revocations.acknowledged.length > 5 &&
        messages.acknowledged.length > 5,
    );
    await site.primary.kill();
    const before = quotes.seen.length;
    await failOver(site);
    await until(async () => withOutcome(quotes.seen.slice(before), '201').length > 20);
    const acknowledged = idsOf(withOutcome(await quotes.stop(), '201'));
    const [revoked, sent] = [await revocations.stop(), await messages.stop()];
    test.diagnostic(
      `acknowledged: ${acknowledged.length} quotes, ${revoked.length} revocations, ${sent.length} messages`,
    );
    assert.equal(await missing(site, { table: 'quotes', column: 'quote_id' }, acknowledged), 0);
    const where = 'revoked_at_ms IS NOT NULL';
    assert.equal(await missing(site, { table: 'credentials', column: 'credential_id', where }, revoked), 0);
    assert.equal(await missing(site, { table: 'supply_messages', column: 'message_id' }, sent), 0);
    for (const service of site.services) assert.equal(await losses(service), 0, 'no history was lost');
    const expected = [{ propertyId: PROPERTY_IDS[10], change: 'calendar' }];
    for (const [index, partner] of site.partners.entries()) {
      // Of its own process and of the other one.
      for (const cursor of [cursors[index]!, cursors[1 - index]!])
        assert.deepEqual((await changesSince(partner, cursor)).success.changes, expected);
    }
  });
});

describeSite('a primary that is killed, with asynchronous replication', (opened) => {
  it('leaves every process equal to the new primary within 5 s', async (test: TestContext) => {
    const site = opened();
    const { installation, partners, services } = site;
    const [old, gone] = [await installation.issue(), await installation.issue()];
    await until(
      async () => (await site.query(site.standby, 'SELECT count(*) AS n FROM credentials'))[0]?.['n'] === '3',
    );
    const kept = (await changesSince(partners[0]!)).success.next;
    await site.standby.detach();
    // Lost with the primary: three revisions of access, and two of properties.
    const lost = await installation.issue();
    valueOf(await revokeCredential(installation.access, gone.credentialId));
    await installation.importLines([hotel('hotel-0', { name: 'Lost name' }), hotel('lost')]);
    const clientOf = (service: Served, token: string) => new PartnerClient(service.partnerUrl, token);
    for (const service of services) {
      const isFollowed = async () =>
        (await partners[0]!.property('lost')).status === 200 &&
        (await clientOf(service, lost.token).property('hotel-1')).status === 200 &&
        (await clientOf(service, gone.token).property('hotel-1')).status === 401;
      await until(isFollowed);
    }
    const ofLost = (await changesSince(partners[0]!)).success.next;
    const load = askQuotes(site, 4);
    await sleep(200);
    await site.primary.kill();
    await failOver(site);
    // Past the lost history: a lower number can't be what gives it away.
    await until(async () =>
      revokeCredential(installation.access, old.credentialId).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const answersAtMs = performance.now();
    const level = async (service: Served) => {
      const statusOf = async (token: string) => (await clientOf(service, token).property('hotel-1')).status;
      await until(async () => (await statusOf(old.token)) === 401);
      await until(async () => (await statusOf(lost.token)) === 401 && (await statusOf(gone.token)) === 200);
      const accessMs = performance.now() - answersAtMs;
      const partner = clientOf(service, gone.token);
      await until(
        async () =>
          (await partner.property('lost')).status === 404 &&
          (await partner.property('hotel-0')).success.name !== 'Lost name',
      );
      return { accessMs, allMs: performance.now() - answersAtMs };
    };
    const took = await Promise.all(services.map(level));
    for (let version = 1; version <= 6; version++)
      await installation.importLines([hotel('hotel-2', { name: `Version ${version}` })]);
    for (const partner of partners)
      await until(async () => (await partner.property('hotel-2')).success.name === 'Version 6');
    await load.stop();
    for (const partner of partners) {
      assert.equal((await changesSince(partner, ofLost)).outcome, '410 FEED_CURSOR_RESET');
      const { changes } = (await changesSince(partner, kept)).success;
      assert.deepEqual(changes, [{ propertyId: 'hotel-2', change: 'content' }], 'nothing of what was lost');
    }
    test.diagnostic(`after the first answer of the new primary: ${JSON.stringify(took)}`);
    assert.ok(Math.max(...took.map(({ accessMs }) => accessMs)) < REVOKED_MS_MAX);
    assert.ok(Math.max(...took.map(({ allMs }) => allMs)) < EQUAL_MS_MAX);
    for (const service of services) assert.ok((await losses(service)) > 0);
  });
});

describeSite('a primary that freezes, is replaced, and thaws', (opened) => {
  it('gets no quote that is acknowledged after that', async (test: TestContext) => {
    const site = opened();
    // Many at once, so that all connections there may be are open; then none is in use when the server freezes, so no
    // statement fails, and each of them is still there when it thaws.
    const before = askQuotes(site, 24);
    await sleep(LOAD_MS);
    await before.stop();
    site.primary.freeze();
    await sleep(FROZEN_MS);
    await failOver(site);
    site.primary.thaw();
    await sleep(THAWED_MS);
    const load = askQuotes(site, 12);
    await sleep(LOAD_MS);
    const seen = await load.stop();
    const acknowledged = idsOf(withOutcome(seen, '201'));
    const lost = await missing(site, { table: 'quotes', column: 'quote_id' }, acknowledged);
    test.diagnostic(
      `after the thaw: ${JSON.stringify(countOutcomes(seen))}; only on the old primary: ${lost}`,
    );
    assert.ok(acknowledged.length > 50);
    assert.equal(lost, 0);
  });
});
