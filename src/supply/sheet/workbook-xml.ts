/** XML of a workbook's part, read as a stream in bounded memory. */
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { SaxesParser } from 'saxes';

/** Characters of one text or tag; a cell holds 32,767. */
const PIECE_LENGTH_MAX = 1024 * 1024;
/** The parser keeps each open element; spreadsheets open about ten. */
export const OPEN_ELEMENTS_MAX = 64;
/** All parts of a workbook together, without what their reader does with the rows: ten times what 256 MB take. */
export const READ_MS_MAX = 120_000;

/** Names have no prefix. */
export interface XmlReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The time that reading a workbook has taken so far. */
export class ReadingTime {
  readonly #monotonicMs: () => number;
  #spentMs = 0;

  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Throws TooSlow. */
  count<T>(work: () => T): T {
    const startedAtMs = this.#monotonicMs();
    const result = work();
    this.#spentMs += this.#monotonicMs() - startedAtMs;
    if (this.#spentMs > READ_MS_MAX) throw new TooSlow();
    return result;
  }
}

/**
 * Gives what `take` has after each chunk. What the parser would keep is bounded in its events, before it is kept. Throws
 * BadXml, whose reason goes on after "is damaged: ", and TooSlow.
 */
export async function* readXml<T>(
  chunks: AsyncIterable<Buffer>,
  reader: XmlReader,
  take: () => T,
  time: ReadingTime,
): AsyncGenerator<T, void, undefined> {
  const parser = new SaxesParser({ xmlns: false });
  let seenAt = 0;
  let openElements = 0;
  const see = (): void => void (seenAt = parser.position);
  parser.on('error', (error) => {
    throw new BadXml(new Wrong('xmlWrong', { why: error.message }));
  });
  parser.on('doctype', () => {
    throw new BadXml(new Wrong('xmlTyped'));
  });
  parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
    if (encoding.toUpperCase() !== 'UTF-8') throw new BadXml(new Wrong('xmlEncoded', { encoding }));
  });
  parser.on('opentag', ({ name, attributes }) => {
    see();
    openElements += 1;
    if (openElements > OPEN_ELEMENTS_MAX) throw new BadXml(new Wrong('xmlDeep', { max: OPEN_ELEMENTS_MAX }));
    reader.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    see();
    openElements -= 1;
    reader.close?.(localName(name));
  });
  if (reader.text !== undefined) {
    parser.on('text', (text) => reader.text!(text));
    parser.on('cdata', (text) => reader.text!(text));
  }
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    time.count(() => parser.write(decoder.decode(chunk, { stream: true })));
    if (parser.position - seenAt > PIECE_LENGTH_MAX) throw new BadXml(new Wrong('xmlPieceLong'));
    yield take();
  }
  parser.write(decoder.decode());
  parser.close();
  yield take();
}

export class BadXml extends Error {
  override readonly name = 'BadXml';
  readonly reason: Wrong;

  constructor(reason: Wrong) {
    super(inEnglish(reason));
    this.reason = reason;
  }
}

/** More parts than a workbook may have. */
export function tooMany(
  max: number,
  parts: 'cells' | 'columns' | 'formats' | 'mergedRanges' | 'relations' | 'sheets',
): Wrong {
  return new Wrong('partsMany', { max, parts: new Wrong(parts) });
}

/** Reading took longer than READ_MS_MAX. */
export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Reads all of a small part. */
export async function readAllXml(
  chunks: AsyncIterable<Buffer>,
  reader: XmlReader,
  time: ReadingTime,
): Promise<void> {
  const reading = readXml(chunks, reader, () => undefined, time);
  while ((await reading.next()).done !== true);
}
