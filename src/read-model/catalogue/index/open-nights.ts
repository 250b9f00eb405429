/**
 * Open nights in the index: a line of bits per night, and after each four of them a line of the rows open in all four.
 * A stay of a week needs four lines instead of seven, adjacent in memory.
 */
import type { Memory } from '../memory/memory.ts';
import { BitLines } from './bit-lines.ts';
import { scratchOf } from './scratch.ts';

const GROUP_BITS = 2;
const GROUP_NIGHTS = 1 << GROUP_BITS;
const GROUP_LINES = GROUP_NIGHTS + 1;

export function openLine(nightLine: number): number {
  return nightLine + (nightLine >>> GROUP_BITS);
}

/** The line of the four nights that include this one. */
function groupLine(nightLine: number): number {
  return (nightLine >>> GROUP_BITS) * GROUP_LINES + GROUP_NIGHTS;
}

/** The fewest lines that decide whether a row is open on all nights of a stay. */
export function openLinesOf(nightLines: readonly number[]): number[] {
  const lines: number[] = [];
  for (let index = 0; index < nightLines.length;) {
    const line = nightLines[index]!;
    // Behind the last line of the ring comes the first: then the nights are not in one group.
    const hasGroup =
      (line & (GROUP_NIGHTS - 1)) === 0 && nightLines[index + GROUP_NIGHTS - 1] === line + GROUP_NIGHTS - 1;
    lines.push(hasGroup ? groupLine(line) : openLine(line));
    index += hasGroup ? GROUP_NIGHTS : 1;
  }
  return lines;
}

export class OpenNights extends BitLines {
  constructor(memory: Memory, nightLineCount: number, wordsPerLine: number, address?: number) {
    super(memory, Math.ceil(nightLineCount / GROUP_NIGHTS) * GROUP_LINES, wordsPerLine, address);
  }

  /** Sets a row's nights: 1 for an open one, by night line. */
  writeNights(row: number, open: Uint8Array): void {
    const bits = scratchOf('open nights', this.lineCount);
    for (let from = 0, to = 0; from < open.length; from += GROUP_NIGHTS, to += GROUP_LINES) {
      let all = 1;
      for (let night = 0; night < GROUP_NIGHTS; night++) {
        // No stay has the nights behind the last line.
        const isOpen = open[from + night] ?? 0;
        bits[to + night] = isOpen;
        all &= isOpen;
      }
      bits[to + GROUP_NIGHTS] = all;
    }
    this.writeRow(row, bits);
  }

  /** Whether the line of each four nights has the rows that are open in all of them. */
  isGrouped(): boolean {
    const { words, wordsPerLine } = this;
    for (let line = GROUP_NIGHTS; line < this.lineCount; line += GROUP_LINES) {
      for (let at = line * wordsPerLine; at < (line + 1) * wordsPerLine; at++) {
        let all = -1;
        for (let night = 1; night <= GROUP_NIGHTS; night++) all &= words[at - night * wordsPerLine]!;
        if (words[at] !== all) return false;
      }
    }
    return true;
  }

  clearNight(nightLine: number): void {
    this.clearLine(openLine(nightLine));
    this.clearLine(groupLine(nightLine));
  }
}
