/** The operator's folder of pictures, which travellers and partners are shown. */
import { opendirSync } from 'node:fs';
import { PictureFolder } from '../http/web/pictures.ts';
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

/** What is wrong with a file or folder that a setting names. */
export function unreadable(name: string, path: string, error: unknown, kind: 'file' | 'folder'): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `${name}: ${path} can't be read (${code}); name a ${kind} that this user may read`;
}
