import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatPropertyChange, packChanges, parsePropertyChange } from './property-change.ts';

const change = (propertyId: string, nights: number) => ({
  propertyId,
  types: [
    {
      inventoryTypeId: 'dóuble',
      replaces: false,
      entries: Array.from({ length: nights }, (_, night) => ({
        from: night,
        to: night,
        set: { rate: night },
      })),
      positions: Array.from({ length: nights }, (_, night) => night),
    },
  ],
});

describe('Changes of properties as bytes', () => {
  const changes = [change('a', 0), change('b', 3), change('c', 500)];
  const formatted = changes.map(formatPropertyChange);

  it('read back as they were, each in memory of its own', () => {
    assert.deepEqual(formatted.map(parsePropertyChange), changes);
    for (const { buffer, byteLength } of formatted) assert.equal(buffer.byteLength, byteLength);
  });

  it('are handed to another thread as one piece of memory', () => {
    const packed = packChanges(formatted);
    assert.deepEqual(packed.changes.map(parsePropertyChange), changes);
    const handed = structuredClone(packed.changes, { transfer: [packed.memory] });
    assert.deepEqual(handed.map(parsePropertyChange), changes);
    assert.equal(packed.memory.byteLength, 0, 'nothing is left behind');
    assert.deepEqual(packChanges([]).changes, []);
  });
});
