/**
 * Several processes on one database share its feeds: each poll is the work of one of them, and what a killed one had
 * claimed is taken over when the claim has expired.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/runtime/clock.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import { CLAIM_MS } from '../../src/supply/polling/claims.ts';
import { type FeedDeps, listFeeds, unsubscribeFeed } from '../../src/supply/ical/feed-changes.ts';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { feedDeps, subscribed } from '../kit/feed-deps.ts';
import { calendar, type FeedServer, startFeedServer } from '../kit/feed-server.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { suppliedWrite } from '../suites/storage/supply-samples.ts';

const SECRET = 'c4fe-b4be';
const SHARED_COUNT = 6;
const EVERY_SECONDS = 1;
/** A tenth earlier or later (`poll-times.ts`). */
const GAP_MS_MIN = EVERY_SECONDS * 900;
const SHARED_MS = 3_000;
/** Several rounds of every process. */
const NOTICED_MS = 1_500;
const DRIP_MS = 1_000;
const POLLED = /^stayport_ical_polls_total\{[^}]*\} (\d+)$/gm;
const PRELOAD = pathToFileURL(join(import.meta.dirname, '..', 'kit', 'processes', 'clock-ahead.ts')).href;

/** Windows has no signal that would set the clock. */
describe('Processes that poll feeds', { concurrency: true, skip: process.platform === 'win32' }, () => {
  describe('three on one PostgreSQL', { skip: postgresMissing() }, () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.close());
    pollTogether(3, () => server.createDatabase());
  });

  describe('two on one SQLite file', () => pollTogether(2));
});

function pollTogether(processCount: number, createDatabase?: () => Promise<string>): void {
  let feeds: FeedServer;
  let workplace: Workplace;
  let storage: Storage;
  before(async () => {
    feeds = await startFeedServer();
    const own = createDatabase === undefined ? {} : { DATABASE_URL: await createDatabase() };
    workplace = new Workplace({
      ...own,
      ICAL_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--import=${PRELOAD}`,
      CLOCK_AHEAD_MS: String(CLAIM_MS),
    });
    storage = await openStorage(own.DATABASE_URL ?? `sqlite:${workplace.databasePath}`, {
      clock: systemClock,
    });
    await storage.migrate();
    await storage.writeProperties([suppliedWrite('ponte', [[]])]);
  });
  after(async () => {
    await storage.close();
    await workplace.remove();
    await feeds.close();
  });

  it('poll each feed once when it is due, and one takes over from the one that is killed', async () => {
    const arrivals = answerAllButStuck(feeds);
    const stuckCount = (): number => arrivals.get('/stuck')?.length ?? 0;
    const killed = await startServer(workplace);
    const deps = feedDeps(storage, systemClock);
    const feedId = await subscribed(deps, { propertyId: 'ponte', url: `${feeds.url}/stuck?s=${SECRET}` });
    await until(async () => stuckCount() === 1);
    const others = await Promise.all(Array.from({ length: processCount - 1 }, () => startServer(workplace)));
    const pollCount = await pollShared(deps);
    const counts = await Promise.all([killed, ...others].map(countPolls));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      pollCount,
      `polls by process: ${counts.join()}`,
    );
    for (const [path, atMs] of arrivals) {
      const gaps = atMs.slice(1).map((at, index) => at - atMs[index]!);
      assert.ok(Math.min(...gaps) >= GAP_MS_MIN, `${path}: ${gaps.join()}`);
    }

    killed.child.kill('SIGKILL');
    await killed.ended;
    await sleep(NOTICED_MS);
    assert.equal(stuckCount(), 1, 'it is still claimed');
    for (const { child } of others) child.kill('SIGUSR2');
    await until(async () => stuckCount() > 1);
    await sleep(NOTICED_MS);
    assert.equal(stuckCount(), 2);
    const [feed] = await listFeeds(deps);
    assert.deepEqual([feed!.feedId, feed!.state], [feedId, 'ok']);
    for (const { printed } of [killed, ...others])
      assert.ok(!`${printed.stdout}${printed.stderr}`.includes(SECRET));
  });

  /** All of them while they run, as their requests arrive here; they are unsubscribed when it is over. */
  async function pollShared(deps: FeedDeps): Promise<number> {
    const before = feeds.requests.length;
    const feedIds = await Promise.all(
      Array.from({ length: SHARED_COUNT }, (_, index) =>
        subscribed(deps, {
          propertyId: 'ponte',
          everySeconds: EVERY_SECONDS,
          url: `${feeds.url}/${index}?s=${SECRET}`,
        }),
      ),
    );
    await sleep(SHARED_MS);
    // Who unsubscribes waits for the poll that is under way.
    for (const feedId of feedIds) assert.ok((await unsubscribeFeed(deps, feedId)).ok);
    return feeds.requests.length - before;
  }
}

/** Answers all but the first request for `/stuck`; when requests came, by path. */
function answerAllButStuck(feeds: FeedServer): Map<string, number[]> {
  const arrivals = new Map<string, number[]>();
  const good = calendar(['2026-12-01', '2026-12-04']);
  feeds.answer = (request, response) => {
    const path = request.url!.split('?')[0]!;
    const isStuck = path === '/stuck' && !arrivals.has(path);
    arrivals.set(path, [...(arrivals.get(path) ?? []), performance.now()]);
    if (isStuck) drip(response);
    else good(request, response);
  };
  return arrivals;
}

/** Never ends, and is never silent for so long that the poll would be given up before the others have started. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('\r\n'), DRIP_MS);
  response.on('close', () => clearInterval(timer));
}

async function countPolls({ operatorUrl }: RunningServer): Promise<number> {
  const text = await (await fetch(`${operatorUrl}/metrics`)).text();
  assert.ok(!text.includes(SECRET));
  return [...text.matchAll(POLLED)].reduce((sum, [, count]) => sum + Number(count), 0);
}
