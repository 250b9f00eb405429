/** The operator's folder of pictures, for travellers and partners. */
import { opendirSync } from 'node:fs';
import { PictureFolder } from '../../../http/pages/pictures.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Settings } from '../../settings/settings.ts';
import { StartRefused } from './listen.ts';

/**
 * A missing folder is an error in the setting, but the default one is made by the first upload. A missing picture is left
 * out of its page.
 */
export function openPictures({ webImages, given }: Settings, clock: Clock): PictureFolder {
  try {
    if (given.has('webImages')) opendirSync(webImages).closeSync();
  } catch (error) {
    throw new StartRefused(unreadable('WEB_IMAGES', webImages, error, 'folder'));
  }
  return new PictureFolder(webImages, clock);
}

/** The message about an unreadable file or folder that a setting names. */
export function unreadable(name: string, path: string, error: unknown, kind: 'file' | 'folder'): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return `${name}: ${path} can't be read (${code}); name a ${kind} that this user may read`;
}
