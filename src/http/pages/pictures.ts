/**
 * The operator's pictures: files below one folder only.
 * Each request checks its file, so that changes show at once; bytes stay in memory while the file is the same.
 */
import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { BigIntStats } from 'node:fs';
import {
  findPicturePathProblem,
  type PropertyImage,
  SMALLER_WIDTHS,
  smallerPathOf,
} from '../../domain/property-details.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { Clock } from '../../runtime/clock.ts';
import { together } from '../../runtime/together.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { SECURITY_HEADERS } from '../html/security-headers.ts';
import { isKnownEtag } from '../answers/answer-headers.ts';
import type { Exchange } from '../listener/exchange.ts';
import { rawQueryOf } from '../listener/request-head.ts';
import { HEAD_BYTES, PICTURE_BYTES_MAX, pictureTypeOf } from './picture-kind.ts';

/** Cached pictures of each thread. */
const CACHE_BYTES_MAX = 32 * 2 ** 20;
/** Concurrent reads of files. */
const READS_MAX = 8;
/** Requests waiting for them. */
const WAITING_MAX = 512;
/** A page caches the state of a file for so long; it checks up to thirty. */
const SEEN_MS_MAX = 2_000;
const SEEN_MAX = 10_000;
/** A file changed so recently may change again without another time stamp. */
const SETTLED_MS = 2_000;

export interface Picture {
  readonly mediaType: string;
  /** ETag of the content: `"…"`. */
  readonly etag: string;
  readonly body: Uint8Array;
}

interface CachedPicture {
  readonly state: string;
  readonly picture: Picture;
}

/** Follows no links and waits for no pipes; Windows lacks both flags. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export class PictureFolder {
  readonly #root: string;
  readonly #clock: Clock;
  /** The least recently used first. */
  readonly #kept = new BoundedMap<CachedPicture>(CACHE_BYTES_MAX);
  readonly #seen = new Map<string, { readonly atMs: number; readonly isPicture: boolean }>();
  readonly #versions = new Map<
    string,
    { readonly atMs: number; readonly state: string; readonly version: string }
  >();
  readonly #versioning = new Map<string, Promise<string | undefined>>();
  readonly #reading = new Map<string, Promise<Picture | undefined>>();
  readonly #looking = new Map<string, Promise<boolean | 'busy'>>();
  readonly #waiting: (() => void)[] = [];
  #readCount = 0;

  constructor(root: string, clock: Clock) {
    this.#root = root;
    this.#clock = clock;
  }

  /**
   * Undefined: no picture. Rejects with `StorageUnavailable` when too many wait for the disk, and never because of a
   * file.
   */
  async read(path: string): Promise<Picture | undefined> {
    if (findPicturePathProblem(path) !== undefined) return undefined;
    return together(this.#reading, path, async () =>
      unlessBusy(await this.#inTurn(async () => this.#read(path))),
    );
  }

  /** Whether a picture exists, by a check of the last seconds. While too many wait for the disk, it may: true. */
  async has(path: string): Promise<boolean> {
    return (await this.#find(path)) !== false;
  }

  /** Whether a picture is known to exist, by a check of the last seconds. */
  async surelyHas(path: string): Promise<boolean> {
    return (await this.#find(path)) === true;
  }

  async #find(path: string): Promise<boolean | 'busy'> {
    if (findPicturePathProblem(path) !== undefined) return false;
    const seen = this.#seen.get(path);
    const nowMs = this.#clock();
    if (seen !== undefined && Math.abs(nowMs - seen.atMs) < SEEN_MS_MAX) return seen.isPicture;
    return together(this.#looking, path, async () => this.#look(path, nowMs));
  }

  /**
   * Changes with the content. Undefined: no picture. Rejects with `StorageUnavailable` when too many wait for the disk.
   */
  async versionOf(path: string): Promise<string | undefined> {
    if (findPicturePathProblem(path) !== undefined) return undefined;
    const known = this.#versions.get(path);
    if (known !== undefined && Math.abs(this.#clock() - known.atMs) < SEEN_MS_MAX) return known.version;
    return together(this.#versioning, path, async () => {
      const found = await this.#inTurn(async () =>
        this.#withFile(path, (...file) => this.#readVersion(path, ...file)),
      );
      return unlessBusy(found)?.version;
    });
  }

  /** The first bytes of a file of any kind, at most `bytesMax`. Undefined: no file, or too many wait. */
  async headOf(path: string, bytesMax: number): Promise<Uint8Array | undefined> {
    if (findPicturePathProblem(path) !== undefined) return undefined;
    const found = await this.#inTurn(async () =>
      this.#withFile(path, async (file) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
        return buffer.subarray(0, bytesRead);
      }),
    );
    return found === 'busy' ? undefined : found;
  }

  async #readVersion(
    path: string,
    file: FileHandle,
    stats: BigIntStats,
  ): Promise<{ readonly version: string } | undefined> {
    const atMs = this.#clock();
    const state = stateOf(stats);
    const known = this.#versions.get(path);
    const version = known?.state === state ? known.version : versionOf(await readPicture(file));
    if (version === undefined || !this.#isSettled(stats)) this.#versions.delete(path);
    else {
      if (this.#versions.size >= SEEN_MAX) this.#versions.clear();
      this.#versions.set(path, { atMs, state, version });
    }
    return version === undefined ? undefined : { version };
  }

  /** `busy`: nobody has looked. A browser that is told of the picture asks again, and waits its turn. */
  async #look(path: string, nowMs: number): Promise<boolean | 'busy'> {
    const isPicture = await this.#inTurn(async () => this.#withFile(path, isPictureFile));
    if (isPicture === 'busy') return 'busy';
    if (this.#seen.size >= SEEN_MAX) this.#seen.clear();
    this.#seen.set(path, { atMs: nowMs, isPicture: isPicture === true });
    return isPicture === true;
  }

  async #read(path: string): Promise<Picture | undefined> {
    return this.#withFile(path, async (file, stats) => {
      const state = stateOf(stats);
      const kept = this.#kept.get(path);
      if (kept?.state === state) {
        this.#kept.set(path, kept, kept.picture.body.byteLength);
        return kept.picture;
      }
      this.#kept.delete(path);
      const picture = await readPicture(file);
      // A file that changed during its read is sent once, and read again for the next request.
      if (
        picture !== undefined &&
        this.#isSettled(stats) &&
        stateOf(await file.stat({ bigint: true })) === state
      )
        this.#kept.set(path, { state, picture }, picture.body.byteLength);
      return picture;
    });
  }

  /** Opens a regular file that really lies below the folder, and in no hidden one. Undefined: no such file. */
  async #withFile<T>(
    path: string,
    use: (file: FileHandle, stats: BigIntStats) => Promise<T>,
  ): Promise<T | undefined> {
    let file: FileHandle | undefined;
    try {
      const root = await realpath(this.#root);
      const real = await realpath(join(root, ...path.split('/')));
      if (!isBelow(root, real)) return undefined;
      const named = await lstat(real, { bigint: true });
      // A pipe or a device must not even be opened.
      if (!named.isFile()) return undefined;
      file = await open(real, OPEN_FLAGS);
      const stats = await file.stat({ bigint: true });
      // Nobody put a link in its way meanwhile.
      const isSame = stats.isFile() && stats.ino === named.ino && stats.dev === named.dev;
      if (!isSame || (await realpath(real)) !== real) return undefined;
      return await use(file, stats);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      return undefined;
    } finally {
      await file?.close();
    }
  }

  #isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
    return this.#clock() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) > SETTLED_MS;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T | 'busy'> {
    if (this.#readCount >= READS_MAX) {
      if (this.#waiting.length >= WAITING_MAX) return 'busy';
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#readCount += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#readCount -= 1;
      else next();
    }
  }
}

function unlessBusy<T>(found: T | 'busy'): T {
  if (found === 'busy') throw new StorageUnavailable('too many pictures wait for the disk');
  return found;
}

/** Folders above the operator's folder may have names that begin with a dot. */
function isBelow(root: string, real: string): boolean {
  const prefix = root.endsWith(sep) ? root : root + sep;
  if (!real.startsWith(prefix)) return false;
  return real
    .slice(prefix.length)
    .split(sep)
    .every((name) => !name.startsWith('.'));
}

/** Changes with the content, unless it changed within one tick of the file system's clock. */
function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

async function isPictureFile(file: FileHandle, { size }: BigIntStats): Promise<boolean> {
  if (size > PICTURE_BYTES_MAX) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return pictureTypeOf(buffer.subarray(0, bytesRead)) !== undefined;
}

/** Reads at most the size limit, even if the file has grown since the check. */
async function readPicture(file: FileHandle): Promise<Picture | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  while (size <= PICTURE_BYTES_MAX) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(PIECE_BYTES), 0, PIECE_BYTES, size);
    if (bytesRead === 0) break;
    pieces.push(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
  if (size > PICTURE_BYTES_MAX) return undefined;
  const body = Buffer.concat(pieces, size);
  const mediaType = pictureTypeOf(body);
  if (mediaType === undefined) return undefined;
  return { mediaType, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`, body };
}

function versionOf(picture: Picture | undefined): string | undefined {
  return picture?.etag.slice(1, 1 + VERSION_LENGTH);
}

/** 72 bits: unique for the contents of one path. */
const VERSION_LENGTH = 12;
const PIECE_BYTES = 262_144;

// The operator's pictures, as pictures and nothing else.

export const PICTURES_PATH = '/images/';

/** Cached for ten minutes, then revalidated without sending the picture again. */
const CACHE_CONTROL = 'public, max-age=600';
/** An address with a version never changes its content. */
const VERSIONED_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** A drawing opened by itself runs and loads nothing. */
const HEADERS = [
  ...SECURITY_HEADERS,
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  // Partners show them on their own sites.
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'X-Robots-Tag',
  'noindex',
];

/** The parameter of an address whose content never changes. */
export const VERSION_PARAMETER = 'v';

export function sendPicture(picture: Picture, { request, response }: Exchange): void {
  const { mediaType, etag, body } = picture;
  const isVersioned = rawQueryOf(request.url ?? '') === `${VERSION_PARAMETER}=${versionOf(picture)}`;
  const cacheControl = isVersioned ? VERSIONED_CACHE_CONTROL : CACHE_CONTROL;
  const headers = [...HEADERS, 'ETag', etag];
  response.answer(
    isKnownEtag(request.headers['if-none-match'], etag)
      ? { status: 304, cacheControl, headers }
      : { status: 200, mediaType, cacheControl, body, headers },
  );
}

export interface SmallerSize {
  readonly path: string;
  /** Pixels. */
  readonly width: number;
}

/** The smaller sizes of a picture that are there, ascending. Earlier uploads have none, so none is offered unseen. */
export async function findSmallerSizes(
  folder: Pick<PictureFolder, 'surelyHas'>,
  { src, width }: Pick<PropertyImage, 'src' | 'width'>,
): Promise<readonly SmallerSize[]> {
  const sizes = SMALLER_WIDTHS.flatMap((smaller) => {
    const path = smaller < width ? smallerPathOf(src, smaller) : undefined;
    return path === undefined ? [] : [{ path, width: smaller }];
  });
  const there = await Promise.all(sizes.map(async ({ path }) => folder.surelyHas(path)));
  return sizes.filter((_size, index) => there[index]);
}

/** Below the root, without a leading slash. */
export function relativeUrlOf(path: string): string {
  return PICTURES_PATH.slice(1) + path.split('/').map(encodeURIComponent).join('/');
}
