/** The operator's folder of pictures, which travellers and partners are shown. */
import { opendirSync } from 'node:fs';
// Reads the heads of five formats, of which two nest boxes and chunks; without dependencies of its own.
import { imageSize } from 'image-size';
import { PictureFolder } from '../http/pages/pictures.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings/settings.ts';
import { StartRefused } from './listen.ts';

/** A folder that is not there is a mistake in the setting; a picture that is not there is left out of its page. */
export function openPictures({ webImages }: Settings, clock: Clock): PictureFolder | undefined {
  if (webImages === undefined) return undefined;
  try {
    opendirSync(webImages).closeSync();
  } catch (error) {
    throw new StartRefused(unreadable('WEB_IMAGES', webImages, error, 'folder'));
  }
  return new PictureFolder(webImages, clock);
}

/** Where the size of a picture stands: behind its colour profile and what the camera says. */
const SIZE_BYTES_MAX = 256 * 1_024;
/** A drawing has any size. */
const SIZED: ReadonlySet<string> = new Set(['png', 'jpg', 'webp', 'avif', 'heif', 'gif']);
/** From this one on, cameras mean a picture that lies on its side, and browsers turn it. */
const LYING_FROM = 5;

/**
 * Reads the width and height of a picture of the folder as browsers show it, pixels, from its first bytes. Undefined:
 * there is no folder or file, or it does not say.
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

/** As browsers show it, with what kind of file it is. */
export function sizeOf(
  head: Uint8Array,
): { readonly type: string; readonly width: number; readonly height: number } | undefined {
  try {
    const { width, height, type, orientation = 1 } = imageSize(head);
    if (type === undefined || !SIZED.has(type)) return undefined;
    const isLying = orientation >= LYING_FROM;
    return { type, ...(isLying ? { width: height, height: width } : { width, height }) };
  } catch {
    // Cut, damaged, or of another kind.
    return undefined;
  }
}

/** What is wrong with a file or folder that a setting names. */
export function unreadable(name: string, path: string, error: unknown, kind: 'file' | 'folder'): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `${name}: ${path} can't be read (${code}); name a ${kind} that this user may read`;
}
