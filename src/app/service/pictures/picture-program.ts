/**
 * The program that decodes pictures: once, whole, and nothing of the file is kept but its pixels and their colours.
 * `picture-process.ts` runs it, and ends it when it is late.
 */
import { readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type sharpFactory from 'sharp';
import type { Metadata, Sharp } from 'sharp';
import type { PicturePositions, PictureSizes } from '../../doctor/check.ts';
import { IMAGE_PIXELS_MAX } from '../../../domain/document/document-limits.ts';
import { findPicturePathProblem, SMALLER_WIDTHS } from '../../../domain/property-details.ts';
import { PICTURE_BYTES_MAX } from '../../../http/pages/picture-kind.ts';
import type { PictureFolder } from '../../../http/pages/pictures.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import {
  type LookOrder,
  LOOKED_FILES_MAX,
  MADE_WIDTH_MAX,
  type MadeHead,
  PICTURE_AREA_MAX,
  PICTURE_MEMORY_MAX,
  type PictureRefusal,
  type PictureTask,
} from './picture-task.ts';

type SharpFactory = typeof sharpFactory;

const LIMITS_LOOKED_AT_MS = 20;

async function run(task: PictureTask, input: Buffer, sharp: SharpFactory): Promise<Uint8Array | string> {
  if (task === 'make') return make(sharp, input);
  const order = JSON.parse(input.toString()) as LookOrder;
  return line(task === 'sizes' ? await readSizes(sharp, order) : await findPositions(sharp, order));
}

function line(said: PictureSizes | MadeHead | PictureRefusal | PicturePositions): string {
  return `${JSON.stringify(said)}\n`;
}

/** Where the machine runs out of memory, the system ends this process before the one that answers partners. */
function takeBlameForFullMemory(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Another system, or not allowed.
  }
}

/** Decoders work on other threads: this one is free to look. */
function endAtLimit(workMsMax: number): void {
  const { user, system } = process.cpuUsage();
  if (process.memoryUsage.rss() > PICTURE_MEMORY_MAX) endWith({ refused: 'memory' });
  else if ((user + system) / 1_000 > workMsMax) endWith({ refused: 'late' });
}

function endWith(refusal: PictureRefusal): void {
  writeSync(process.stdout.fd, line(refusal));
  process.kill(process.pid, 'SIGKILL');
}

/** The decoders of what is served, from memory. GIF: only its size is read. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((name) => `VipsForeignLoad${name}Buffer`);

async function openSharp(): Promise<SharpFactory> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  // One thread: the others of this machine answer partners.
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  return sharp;
}

function explainMissing(error: unknown): string {
  const [why = ''] = String(error instanceof Error ? error.message : error).split('\n');
  return line({ refused: 'unavailable', why });
}

/** From its beginning. Undefined: no picture, or a damaged one. */
async function readFacts(sharp: SharpFactory, bytes: Buffer): Promise<Metadata | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    return undefined;
  }
}

// Making a picture.

/** A banner or a plan may be higher than wide. */
const MADE_HEIGHT_MAX = 4 * MADE_WIDTH_MAX;

interface Kind {
  readonly extension: string;
  readonly encode: (picture: Sharp) => Sharp;
}

const WEBP: Kind = { extension: 'webp', encode: (picture) => picture.webp({ quality: 85 }) };
/** By the name that the decoder gives it. */
const KINDS: Readonly<Record<string, Kind>> = {
  jpeg: { extension: 'jpg', encode: (picture) => picture.jpeg({ quality: 85, progressive: true }) },
  png: { extension: 'png', encode: (picture) => picture.png() },
  webp: WEBP,
  // More effort takes seconds.
  heif: { extension: 'avif', encode: (picture) => picture.avif({ quality: 60, effort: 2 }) },
};

const JPEG_END = Buffer.from([0xff, 0xd9]);

/** Some cameras and mail programs leave the mark out. */
function withEndMark(bytes: Buffer): Buffer {
  return bytes.subarray(-JPEG_END.length).equals(JPEG_END) ? bytes : Buffer.concat([bytes, JPEG_END]);
}

async function make(sharp: SharpFactory, sent: Buffer): Promise<Uint8Array | string> {
  const facts = await readFacts(sharp, sent);
  const bytes = facts?.format === 'jpeg' ? withEndMark(sent) : sent;
  const kind = KINDS[facts?.format ?? ''];
  if (facts === undefined || kind === undefined) return line({ refused: 'damaged' });
  const refusal = findRefusal(facts);
  if (refusal !== undefined) return line(refusal);
  // A decoder only warns of missing data before a mark, so that a mark of ours must not hide them.
  const failOn = bytes === sent ? 'error' : 'warning';
  const picture = sharp(bytes, { failOn, limitInputPixels: PICTURE_AREA_MAX })
    .autoOrient()
    .resize({ width: MADE_WIDTH_MAX, height: MADE_HEIGHT_MAX, fit: 'inside', withoutEnlargement: true });
  // Metadata are left out unless they are asked for. Profiles of printers and of grey fit no made picture: such colours
  // become those of screens, sRGB, which needs no profile.
  const coloured = KEPT_COLOURS.has(facts.space) ? picture.keepIccProfile() : picture;
  try {
    return (
      (await encode(sharp, coloured, kind)) ??
      (await encode(sharp, coloured, WEBP)) ??
      line({ refused: 'large' })
    );
  } catch {
    return line({ refused: 'damaged' });
  }
}

const KEPT_COLOURS: ReadonlySet<string> = new Set(['srgb', 'rgb16']);

function findRefusal({ width, height, pages = 1, autoOrient }: Metadata): PictureRefusal | undefined {
  if (pages > 1) return { refused: 'animation' };
  const isSmall = Math.max(width, height) <= IMAGE_PIXELS_MAX && width * height <= PICTURE_AREA_MAX;
  return isSmall ? undefined : { refused: 'area', ...autoOrient };
}

/**
 * Undefined: it would be too large to be served, as photos are that are kept without loss. Smaller sizes are made of the
 * first: nobody else's bytes are decoded again.
 */
async function encode(
  sharp: SharpFactory,
  picture: Sharp,
  { extension, encode: as }: Kind,
): Promise<Uint8Array | undefined> {
  const { data, info } = await as(picture.clone()).toBuffer({ resolveWithObject: true });
  if (data.length > PICTURE_BYTES_MAX) return undefined;
  const made = [{ data, info }];
  for (const width of SMALLER_WIDTHS.toReversed())
    if (width < info.width)
      made.push(
        await as(sharp(data).resize({ width }).keepIccProfile()).toBuffer({ resolveWithObject: true }),
      );
  const sizes = made.map(({ data: { length: byteLength }, info: { width, height } }) => ({
    width,
    height,
    byteLength,
  }));
  return Buffer.concat([Buffer.from(line({ extension, sizes })), ...made.map((size) => size.data)]);
}

// Looking at the operator's own files.

function isInTime({ limitMs }: LookOrder): boolean {
  return performance.now() < limitMs;
}

async function openFolder(root: string): Promise<PictureFolder> {
  // Uploads do not need it.
  const pictures = await import('../../../http/pages/pictures.ts');
  return new pictures.PictureFolder(root, systemClock);
}

function asBuffer({ buffer: memory, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(memory, byteOffset, byteLength);
}

async function readSizes(sharp: SharpFactory, order: LookOrder): Promise<PictureSizes> {
  const folder = await openFolder(order.root);
  const sizes = new Map<string, PictureSizes['sizes'][string]>();
  for (const path of new Set(order.paths)) {
    if (!isInTime(order)) break;
    const bytes = await folder.headOf(path, PICTURE_BYTES_MAX);
    const facts = bytes && (await readFacts(sharp, asBuffer(bytes)));
    sizes.set(path, facts?.autoOrient ?? null);
  }
  return { sizes: Object.fromEntries(sizes) };
}

/** Looks at what is served, by the same reader. */
async function findPositions(sharp: SharpFactory, order: LookOrder): Promise<PicturePositions> {
  const { hasPosition } = await import('./picture-position.ts');
  const folder = await openFolder(order.root);
  const paths = readdirSync(order.root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(order.root, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => findPicturePathProblem(path) === undefined)
    .toSorted();
  const found: string[] = [];
  let lookedCount = 0;
  for (const path of paths.slice(0, LOOKED_FILES_MAX)) {
    if (!isInTime(order)) return { found, lookedCount, isCut: true };
    const picture = await folder.read(path);
    if (picture === undefined) continue;
    lookedCount += 1;
    const bytes = asBuffer(picture.body);
    if (hasPosition(bytes, await readFacts(sharp, bytes))) found.push(path);
  }
  return { found, lookedCount, isCut: paths.length > LOOKED_FILES_MAX };
}

lowerThisThread();
const [workMsMax, lifeMsMax] = process.argv.slice(3).map(Number);
setInterval(() => endAtLimit(workMsMax!), LIMITS_LOOKED_AT_MS).unref();
takeBlameForFullMemory();
// Where the service is killed, nobody else ends this.
setTimeout(() => process.kill(process.pid, 'SIGKILL'), lifeMsMax).unref();
const input = await buffer(process.stdin);
const sharp = await openSharp().catch(explainMissing);
process.stdout.end(
  typeof sharp === 'string' ? sharp : await run(process.argv[2] as PictureTask, input, sharp),
);
