/** Pictures below WEB_IMAGES: their size as their documents say, uploads without a property, and positions in them. */
import type { DatabaseContent, SomePictured, UploadsInUse } from '../../storage/inspection/inspection.ts';
import {
  type Check,
  type Examined,
  type Finding,
  type NotLookedAt,
  ofContent,
  ok,
  type PictureSize,
  type UploadedFile,
  warn,
} from './check.ts';

/** Files of one run. */
const FILES_MAX = 500;
/** A longer list makes no better line. */
const SHOWN_MAX = 5;

export const PICTURE_CHECK: Check = {
  name: 'pictures',
  run: (examined) => ofContent(examined, async ({ pictured }) => judge(pictured, examined)),
};

/** A form that is being filled in names its pictures when it is saved. */
const UNSAVED_MS_MAX = 86_400_000;
/** Names in one command. */
const REMOVED_MAX = 20;

export const UPLOAD_CHECK: Check = {
  name: 'uploaded pictures',
  run: (examined) =>
    ofContent(
      examined,
      (content) => findScattered(content, examined) ?? findUnused(content.uploadsInUse, examined),
    ),
};

/** By default each machine has a folder of its own: a picture is found on the machine alone that took it. */
function findScattered({ processes }: DatabaseContent, { settings }: Examined): Finding | undefined {
  const machines = new Set(processes.map(({ machine }) => machine));
  if (machines.size < 2 || settings.given.has('webImages')) return undefined;
  return warn(
    `${machines.size} machines serve, and each has its own pictures in ${settings.webImages}`,
    'set WEB_IMAGES on each to one folder that all of them share',
  );
}

/** Nothing is removed by the service: a backup may name the picture, or the file from which a property comes back. */
async function findUnused({ names, isCut }: UploadsInUse, { uploads, clock }: Examined): Promise<Finding> {
  if (isCut) return ok('not compared: too many properties have uploaded pictures');
  const { folder, files } = await uploads();
  // Smaller sizes go with their picture.
  const isUnused = ({ name, storedAtMs }: UploadedFile): boolean =>
    !names.has(name.replace(/-\d+(?=\.)/, '')) && clock() - storedAtMs > UNSAVED_MS_MAX;
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

async function judge(pictured: SomePictured, { pictureSizes }: Examined): Promise<Finding> {
  const own = pictured.properties.flatMap(({ propertyId, images }) =>
    images
      .filter(({ src }) => !src.startsWith('https:'))
      .map(({ src, width, height }): SaidPicture => ({ propertyId, src, said: { width, height } })),
  );
  if (own.length === 0) return ok('no property names a picture of WEB_IMAGES');
  const asked = own.slice(0, FILES_MAX);
  const read = await pictureSizes(asked.map(({ src }) => src));
  if ('problem' in read) return notLookedAt(read);
  const looked = asked.filter(({ src }) => Object.hasOwn(read.sizes, src));
  const isCut = pictured.isCut || looked.length < own.length;
  const cut = isCut ? `; only the first ${looked.length} were looked at` : '';
  const sized = looked.filter(({ src }) => read.sizes[src] !== null);
  const wrong = sized.flatMap((picture) => describeDifference(picture, read.sizes[picture.src]!));
  if (wrong.length === 0)
    return ok(`${sized.length} of ${looked.length} say their size, each as its document does${cut}`);
  return warn(
    `${wrong.length} have another size than their documents say: ${someOf(wrong, '; ')}${cut}`,
    'write the width and height of each file into "images" of its property and import it again, or replace the file',
  );
}

function describeDifference({ propertyId, src, said }: SaidPicture, size: PictureSize): readonly string[] {
  if (said.width === size.width && said.height === size.height) return [];
  return [`${propertyId}, ${src}: said ${formatSize(said)}, is ${formatSize(size)}`];
}

function formatSize({ width, height }: PictureSize): string {
  return `${width} x ${height}`;
}

function someOf(all: readonly string[], between: string): string {
  const more = all.length > SHOWN_MAX ? ` and ${all.length - SHOWN_MAX} more` : '';
  return all.slice(0, SHOWN_MAX).join(between) + more;
}

export const POSITION_CHECK: Check = {
  name: 'positions in pictures',
  run: judgePositions,
};

/** Files that the operator put there are served as they are: with where they were taken, which nobody may publish. */
async function judgePositions({ picturePositions }: Examined): Promise<Finding> {
  const read = await picturePositions();
  if ('problem' in read) return notLookedAt(read);
  const { found, lookedCount, isCut } = read;
  const cut = isCut ? '; there are more, which were not looked at' : '';
  if (found.length === 0) return ok(`${lookedCount} looked at, and none says where it was taken${cut}`);
  return warn(
    `${found.length} of ${lookedCount} say where they were taken, and everybody may read it: ${someOf(found, ', ')}${cut}`,
    'take the position off these files (exiftool -all= -tagsfromfile @ -orientation -icc_profile FILE), or upload them in the form of their property',
  );
}

function notLookedAt({ problem, lacksLibrary }: NotLookedAt): Finding {
  if (!lacksLibrary)
    return warn(`not looked at: ${problem}`, 'take large and damaged files out of WEB_IMAGES');
  return warn(
    `not looked at, and pictures can't be uploaded: ${problem}`,
    'install the packages again for this system and processor: "npm ci --include=optional", or the archive made for it',
  );
}
