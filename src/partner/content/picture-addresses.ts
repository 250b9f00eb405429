/** The addresses of pictures that partners get: they stay, and change with the content. */
import type { PropertyImage } from '../../domain/property-details.ts';
import { type PictureFolder, relativeUrlOf, VERSION_PARAMETER } from '../../http/pages/pictures.ts';
import type { FindAddresses } from './property-content.ts';

interface AddressSources {
  readonly origins: readonly string[];
  /** The page's public URL. */
  readonly pageUrl: string;
  readonly folder: Pick<PictureFolder, 'versionOf'> | undefined;
}

/** Rejects with `StorageUnavailable` when the disk is too busy: finished reads stay cached. */
export function buildFindAddresses({ folder, origins, pageUrl }: AddressSources): FindAddresses {
  const listed = new Set(origins);

  async function addressOf({ src }: PropertyImage): Promise<string | undefined> {
    if (src.startsWith('https:')) return listed.has(new URL(src).origin) ? src : undefined;
    const version = await folder?.versionOf(src);
    return version && new URL(`${relativeUrlOf(src)}?${VERSION_PARAMETER}=${version}`, pageUrl).href;
  }

  return async (images) => {
    const addressed = await Promise.all(
      images.map(async (image) => {
        const url = await addressOf(image);
        return url === undefined ? [] : [{ ...image, url }];
      }),
    );
    return addressed.flat();
  };
}
