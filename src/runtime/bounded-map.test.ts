import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

it('A bounded map keeps as many bytes as it may, the newest ones, and nothing larger', () => {
  const map = new BoundedMap<number>(10);
  map.set('whole', 1, 10);
  assert.equal(map.get('whole'), 1);
  map.set('larger', 2, 11);
  assert.deepEqual([map.get('larger'), map.get('whole')], [undefined, 1]);
  map.set('a', 3, 4);
  map.set('b', 4, 6);
  assert.deepEqual([map.get('whole'), map.get('a'), map.get('b')], [undefined, 3, 4]);
  map.set('a', 5, 4);
  map.set('c', 6, 1);
  assert.deepEqual([map.get('b'), map.get('a'), map.get('c')], [undefined, 5, 6], 'a was set again');
  map.delete('a');
  map.set('d', 7, 9);
  assert.deepEqual([map.get('c'), map.get('d')], [6, 7], 'deleted bytes are free');
});
