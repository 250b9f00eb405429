/**
 * `npm run bench:paint`: the traveller's page on a slow phone, as Chromium shows it: when its largest part is painted,
 * how far parts move while it loads, and how many bytes it takes. The cover is a PNG of 120 KB that cannot be packed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../test/kit/browser.ts';
import { startTravelling, type Travelling, travellersHotel } from '../test/kit/traveller-states.ts';
import { seedRandom } from './measure/random.ts';
import { median } from './measure/statistics.ts';
import { SEED } from './seed.ts';

const PHONE = { width: 390, height: 844 };
/** 4G as Chromium's own tools simulate it when it is slow. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const CPU_SLOWER = 4;
const ROUNDS = 5;
const COVER = { width: 240, height: 166 };
const SETTLED_MS = 1_000;

interface Paint {
  readonly largestPaintMs: number;
  readonly layoutShift: number;
  readonly htmlBytes: number;
  readonly pictureBytes: number;
}

interface Figure {
  readonly what: string;
  readonly field: keyof Paint;
  readonly digits: number;
  /** At most. */
  readonly bar?: number;
}

const FIGURES: readonly Figure[] = [
  { what: 'largest paint, ms', field: 'largestPaintMs', digits: 0, bar: 2_500 },
  { what: 'layout shift', field: 'layoutShift', digits: 3, bar: 0.02 },
  { what: 'HTML, bytes', field: 'htmlBytes', digits: 0 },
  { what: 'cover, bytes', field: 'pictureBytes', digits: 0 },
];

const folder = await mkdtemp(join(tmpdir(), 'stayport-paint-'));
const cover = makeNoise(COVER.width, COVER.height);
await writeFile(join(folder, 'cover.png'), cover);
const travelling = await startTravelling({ WEB_IMAGES: folder }, [
  travellersHotel('painted', [], {
    images: [{ src: 'cover.png', alt: { 'it-IT': 'La casa' }, ...COVER }],
  }),
]);
const browser = await startBrowser();
try {
  const paints: Paint[] = [];
  for (let round = 0; round < ROUNDS; round++) paints.push(await paint(browser, travelling));
  for (const { what, field, digits, bar } of FIGURES) {
    const values = paints.map((each) => each[field]);
    const most = Math.max(...values);
    const shown = `median ${median(values).toFixed(digits)}, most ${most.toFixed(digits)}`;
    const verdict = bar === undefined ? '' : most <= bar ? ` (bar ${bar})` : ` MISSED the bar of ${bar}`;
    process.stdout.write(`${what.padEnd(24)}${shown}${verdict}\n`);
    if (bar !== undefined && most > bar) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await travelling.installation.close();
  await rm(folder, { recursive: true, force: true });
}

/** One visit of somebody who has never been there. */
async function paint(on: Browser, { link }: Travelling): Promise<Paint> {
  const context = await on.newContext({ viewport: PHONE, deviceScaleFactor: 2, isMobile: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
    const sizes = new Map<string, number>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      void response.body().then(({ length }) => sizes.set(pathname, length));
    });
    await page.goto(await link('painted', 'it-IT'), { waitUntil: 'load' });
    await page.waitForTimeout(SETTLED_MS);
    const sizeOf = (path: string): number => {
      const bytes = sizes.get(path);
      if (bytes === undefined) throw new Error(`the page did not load ${path}`);
      return bytes;
    };
    const [htmlBytes, pictureBytes] = [sizeOf('/handoff'), sizeOf('/images/cover.png')];
    return { ...(await readPaint(page)), htmlBytes, pictureBytes };
  } finally {
    await context.close();
  }
}

/** What the browser itself has noted. */
function readPaint(page: Page): Promise<Pick<Paint, 'largestPaintMs' | 'layoutShift'>> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        let largestPaintMs = 0;
        let layoutShift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) largestPaintMs = entry.startTime;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) layoutShift += Reflect.get(entry, 'value') as number;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve({ largestPaintMs, layoutShift }), 200);
      }),
  );
}

/** A PNG of random colours (RFC 2083): three bytes a pixel, which no compression makes fewer. */
function makeNoise(width: number, height: number): Buffer {
  const random = seedRandom(SEED);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let at = 0; at < rows.length; at++) rows[at] = at % (1 + 3 * width) === 0 ? 0 : random.between(0, 255);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits for each of three colours; no palette, no interlacing.
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
