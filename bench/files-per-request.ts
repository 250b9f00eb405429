/**
 * `npm run bench:files`: how many files of `src/` take part in one request, for four kinds of request. They are the
 * files that somebody opens who follows a request from the socket to its answer. `-- --list` names them.
 *
 * V8 counts the calls of each function, in the thread that answers and in those that work for it. A file counts when
 * one of its functions ran during each of the shortest requests: timers that fire now and then are not part of a
 * request, and on a busy machine one fires in every long one.
 */
import { globSync } from 'node:fs';
import type { InspectorNotification } from 'node:inspector';
import { type Profiler, Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { nights } from '../test/kit/catalogue-lines.ts';
import { exchange } from '../test/kit/http-exchange.ts';
import { startTravelling, type Travelling, travellersHotel } from '../test/kit/traveller-states.ts';

const SOURCE = `${pathToFileURL(join(import.meta.dirname, '..', 'src')).href}/`;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 60;
/** Of these, the shortest. */
const ROUNDS_COUNTED = 20;
const RETRY_MS = 40;
const PROPERTY = 'counted';
/** Of a person: visits of programs are not kept. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

/** Sends one request and throws unless it is answered with this status. `round` makes each one differ. */
interface Counted {
  readonly name: string;
  readonly send: (round: number) => Promise<void>;
}

interface FileCounts {
  /** Of the thread that answers. */
  readonly main: readonly string[];
  /** Of the threads that it waits for, such as the writer of SQLite. */
  readonly threads: readonly string[];
}

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const travelling = await startTravelling({ INGRESS_LIMIT: '1000000', WEB_LIMIT: '1000000' }, [
  travellersHotel(PROPERTY),
]);
const coverage = await startCoverage();
try {
  const width = 28;
  process.stdout.write(`${''.padEnd(width)} files  of threads beside\n`);
  for (const counted of await makeCounted(travelling)) {
    const { main, threads } = await countFiles(counted);
    const figures = `${String(main.length).padStart(6)}${String(threads.length).padStart(19)}`;
    process.stdout.write(`${counted.name.padEnd(width)}${figures}\n`);
    if (values.list)
      process.stdout.write([...main, ...threads.map((file) => `+ ${file}`), '', ''].join('\n'));
  }
  const files = globSync('**/*.ts', { cwd: join(import.meta.dirname, '..', 'src') });
  process.stdout.write(`of ${files.filter((file) => !file.endsWith('.test.ts')).length} files in src/\n`);
} finally {
  coverage.end();
  await travelling.installation.close();
}

async function makeCounted(world: Travelling): Promise<readonly Counted[]> {
  const { installation, service, webUrl } = world;
  const { token } = await installation.issue();
  const operatorToken = await installation.issueOperatorToken();
  await untilKnown(service.operatorUrl, operatorToken);
  const json = { 'content-type': 'application/json' };
  const asPartner = { authorization: `Bearer ${token}` };
  const stay = { checkIn: '2026-12-11', checkOut: '2026-12-14', guests: 2 };
  const links: string[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    links.push((await world.link(PROPERTY, 'it-IT')).slice(webUrl.length));
  }
  return [
    {
      name: 'dated search',
      send: () =>
        ask(service.partnerUrl, 200, {
          path: '/v1/properties?city=Venezia&checkIn=2026-12-11&checkOut=2026-12-14&guests=2',
          headers: asPartner,
        }),
    },
    {
      name: 'quote',
      send: () =>
        ask(service.partnerUrl, 201, {
          method: 'POST',
          path: '/v1/quotes',
          headers: { ...asPartner, ...json },
          body: JSON.stringify({ propertyId: PROPERTY, stay, locale: 'it-IT' }),
        }),
    },
    {
      name: 'handoff page',
      send: (round) => ask(webUrl, 200, { path: links[round]!, headers: { 'user-agent': BROWSER } }),
    },
    {
      name: 'supply message',
      send(round) {
        const night = { propertyId: PROPERTY, inventoryTypeId: 'canal-double' };
        const rate = `${100 + round}.00`;
        const entry = { ...night, ...nights('2027-01-11', '2027-01-14', { availability: 1, rate }) };
        return ask(service.operatorUrl, 200, {
          method: 'PATCH',
          path: '/supply/v1/calendars?source=catalogue',
          body: JSON.stringify({ entries: [entry] }),
          headers: { ...json, authorization: `Bearer ${operatorToken}` },
        });
      },
    },
  ];
}

async function ask(baseUrl: string, status: number, asked: Parameters<typeof exchange>[1]): Promise<void> {
  const received = await exchange(baseUrl, asked);
  if (received.status !== status) {
    throw new Error(`${asked.path}: ${received.status} ${Buffer.from(received.body).toString()}`);
  }
}

/** A token that another opening of the database issued is known a moment later. */
async function untilKnown(operatorUrl: string, token: string): Promise<void> {
  const asked = { path: '/supply/v1/revision', headers: { authorization: `Bearer ${token}` } };
  while ((await exchange(operatorUrl, asked)).status !== 200) await sleep(RETRY_MS);
}

async function countFiles({ send }: Counted): Promise<FileCounts> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await send(round);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await coverage.forget();
    const startedMs = performance.now();
    await send(WARM_UP_ROUNDS + round);
    const durationMs = performance.now() - startedMs;
    rounds.push({ ...(await coverage.take()), durationMs });
  }
  const shortest = rounds
    .toSorted((one, other) => one.durationMs - other.durationMs)
    .slice(0, ROUNDS_COUNTED);
  const answering = ofAll(shortest.map(({ main }) => main));
  const beside = ofAll(shortest.map(({ threads }) => threads));
  return { main: answering, threads: beside.filter((file) => !answering.includes(file)) };
}

interface Round extends Ran {
  readonly durationMs: number;
}

function ofAll(rounds: readonly ReadonlySet<string>[]): readonly string[] {
  return [...rounds.reduce((common, files) => common.intersection(files))].sort();
}

interface Ran {
  readonly main: ReadonlySet<string>;
  readonly threads: ReadonlySet<string>;
}

interface Coverage {
  /** What ran until now does not count. */
  forget(): Promise<void>;
  /** The files in which functions ran since then. */
  take(): Promise<Ran>;
  end(): void;
}

/** Of this thread, and of all threads that it has started or starts from now on. */
async function startCoverage(): Promise<Coverage> {
  const session = new Session();
  session.connect();
  const workers = new Map<string, Promise<TakeFiles>>();
  session.on('NodeWorker.attachedToWorker', ({ params }: InspectorNotification<{ sessionId: string }>) => {
    workers.set(params.sessionId, startPrecise(workerPost(session, params.sessionId)));
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  const takeMain = await startPrecise((method, params) => session.post(method as 'Profiler.enable', params));
  return {
    async forget() {
      for (const take of workers.values()) await (await take)();
      // Last, so that nothing comes between this and the request but the request.
      await takeMain();
    },
    async take() {
      const main = await takeMain();
      const threads = new Set<string>();
      for (const take of workers.values()) for (const file of await (await take)()) threads.add(file);
      return { main, threads };
    },
    end: () => session.disconnect(),
  };
}

type Post = (method: string, params?: object) => Promise<unknown>;
type TakeFiles = () => Promise<ReadonlySet<string>>;

/** Counts in the thread behind `post`; the result takes the files of functions that ran since the last time. */
async function startPrecise(post: Post): Promise<TakeFiles> {
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const taken = await post('Profiler.takePreciseCoverage');
    return filesThatRan(taken as Profiler.TakePreciseCoverageReturnType);
  };
}

/** Asks a thread's own inspector by way of this thread's. */
function workerPost(session: Session, sessionId: string): Post {
  let count = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    ({ params }: InspectorNotification<{ sessionId: string; message: string }>) => {
      if (params.sessionId !== sessionId) return;
      const { id, result } = JSON.parse(params.message) as { id: number; result: unknown };
      waiting.get(id)?.(result);
      waiting.delete(id);
    },
  );
  return async (method, params = {}) => {
    const id = (count += 1);
    const reply = new Promise<unknown>((resolve) => waiting.set(id, resolve));
    await session.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return reply;
  };
}

function filesThatRan({ result }: Profiler.TakePreciseCoverageReturnType): ReadonlySet<string> {
  const ran = result.filter(
    ({ url, functions }) =>
      url.startsWith(SOURCE) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  );
  return new Set(ran.map(({ url }) => url.slice(SOURCE.length)));
}
