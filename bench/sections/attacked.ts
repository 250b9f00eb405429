/**
 * Searches at a constant rate beside somebody anonymous who attacks the console, beside uploads of pictures, and beside
 * another partner with the longest windows, without pause; and prices of others beside these.
 */
import { inEnglish } from '../../src/domain/wrong.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeLink } from '../../src/access/console-sessions.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { type Attacker, type AttackOrder, startAttacker } from '../load/attack.ts';
import { type Draw, drawRequests, drawSearch, drawTotals } from '../load/city-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { formatRequest, type RequestParts } from '../load/recorded-answer.ts';
import { median } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { CREDENTIALS_PER_PARTNER } from '../catalogue/credentials.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { SEED } from '../seed.ts';
import { signIn, withBar } from './beside.ts';
import { startOnCity } from './city-service.ts';

const FULL = { seconds: 8, rounds: 3 };
const QUICK = { seconds: 2, rounds: 1 };
const SEARCHES = { requestsPerSecond: 500, connections: 50, warmUpSeconds: 1 };
const REQUESTS = 2_000;
const CONNECTIONS = 16;
const WINDOW_CLIENTS = 50;
const WINDOW_DATES = 92;
const LARGE_FORM_BYTES = 12_600_000;
const SIGN_IN_BYTES = 16_000;
const QUERY_BYTES = 12_000;
/** A photo of a phone has about as many pixels, and about 4 MB. */
const PHOTO = { width: 4032, height: 3024, quality: 80 };
const BOUNDARY = 'stayport-bench';
/** Another partner asks for prices, too, now and then. */
const OTHERS_PRICES = { requestsPerSecond: 50, connections: 4, warmUpSeconds: 1 };
const OTHERS_DATES = 31;
/** The same connections that ask for next to nothing: what they cost is not the attack's. */
const PLAIN = 'GET /livez';
const TIMES_MAX = 1.5;

interface Attack extends Omit<AttackOrder, 'seconds'> {
  readonly name: string;
}

export const attacked: Section = {
  name: 'attacked',
  title: 'Searches beside attacks on the console, uploads, and windows of another partner',
  seconds: { full: 250, quick: 50 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const city = await context.cityDatabase();
    const images = join(context.folder, 'attacked-images');
    mkdirSync(images);
    const link = await linkInto(city.databaseUrl);
    const environment = { WEB_PORT: '0', WEB_IMAGES: images };
    const service = await startOnCity(context, city, { environment });
    const windows = windowsOf(service, city);
    const attacks = [
      ...attacksOn(service),
      windows,
      await uploadsTo(service, await signIn(service.operatorPort, link)),
    ];
    const others = { ...city, tokens: city.tokens.slice(CREDENTIALS_PER_PARTNER) };
    const requests = drawRequests(seedRandom(SEED), others, drawSearch, REQUESTS).map(formatRequest);
    const search = (seconds: number) =>
      context.load.run({ ...SEARCHES, port: service.port, seconds, requests });
    const attacker = startAttacker();
    context.onEnd(() => attacker.stop());
    const rounds = await measureInTurn(context, { ...size, attacker, attacks, search });
    const priceFigures: Figure[] = [];
    for (const { name, timesMax, requests: drawn } of pricesOf(others)) {
      const order = { ...OTHERS_PRICES, port: service.port, requests: drawn };
      const ask = (seconds: number) => context.load.run({ ...order, seconds });
      const asked = { ...size, attacker, attacks: [windows], search: ask };
      const ofOthers = await measureInTurn(context, asked);
      const [alone = [], beside = []] = [ofOthers[''], ofOthers[windows.name]];
      priceFigures.push(...besideFigures(name, timesMax, alone, beside));
    }
    await service.stop();
    const p99Of = (name: string) => rounds[name]!.map(({ latencies }) => latencies.p99Ms);
    const times = (name: string, against: string) =>
      median(p99Of(name).map((p99Ms, round) => p99Ms / p99Of(against)[round]!));
    return {
      figures: ['', ...attacks.map(({ name }) => name)]
        .flatMap((name) => [
          withBar(`search p99, ${name === '' ? 'alone' : `beside ${name}`}`, 'ms', median(p99Of(name))),
          ...(name === '' ? [] : [withBar('the same, against alone', 'ratio', times(name, ''), TIMES_MAX)]),
          ...(name === '' || name === PLAIN
            ? []
            : [withBar(`the same, against beside ${PLAIN}`, 'ratio', times(name, PLAIN))]),
        ])
        .concat(priceFigures),
      notes: [
        `${SEARCHES.requestsPerSecond} searches a second. The attacker has ${CONNECTIONS} connections, each request a new one, without pause; pictures are uploaded one at a time.`,
      ],
      details: rounds,
    };
  },
};

/** Questions of others that wait for no window, and some that wait for one. */
function pricesOf(others: CityDatabase) {
  const draw = (how: Draw) => drawRequests(seedRandom(SEED), others, how, REQUESTS).map(formatRequest);
  const window = formatRequest(requestWindow(others, others.tokens[0]!, OTHERS_DATES));
  return [
    { name: 'prices of one date by total', timesMax: 1.2, requests: draw(drawTotals) },
    { name: `window of ${OTHERS_DATES} dates`, timesMax: undefined, requests: [window] },
  ];
}

/** Prices of another partner, alone and beside the crowd. */
function besideFigures(
  name: string,
  timesMax: number | undefined,
  alone: readonly LoadReport[],
  beside: readonly LoadReport[],
): readonly Figure[] {
  const p99 = (reports: readonly LoadReport[]) => reports.map(({ latencies }) => latencies.p99Ms);
  const times = median(p99(beside).map((p99Ms, round) => p99Ms / p99(alone)[round]!));
  const refusals = beside.reduce((sum, report) => sum + report.refusals, 0);
  return [
    withBar(`${name}, p99, alone`, 'ms', median(p99(alone))),
    withBar(`${name}, beside the windows of another partner, against alone`, 'ratio', times, timesMax),
    withBar(`${name}: refused of those beside`, 'count', refusals, 0),
  ];
}

/** The secret of a link for an operator. */
export async function linkInto(databaseUrl: string): Promise<string> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  try {
    const deps = { storage, clock: systemClock, random: systemRandom };
    const made = await makeLink(deps, { name: 'bench', role: 'operator', ttlMs: 3_600_000 });
    if (!made.ok) throw new Error(inEnglish(made.problem));
    return made.value.secret;
  } finally {
    await storage.close();
  }
}

function attacksOn({ operatorPort: port }: RunningStayport): readonly Attack[] {
  const form = 'Content-Type: application/x-www-form-urlencoded';
  const post = (path: string, bytes: number, ...headers: readonly string[]) => ({
    head: formatHead('POST', path, form, `Content-Length: ${bytes}`, ...headers),
    body: 'a&'.repeat(bytes / 2),
  });
  const to = { port, connections: CONNECTIONS };
  const cookie = `Cookie: stayport_console=${'a'.repeat(43)}`;
  return [
    { ...to, name: PLAIN, head: formatHead('GET', '/livez') },
    {
      ...to,
      name: 'posts of 12.6 MB with a made-up cookie',
      ...post('/console/settings/setting-save', LARGE_FORM_BYTES, cookie),
    },
    { ...to, name: 'posts of 16 KB to the sign-in', ...post('/console/sign-in', SIGN_IN_BYTES) },
    {
      ...to,
      name: 'queries of 6,000 names',
      head: formatHead('GET', `/console/sign-in?${'a&'.repeat(QUERY_BYTES / 2)}`),
    },
  ];
}

/** Many clients with one credential, each asking for the best stays of 92 dates. */
function windowsOf({ port }: RunningStayport, city: CityDatabase): Attack {
  const { path, token } = requestWindow(city, city.tokens[0]!, WINDOW_DATES);
  return {
    name: `windows of ${WINDOW_DATES} dates of another partner`,
    port,
    head: formatHead('GET', path, `Authorization: Bearer ${token}`),
    connections: WINDOW_CLIENTS,
  };
}

function requestWindow({ place, today }: CityDatabase, token: string, dates: number): RequestParts {
  const query = new URLSearchParams({
    city: place.city,
    checkInFrom: formatLocalDate(today + 1),
    checkInUntil: formatLocalDate(today + dates),
    nights: '7',
    guests: '2',
    sort: 'total',
  });
  return { method: 'GET', path: `/prices/v1/flexible-stays?${query.toString()}`, token };
}

/** No two are the same. */
export async function takePhoto(): Promise<Buffer> {
  const { width, height, quality } = PHOTO;
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#000', noise } })
    .jpeg({ quality })
    .toBuffer();
}

/** The token that forms of this session send along. */
export async function readFormToken(port: number, cookie: string): Promise<string> {
  const page = await fetch(`http://127.0.0.1:${port}/console/new-property`, { headers: { cookie } });
  const token = /name="form" value="([0-9a-f]{64})"/.exec(await page.text())?.[1];
  if (token === undefined) throw new Error(`no form of a new property: ${page.status}`);
  return token;
}

/** An operator who uploads one photo after another into the form of a new property. */
async function uploadsTo({ operatorPort: port }: RunningStayport, cookie: string): Promise<Attack> {
  const photo = await takePhoto();
  const token = await readFormToken(port, cookie);
  const field = (name: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(field('form', token) + field('upload', '1') + file),
    photo,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const head = formatHead(
    'POST',
    '/console/new-property/property-save',
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    `Content-Length: ${body.length}`,
  );
  return {
    name: `uploads of photos of ${(photo.length / 1e6).toFixed(0)} MB`,
    port,
    head,
    body,
    connections: 1,
  };
}

function formatHead(method: string, path: string, ...headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join(
    '\r\n',
  );
}

/** Alone and beside each attack by turns; by the name of the attack, '' for none. */
async function measureInTurn(
  context: Context,
  {
    attacker,
    attacks,
    search,
    rounds,
    seconds,
  }: typeof FULL & {
    readonly attacker: Attacker;
    readonly attacks: readonly Attack[];
    readonly search: (seconds: number) => Promise<LoadReport>;
  },
): Promise<Readonly<Record<string, readonly LoadReport[]>>> {
  const reports: Record<string, LoadReport[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const attack of [undefined, ...attacks]) {
      const [report, asked] = await Promise.all([
        search(seconds),
        attack && attacker.attack({ ...attack, seconds: seconds + SEARCHES.warmUpSeconds }),
      ]);
      const name = attack?.name ?? '';
      (reports[name] ??= []).push(report);
      const { p50Ms, p99Ms } = report.latencies;
      context.say(
        `  beside ${name || 'nobody'} (${asked ?? 0}): p50 ${p50Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)} ms`,
      );
    }
  }
  return reports;
}
