/** The pages of the console beside the searches of partners: how long does each take, and do partners notice? */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { makeLink } from '../../src/access/console-sessions.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { ADDRESS_REQUESTS_MAX, SESSION_REQUESTS_MAX } from '../../src/http/console/page-limits.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openStorage } from '../../src/storage/open.ts';
import { HORIZON_NIGHTS, worldProfile } from '../catalogue/profiles.ts';
import { asWrite } from '../catalogue/property-generator.ts';
import { makeWorld, WORLD_PARTNER_IDS } from '../catalogue/world.ts';
import { prepareWorldDatabase, type WorldDatabase } from '../catalogue/world-database.ts';
import { type RunningStayport, startStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { drawWorldSearches } from '../load/world-requests.ts';
import { median, percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { fillActivity } from './activity-rows.ts';

const FULL = { properties: 50_000, cities: 500, rowsPerDay: 2_500, seconds: 10, rounds: 3 };
const QUICK = { properties: 5_000, cities: 50, rowsPerDay: 250, seconds: 4, rounds: 1 };
const SEARCHES_PER_SECOND = 500;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 2;
/** Longer than the pages take in turn. */
const BESIDE_SECONDS = 12;
const REQUEST_COUNT = 5_000;
const TURNS = 20;
const TURNS_BEFORE = 5;
const PAGE_MS_MAX = 100;
const PAGE_BYTES_MAX = 60_000;
const PARTNER_GROWTH_MAX = 1.1;
/** Of a person who looks from page to page. */
const READING_MS = 1_000;
const LARGE_INDEX = 99_000_000;
const LARGE_TYPES = 12;
const FIRST_PROPERTY_ID = 'p00000000';

const FLOOD_CONNECTIONS = 40;
const FLOODED = `search p99, beside one session on ${FLOOD_CONNECTIONS} connections without pause`;
/** One after the other: as many as an address may have, each of which may not ask faster. */
const SESSIONS = Math.floor(ADDRESS_REQUESTS_MAX / SESSION_REQUESTS_MAX);

interface Answer {
  readonly ms: number;
  readonly body: Buffer;
}

type AskPage = (path: string, accept?: string) => Promise<Answer>;

interface MeasuredPage {
  readonly page: string;
  readonly bytes: number;
  readonly cpuMs: number;
  readonly ms: readonly number[];
}

export const consolePages: Section = {
  name: 'console',
  title: 'Pages of the console, beside 500 searches a second on SQLite',
  seconds: { full: 110, quick: 35 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const { properties, cities } = size;
    const database = await prepareWorldDatabase(context, { name: 'console', size: { properties, cities } });
    const { propertyId, links } = await prepare(database, size.rowsPerDay);
    const service = await startStayport({
      databaseUrl: database.databaseUrl,
      folder: context.folder,
      readyWithinSeconds: 60,
    });
    context.onEnd(() => service.stop());
    const cookies = await openSessions(service.operatorPort, links);
    const askPage = askByTurns(service.operatorPort, cookies);
    const flood: Flood = {
      port: service.operatorPort,
      path: `/console/properties/${propertyId}`,
      cookie: cookies[0]!,
    };
    const order = {
      port: service.port,
      requests: drawWorldSearches(makeWorld(database.today, cities), database, REQUEST_COUNT),
      connections: CONNECTIONS,
      requestsPerSecond: SEARCHES_PER_SECOND,
      warmUpSeconds: WARM_UP_SECONDS,
    };
    const searched = (seconds: number) => context.load.run({ ...order, seconds });
    await searched(1);
    // A refusal is stored: others leave memory under load.
    await ask(service.port, '/v1/properties/none', { authorization: `Bearer ${database.tokens[0]}` }, 404);
    const quoteId = await makeQuote(service.port, database);
    const paths = await pagesOf(askPage, propertyId, quoteId, database);
    const cpu = await processorTimes(context, service, askPage, paths);
    const measured = await measurePages(searched, askPage, paths, cpu);
    const rounds = await measureInTurn(size, searched, { askPage, paths: [...paths.values()], flood });
    await service.stop();
    return {
      figures: [...measured.flatMap(figuresOf), bytesFigure(measured), ...partnerFigures(rounds)],
      notes: [
        `${properties} properties; ${size.rowsPerDay} rows of activity in each table for each of 400 days. Pages are packed with gzip, and packing is part of their processor time.`,
      ],
      details: { measured, rounds },
    };
  },
};

/** A property with many types, what happened in 400 days, and a link to sign in with. */
async function prepare({ databaseUrl, today }: WorldDatabase, rowsPerDay: number) {
  const large = makeWorld(today, 1, (...given) => ({ ...worldProfile(...given), typeCounts: [LARGE_TYPES] }));
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    const generated = large.propertyIn(large.places[0]!, LARGE_INDEX);
    await storage.writeProperties([asWrite(generated, large.profile, 'generated')]);
    // On SQLite the second file is made when it is asked for first.
    await storage.readTraffic({ from: 0, to: 0, rowsMax: 1 });
    await fillActivity(databaseUrl, today, rowsPerDay);
    const deps = { storage, clock: systemClock, random: systemRandom };
    const links: string[] = [];
    while (links.length < SESSIONS) {
      const made = await makeLink(deps, { name: 'bench', role: 'operator', ttlMs: 3_600_000 });
      if (!made.ok) throw new Error(made.problem);
      links.push(made.value.secret);
    }
    return { propertyId: generated.property.propertyId, links };
  } finally {
    await storage.close();
  }
}

async function openSessions(port: number, links: readonly string[]): Promise<readonly string[]> {
  const cookies: string[] = [];
  for (const link of links) cookies.push(await signInTo(port, link));
  return cookies;
}

/** Pages by turns in each of the sessions. */
function askByTurns(port: number, cookies: readonly string[]): AskPage {
  let turn = 0;
  return (path, accept = 'text/html') =>
    ask(port, path, { cookie: cookies[turn++ % cookies.length]!, accept });
}

async function signInTo(port: number, link: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/console/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ link }),
    redirect: 'manual',
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`no session: ${answer.status}`);
  return cookie;
}

/** Until the last byte, as it is sent. */
function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<Answer> {
  const startedAtMs = performance.now();
  const isPacked = headers['accept'] === 'text/html';
  const all = { ...headers, ...(isPacked ? { 'accept-encoding': 'gzip' } : {}) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, path, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== status) reject(new Error(`${path}: ${response.statusCode}`));
        else resolve({ ms: performance.now() - startedAtMs, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Of the first stay of one night that has a price. */
async function makeQuote(port: number, { tokens, today }: WorldDatabase): Promise<string> {
  for (let checkIn = today + 1; checkIn < today + HORIZON_NIGHTS - 1; checkIn += 1) {
    const stay = { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkIn + 1), guests: 1 };
    const answer = await fetch(`http://127.0.0.1:${port}/v1/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens[0]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ propertyId: FIRST_PROPERTY_ID, stay, locale: 'en-GB' }),
    });
    const { quoteId } = (await answer.json()) as { readonly quoteId?: string };
    if (quoteId !== undefined) return quoteId;
  }
  throw new Error(`${FIRST_PROPERTY_ID} has no night with a price`);
}

async function pagesOf(
  askPage: AskPage,
  propertyId: string,
  quoteId: string,
  { today }: WorldDatabase,
): Promise<ReadonlyMap<string, string>> {
  const requests = await askPage('/console/requests?status=404', 'application/json');
  const [request] = JSON.parse(requests.body.toString('utf8')) as { readonly correlationId: string }[];
  const property = `/console/properties/${propertyId}`;
  const stay = `checkIn=${formatLocalDate(today + 30)}&checkOut=${formatLocalDate(today + 33)}&guests=2`;
  const lastDay = formatLocalDate(today);
  return new Map([
    ['today', '/console'],
    ['partners', '/console/partners'],
    ['partner', `/console/partners/${WORLD_PARTNER_IDS[0]}`],
    ['requests', '/console/requests'],
    ['one request', `/console/requests/${request!.correlationId}`],
    ['properties', '/console/properties'],
    ['properties that begin so', '/console/properties?search=a'],
    [`property of ${LARGE_TYPES} types`, property],
    ['property of one type', `/console/properties/${FIRST_PROPERTY_ID}`],
    ['night', `${property}/nights/type-0/${formatLocalDate(today + 30)}`],
    ['stay explained', `${property}/explain?${stay}`],
    ['quote', `/console/quotes/${quoteId}`],
    ['supply', '/console/supply'],
    ['funnel of 30 days', `/console/funnel?to=${lastDay}`],
    ['demand of 30 days', `/console/demand?to=${lastDay}`],
    ['audit', '/console/audit'],
  ]);
}

/** Of each page in ms, with the thread that packs it; without anything beside. */
async function processorTimes(
  context: Context,
  service: RunningStayport,
  askPage: AskPage,
  paths: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const [page, path] of paths) {
    await askOften(askPage, path, TURNS_BEFORE);
    const before = await service.usage();
    await askOften(askPage, path, TURNS);
    const after = await service.usage();
    times.set(page, ((after.cpuSeconds - before.cpuSeconds) * 1000) / TURNS);
    context.say(`  ${page}: ${times.get(page)!.toFixed(1)} ms of processor time`);
  }
  return times;
}

/** Beside the searches. */
async function measurePages(
  searched: (seconds: number) => Promise<unknown>,
  askPage: AskPage,
  paths: ReadonlyMap<string, string>,
  cpu: ReadonlyMap<string, number>,
): Promise<readonly MeasuredPage[]> {
  const searching = searched(BESIDE_SECONDS);
  await delay(WARM_UP_SECONDS * 1000);
  const measured: MeasuredPage[] = [];
  for (const [page, path] of paths) {
    const answers = await askOften(askPage, path, TURNS);
    const bytes = Math.max(...answers.map(({ body }) => body.length));
    measured.push({ page, bytes, cpuMs: cpu.get(page)!, ms: answers.map(({ ms }) => ms) });
  }
  await searching;
  return measured;
}

async function askOften(askPage: AskPage, path: string, turns: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let turn = 0; turn < turns; turn += 1) answers.push(await askPage(path));
  return answers;
}

interface Beside {
  readonly askPage: AskPage;
  readonly paths: readonly string[];
  readonly flood: Flood;
}

interface Round<T> {
  readonly alone: T;
  readonly beside: T;
  readonly flooded: T;
}

/** Searches in each way by turns: each round goes on with the pages where the last one ended. */
async function measureInTurn<T>(
  { seconds, rounds }: typeof FULL,
  searched: (seconds: number) => Promise<T>,
  { askPage, paths, flood }: Beside,
): Promise<readonly Round<T>[]> {
  const measured: Round<T>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = (round * seconds) % paths.length;
    const turned = [...paths.slice(first), ...paths.slice(0, first)];
    const alone = await searched(seconds);
    const beside = await searchBeside(searched(seconds), askPage, turned);
    measured.push({ alone, beside, flooded: await searchFlooded(searched(seconds), flood) });
  }
  return measured;
}

/** One session asks for one page without pause; most of its requests are refused. */
interface Flood {
  readonly port: number;
  readonly path: string;
  readonly cookie: string;
}

async function searchFlooded<T>(searching: Promise<T>, { port, path, cookie }: Flood): Promise<T> {
  const agent = new Agent({ keepAlive: true, maxSockets: FLOOD_CONNECTIONS });
  let isOver = false;
  const searched = searching.finally(() => (isOver = true));
  const askAgain = async (): Promise<void> => {
    while (!isOver)
      await new Promise<void>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path, agent, headers: { cookie, accept: 'text/html' } };
        const outgoing = httpRequest(options, (response) => response.resume().on('end', resolve));
        outgoing.on('error', reject).end();
      });
  };
  await Promise.all(Array.from({ length: FLOOD_CONNECTIONS }, askAgain));
  agent.destroy();
  return searched;
}

/** One page after the other, one a second, for as long as the searches run. */

async function searchBeside<T>(
  searching: Promise<T>,
  askPage: AskPage,
  paths: readonly string[],
): Promise<T> {
  let isOver = false;
  const searched = searching.finally(() => (isOver = true));
  for (let turn = 0; !isOver; turn += 1) {
    await askPage(paths[turn % paths.length]!);
    await Promise.race([delay(READING_MS), searched]);
  }
  return searched;
}

function figuresOf({ page, cpuMs, ms }: MeasuredPage): Figure[] {
  return [
    { what: `${page}, p50`, value: percentile(ms, 50), unit: 'ms' },
    {
      what: `${page}, p99`,
      value: percentile(ms, 99),
      unit: 'ms',
      bar: { is: 'at most', value: PAGE_MS_MAX },
    },
    { what: `${page}, processor time`, value: cpuMs, unit: 'ms' },
  ];
}

/** What searches cost beside readers of the console. */
function partnerFigures(rounds: readonly Round<LoadReport>[]): Figure[] {
  const p99Of = (how: keyof Round<LoadReport>) => median(rounds.map((round) => round[how].latencies.p99Ms));
  const growthOf = (how: keyof Round<LoadReport>) =>
    median(rounds.map((round) => round[how].latencies.p99Ms / round.alone.latencies.p99Ms));
  const bar = { is: 'at most', value: PARTNER_GROWTH_MAX } as const;
  const against = { what: 'the same, against alone', unit: 'ratio' } as const;
  return [
    { what: 'search p99, alone', value: p99Of('alone'), unit: 'ms' },
    { what: 'search p99, beside a page a second', value: p99Of('beside'), unit: 'ms' },
    { ...against, value: growthOf('beside'), bar },
    { what: FLOODED, value: p99Of('flooded'), unit: 'ms' },
    { ...against, value: growthOf('flooded') },
  ];
}

function bytesFigure(measured: readonly MeasuredPage[]): Figure {
  const largest = measured.toSorted((one, other) => other.bytes - one.bytes)[0]!;
  return {
    what: `the largest page (${largest.page}), as it is sent`,
    unit: 'MB',
    value: largest.bytes / 1e6,
    bar: { is: 'at most', value: PAGE_BYTES_MAX / 1e6 },
  };
}
