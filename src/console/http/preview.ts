/** The preview of the traveller's page: as the web listener sends it, with pictures from the console's own path. */
import type { PropertyImage } from '../../domain/property-details.ts';
import type { ShownImage } from '../../traveller/web/property-section.ts';
import { HTML_TYPE, rootFor } from '../../http/pages/page-answer.ts';
import { findSmallerSizes } from '../../http/pages/pictures.ts';
import type { PagePreview } from '../reading/console-page.ts';
import type { ConsoleDeps, ConsoleExchange, ConsoleLook } from './console-exchange.ts';

export const PICTURE_PATH = '/console/picture';

export async function presentPreview(
  { look, lookWith, pictures }: Pick<ConsoleDeps, 'look' | 'lookWith' | 'pictures'>,
  { request, response }: ConsoleExchange,
  { review, site }: PagePreview,
): Promise<void> {
  const { maker, imageOrigins } = site === undefined ? look().preview : lookWith(site);
  const root = rootFor(request.url ?? '/');
  const images = await Promise.all(
    review.details.images.map(async (image) => shownImage({ pictures, imageOrigins }, image, root)),
  );
  const body = maker.format(
    review,
    images.filter((image) => image !== undefined),
    root,
  );
  response.answer({
    status: 200,
    mediaType: HTML_TYPE,
    cacheControl: 'no-store',
    body,
    headers: maker.headers,
  });
}

/** Undefined: travellers are not shown it either. */
async function shownImage(
  { pictures, imageOrigins }: Pick<ConsoleDeps, 'pictures'> & Pick<ConsoleLook['preview'], 'imageOrigins'>,
  image: PropertyImage,
  root: string,
): Promise<ShownImage | undefined> {
  if (image.src.startsWith('data:')) return { ...image, absoluteUrl: image.src };
  if (image.src.startsWith('https:')) {
    const isListed = imageOrigins.includes(new URL(image.src).origin);
    return isListed ? { ...image, absoluteUrl: image.src } : undefined;
  }
  if (pictures === undefined || !(await pictures.has(image.src))) return undefined;
  const urlOf = (src: string): string =>
    `${root}${PICTURE_PATH.slice(1)}?${new URLSearchParams({ src }).toString()}`;
  const smaller = await findSmallerSizes(pictures, image);
  const src = urlOf(image.src);
  return {
    ...image,
    src,
    absoluteUrl: src,
    smaller: smaller.map(({ path, width }) => ({ src: urlOf(path), width })),
  };
}
