/**
 * The texts of a block's properties: all summaries in one locale, each followed by a comma, then the next locale, then
 * the steps of their starting prices. An empty summary equals the one in the locale before.
 */
import { LOCALES } from '../../../domain/property.ts';
import { type Address, byteAt, type Memory, wordAt } from '../memory/memory.ts';
import type { RecordReader } from '../memory/record.ts';
import { chunkAt, PieceChunks, type TextRange, type Texts } from './piece-chunks.ts';

const PART_COUNT = LOCALES.length + 1;
const UTF8_BYTES_PER_UNIT = 3;

/** Properties whose texts are in one piece of memory. */
export interface SlotChunk {
  readonly address: Address;
  /** Slot of the first one. */
  readonly first: number;
  readonly count: number;
}

/** `summaries` in the order of LOCALES. */
export function encodeTexts(summaries: readonly string[], lowestRates: Uint8Array): Texts {
  const texts = summaries.map((summary, index) => (summary === summaries[index - 1] ? '' : `${summary},`));
  const units = texts.reduce((sum, { length }) => sum + length, 0);
  const room = Buffer.allocUnsafe(units * UTF8_BYTES_PER_UNIT + lowestRates.length);
  const starts = [0];
  let end = 0;
  for (const text of texts) starts.push((end += text === '' ? 0 : room.write(text, end)));
  room.set(lowestRates, end);
  starts.push(end + lowestRates.length);
  const bytes = room.subarray(0, starts.at(-1));
  return { partCount: PART_COUNT, count: 1, bytes, startOf: (part, index) => starts[part + index]! };
}

export class TextChunks extends PieceChunks {
  constructor(memory: Memory, record?: RecordReader) {
    super(memory, PART_COUNT, record);
  }

  /** The summary of a slot in the locale of this index in LOCALES. */
  summary(slot: number, localeIndex: number): TextRange {
    // Without an object for each item of a page.
    const firsts = this.firsts();
    const chunk = chunkAt(firsts, slot);
    const { address, count } = this.chunk(chunk);
    const words = this.memory.words(address);
    const lowest = wordAt(address) + 1 + slot - firsts[chunk]!;
    const step = count + 1;
    let at = lowest + localeIndex * step;
    while (at > lowest && words[at] === words[at + 1]) at -= step;
    const base = byteAt(address);
    return {
      bytes: this.memory.bytes(address),
      start: base + words[at]!,
      end: base + words[at + 1]! - 1,
    };
  }

  /** The chunk of a slot, in one piece of memory until one of its properties changes. */
  chunkOf(slot: number): SlotChunk {
    const firsts = this.firsts();
    const chunk = chunkAt(firsts, slot);
    const { address, count } = this.chunk(chunk);
    return { address, first: firsts[chunk]!, count };
  }

  /** A copy of the steps of its starting price, as `domain/lowest-rates.ts` encodes them. */
  lowestRates(slot: number): Uint8Array {
    const { bytes, start, end } = this.range(slot, LOCALES.length);
    return Uint8Array.from(bytes.subarray(start, end));
  }

  splitAt(from: number): TextChunks {
    const upper = new TextChunks(this.memory);
    this.moveFrom(from, upper);
    return upper;
  }
}
