import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeHistory } from './kept-changes.ts';
import { CHANGES_KEPT_BYTES_MAX } from './message.ts';

describe('The changes that are kept of a message', () => {
  const change = (propertyId: string, inventoryTypeId: string) => ({
    propertyId,
    types: [{ inventoryTypeId, replaces: true, entries: [], positions: [] }],
  });

  it('fill its room to the last byte, and one more is marked as cut', () => {
    const bytesOf = (inventoryTypeId: string): number => {
      const kept = new ChangeHistory();
      kept.add('m', 'p', change('p', inventoryTypeId));
      const [row] = kept.rows;
      return row!.messageId.length + row!.propertyId.length + row!.change.byteLength;
    };
    const full = 'x'.repeat(CHANGES_KEPT_BYTES_MAX - bytesOf(''));
    for (const [typeId, isCut] of [
      [full, false],
      [`${full}x`, true],
    ] as const) {
      const kept = new ChangeHistory();
      kept.add('m', 'p', change('p', typeId));
      assert.equal(kept.rows.length, 1);
      assert.equal(new TextDecoder().decode(kept.rows[0]!.change).includes('isCut'), isCut);
    }
  });
});
