/** GET /images/PATH: a picture of the operator's folder. */
import { type Picture, type PictureFolder, PICTURES_PATH, sendPicture } from '../../http/pages/pictures.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { TravellerPages } from '../web/handoff-page.ts';
import type { Hook } from '../../http/listener/exchange.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { presentPlain } from './plain-answers.ts';

const PICTURE_MS_MAX = 5_000;
const RETRY_AFTER = ['Retry-After', '1'];

/** Anything except a picture of the folder is the same 404 as any unknown path. */
export function pictureHandler(pages: TravellerPages, folder: PictureFolder): Hook {
  return async (exchange) => {
    const path = decodePath(rawPathOf(exchange.request.url ?? '').slice(PICTURES_PATH.length));
    const picture = path === undefined ? undefined : await readInTime(folder, path);
    if (picture === undefined) return presentPlain(pages, 'notFound', exchange);
    if (picture instanceof StorageUnavailable) {
      const cause = { reason: picture.message };
      return presentPlain(pages, 'tryLater', exchange, { headers: RETRY_AFTER, cause });
    }
    sendPicture(picture, exchange);
  };
}

async function readInTime(
  folder: PictureFolder,
  path: string,
): Promise<Picture | StorageUnavailable | undefined> {
  return withinDeadline(folder.read(path), PICTURE_MS_MAX).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return error;
    throw error;
  });
}

/** One address for each name: an escaped slash would make two. Undefined for invalid UTF-8. */
function decodePath(raw: string): string | undefined {
  try {
    const names = raw.split('/').map(decodeURIComponent);
    return names.some((name) => name.includes('/')) ? undefined : names.join('/');
  } catch {
    return undefined;
  }
}
