/** Looks at every row of a block before readers get it. */
import { assertState } from '../../../runtime/assertions.ts';
import type { BlockLines, KeyedLines } from './block-lines.ts';
import type { SlotTable } from './slot-table.ts';

export interface BlockState {
  readonly rowCount: number;
  readonly restrictedSlotCount: number;
  readonly slots: SlotTable;
  readonly lines: BlockLines;
}

/** Throws at the first thing that is wrong; takes about a millisecond for a full block. */
export function checkBlock({ rowCount, restrictedSlotCount, slots, lines }: BlockState): void {
  let row = 0;
  let restrictedCount = 0;
  for (let slot = 0; slot < slots.count; slot++) {
    assertState(slot === 0 || slots.id(slot - 1) < slots.id(slot), 'the ids of a block ascend');
    assertState(slots.firstRow(slot) === row && slots.rowCount(slot) > 0, 'properties have adjacent rows');
    if (!lines.visibleToAll.has(0, row)) restrictedCount++;
    for (const end = row + slots.rowCount(slot); row < end; row++) checkRow(lines, row, row === end - 1);
  }
  assertState(row === rowCount, 'a block has the rows of its properties');
  assertState(
    restrictedCount === restrictedSlotCount,
    'a block counts the properties that some partners see',
  );
  assertState(lines.isClearFrom(rowCount), 'a block has no bits behind its last row');
  assertState(lines.open.isGrouped(), 'four nights are open where each of them is');
}

function checkRow(lines: BlockLines, row: number, isLast: boolean): void {
  assertState(lines.notLast.has(0, row) !== isLast, 'the last row of a property is known as that');
  assertState(lines.guests.has(0, row), 'every row hosts a guest');
  assertState(countKeys(lines.timezones, row) === 1, 'every row has one timezone');
  assertState(countKeys(lines.cityNames, row) > 0, 'every row has a city');
  assertState(countKeys(lines.citySpellings, row) === 1, 'every row writes its city in one way');
  assertState(countKeys(lines.cots, row) <= 1, 'every row has its cots in one line');
  const isForAll = lines.visibleToAll.has(0, row);
  assertState(
    !isForAll || countKeys(lines.visibleToPartner, row) === 0,
    'what all see is for no partner alone',
  );
}

function countKeys(lines: KeyedLines, row: number): number {
  let count = 0;
  for (const line of lines.values()) if (line.has(0, row)) count++;
  return count;
}
