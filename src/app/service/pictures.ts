/** The operator's folder of pictures, for travellers and partners. */
import { opendirSync } from 'node:fs';
// Parses the headers of five formats, two of them with nested boxes and chunks; has no dependencies.
import { imageSize } from 'image-size';
import { PictureFolder } from '../../http/pages/pictures.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Settings } from '../settings/settings.ts';
import { StartRefused } from './listen.ts';

/** A missing folder is an error in the setting; a missing picture is left out of its page. */
export function openPictures({ webImages }: Settings, clock: Clock): PictureFolder | undefined {
  if (webImages === undefined) return undefined;
  try {
    opendirSync(webImages).closeSync();
  } catch (error) {
    throw new StartRefused(unreadable('WEB_IMAGES', webImages, error, 'folder'));
  }
  return new PictureFolder(webImages, clock);
}

/** The size of a picture is within its first bytes, after its colour profile and the camera's data. */
const SIZE_BYTES_MAX = 256 * 1_024;
/** Kinds with a fixed size; drawings scale. */
const SIZED: ReadonlySet<string> = new Set(['png', 'jpg', 'webp', 'avif', 'heif', 'gif']);
/** From this EXIF orientation on, the picture lies on its side, and browsers turn it. */
const LYING_FROM = 5;

/**
 * Reads width and height of a picture in the folder, in pixels as browsers show it, from its first bytes. Undefined: no
 * such folder or file, or the file does not tell.
 */
export function makeReadPictureSize(
  { webImages }: Settings,
  clock: Clock,
): (path: string) => Promise<{ readonly width: number; readonly height: number } | undefined> {
  if (webImages === undefined) return async () => undefined;
  const folder = new PictureFolder(webImages, clock);
  return async (path) => {
    const head = await folder.headOf(path, SIZE_BYTES_MAX);
    const size = head && sizeOf(head);
    return size && { width: size.width, height: size.height };
  };
}

/** Size as browsers show it, and the kind of file. */
export function sizeOf(
  head: Uint8Array,
): { readonly type: string; readonly width: number; readonly height: number } | undefined {
  try {
    const { width, height, type, orientation = 1 } = imageSize(head);
    if (type === undefined || !SIZED.has(type)) return undefined;
    const isLying = orientation >= LYING_FROM;
    return { type, ...(isLying ? { width: height, height: width } : { width, height }) };
  } catch {
    // Truncated, damaged, or of another kind.
    return undefined;
  }
}

/** The message about an unreadable file or folder that a setting names. */
export function unreadable(name: string, path: string, error: unknown, kind: 'file' | 'folder'): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `${name}: ${path} can't be read (${code}); name a ${kind} that this user may read`;
}
