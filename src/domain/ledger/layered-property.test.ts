import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import {
  HORIZON_NIGHTS,
  nightEntry,
  OPEN,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import type { CalendarEntry } from '../calendar.ts';
import { MANUAL_SOURCE } from '../layers.ts';
import { LayeredProperty } from './layered-property.ts';
import { makeStoredWrite } from './stored-write.ts';

const TYPE = 'double';
const CLOSED = nightEntry(2, 3, { stopSell: 1 });

function makeLayered(): LayeredProperty {
  const content = makeStoredWrite(suppliedWrite('hotel', [[nightEntry(0, 9, { availability: 1 })]]));
  return new LayeredProperty('hotel', { content, contentHash: 'known', changedAtMs: NOW_MS, layers: [] });
}

function lay(property: LayeredProperty, source: string, entry: CalendarEntry) {
  const change = { inventoryTypeId: TYPE, replaces: false, entries: [entry], positions: [0] };
  return property.overlay(source, change, NOW_MS, HORIZON_NIGHTS);
}

describe('A layer of a property', () => {
  it('names the values that nights closed by people hide', () => {
    const property = makeLayered();
    assert.equal(lay(property, MANUAL_SOURCE, CLOSED).isChanged, true);
    assert.deepEqual(lay(property, 'pms', OPEN), {
      isChanged: true,
      changed: 1,
      hidden: [
        [
          { field: 'availability', by: 'closedManually' },
          { field: 'rate', by: 'closedManually' },
        ],
      ],
    });
  });

  it('of people is hidden by its own stop-sell alone, not by the layer that it changes', () => {
    const property = makeLayered();
    lay(property, MANUAL_SOURCE, CLOSED);
    assert.deepEqual(lay(property, MANUAL_SOURCE, nightEntry(2, 3, { availability: 3 })), {
      isChanged: true,
      changed: 0,
      hidden: [[{ field: 'availability', by: 'stopSell' }]],
    });
  });

  it('says that nothing changed where it held the same', () => {
    const property = makeLayered();
    lay(property, 'pms', OPEN);
    assert.deepEqual(lay(property, 'pms', OPEN), {
      isChanged: false,
      changed: 0,
      hidden: [[]],
    });
  });
});
