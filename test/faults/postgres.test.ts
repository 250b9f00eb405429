/**
 * PostgreSQL stopped, out of reach or slow, as a partner sees it: what is in memory goes on, quotes are refused in
 * time, and everything comes back by itself.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../kit/command-line.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { exchange } from '../kit/http-exchange.ts';
import { type Running, startInstallation } from '../kit/installation.ts';
import { type Answer, GOOD_REQUESTS, OPERATION_IDS, quoteBody } from '../kit/partner-client.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { openTcpProxy, type TcpProxy } from '../kit/tcp-proxy.ts';
import { assertOutcomes, assertPrompt, type Load, report, see, startLoad, UNAVAILABLE } from './load.ts';

const AWAY_MS = 20_000;
const STALENESS_MAX_SECONDS = 2;
const RECOVERED_MS_MAX = 5_000;
/** It asks several times a second; the rest is for a machine that does much else. */
const NOTICED_MS_MAX = 4_000;
type Environment = Readonly<Record<string, string>>;

/** More than there are connections for quotes. */
const QUOTES_AT_ONCE = 40;
const SLOW_MS = 2_500;
/** Texts, pictures and the history of changes stay in the database, and a quote is written there. */
const NEEDS_DATABASE: ReadonlySet<string> = new Set([
  'createPartnerQuote',
  'createStayQuote',
  'listPropertyContent',
  'getPropertyContent',
  'listChanges',
  'getStayOffer',
]);

describe('A service on PostgreSQL', { skip: postgresMissing() }, () => {
  let server: PostgresServer;
  let proxy: TcpProxy;
  let running: Running;
  let url: string;
  before(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    proxy = await openTcpProxy(server.port);
  });
  afterEach(() => running.installation.close());
  after(async () => {
    await proxy.close();
    await server.close();
  });

  async function start(environmentFor: (url: string) => Environment = () => ({})): Promise<void> {
    url = await server.createDatabase();
    const lines = ['hotel-ponte', 'changing'].map((propertyId) => hotel(propertyId));
    running = await startInstallation(lines, environmentFor(url), url);
    await untilQuoted();
  }

  /** The service reaches its database through the proxy, and nothing else does. */
  const throughProxy = (direct: string): Environment => ({
    DATABASE_URL: direct.replace(/:\d+\//, `:${proxy.port}/`),
    STALENESS_MAX_SECONDS: String(STALENESS_MAX_SECONDS),
  });

  const quote = () => running.partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
  const untilQuoted = () => until(async () => (await quote()).status === 201, RECOVERED_MS_MAX);

  /** The three reads in turn. */
  function startReads(): Load<unknown> {
    let turn = 0;
    return startLoad(
      (): Promise<Answer<unknown>> => {
        const operationId = OPERATION_IDS[(turn += 1) % 3] ?? 'getPartnerProperty';
        return running.partner.ask(operationId, GOOD_REQUESTS[operationId]);
      },
      { clientCount: 2, pauseMs: 20 },
    );
  }

  async function changeName(name: string): Promise<void> {
    await running.installation.importLines([hotel('changing', { name })]);
  }

  const untilNamed = (name: string) =>
    until(async () => (await running.partner.property('changing')).success.name === name, RECOVERED_MS_MAX);

  it(`reads on from memory while it is stopped for ${AWAY_MS / 1000} s, refuses quotes at once, comes back`, async (test) => {
    await start();
    const reads = startReads();
    const quotes = startLoad(quote, { clientCount: 2, pauseMs: 50 });
    await server.stop();
    const stoppedAtMs = performance.now();
    await sleep(AWAY_MS);
    const startedAgainAtMs = performance.now();
    await server.start();
    await changeName('Changed after the restart');
    await untilNamed('Changed after the restart');
    await untilQuoted();

    assertOutcomes(await reads.stop(), ['200']);
    assertPrompt(reads.seen);
    const answers = await quotes.stop();
    assertOutcomes(answers, ['201', UNAVAILABLE]);
    const meanwhile = answers.filter(
      ({ askedAtMs, answeredAtMs }) => askedAtMs > stoppedAtMs && answeredAtMs < startedAgainAtMs,
    );
    assert.ok(meanwhile.length > 100, `${meanwhile.length} quotes were asked for`);
    assertOutcomes(meanwhile, [UNAVAILABLE]);
    assertPrompt(answers);
    report(test, 'reads', reads.seen);
    report(test, 'quotes while it was stopped', meanwhile);
    report(test, 'all quotes', answers);
  });

  it('cut off for longer than the settings allow, answers nothing and says why, and comes back', async (test) => {
    await start(throughProxy);
    const livez = () => exchange(running.service.operatorUrl, { path: '/livez' });
    const readyz = () => exchange(running.service.operatorUrl, { path: '/readyz' });
    const askAll = () =>
      Promise.all(OPERATION_IDS.map((id) => see(() => running.partner.ask(id, GOOD_REQUESTS[id]))));
    const outcomes = async () => (await askAll()).map(({ outcome }) => outcome);

    proxy.cut();
    const cutAtMs = performance.now();
    const first = await askAll();
    assert.deepEqual(
      first.map(({ outcome }) => outcome),
      OPERATION_IDS.map((id) => (NEEDS_DATABASE.has(id) ? UNAVAILABLE : '200')),
    );
    assertPrompt(first);
    await changeName('Changed meanwhile');
    await until(async () => (await readyz()).status === 503);
    const awayMs = performance.now() - cutAtMs;
    assert.ok(awayMs > (STALENESS_MAX_SECONDS - 0.5) * 1000, `not ready after ${awayMs} ms`);
    assert.ok(awayMs < STALENESS_MAX_SECONDS * 1000 + NOTICED_MS_MAX, `ready for ${awayMs} ms`);
    assert.match(
      String(Buffer.from((await readyz()).body)),
      /(access|the catalogue) could not be read from the database for [2-9] seconds/,
    );
    assert.equal((await livez()).status, 200);
    const meanwhile = await askAll();
    assert.deepEqual(
      meanwhile.map(({ outcome }) => outcome),
      OPERATION_IDS.map(() => UNAVAILABLE),
    );
    assertPrompt(meanwhile);
    report(test, 'while cut off', first);
    report(test, 'when not ready', meanwhile);

    proxy.restore();
    await until(async () => (await readyz()).status === 200, RECOVERED_MS_MAX);
    await untilNamed('Changed meanwhile');
    const recovered = OPERATION_IDS.map((id) => (id.startsWith('create') ? '201' : '200')).join();
    await until(async () => (await outcomes()).join() === recovered, RECOVERED_MS_MAX);
  });

  const slowInserts = `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON quotes FOR EACH ROW EXECUTE FUNCTION slow()`;
  const lockedTables = `BEGIN; LOCK TABLE quotes, properties; SELECT pg_sleep(${SLOW_MS / 1000}); COMMIT`;

  for (const [what, begin, end] of [
    ['statements never end', slowInserts, 'DROP TRIGGER slow ON quotes'],
    ['tables are locked', lockedTables, 'SELECT 1'],
  ] as const) {
    it(`refuses quotes in time when all connections wait because ${what}`, async (test) => {
      await start();
      const begun = server.query(begin, url);
      await sleep(200);
      const reads = startReads();
      const quotes = startLoad(quote, { clientCount: QUOTES_AT_ONCE });
      await sleep(SLOW_MS - 1_000);
      assertOutcomes(await quotes.stop(), [UNAVAILABLE]);
      assertPrompt(quotes.seen);
      assertOutcomes(await reads.stop(), ['200']);
      assertPrompt(reads.seen);
      report(test, 'reads', reads.seen);
      report(test, 'quotes', quotes.seen);
      await begun;
      await server.query(end, url);
      await untilQuoted();
    });
  }
});
