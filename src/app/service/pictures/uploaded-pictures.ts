/**
 * Pictures that people upload: encoded again from their pixels, named by their content, written whole or not at all. The
 * format is read from the bytes; the sender's file name and type are ignored.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StorePicture } from '../../../console/reading/console-page.ts';
import { UPLOAD_BYTES_MAX } from '../../../console/pages/property-form/pictures.ts';
import type { UploadedFile } from '../../doctor/check.ts';
import { IMAGE_PIXELS_MAX } from '../../../domain/document/document-limits.ts';
import { Wrong } from '../../../domain/wrong.ts';
import { SMALLER_WIDTHS, smallerPathOf, UPLOAD_FOLDER } from '../../../domain/property-details.ts';
import { isHeic, PICTURE_BYTES_MAX, pictureTypeOf } from '../../../http/pages/picture-kind.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { openJobThread } from '../../../runtime/job-thread.ts';
import { isDiskFull } from '../imports/import-folder.ts';
import type { MakePicture } from './picture-process.ts';
import type { PictureJob } from './picture-thread.ts';
import { PICTURE_AREA_MAX, PICTURE_MEMORY_MAX, PICTURE_MS_MAX, type PictureRefusal } from './picture-task.ts';
import { MINUTE_MS } from '../../../domain/local-date.ts';

/** Uploads per minute, all people together. */
export const UPLOADS_MAX = 240;

/** SVG runs scripts when opened by itself: the operator may serve one, but nobody may upload one. */
const KINDS: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

const refuse = (reason: Wrong) => ({ ok: false, reason }) as const;
const later = (reason: Wrong) => ({ ok: false, reason, isLater: true }) as const;

/** `root`: WEB_IMAGES */
export function makeStorePicture(root: string, clock: Clock): StorePicture {
  const make = makeInThread();
  let minute = 0;
  let count = 0;
  return async (bytes) => {
    const now = Math.floor(clock() / MINUTE_MS);
    if (now !== minute) [minute, count] = [now, 0];
    count += 1;
    if (count > UPLOADS_MAX) return later(new Wrong('picturesOfMinute', { max: UPLOADS_MAX }));
    if (bytes.length > UPLOAD_BYTES_MAX)
      return refuse(new Wrong('pictureBytes', { max: UPLOAD_BYTES_MAX / 1e6, count: bytes.length }));
    if (!KINDS.has(pictureTypeOf(bytes) ?? ''))
      return refuse(explainRefusal({ refused: isHeic(bytes) ? 'heic' : 'kind' }));
    const made = await make(bytes);
    if ('refused' in made) return (made.refused === 'busy' ? later : refuse)(explainRefusal(made));
    const { width, height, bytes: content } = made.sizes[0]!;
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 40)}.${made.extension}`;
    const src = `${UPLOAD_FOLDER}/${name}`;
    const written: string[] = [];
    try {
      // The default folder is made here, and belongs to this user alone.
      await mkdir(root, { recursive: true, mode: 0o700 });
      // The named picture comes last: where it is, its smaller sizes are.
      for (const size of made.sizes.toReversed()) {
        const smaller = SMALLER_WIDTHS.find((one) => one === size.width && one < width);
        const path = smaller === undefined ? src : smallerPathOf(src, smaller)!;
        if (await writeWhole(root, path, size.bytes)) written.push(path);
      }
    } catch (error) {
      for (const path of written) await unlink(join(root, path)).catch(() => undefined);
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (syscall === undefined) throw error;
      return refuse(
        isDiskFull(error) ? new Wrong('diskFull') : new Wrong('folderUnwritable', { code: String(code) }),
      );
    }
    return { ok: true, src, width, height };
  };
}

const THREAD_IDLE_MS = 60_000;

/** The thread that serves waits for none of it. */
function makeInThread(): (bytes: Uint8Array<ArrayBuffer>) => ReturnType<MakePicture> {
  const thread = openJobThread<PictureJob>({
    program: new URL('./picture-thread.ts', import.meta.url),
    name: 'pictures',
    idleMs: THREAD_IDLE_MS,
    whenLost: (cause) => new Error('the thread that makes pictures ended', { cause }),
  });
  return async (bytes) => thread.ask({ bytes }, [bytes.buffer]);
}

/** Why it was not taken, and what to send instead. */
export function explainRefusal(refusal: PictureRefusal): Wrong {
  switch (refusal.refused) {
    case 'kind':
      return new Wrong('notPicture');
    case 'heic':
      return new Wrong('pictureHeic');
    case 'animation':
      return new Wrong('pictureAnimated');
    case 'damaged':
      return new Wrong('pictureDamaged');
    case 'area':
      return new Wrong('pictureArea', {
        side: IMAGE_PIXELS_MAX,
        millions: PICTURE_AREA_MAX / 1e6,
        width: refusal.width,
        height: refusal.height,
      });
    case 'large':
      return new Wrong('pictureLarge', { max: PICTURE_BYTES_MAX / 2 ** 20 });
    case 'late':
      return new Wrong('pictureLate', { max: PICTURE_MS_MAX / 1_000 });
    case 'memory':
      return new Wrong('pictureMemory', { max: PICTURE_MEMORY_MAX / 2 ** 20 });
    case 'busy':
      return new Wrong('picturesBusy');
    case 'unavailable':
      return new Wrong('picturesUnreadable', { why: refusal.why });
  }
}

/** False: a file of this name is there already, with this content. */
async function writeWhole(root: string, src: string, bytes: Uint8Array): Promise<boolean> {
  const path = join(root, src);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return false;
  // Hidden files are never served.
  const part = join(folder, `.${randomUUID()}.part`);
  const file = await open(part, 'wx', 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
    await file.close();
    await rename(part, path);
    return true;
  } catch (error) {
    await file.close().catch(() => undefined);
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

/** Looked at in one run. */
const LISTED_MAX = 10_000;
/** A part that a killed process left, too. */
const STORED_NAME = /^[0-9a-f]{40}(?:-\d+)?\.(?:jpg|png|webp|avif)$|^\.[0-9a-f-]{36}\.part$/;

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
