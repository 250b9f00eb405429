import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeInventoryType, makeProperty } from '../../test/kit/property-fixtures.ts';
import { guestsMax } from './property.ts';
import { isVisibleTo } from './visibility.ts';

describe('isVisibleTo', () => {
  it('is everybody, or exactly the partners listed', () => {
    assert.ok(isVisibleTo(makeProperty({ visibleTo: 'all' }), 'anyone'));
    assert.ok(isVisibleTo(makeProperty({ visibleTo: ['north', 'south'] }), 'south'));
    assert.ok(!isVisibleTo(makeProperty({ visibleTo: ['north'] }), 'nor'));
    assert.ok(!isVisibleTo(makeProperty({ visibleTo: [] }), 'anyone'));
  });

  it('takes a partner called "all" for that partner', () => {
    assert.ok(isVisibleTo(makeProperty({ visibleTo: ['all'] }), 'all'));
    assert.ok(!isVisibleTo(makeProperty({ visibleTo: ['all'] }), 'anyone'));
  });
});

describe('guestsMax', () => {
  it('is the largest inventory type, never their sum', () => {
    const inventoryTypes = [makeInventoryType({ guestsMax: 2 }), makeInventoryType({ guestsMax: 4 })];
    assert.equal(guestsMax(makeProperty({ inventoryTypes })), 4);
  });
});
