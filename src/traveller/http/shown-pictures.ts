/** Which pictures of a property the page shows: those that are there, and those of origins that the operator listed. */
import type { PropertyImage } from '../../domain/property-details.ts';
import type { WebMeter } from '../../http/observability/metrics/web-families.ts';
import { inTime } from '../../runtime/time-limit.ts';
import type { ShownImage } from '../web/property-section.ts';
import { findSmallerSizes, type PictureFolder, relativeUrlOf } from '../../http/pages/pictures.ts';

/** A hanging disk must not keep a traveller from the stay. */
const LOOK_MS_MAX = 500;

export interface ImageSources {
  readonly folder: Pick<PictureFolder, 'has' | 'surelyHas'> | undefined;
  readonly origins: readonly string[];
  /** The page's public URL. */
  readonly pageUrl: string;
  readonly meter: WebMeter;
}

export type FindShown = (images: readonly PropertyImage[]) => Promise<readonly ShownImage[]>;

/** In order. Pictures that can't be shown are left out and counted. */
export function buildFindShown({ folder, origins, pageUrl, meter }: ImageSources): FindShown {
  const listed = new Set(origins);

  async function look(image: PropertyImage): Promise<ShownImage | undefined> {
    if (image.src.startsWith('https:')) {
      if (listed.has(new URL(image.src).origin)) return { ...image, absoluteUrl: image.src };
      meter.imagesLeftOut.origin += 1;
      return undefined;
    }
    if (folder !== undefined && (await folder.has(image.src))) {
      const src = relativeUrlOf(image.src);
      const smaller = await findSmallerSizes(folder, image);
      return {
        ...image,
        src,
        absoluteUrl: new URL(src, pageUrl).href,
        smaller: smaller.map(({ path, width }) => ({ src: relativeUrlOf(path), width })),
      };
    }
    meter.imagesLeftOut.missing += 1;
    return undefined;
  }

  return async (images) => {
    if (images.length === 0) return [];
    const shown = await inTime(Promise.all(images.map(look)), LOOK_MS_MAX, () => undefined);
    if (shown === undefined) meter.imagesLeftOut.missing += images.length;
    return (shown ?? []).filter((image) => image !== undefined);
  };
}
