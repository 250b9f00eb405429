import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ID_LENGTH_MAX } from '../../../domain/property.ts';
import { propertyIdsOf, propertyNamesOf } from './acts.ts';

const IDS = new Set(['flat-01', 'flat-1', 'casa', '7', 'FLAT.B']);

describe('A file', () => {
  it('belongs to the property that its folder or its name says', () => {
    for (const [path, propertyId] of [
      ['flat-01/1.jpg', 'flat-01'],
      ['Photos 2026/flat-01/summer/1.jpg', 'flat-01'],
      ['flat-01-1.jpg', 'flat-01'],
      ['flat-01 (2).jpg', 'flat-01'],
      ['flat-01_12.JPG', 'flat-01'],
      ['flat-01.jpg', 'flat-01'],
      ['flat-1.jpg', 'flat-1'],
      ['Casa1.webp', 'casa'],
      ['casa/7.jpg', 'casa'],
      ['7-1.jpg', '7'],
      ['flat.b-3.jpeg', 'FLAT.B'],
      ['IMG_2041.jpg', undefined],
      ['.jpg', undefined],
      ['', undefined],
    ] as const)
      assert.equal(
        propertyIdsOf(path).find((id) => IDS.has(id)),
        propertyId,
        path,
      );
  });

  it('may name a property by its name, as it is written', () => {
    assert.deepEqual(propertyNamesOf('Foto/Casa Verde/3.jpg'), ['Casa Verde', 'Foto', '3']);
    assert.deepEqual(propertyNamesOf('Città Alta 12.jpg'), ['Città Alta 12', 'Città Alta']);
  });

  it('is looked for under no id that is longer than ids are', () => {
    const longest = 'a'.repeat(ID_LENGTH_MAX);
    assert.ok(propertyIdsOf(`${longest}.jpg`).includes(longest));
    assert.deepEqual(propertyIdsOf(`${longest}a.jpg`), []);
    assert.deepEqual(propertyIdsOf('_'.repeat(40_000)), []);
  });

  it('is looked at a bounded number of times, however deep it lies', () => {
    assert.ok(propertyIdsOf(`${'a1/b/C/'.repeat(1_000)}x-1.jpg`).length <= 30);
  });
});
