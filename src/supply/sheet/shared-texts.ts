/** Texts of a workbook. */
import { Wrong } from '../../domain/wrong.ts';
import type { WorkbookParts } from './workbook-parts.ts';
import { BadXml, readAllXml, type ReadingTime, type XmlReader } from './workbook-xml.ts';

/** Characters of a cell, as spreadsheets have it. */
export const CELL_LENGTH_MAX = 32_767;
/** As long as a cell may be before `_x000D_` is one character. */
const WRITTEN_LENGTH_MAX = CELL_LENGTH_MAX * '_x000D_'.length;

/** Texts that cells share. */
const TEXTS_MAX = 2_000_000;
const TEXTS_LENGTH_MAX = 64 * 1024 * 1024;

/** Runs of a rich text are one text; how it is pronounced is left out. Holds no more than one cell may be. */
export class TextReader implements XmlReader {
  #isText = false;
  #isSpoken = false;
  #value = '';

  /** Whether the text that is being read is longer than a cell; it is not read further. */
  get isTooLong(): boolean {
    return this.#value.length > WRITTEN_LENGTH_MAX;
  }

  open(name: string): void {
    if (name === 't') this.#isText = !this.#isSpoken;
    else if (name === 'rPh') this.#isSpoken = true;
  }

  text(text: string): void {
    if (this.#isText && !this.isTooLong) this.#value += text;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isSpoken = false;
  }

  take(): string {
    const text = this.#value;
    this.#value = '';
    return unescape(text);
  }
}

/** `_x000D_` is how a workbook writes a character that XML does not take. */
function unescape(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Those that cells share; cells name them by their place. */
export async function readTexts(
  parts: WorkbookParts,
  part: string | undefined,
  time: ReadingTime,
): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  const reader = new TextReader();
  let length = 0;
  const take = (): void => {
    const text = reader.take();
    if (text.length > CELL_LENGTH_MAX)
      throw new BadXml(new Wrong('workbookTextLong', { max: CELL_LENGTH_MAX }));
    length += text.length;
    texts.push(text);
    if (texts.length > TEXTS_MAX || length > TEXTS_LENGTH_MAX) throw new BadXml(new Wrong('textsMany'));
  };
  const elements: XmlReader = {
    open: (name) => reader.open(name),
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name);
      if (name === 'si') take();
    },
  };
  await readAllXml(parts.read(part), elements, time);
  return texts;
}
