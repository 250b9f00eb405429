import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeInventoryType, makeProperty } from '../../test/kit/property-fixtures.ts';
import { allTexts, guestsMax, isVisibleTo, textFor } from './property.ts';

describe('textFor', () => {
  it('a property with one text has it in every locale', () => {
    assert.equal(textFor('Hotel Ponte', 'it-IT'), 'Hotel Ponte');
    assert.equal(textFor('Hotel Ponte', 'en-GB'), 'Hotel Ponte');
  });

  it('is the text of the locale', () => {
    assert.equal(textFor({ 'it-IT': 'Venezia', 'en-GB': 'Venice' }, 'en-GB'), 'Venice');
  });

  it('falls back to it-IT, then to any', () => {
    assert.equal(textFor({ 'it-IT': 'Venezia' }, 'en-GB'), 'Venezia');
    assert.equal(textFor({ 'en-GB': 'Venice' }, 'it-IT'), 'Venice');
  });

  it('keeps an empty text that the operator wrote', () => {
    assert.equal(textFor({ 'it-IT': 'Venezia', 'en-GB': '' }, 'en-GB'), '');
  });
});

describe('allTexts', () => {
  it('has each text once, the default locale first', () => {
    assert.deepEqual(allTexts('Roma'), ['Roma']);
    assert.deepEqual(allTexts({ 'en-GB': 'Venice', 'it-IT': 'Venezia' }), ['Venezia', 'Venice']);
    assert.deepEqual(allTexts({ 'en-GB': 'Roma', 'it-IT': 'Roma' }), ['Roma']);
  });
});

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
