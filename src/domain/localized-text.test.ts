import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allTexts, textFor } from './localized-text.ts';

describe('textFor', () => {
  it('is the same for every locale when there is one text', () => {
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
