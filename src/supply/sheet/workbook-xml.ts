/** XML of a workbook's part, read as a stream in bounded memory. */
import { SaxesParser } from 'saxes';

/** Characters of one text or tag; a cell holds 32,767. */
const PIECE_LENGTH_MAX = 8 * 1024 * 1024;

/** Names have no prefix. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Gives what `take` has after each chunk. Throws BadXml, whose reason goes on after "is damaged: ". */
export async function* readXml<T>(
  chunks: AsyncIterable<Buffer>,
  reader: XmlReader,
  take: () => T,
): AsyncGenerator<T, void, undefined> {
  const parser = new SaxesParser({ xmlns: false });
  let seenAt = 0;
  const see = (): void => void (seenAt = parser.position);
  parser.on('error', (error) => {
    throw new BadXml(`its XML is wrong (${error.message})`);
  });
  parser.on('doctype', () => {
    throw new BadXml('its XML has a document type, which no spreadsheet writes');
  });
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toUpperCase() !== 'UTF-8') throw new BadXml(`its XML is ${encoding}, not UTF-8`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    see();
    reader.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    see();
    reader.close?.(localName(name));
  });
  if (reader.text !== undefined) {
    parser.on('text', (text) => reader.text!(text));
    parser.on('cdata', (text) => reader.text!(text));
  }
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (parser.position - seenAt > PIECE_LENGTH_MAX) throw new BadXml('one of its texts is too long');
    yield take();
  }
  parser.write(decoder.decode());
  parser.close();
  yield take();
}

export class BadXml extends Error {
  override readonly name = 'BadXml';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads all of a small part. */
export async function readAllXml(chunks: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  await Array.fromAsync(readXml(chunks, reader, () => undefined));
}
