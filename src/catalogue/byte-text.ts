/** Bodies that are short: sent as they are, in one piece with the headers, which costs less than bytes do. */

declare const BYTES: unique symbol;

/** JSON as a string whose characters are the bytes of its UTF-8: to be sent as latin1, never to be read as text. */
export type ByteText = string & { readonly [BYTES]: true };

/** The part of `bytes`; a copy, so that they may be written again while a slow client still waits for its answer. */
export function readByteText(bytes: Buffer, start: number, end: number): ByteText {
  return bytes.toString('latin1', start, end) as ByteText;
}

/** For text that is all ASCII, as ids, dates and numbers are. */
export function asByteText(ascii: string): ByteText {
  return ascii as ByteText;
}

/** What the JSON says. */
export function parseByteText(text: ByteText): unknown {
  return JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
}
