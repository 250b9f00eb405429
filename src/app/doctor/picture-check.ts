/** Compares pictures below WEB_IMAGES with the width and height of their documents. */
import type { SomePictured, UploadsInUse } from '../../storage/inspection/inspection.ts';
import {
  type Check,
  type Examined,
  type Finding,
  ofContent,
  ok,
  type PictureSize,
  type UploadedFile,
  warn,
} from './check.ts';

/** Files of one run; only their beginning is read. */
const FILES_MAX = 500;
/** A longer list makes no better line. */
const SHOWN_MAX = 5;
const FILES_AT_ONCE = 8;

export const PICTURE_CHECK: Check = {
  name: 'pictures',
  run: (examined) =>
    examined.settings.webImages === undefined
      ? ok('WEB_IMAGES is not set')
      : ofContent(examined, async ({ pictured }) => judge(pictured, examined)),
};

/** A form that is being filled in names its pictures when it is saved. */
const UNSAVED_MS_MAX = 86_400_000;
/** Names in one command. */
const REMOVED_MAX = 20;

export const UPLOAD_CHECK: Check = {
  name: 'uploaded pictures',
  run: (examined) =>
    examined.settings.webImages === undefined
      ? ok('WEB_IMAGES is not set')
      : ofContent(examined, ({ uploadsInUse }) => findUnused(uploadsInUse, examined)),
};

/** Nothing is removed by the service: a backup may name the picture, or the file from which a property comes back. */
async function findUnused({ names, isCut }: UploadsInUse, { uploads, clock }: Examined): Promise<Finding> {
  if (isCut) return ok('not compared: too many properties have uploaded pictures');
  const { folder, files } = await uploads();
  const isUnused = ({ name, storedAtMs }: UploadedFile): boolean =>
    !names.has(name) && clock() - storedAtMs > UNSAVED_MS_MAX;
  const unused = files.filter(isUnused).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (unused.length === 0) return ok(`${files.length} are stored, and properties name them`);
  const megabytes = unused.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const some = unused.slice(0, REMOVED_MAX).map(({ name }) => name);
  const rest = unused.length > some.length ? '; then run this again for the rest' : '';
  return warn(
    `${unused.length} of ${files.length} files (${megabytes.toFixed(1)} MB) in ${folder} are named by no property`,
    `where no backup or file to import needs them: cd '${folder.replaceAll("'", String.raw`'\''`)}' && rm ${some.join(' ')}${rest}`,
  );
}

interface SaidPicture {
  readonly propertyId: string;
  readonly src: string;
  readonly said: PictureSize;
}

async function judge(pictured: SomePictured, { pictureSize }: Examined): Promise<Finding> {
  const own = pictured.properties.flatMap(({ propertyId, images }) =>
    images
      .filter(({ src }) => !src.startsWith('https:'))
      .map(({ src, width, height }): SaidPicture => ({ propertyId, src, said: { width, height } })),
  );
  const looked = own.slice(0, FILES_MAX);
  const isCut = pictured.isCut || looked.length < own.length;
  const cut = isCut ? `; only the first ${looked.length} were looked at` : '';
  const { wrong, sizedCount } = await compare(looked, pictureSize);
  if (wrong.length === 0)
    return ok(`${sizedCount} of ${looked.length} say their size, each as its document does${cut}`);
  const more = wrong.length > SHOWN_MAX ? ` and ${wrong.length - SHOWN_MAX} more` : '';
  return warn(
    `${wrong.length} have another size than their documents say: ${wrong.slice(0, SHOWN_MAX).join('; ')}${more}${cut}`,
    'write the width and height of each file into "images" of its property and import it again, or replace the file',
  );
}

async function compare(
  pictures: readonly SaidPicture[],
  pictureSize: Examined['pictureSize'],
): Promise<{ readonly wrong: readonly string[]; readonly sizedCount: number }> {
  const wrong: string[] = [];
  let sizedCount = 0;
  for (let index = 0; index < pictures.length; index += FILES_AT_ONCE) {
    const some = pictures.slice(index, index + FILES_AT_ONCE);
    const sizes = await Promise.all(some.map(({ src }) => pictureSize(src)));
    for (const [at, size] of sizes.entries()) {
      if (size === undefined) continue;
      sizedCount += 1;
      const { propertyId, src, said } = some[at]!;
      if (said.width !== size.width || said.height !== size.height)
        wrong.push(`${propertyId}, ${src}: said ${formatSize(said)}, is ${formatSize(size)}`);
    }
  }
  return { wrong, sizedCount };
}

function formatSize({ width, height }: PictureSize): string {
  return `${width} x ${height}`;
}
