import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { BlockLines } from './block-lines.ts';
import { type BlockState, checkBlock } from './block-check.ts';
import { SlotTable } from './slot-table.ts';

const ROWS = 3;

/** A property of two types that everybody sees, and one of one type for a partner. */
function makeBlock(): BlockState {
  const heap = makeHeap();
  const slots = new SlotTable(heap);
  const lines = new BlockLines(heap, 8);
  const version = { revision: 1, priceFrom: 0, priceUntil: 9, digest: [0, 0] } as const;
  slots.insert(0, 'a', { ...version, rowCount: 2 });
  slots.insert(1, 'b', { ...version, rowCount: 1 });
  for (let row = 0; row < ROWS; row++) {
    lines.guests.set(0, row);
    lines.keyedLine(lines.timezones, 'UTC').set(0, row);
    lines.keyedLine(lines.cityNames, 'venezia').set(0, row);
    lines.keyedLine(lines.citySpellings, 'Venezia').set(0, row);
  }
  lines.notLast.set(0, 0);
  for (const row of [0, 1]) lines.visibleToAll.set(0, row);
  lines.keyedLine(lines.visibleToPartner, 'acme').set(0, 2);
  return { rowCount: ROWS, restrictedSlotCount: 1, slots, lines };
}

const WRONG: Readonly<Record<string, readonly [RegExp, (block: BlockState) => Partial<BlockState> | void]>> =
  {
    'ids out of order': [
      /ids of a block ascend/,
      ({ slots }) =>
        slots.insert(2, 'B', { revision: 1, priceFrom: 0, priceUntil: 9, digest: [0, 0], rowCount: 1 }),
    ],
    'a row too few': [/has the rows/, () => ({ rowCount: ROWS - 1 })],
    'a property for some partners that is not counted': [
      /counts the properties/,
      () => ({ restrictedSlotCount: 0 }),
    ],
    'a last row that is not known as that': [/last row/, ({ lines }) => lines.notLast.set(0, 2)],
    'a row that hosts nobody': [/hosts a guest/, ({ lines }) => lines.guests.clearRows(1, 1)],
    'a row in two timezones': [
      /one timezone/,
      ({ lines }) => lines.keyedLine(lines.timezones, 'Europe/Rome').set(0, 1),
    ],
    'a row of no city': [/has a city/, ({ lines }) => lines.cityNames.get('venezia')!.clearRows(2, 1)],
    'a row that writes its city in two ways': [
      /in one way/,
      ({ lines }) => lines.keyedLine(lines.citySpellings, 'VENEZIA').set(0, 1),
    ],
    'a row for all and for one partner': [
      /for no partner alone/,
      ({ lines }) => lines.visibleToPartner.get('acme')!.set(0, 0),
    ],
    'a bit behind the last row': [/behind its last row/, ({ lines }) => lines.guests.set(3, ROWS)],
    'a night that is open in its group alone': [/four nights/, ({ lines }) => lines.open.set(4, 0)],
  };

describe('The check of a block', () => {
  it('passes a block as the index keeps it', () => {
    checkBlock(makeBlock());
  });

  for (const [name, [message, spoil]] of Object.entries(WRONG))
    it(`refuses ${name}`, () => {
      const block = makeBlock();
      const changed = spoil(block) ?? {};
      assert.throws(() => checkBlock({ ...block, ...changed }), message);
    });
});
