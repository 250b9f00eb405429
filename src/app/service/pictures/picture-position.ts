/** Whether a picture says where it was taken, in EXIF or XMP, also of a second picture within it or behind it. */
// Reads the nested tables of EXIF, whose offsets cameras and editors get wrong; has no dependencies.
import readExif from 'exif-reader';
import type { Metadata } from 'sharp';

type Facts = Pick<Metadata, 'exif' | 'xmp' | 'comments'>;

/** `facts`: what the decoder found, such as packed parts; undefined where it could not read the file. */
export function hasPosition(bytes: Buffer, { exif, xmp, comments = [] }: Facts = {}): boolean {
  const texts = comments.map(unpackProfile).filter((text) => text !== undefined);
  const wholes = [bytes, ...texts, ...(xmp === undefined ? [] : [xmp])];
  const tables = [...(exif === undefined ? [] : [exif]), ...[bytes, ...texts].flatMap(tablesIn)];
  return wholes.some((whole) => XMP_POSITION.some((name) => whole.includes(name))) || tables.some(hasGps);
}

const XMP_POSITION = ['GPSLatitude', 'GPSLongitude', 'GPSDestLatitude', 'GPSDestLongitude'];

/** PNG: ImageMagick and others write metadata as a text: a blank line, a name, a length, and hexadecimal digits. */
function unpackProfile({
  keyword,
  text,
}: {
  readonly keyword: string;
  readonly text: string;
}): Buffer | undefined {
  if (!keyword.startsWith('Raw profile type')) return undefined;
  return Buffer.from(text.split('\n').slice(3).join(''), 'hex');
}

const EXIF_START = Buffer.from('Exif\0\0');
/** Pictures within one file. */
const TABLES_MAX = 20;

function tablesIn(bytes: Buffer): Buffer[] {
  const tables: Buffer[] = [];
  for (
    let at = bytes.indexOf(EXIF_START);
    at !== -1 && tables.length < TABLES_MAX;
    at = bytes.indexOf(EXIF_START, at + 1)
  )
    tables.push(bytes.subarray(at));
  return tables;
}

function hasGps(table: Buffer): boolean {
  try {
    const { GPSInfo: gps } = readExif(table);
    return gps?.GPSLatitude !== undefined || gps?.GPSLongitude !== undefined;
  } catch {
    return false;
  }
}
