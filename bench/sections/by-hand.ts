/** One person with a browser, and searches beside: a folder of photos, and a large sheet of minimum stays. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { seedRandom } from '../measure/random.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { linkInto, readFormToken, takePhoto } from './attacked.ts';
import { signIn, withBar } from './beside.ts';
import { startOnCity } from './city-service.ts';

const FULL = { photos: 400, different: 40, rows: 200_000, rounds: 3 };
const QUICK = { photos: 8, different: 4, rows: 20_000, rounds: 1 };
const SEARCHES = { requestsPerSecond: 500, connections: 50, warmUpSeconds: 1, seconds: 8 };
const REQUESTS = 2_000;
/** As the page does. */
const PHOTOS_AT_ONCE = 2;
const AGAIN_MS = 2_000;
const POLL_MS = 250;
const TIMES_MAX = 1.5;

export const byHand: Section = {
  name: 'by-hand',
  title: 'A folder of photos and a large sheet, sent from the console beside searches',
  seconds: { full: 700, quick: 60 },
  isOnDemand: true,
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const city = await context.cityDatabase();
    const path = join(context.folder, 'by-hand.db');
    await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
    const databaseUrl = `sqlite:${path}`;
    const link = await linkInto(databaseUrl);
    const images = join(context.folder, 'by-hand-images');
    await mkdir(images);
    const service = await startOnCity(context, { databaseUrl }, { environment: { WEB_IMAGES: images } });
    const cookie = await signIn(service.operatorPort, link);
    const person = { service, cookie, token: await readFormToken(service.operatorPort, cookie) };
    const taken = await Promise.all(Array.from({ length: size.different }, takePhoto));
    const photos = taken.map((photo) => new Blob([new Uint8Array(photo)]));
    const requests = drawRequests(seedRandom(SEED), city, drawSearch, REQUESTS).map(formatRequest);
    const search = () => context.load.run({ ...SEARCHES, port: service.port, requests });
    const alone: LoadReport[] = [];
    await search();
    for (let round = 0; round < size.rounds; round += 1) alone.push(await search());
    const { residentBytes } = await service.usage();
    const ofPhotos = await besideSearches(context, service, search, async () =>
      sendPhotos(person, photos, size.photos),
    );
    const ofSheet = await besideSearches(context, service, search, async () =>
      sendSheet(person, sheetOf(city, size.rows)),
    );
    await service.stop();
    return {
      figures: [
        withBar('search p99, alone', 'ms', median(p99Of(alone))),
        withBar('memory of the service, before', 'MB', residentBytes / 1e6),
        ...workFigures(`${size.photos} photos of ${(photos[0]!.size / 1e6).toFixed(1)} MB`, ofPhotos, alone),
        withBar('photos that were refused in the end', 'count', ofPhotos.done.refused, 0),
        ...workFigures(`a sheet of ${size.rows} rows`, ofSheet, alone),
        withBar('seconds until the sheet was checked', 's', ofSheet.done.checkedSeconds),
      ],
      notes: [
        `${SEARCHES.requestsPerSecond} searches a second; the service, the processes that decode and the import share one core.`,
      ],
      details: { alone, ofPhotos, ofSheet },
    };
  },
};

const p99Of = (reports: readonly LoadReport[]) => reports.map(({ latencies }) => latencies.p99Ms);

interface Worked<Done> {
  readonly done: Done;
  readonly seconds: number;
  /** Of searches, until the work was done. */
  readonly beside: readonly LoadReport[];
  /** The most that the service had, without the processes that decode. */
  readonly residentBytes: number;
}

async function besideSearches<Done>(
  { say }: Context,
  service: RunningStayport,
  search: () => Promise<LoadReport>,
  work: () => Promise<Done>,
): Promise<Worked<Done>> {
  const startedAtMs = performance.now();
  let isDone = false;
  let seconds = 0;
  let residentBytes = 0;
  const working = work().finally(() => {
    isDone = true;
    seconds = (performance.now() - startedAtMs) / 1_000;
  });
  const watching = (async () => {
    while (!isDone) {
      residentBytes = Math.max(residentBytes, (await service.usage()).residentBytes);
      await delay(POLL_MS);
    }
  })();
  const beside: LoadReport[] = [];
  do {
    const report = await search();
    beside.push(report);
    const { p50Ms, p99Ms, maxMs } = report.latencies;
    say(`  p50 ${p50Ms.toFixed(2)}, p99 ${p99Ms.toFixed(2)}, longest ${maxMs.toFixed(1)} ms`);
    // It changes in the promise above.
  } while (!(isDone as boolean));
  await watching;
  return { done: await working, seconds, beside, residentBytes };
}

function workFigures(
  what: string,
  { seconds, beside, residentBytes }: Worked<unknown>,
  alone: readonly LoadReport[],
): readonly Figure[] {
  const p99Ms = median(p99Of(beside));
  return [
    withBar(`${what}, until all were done`, 's', seconds),
    withBar('search p99 beside', 'ms', p99Ms),
    withBar('the same, against alone', 'ratio', p99Ms / median(p99Of(alone)), TIMES_MAX),
    withBar(
      'the longest answer to a search',
      'ms',
      Math.max(...beside.map(({ latencies }) => latencies.maxMs)),
    ),
    withBar('memory of the service, at most', 'MB', residentBytes / 1e6),
  ];
}

interface Person {
  readonly service: Pick<RunningStayport, 'operatorPort'>;
  readonly cookie: string;
  readonly token: string;
}

async function post(
  { service: { operatorPort }, cookie, token }: Person,
  path: string,
  fields: Readonly<Record<string, string | Blob>>,
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ form: token, ...fields })) body.append(name, value);
  return fetch(`http://127.0.0.1:${operatorPort}${path}`, {
    method: 'POST',
    headers: { cookie, accept: 'application/json', 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
    body,
  });
}

/** As the script of the page does: again where the service says so. */
async function sendPhotos(person: Person, photos: readonly Blob[], count: number) {
  let next = 0;
  let refused = 0;
  const sendSome = async (): Promise<void> => {
    while (next < count) {
      const file = photos[next % photos.length]!;
      next += 1;
      for (;;) {
        const { status, headers } = await post(person, '/console/pictures/picture-upload', { file });
        if (status === 503) await delay(Number(headers.get('retry-after')) * 1_000 || AGAIN_MS);
        else {
          if (status !== 200) refused += 1;
          break;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: PHOTOS_AT_ONCE }, sendSome));
  return { refused };
}

/** A minimum stay for each of so many nights, over all properties in turn: some types take prices of one source only. */
function sheetOf({ properties, today, nightCount }: CityDatabase, rows: number): Blob {
  const lines = ['propertyId,inventoryTypeId,dateFrom,dateTo,minStayArrival'];
  for (let row = 0; row < rows; row += 1) {
    const { propertyId, inventoryTypes } = properties[row % properties.length]!.property;
    const night = formatLocalDate(today + 1 + (Math.floor(row / properties.length) % (nightCount - 1)));
    lines.push([propertyId, inventoryTypes[0]!.inventoryTypeId, night, night, String(1 + (row % 3))].join());
  }
  return new Blob([lines.join('\n')]);
}

async function sendSheet(person: Person, file: Blob): Promise<{ readonly checkedSeconds: number }> {
  const startedAtMs = performance.now();
  const sent = await post(person, '/console/import/import-rates', { file });
  if (!sent.ok) throw new Error(`the sheet was refused: ${sent.status} ${await sent.text()}`);
  const { importId } = (await sent.json()) as { readonly importId: string };
  const path = `/console/import/files/${importId}`;
  const shown = await settled(person, path);
  const checkedSeconds = (performance.now() - startedAtMs) / 1_000;
  const applying = await fetch(
    new URL(`${path}/import-rates`, `http://127.0.0.1:${person.service.operatorPort}`),
    {
      method: 'POST',
      headers: { cookie: person.cookie, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
      body: new URLSearchParams({ form: person.token, hash: shown.hash }),
    },
  );
  if (applying.status !== 303) throw new Error(`not applied: ${applying.status} ${await applying.text()}`);
  const { phase } = await settled(person, path);
  if (phase !== 'applied') throw new Error(`the sheet is ${phase}`);
  return { checkedSeconds };
}

async function settled({ service: { operatorPort }, cookie }: Person, path: string) {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${operatorPort}${path}`, {
      headers: { cookie, accept: 'application/json' },
    });
    const state = (await answer.json()) as { readonly phase: string; readonly hash: string };
    if (!/checking|applying/.test(state.phase)) return state;
    await delay(POLL_MS);
  }
}
