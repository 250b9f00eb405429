/** "CSV (Macintosh)", as Excel on a Mac saves it: each line ends with a carriage return alone. */
import { ByteSource } from '../text/byte-source.ts';

const CR = 0x0d;
const LF = 0x0a;
/** At least the header. */
const BEGINNING_BYTES = 64 * 1024;

/** The source with LF at the end of its lines, where its beginning has CR and no LF; else as it is. */
export async function withLineFeeds(source: ByteSource): Promise<ByteSource> {
  let hasCr = false;
  let looked = 0;
  for await (const chunk of source.read()) {
    if (chunk.includes(LF)) return source;
    hasCr ||= chunk.includes(CR);
    looked += chunk.length;
    if (looked >= BEGINNING_BYTES) break;
  }
  return hasCr ? new ByteSource(source.file, { [Symbol.asyncIterator]: () => withoutCr(source) }) : source;
}

async function* withoutCr(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of source.read()) {
    const lines = Buffer.from(chunk);
    for (let at = lines.indexOf(CR); at !== -1; at = lines.indexOf(CR, at + 1)) lines[at] = LF;
    yield lines;
  }
}
