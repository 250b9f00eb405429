/** Short bodies, sent in one piece with the headers: cheaper than a separate buffer. */

declare const BYTES: unique symbol;

/** JSON as a string whose characters are its UTF-8 bytes: send it as latin1, never read it as text. */
export type ByteText = string & { readonly [BYTES]: true };

/** Copies a part of `bytes`, so that they may be overwritten while a slow client still waits. */
export function readByteText(bytes: Buffer, start: number, end: number): ByteText {
  return bytes.toString('latin1', start, end) as ByteText;
}

/** For ASCII text, such as ids, dates and numbers. */
export function asByteText(ascii: string): ByteText {
  return ascii as ByteText;
}

/** Parses the JSON of a body. */
export function parseByteText(text: ByteText): unknown {
  return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
}
