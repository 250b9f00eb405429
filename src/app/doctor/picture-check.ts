/** Pictures below WEB_IMAGES: their size as their documents say, uploads without a property, and positions in them. */
import type { DatabaseContent, SomePictured, UploadsInUse } from '../../storage/inspection/inspection.ts';
import {
  type Check,
  type Examined,
  type Finding,
  firstOf,
  type NotLookedAt,
  ofContent,
  ok,
  type PictureSize,
  type UploadedFile,
  warn,
} from './check.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';

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
    new Wrong('machinesApart', { count: machines.size, path: settings.webImages }),
    new Wrong('fixMachinesApart'),
  );
}

/** Nothing is removed by the service: a backup may name the picture, or the file from which a property comes back. */
async function findUnused({ names, isCut }: UploadsInUse, { uploads, clock }: Examined): Promise<Finding> {
  if (isCut) return ok(new Wrong('uploadsUncompared'));
  const { folder, files } = await uploads();
  // Smaller sizes go with their picture.
  const isUnused = ({ name, storedAtMs }: UploadedFile): boolean =>
    !names.has(name.replace(/-\d+(?=\.)/, '')) && clock() - storedAtMs > UNSAVED_MS_MAX;
  const unused = files.filter(isUnused).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (unused.length === 0) return ok(new Wrong('uploadsNamed', { count: files.length }));
  const megabytes = unused.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const some = unused.slice(0, REMOVED_MAX).map(({ name }) => name);
  const command = `cd '${folder.replaceAll("'", String.raw`'\''`)}' && rm ${some.join(' ')}`;
  return warn(
    new Wrong('uploadsUnused', {
      count: unused.length,
      all: files.length,
      megabytes: megabytes.toFixed(1),
      path: folder,
    }),
    new Wrong(unused.length > some.length ? 'fixUploadsRest' : 'fixUploads', { command }),
  );
}

interface CheckedPicture {
  readonly propertyId: string;
  readonly src: string;
  readonly said: PictureSize;
}

async function judge(pictured: SomePictured, { pictureSizes }: Examined): Promise<Finding> {
  const own = pictured.properties.flatMap(({ propertyId, images }) =>
    images
      .filter(({ src }) => !src.startsWith('https:'))
      .map(({ src, width, height }): CheckedPicture => ({ propertyId, src, said: { width, height } })),
  );
  if (own.length === 0) return ok(new Wrong('picturesNone'));
  const asked = own.slice(0, FILES_MAX);
  const read = await pictureSizes(asked.map(({ src }) => src));
  if ('problem' in read) return notLookedAt(read);
  const looked = asked.filter(({ src }) => Object.hasOwn(read.sizes, src));
  const isCut = pictured.isCut || looked.length < own.length;
  const whole = (finding: Told): Told =>
    isCut ? new Wrong('picturesCut', { finding, count: looked.length }) : finding;
  const sized = looked.filter(({ src }) => read.sizes[src] !== null);
  const wrong = sized.flatMap((picture) => findDifference(picture, read.sizes[picture.src]!));
  if (wrong.length === 0)
    return ok(whole(new Wrong('picturesSized', { count: sized.length, all: looked.length })));
  const which = firstOf(wrong, SHOWN_MAX);
  return warn(
    whole(new Wrong('picturesWrong', { count: wrong.length, which })),
    new Wrong('fixPictureSizes'),
  );
}

function findDifference({ propertyId, src, said }: CheckedPicture, size: PictureSize): readonly Told[] {
  if (said.width === size.width && said.height === size.height) return [];
  return [new Wrong('pictureWrong', { propertyId, src, said: formatSize(said), actual: formatSize(size) })];
}

function formatSize({ width, height }: PictureSize): string {
  return `${width} x ${height}`;
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
  const whole = (finding: Told): Told => (isCut ? new Wrong('positionsCut', { finding }) : finding);
  if (found.length === 0) return ok(whole(new Wrong('positionsNone', { count: lookedCount })));
  const names = firstOf(found, SHOWN_MAX);
  return warn(
    whole(new Wrong('positionsFound', { count: found.length, all: lookedCount, names })),
    new Wrong('fixPositions', {
      command: 'exiftool -all= -tagsfromfile @ -orientation -icc_profile FILE',
    }),
  );
}

function notLookedAt({ problem, lacksLibrary }: NotLookedAt): Finding {
  if (!lacksLibrary)
    return warn(new Wrong('picturesUnlooked', { why: problem }), new Wrong('fixPicturesUnlooked'));
  return warn(
    new Wrong('picturesLibrary', { why: problem }),
    new Wrong('fixPicturesLibrary', { command: '"npm ci --include=optional"' }),
  );
}
