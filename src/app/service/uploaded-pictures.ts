/**
 * Pictures that people upload: named by their content, written whole or not at all. The format is read from the bytes;
 * the sender's file name and type are ignored.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorePicture } from '../../back-office/console/console-page.ts';
import type { UploadedFile } from '../doctor/check.ts';
import { IMAGE_PIXELS_MAX } from '../../domain/document/document-limits.ts';
import { UPLOAD_FOLDER } from '../../domain/property-details.ts';
import { pictureTypeOf } from '../../http/pages/picture-kind.ts';
import { PICTURE_BYTES_MAX } from '../../http/pages/pictures.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isDiskFull } from './import-folder.ts';
import { sizeOf } from './pictures.ts';

/** Width times height: above any camera; decoding more would fill the memory of a phone. */
export const PICTURE_AREA_MAX = 100_000_000;
/** Uploads per minute, all people together. */
export const UPLOADS_MAX = 60;
const MINUTE_MS = 60_000;

/** SVG runs scripts when opened by itself: the operator may serve one, but nobody may upload one. */
const KINDS: Readonly<Record<string, { readonly extension: string; readonly sized: readonly string[] }>> = {
  'image/jpeg': { extension: 'jpg', sized: ['jpg'] },
  'image/png': { extension: 'png', sized: ['png'] },
  'image/webp': { extension: 'webp', sized: ['webp'] },
  'image/avif': { extension: 'avif', sized: ['avif', 'heif'] },
};

const refuse = (reason: string) => ({ ok: false, reason }) as const;

/** `root`: WEB_IMAGES */
export function makeStorePicture(root: string, clock: Clock): StorePicture {
  let minute = 0;
  let count = 0;
  return async (bytes) => {
    const now = Math.floor(clock() / MINUTE_MS);
    if (now !== minute) [minute, count] = [now, 0];
    count += 1;
    if (count > UPLOADS_MAX)
      return refuse(`more than ${UPLOADS_MAX} pictures came within a minute; try again`);
    const looked = lookAt(bytes);
    if (!looked.ok) return looked;
    const { extension, width, height } = looked;
    const name = `${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}.${extension}`;
    try {
      await writeWhole(join(root, UPLOAD_FOLDER), name, bytes);
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      const why = isDiskFull(error) ? 'the disk is full' : `it can't be written (${code})`;
      return refuse(`${why}: nothing was stored in WEB_IMAGES`);
    }
    return { ok: true, src: `${UPLOAD_FOLDER}/${name}`, width, height };
  };
}

function lookAt(bytes: Uint8Array) {
  if (bytes.length > PICTURE_BYTES_MAX)
    return refuse(`must have at most ${PICTURE_BYTES_MAX / 2 ** 20} MiB, not ${bytes.length} bytes`);
  const kind = KINDS[pictureTypeOf(bytes) ?? ''];
  if (kind === undefined) return refuse('must be a JPEG, PNG, WebP or AVIF picture');
  const size = sizeOf(bytes);
  if (size === undefined || !kind.sized.includes(size.type))
    return refuse('does not say its width and height');
  const { width, height } = size;
  const isShown = Math.min(width, height) >= 1 && Math.max(width, height) <= IMAGE_PIXELS_MAX;
  if (!isShown || width * height > PICTURE_AREA_MAX)
    return refuse(
      `must be at most ${IMAGE_PIXELS_MAX} pixels wide and high, ${PICTURE_AREA_MAX / 1e6} million in all, not ${width} × ${height}`,
    );
  return { ok: true, extension: kind.extension, width, height } as const;
}

/** A file of this name already has this content. */
async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  // Hidden files are never served.
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await open(part, 'wx', 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

/** Looked at in one run. */
const LISTED_MAX = 10_000;
const STORED_NAME = /^[0-9a-f]{40}\.(?:jpg|png|webp|avif)$/;

/** Uploaded files below `root`; empty if there was never an upload. */
export async function listUploads(
  root: string,
): Promise<{ readonly folder: string; readonly files: readonly UploadedFile[] }> {
  const folder = join(root, UPLOAD_FOLDER);
  const names = (await readdir(folder).catch(() => [])).filter((name) => STORED_NAME.test(name));
  const files: UploadedFile[] = [];
  for (const name of names.slice(0, LISTED_MAX)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found !== undefined) files.push({ name, bytes: found.size, storedAtMs: found.mtimeMs });
  }
  return { folder, files };
}
