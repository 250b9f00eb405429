/** Searches at a constant rate, alone and beside others who ask the same service: who slows partners down? */
import { inEnglish } from '../../src/domain/wrong.ts';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeLink } from '../../src/access/console-sessions.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { worldProfile } from '../catalogue/profiles.ts';
import { asWrite } from '../catalogue/property-generator.ts';
import { makeWorld } from '../catalogue/world.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { type Draw, drawDearTotals, drawRequests, drawSearch, drawTotals } from '../load/city-requests.ts';
import type { LoadOrder, LoadReport } from '../load/load-orders.ts';
import { formatRequest, recordAnswers } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import { median } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { fillActivity } from './activity-rows.ts';
import { startOnCity } from './city-service.ts';

const FULL = { rowsPerDay: 2_500, seconds: 8, rounds: 3 };
const QUICK = { rowsPerDay: 250, seconds: 2, rounds: 1 };
const SEARCHES = { requestsPerSecond: 500, connections: 50 };
const REQUESTS = 2_000;
const LARGE_INDEX = 99_000_000;
const LARGE_TYPES = 12;
/** Each page of the console by itself, beside the searches. */
const PAGE = { requestsPerSecond: 10, connections: 1, warmUpSeconds: 0.5, seconds: 1.5 };
const PAGE_MS_MAX = 100;
const PAGE_BYTES_MAX = 60_000;
const TRAVELLER_MS_MAX = 20;

/** Others, what they ask, and whom they are held against: nobody at all unless it is said. */
interface Crowd {
  readonly name: string;
  readonly order: Pick<LoadOrder, 'port' | 'requests' | 'connections' | 'requestsPerSecond'>;
  readonly against?: string;
  /** How many times as long searches may take. */
  readonly timesMax?: number;
  /** Of their own answers, p99. */
  readonly ownMsMax?: number;
}

export const beside: Section = {
  name: 'beside',
  title: 'Searches beside searches by total, the console and travellers',
  seconds: { full: 270, quick: 70 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const city = await context.cityDatabase();
    const prepared = await prepare(context, city, size.rowsPerDay);
    const service = await startOnCity(context, prepared, {
      environment: {
        WEB_PORT: '0',
        WEB_LIMIT: '0',
        BOOKING_URL_TEMPLATE: 'https://book.example/{propertyId}',
      },
    });
    const cookie = await signIn(service.operatorPort, prepared.link);
    const { quoteId, links } = await makeQuotes(city, service);
    const pages = await consolePages(city, service, cookie, { ...prepared, quoteId });
    const crowds = crowdsOf(city, service, { pages: [...pages.values()], links });
    const search = (seconds: number) =>
      context.load.run({
        ...SEARCHES,
        port: service.port,
        warmUpSeconds: 1,
        seconds,
        requests: draw(city, drawSearch),
      });
    const paged = await timePages(context, service, { pages, search });
    const measured = await measureInTurn(context, { ...size, crowds, search });
    await service.stop();
    return {
      figures: [...pageFigures(paged), ...crowds.flatMap((crowd) => crowdFigures(crowd, measured))],
      notes: [
        `${SEARCHES.requestsPerSecond} searches a second. Clients and connections ask without pause unless a rate is named.`,
        `400 days of activity, ${size.rowsPerDay} rows a day in each table. Pages of the console are sent packed.`,
      ],
      details: { paged: [...paged], measured },
    };
  },
};

interface Prepared {
  readonly databaseUrl: string;
  readonly propertyId: string;
  readonly link: string;
}

/** A copy of the city with a property of many types, what happened in 400 days, and a link to sign in with. */
async function prepare(context: Context, city: CityDatabase, rowsPerDay: number): Promise<Prepared> {
  const path = join(context.folder, 'beside.db');
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const profile = (...given: Parameters<typeof worldProfile>) => ({
    ...worldProfile(...given),
    typeCounts: [LARGE_TYPES],
  });
  const large = makeWorld(city.today, 1, profile);
  const generated = large.propertyIn(large.places[0]!, LARGE_INDEX);
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    await storage.writeProperties([asWrite(generated, large.profile, 'generated')]);
    // On SQLite the second file is made when it is asked for first.
    await storage.readTraffic({ from: 0, to: 0, rowsMax: 1 });
    fillActivity(path, city.today, rowsPerDay);
    const deps = { storage, clock: systemClock, random: systemRandom };
    const made = await makeLink(deps, { name: 'bench', role: 'operator', ttlMs: 3_600_000 });
    if (!made.ok) throw new Error(inEnglish(made.problem));
    return { databaseUrl, propertyId: generated.property.propertyId, link: made.value.secret };
  } finally {
    await storage.close();
  }
}

/** Answers the cookie. */
export async function signIn(port: number, link: string): Promise<string> {
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

/** Quotes over the whole city, and the requests of the travellers who open their links. */
async function makeQuotes(city: CityDatabase, { port }: RunningStayport) {
  const quote = MEASURED_OPERATIONS.find(({ name }) => name === 'quote')!;
  const { answers } = await recordWanted(city, quote, port);
  const quotes = answers.map(
    ({ body }) =>
      JSON.parse(Buffer.from(body).toString('utf8')) as {
        readonly quoteId: string;
        readonly handoffUrl: string;
      },
  );
  return {
    quoteId: quotes[0]!.quoteId,
    links: quotes.map(({ handoffUrl }) => formatPage(`/handoff${new URL(handoffUrl).search}`)),
  };
}

function formatPage(path: string, ...headers: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: text/html', ...headers, '', ''].join('\r\n');
}

async function consolePages(
  { tokens, today }: CityDatabase,
  { port, operatorPort }: RunningStayport,
  cookie: string,
  { propertyId, quoteId }: { readonly propertyId: string; readonly quoteId: string },
): Promise<ReadonlyMap<string, string>> {
  // A refusal is stored: other requests leave memory under load.
  const refused = { method: 'GET', path: '/v1/properties/none', token: tokens[0]! } as const;
  await recordAnswers(port, [refused]);
  const listed = await fetch(`http://127.0.0.1:${operatorPort}/console/requests?status=404`, {
    headers: { cookie, accept: 'application/json' },
  });
  const [request] = (await listed.json()) as { readonly correlationId: string }[];
  const property = `/console/properties/${propertyId}`;
  const [checkIn, checkOut] = [30, 33].map((days) => formatLocalDate(today + days));
  const lastDay = formatLocalDate(today);
  const paths = {
    today: '/console',
    partners: '/console/partners',
    requests: '/console/requests',
    'one request': `/console/requests/${request!.correlationId}`,
    properties: '/console/properties',
    [`property of ${LARGE_TYPES} types`]: property,
    night: `${property}/nights/type-0/${checkIn}`,
    'stay explained': `${property}/explain?checkIn=${checkIn}&checkOut=${checkOut}&guests=2`,
    quote: `/console/quotes/${quoteId}`,
    supply: '/console/supply',
    'funnel of 30 days': `/console/funnel?to=${lastDay}`,
    'demand of 30 days': `/console/demand?to=${lastDay}`,
    audit: '/console/audit',
  };
  const headers = [`Cookie: ${cookie}`, 'Accept-Encoding: gzip'];
  return new Map(Object.entries(paths).map(([page, path]) => [page, formatPage(path, ...headers)]));
}

function draw(city: CityDatabase, how: Draw): readonly string[] {
  return drawRequests(seedRandom(SEED), city, how, REQUESTS).map(formatRequest);
}

function crowdsOf(
  city: CityDatabase,
  { port, operatorPort, webPort }: RunningStayport,
  { pages, links }: { readonly pages: readonly string[]; readonly links: readonly string[] },
): readonly Crowd[] {
  const clients = (connections: number, how: Draw): Crowd['order'] => ({
    port,
    connections,
    requestsPerSecond: 'asFastAsPossible',
    requests: draw(city, how),
  });
  const ofConsole = { port: operatorPort, requests: pages };
  return [
    { name: '2 clients that search', order: clients(2, drawSearch) },
    {
      name: '2 clients that search by total, 7 nights',
      against: '2 clients that search',
      order: clients(2, drawTotals),
      timesMax: 1.5,
    },
    { name: '50 clients that search', order: clients(50, drawSearch) },
    {
      name: '50 clients that search by total, 60 nights',
      against: '50 clients that search',
      order: clients(50, drawDearTotals),
      timesMax: 1.5,
    },
    {
      name: 'a page of the console a second',
      order: { ...ofConsole, connections: 1, requestsPerSecond: 1 },
      timesMax: 1.1,
    },
    {
      name: 'one session of the console on 40 connections',
      order: { ...ofConsole, connections: 40, requestsPerSecond: 'asFastAsPossible' },
    },
    {
      name: '200 pages of travellers a second',
      order: { port: webPort, requests: links, connections: 50, requestsPerSecond: 200 },
      ownMsMax: TRAVELLER_MS_MAX,
    },
  ];
}

type Search = (seconds: number) => Promise<LoadReport>;

/** What each page of the console takes. */
async function timePages(
  context: Context,
  { operatorPort: port }: RunningStayport,
  { pages, search }: { readonly pages: ReadonlyMap<string, string>; readonly search: Search },
): Promise<ReadonlyMap<string, LoadReport>> {
  const searching = search(pages.size * (PAGE.warmUpSeconds + PAGE.seconds));
  const timed = new Map<string, LoadReport>();
  for (const [page, request] of pages) {
    const report = await context.load.run({ ...PAGE, port, requests: [request] });
    if (report.refusals > 0) throw new Error(`the page "${page}" was refused`);
    timed.set(page, report);
  }
  await searching;
  return timed;
}

function pageFigures(paged: ReadonlyMap<string, LoadReport>): Figure[] {
  const [[largest, { bytesPerAnswer }]] = [...paged].toSorted(
    ([, one], [, other]) => other.bytesPerAnswer - one.bytesPerAnswer,
  ) as [[string, LoadReport]];
  return [
    ...[...paged].map(([page, { latencies, answers }]) =>
      withBar(
        `page "${page}" beside searches, p99`,
        'ms',
        answers === 0 ? Number.NaN : latencies.p99Ms,
        PAGE_MS_MAX,
      ),
    ),
    withBar(`the largest page (${largest}), as it is sent`, 'MB', bytesPerAnswer / 1e6, PAGE_BYTES_MAX / 1e6),
  ];
}

interface Measured {
  readonly searches: LoadReport;
  readonly crowd: LoadReport | undefined;
}

/** By the name of the crowd, '' for none; one for each round. */
type Rounds = Readonly<Record<string, readonly Measured[]>>;

/** Without anybody and beside each crowd by turns. */
async function measureInTurn(
  { load, say }: Context,
  { crowds, search, ...size }: typeof FULL & { readonly crowds: readonly Crowd[]; readonly search: Search },
): Promise<Rounds> {
  const rounds: Record<string, Measured[]> = {};
  for (let round = 0; round < size.rounds; round += 1) {
    for (const crowd of [undefined, ...crowds]) {
      const [searches, own] = await Promise.all([
        search(size.seconds),
        crowd && load.run({ ...crowd.order, warmUpSeconds: 1, seconds: size.seconds }),
      ]);
      (rounds[crowd?.name ?? ''] ??= []).push({ searches, crowd: own });
      say(`  beside ${crowd?.name ?? 'nobody'}: p99 ${searches.latencies.p99Ms.toFixed(2)} ms`);
    }
  }
  return rounds;
}

function crowdFigures({ name, against = '', timesMax, ownMsMax }: Crowd, rounds: Rounds): Figure[] {
  const p99Of = (of: string) => rounds[of]!.map(({ searches }) => searches.latencies.p99Ms);
  const times = p99Of(name).map((p99Ms, round) => p99Ms / p99Of(against)[round]!);
  const own = rounds[name]!.map(({ crowd }) => crowd!.latencies.p99Ms);
  return [
    withBar(`search p99, beside ${name}`, 'ms', median(p99Of(name))),
    withBar(`the same, against ${against === '' ? 'alone' : against}`, 'ratio', median(times), timesMax),
    ...(ownMsMax === undefined ? [] : [withBar(`${name}: their own p99`, 'ms', median(own), ownMsMax)]),
  ];
}

export function withBar(what: string, unit: Figure['unit'], value: number, atMost?: number): Figure {
  return {
    what,
    unit,
    value,
    ...(atMost === undefined ? {} : { bar: { is: 'at most', value: atMost } }),
  };
}
