/** GET /images/PATH: the operator's pictures, as pictures and nothing else. */
import { isKnownEtag } from '../answers/answer-headers.ts';
import { rawPathOf } from '../listener/request-head.ts';
import { SECURITY_HEADERS } from '../../web/kit/security-headers.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { type Exchange, type Hook, withinDeadline } from '../listener/exchange.ts';
import type { Picture, PictureFolder } from './picture-folder.ts';
import { presentPlain } from './plain-answers.ts';
import type { TravellerPages } from './traveller-pages.ts';

export const PICTURES_PATH = '/images/';

/** Shown again without asking for ten minutes; then one question, which is answered without the picture. */
const CACHE_CONTROL = 'public, max-age=600';
const PICTURE_MS_MAX = 5_000;
const RETRY_AFTER = ['Retry-After', '1'];

/** A drawing that is opened by itself runs nothing and loads nothing. */
const HEADERS = [
  ...SECURITY_HEADERS,
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'X-Robots-Tag',
  'noindex',
];

/** Anything but a picture of the folder is the same 404 as any path that is not there. */
export function pictureHandler(pages: TravellerPages, folder: PictureFolder): Hook {
  return async (exchange) => {
    const path = decodePath(rawPathOf(exchange.request.url ?? '').slice(PICTURES_PATH.length));
    const picture = path === undefined ? undefined : await readInTime(folder, path);
    if (picture === undefined) return presentPlain(pages, 'notFound', exchange);
    if (picture === 'busy') {
      const cause = { reason: 'too many pictures wait for the disk' };
      return presentPlain(pages, 'tryLater', exchange, { headers: RETRY_AFTER, cause });
    }
    sendPicture(picture, exchange);
  };
}

function sendPicture({ mediaType, etag, body }: Picture, { request, response }: Exchange): void {
  const headers = [...HEADERS, 'ETag', etag];
  response.answer(
    isKnownEtag(request.headers['if-none-match'], etag)
      ? { status: 304, cacheControl: CACHE_CONTROL, headers }
      : { status: 200, mediaType, cacheControl: CACHE_CONTROL, body, headers },
  );
}

async function readInTime(folder: PictureFolder, path: string): Promise<Picture | 'busy' | undefined> {
  return withinDeadline(folder.read(path), PICTURE_MS_MAX).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return 'busy';
    throw error;
  });
}

/** Each name once: an escaped slash would make two of one. Undefined for what is not UTF-8. */
function decodePath(raw: string): string | undefined {
  try {
    const names = raw.split('/').map(decodeURIComponent);
    return names.some((name) => name.includes('/')) ? undefined : names.join('/');
  } catch {
    return undefined;
  }
}
