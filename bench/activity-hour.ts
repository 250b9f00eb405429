/**
 * `npm run bench:activity-hour`: a script of 200,000 requests by five partners, on one worker, on two, and on three
 * processes with PostgreSQL, with restarts and a clock that moves. Ends with 1 where a report differs from the book of
 * the script, or where a token, header, address or body is found in the store or in a log.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/runtime/clock.ts';
import { openStorage } from '../src/storage/open.ts';
import {
  compareHour,
  HOUR_LINES,
  HOUR_PARTNERS,
  HOUR_SECRETS,
  type HourPartner,
  runHour,
  SMALL_QUOTA,
} from '../test/kit/activity-hour.ts';
import { type Environment, type RunningServer, startServer, Workplace } from '../test/kit/command-line.ts';
import { closeConnections } from '../test/kit/http-exchange.ts';
import { type PostgresServer, startPostgres } from '../test/kit/postgres-server.ts';
import { assertWithout, dumpTables, readStoreFiles } from '../test/kit/store-contents.ts';

const USAGE = `npm run bench:activity-hour -- [--requests 200000] [--only one|two|three]

  --requests COUNT   of each of the three
  --only PLACE       one worker, two workers, or three processes with PostgreSQL
`;
const PLACES = ['one', 'two', 'three'];
const REQUESTS = 200_000;
const REQUESTS_MAX = 10_000_000;
/** Refusals and quotes are one in a hundred: a thread keeps 1,000 of ten seconds one by one. */
const RARITY = 20;
const PROCESSES = 3;
const QUOTA_ROOMY = 1_000_000;
const CLOCK = pathToFileURL(join(import.meta.dirname, '..', 'test', 'kit', 'processes', 'clock-at.ts')).href;

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: String(REQUESTS) },
      only: { type: 'string', multiple: true, default: PLACES },
    },
  });
  const requests = Number(values.requests);
  const isWrong = values.only.some((name) => !PLACES.includes(name));
  if (isWrong || !Number.isInteger(requests) || requests < 1 || requests > REQUESTS_MAX) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  const has = (name: string): boolean => values.only.includes(name);
  if (has('one')) await run('one worker, SQLite', requests, { env: { WORKERS: '1' } });
  if (has('two')) await run('two workers, SQLite', requests, { env: { WORKERS: '2' } });
  if (!has('three')) return;
  const server = await startPostgres();
  try {
    await run('three processes, PostgreSQL', requests, { env: { WORKERS: '1' }, server });
  } finally {
    await server.close();
  }
}

interface Place {
  readonly env: Environment;
  readonly server?: PostgresServer;
}

async function run(name: string, requests: number, { env, server }: Place): Promise<void> {
  const databaseUrl = await server?.createDatabase();
  const roomy = { INGRESS_LIMIT: '0', LOG_LEVEL: 'info', ...env };
  const workplace = new Workplace(
    databaseUrl === undefined ? roomy : { ...roomy, DATABASE_URL: databaseUrl },
  );
  const startedAtMs = performance.now();
  try {
    const partners = await prepare(workplace);
    const fleet = startFleet(workplace, partners, server === undefined ? 1 : PROCESSES);
    const book = await runHour(fleet, requests, RARITY);
    const storage = await openStorage(workplace.environment['DATABASE_URL']!, { clock: systemClock });
    await compareHour(book, storage);
    await storage.close();
    const store =
      databaseUrl === undefined
        ? readStoreFiles(workplace.directory)
        : await dumpTables(server!, databaseUrl);
    const secrets = partners.map(({ token }) => token);
    assertWithout(store, [...HOUR_SECRETS, ...secrets]);
    // A log names the addresses that it listens on.
    assertWithout(fleet.logs.join('\n'), [
      ...HOUR_SECRETS.filter((text) => text !== '127.0.0.1'),
      ...secrets,
    ]);
    const { traffic, searches, empty, looks, kept } = book;
    const seconds = Math.round((performance.now() - startedAtMs) / 1000);
    process.stdout.write(
      `${name}: equal. ${traffic.sum} answers, ${searches.sum} searches, ${empty.sum} empty, ${looks.sum} looks, ${kept.size} refusals and quotes, ${seconds} s\n`,
    );
  } finally {
    closeConnections();
    await workplace.remove();
  }
}

async function prepare(workplace: Workplace): Promise<readonly HourPartner[]> {
  const input = HOUR_LINES.map((line) => JSON.stringify(line)).join('\n');
  await workplace.json(['import', 'catalogue', '-'], { input });
  const partners: HourPartner[] = [];
  for (const partnerId of HOUR_PARTNERS) {
    const quota = String(partnerId === HOUR_PARTNERS.at(-1) ? SMALL_QUOTA : QUOTA_ROOMY);
    await workplace.json(['partner', 'create', '--name', partnerId, '--partner-id', partnerId]);
    partners.push({
      partnerId,
      ...(await workplace.json(['credential', 'issue', '--partner', partnerId, '--quota', quota])),
    });
  }
  return partners;
}

/** Every step of the clock is a restart. */
function startFleet(workplace: Workplace, partners: readonly HourPartner[], processes: number) {
  let servers: readonly RunningServer[] = [];
  let offsetMs = 0;
  const logs: string[] = [];
  const stop = async (): Promise<void> => {
    for (const { child } of servers) child.kill('SIGTERM');
    for (const { ended } of servers) {
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 0, stderr);
      logs.push(stdout, stderr);
    }
    servers = [];
  };
  return {
    partners,
    logs,
    stop,
    nowMs: () => Date.now() + offsetMs,
    async startAt(nowMs: number) {
      await stop();
      offsetMs = nowMs - Date.now();
      const env = { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_OFFSET_MS: String(offsetMs) };
      servers = await Promise.all(Array.from({ length: processes }, () => startServer(workplace, env)));
      return servers.map(({ partnerUrl }) => partnerUrl);
    },
  };
}
