/** Pictures made for tests: of any kind and size, with all that cameras and programs write beside the pixels. */
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Metadata, type Sharp } from 'sharp';

export const PICTURE_KINDS = ['jpg', 'png', 'webp', 'avif'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Stands in every text that must not be published. */
export const SECRET = 'Calle Secreta 1234';
/** So near to a house. */
const POSITION_EXIF = {
  IFD0: { Artist: SECRET, ImageDescription: SECRET },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '45/1 26/1 1512/100',
    GPSLongitudeRef: 'E',
    GPSLongitude: '12/1 20/1 96/100',
  },
};
export const POSITION_XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="45,26.252N" exif:GPSLongitude="12,20.016E"/></rdf:RDF></x:xmpmeta>`;

/** Not of one colour: its left half is red. */
export function drawing(width: number, height: number): Sharp {
  const left = {
    create: { width: Math.ceil(width / 2), height, channels: 3, background: '#c03020' },
  } as const;
  return sharp({
    create: { width, height, channels: 3, background: '#205080' },
    limitInputPixels: false,
  }).composite([{ input: left, left: 0, top: 0 }]);
}

export async function encode(picture: Sharp, kind: PictureKind): Promise<Buffer> {
  if (kind === 'avif') return picture.avif({ effort: 0 }).toBuffer();
  return kind === 'jpg' ? picture.jpeg().toBuffer() : picture[kind]().toBuffer();
}

export async function plainPicture(kind: PictureKind, width = 64, height = 48): Promise<Buffer> {
  return encode(drawing(width, height), kind);
}

/** A position in EXIF and XMP, a thumbnail's table, and a profile of colours wider than those of most screens. */
export async function pictureWithPosition(kind: PictureKind, orientation = 1): Promise<Buffer> {
  const wide = await drawing(64, 48).withIccProfile('p3').png().toBuffer();
  return encode(
    sharp(wide).keepIccProfile().withExif(POSITION_EXIF).withXmp(POSITION_XMP).withMetadata({ orientation }),
    kind,
  );
}

/** EXIF alone, without XMP. */
export async function exifWithPosition(): Promise<Buffer> {
  const bytes = await drawing(8, 8).withExif(POSITION_EXIF).jpeg().toBuffer();
  const { exif } = await sharp(bytes).metadata();
  return exif!;
}

/** A JPEG with these segments behind its first two bytes. */
export function withSegments(
  jpeg: Buffer,
  segments: readonly (readonly [marker: number, body: Buffer])[],
): Buffer {
  const made = segments.map(([marker, body]) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  });
  return Buffer.concat([jpeg.subarray(0, 2), ...made, jpeg.subarray(2)]);
}

/** So many segments with nothing in them. */
export function withEmptySegments(jpeg: Buffer, count: number): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(4 * count, 'ffe50002', 'hex'), jpeg.subarray(2)]);
}

const PNG_HEAD_BYTES = 33;

/** A PNG with these chunks behind its head. */
export function withChunks(png: Buffer, chunks: readonly (readonly [type: string, body: Buffer])[]): Buffer {
  const made = chunks.map(([type, body]) => chunk(type, body));
  return Buffer.concat([png.subarray(0, PNG_HEAD_BYTES), ...made, png.subarray(PNG_HEAD_BYTES)]);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** As ImageMagick keeps EXIF in a PNG: packed, in hexadecimal digits. */
export function packedExifChunk(exif: Buffer): readonly [string, Buffer] {
  const text = `\nexif\n${String(exif.length).padStart(8)}\n${exif.toString('hex').replaceAll(/.{72}/g, '$&\n')}\n`;
  return ['zTXt', Buffer.concat([Buffer.from('Raw profile type exif\0\0'), deflateSync(text)])];
}

/** An AVIF with so many boxes of one size more. */
export function withSizeBoxes(avif: Buffer, count: number): Buffer {
  const box = Buffer.from('0000001469737065000000000000004000000030', 'hex');
  const made = Buffer.from(avif);
  const more = count * box.length;
  for (const name of ['meta', 'iprp', 'ipco']) {
    const at = made.indexOf(name) - 4;
    made.writeUInt32BE(made.readUInt32BE(at) + more, at);
  }
  const end = made.indexOf('ipco') + 4;
  return Buffer.concat([made.subarray(0, end), Buffer.alloc(more, box), made.subarray(end)]);
}

/** The pixels of a picture, and its metadata. */
export async function readPicture(
  bytes: Buffer,
): Promise<{ readonly pixels: Buffer; readonly facts: Metadata }> {
  return { pixels: await sharp(bytes).raw().toBuffer(), facts: await sharp(bytes).metadata() };
}

/** Which kinds of metadata a picture has. */
export function metadataOf(facts: Metadata): string[] {
  const kinds = ['exif', 'xmp', 'iptc', 'tifftagPhotoshop', 'comments', 'orientation', 'icc'] as const;
  return kinds.filter((kind) => facts[kind] !== undefined);
}

export async function animation(): Promise<Buffer> {
  const frames = await Promise.all(['red', 'blue'].map((background) => frame(background)));
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

async function frame(background: string): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A PNG of this size as far as its head tells, with hardly a picture behind it. */
export function pngHead(width: number, height: number): Buffer {
  const size = Buffer.from('00000000000000000802000000', 'hex');
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const body = chunk('IDAT', deflateSync(Buffer.alloc(64)));
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', size), body]);
}
