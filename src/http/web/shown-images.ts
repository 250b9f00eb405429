/** Which pictures of a property the page shows: those that are there, and those of origins that the operator listed. */
import type { PropertyImage } from '../../domain/property-details.ts';
import type { WebMeter } from '../../observability/metrics/web-families.ts';
import type { ShownImage } from '../../web/traveller/gallery.ts';
import type { PictureFolder } from './picture-folder.ts';
import { PICTURES_PATH } from './picture-route.ts';

/** A disk that does not answer must not keep a traveller from the stay. */
const LOOK_MS_MAX = 500;

export interface ImageSources {
  /** Undefined: there is no folder of pictures. */
  readonly folder: Pick<PictureFolder, 'has'> | undefined;
  readonly origins: readonly string[];
  /** The page's own URL, as travellers reach it. */
  readonly pageUrl: string;
  readonly meter: WebMeter;
}

export type FindShown = (images: readonly PropertyImage[]) => Promise<readonly ShownImage[]>;

/** In order. What can't be shown is left out, and counted. */
export function buildFindShown({ folder, origins, pageUrl, meter }: ImageSources): FindShown {
  const listed = new Set(origins);

  async function look(image: PropertyImage): Promise<ShownImage | undefined> {
    if (image.src.startsWith('https:')) {
      if (listed.has(new URL(image.src).origin)) return { ...image, absoluteUrl: image.src };
      meter.imagesLeftOut.origin += 1;
      return undefined;
    }
    if ((await folder?.has(image.src)) === true) {
      const src = PICTURES_PATH.slice(1) + image.src.split('/').map(encodeURIComponent).join('/');
      return { ...image, src, absoluteUrl: new URL(src, pageUrl).href };
    }
    meter.imagesLeftOut.missing += 1;
    return undefined;
  }

  return async (images) => {
    if (images.length === 0) return [];
    const shown = await inTime(Promise.all(images.map(look)));
    if (shown === undefined) meter.imagesLeftOut.missing += images.length;
    return (shown ?? []).filter((image) => image !== undefined);
  };
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOK_MS_MAX);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
