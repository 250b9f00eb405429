/** Texts of a workbook. */
import type { WorkbookParts } from './workbook-parts.ts';
import { BadXml, readAllXml, type XmlReader } from './workbook-xml.ts';

/** Texts that cells share. */
const TEXTS_MAX = 2_000_000;
const TEXTS_LENGTH_MAX = 64 * 1024 * 1024;

/** Runs of a rich text are one text; how it is pronounced is left out. */
export class TextReader implements XmlReader {
  #isText = false;
  #isSpoken = false;
  value = '';

  open(name: string): void {
    if (name === 't') this.#isText = !this.#isSpoken;
    else if (name === 'rPh') this.#isSpoken = true;
  }

  text(text: string): void {
    if (this.#isText) this.value += text;
  }

  close(name: string): void {
    if (name === 't') this.#isText = false;
    else if (name === 'rPh') this.#isSpoken = false;
  }

  take(): string {
    const text = this.value;
    this.value = '';
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
export async function readTexts(parts: WorkbookParts, part: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  const reader = new TextReader();
  let length = 0;
  await readAllXml(parts.read(part), {
    open: (name) => reader.open(name),
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name);
      if (name !== 'si') return;
      const text = reader.take();
      length += text.length;
      texts.push(text);
      if (texts.length > TEXTS_MAX || length > TEXTS_LENGTH_MAX) throw new BadXml('it has too many texts');
    },
  });
  return texts;
}
