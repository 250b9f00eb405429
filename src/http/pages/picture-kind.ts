/** Which files are served as pictures: their type by their first bytes, because names may be wrong, and their size. */

/** Far above what a page should carry; a larger file counts as missing. */
export const PICTURE_BYTES_MAX = 8 * 2 ** 20;

/** Bytes that `pictureTypeOf` reads. */
export const HEAD_BYTES = 4_096;

/** In hexadecimal digits, two for each byte. */
const SIGNATURES: readonly (readonly [mediaType: string, pattern: RegExp])[] = [
  ['image/jpeg', /^ffd8ff/],
  ['image/png', /^89504e470d0a1a0a/],
  // RIFF, the length, WEBPVP8.
  ['image/webp', /^52494646.{8}57454250565038/],
  // The length, ftyp, and avif or avis as the brand, or avif among those that a mif1 goes with.
  ['image/avif', /^.{8}66747970(?:61766966|61766973|6d696631.{8}(?:.{8}){0,8}?61766966)/],
];
/** The length, ftyp, and a brand of HEIF with HEVC, which phones write and browsers do not show. */
const HEIC = /^.{8}66747970(?:68656963|68656978|68657663|68657678|6865696d|68656973|6d696631|6d736631)/;
/** Covers all signatures. */
const SIGNATURE_BYTES = 64;

/** Parts of XML before its first element, each with its end. A document type with parts of its own is refused. */
const PROLOG: readonly (readonly [start: string, end: string])[] = [
  ['<?xml', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE svg', '>'],
];

/** Step by step: one expression would try every way to end a comment. */
function isSvg(text: string): boolean {
  let rest = text.trimStart();
  for (;;) {
    const part = PROLOG.find(([start]) => rest.startsWith(start));
    if (part === undefined) return /^<svg[\s>/]/.test(rest);
    const [start, end] = part;
    const endAt = rest.indexOf(end, start.length);
    if (endAt === -1 || (end === '>' && rest.slice(0, endAt).includes('['))) return false;
    rest = rest.slice(endAt + end.length).trimStart();
  }
}

/** Undefined unless browsers show this kind of picture. */
export function pictureTypeOf(head: Uint8Array): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES));
  const digits = bytes.toString('hex', 0, SIGNATURE_BYTES);
  const found = SIGNATURES.find(([, pattern]) => pattern.test(digits));
  if (found !== undefined) return found[0];
  return isSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** Whether the bytes are HEIC, as `pictureTypeOf` finds none of what browsers show. */
export function isHeic(head: Uint8Array): boolean {
  return HEIC.test(
    Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, HEAD_BYTES)).toString(
      'hex',
      0,
      SIGNATURE_BYTES,
    ),
  );
}
