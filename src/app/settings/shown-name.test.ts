import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Wrong } from '../../domain/wrong.ts';
import { shownName } from './setting-values.ts';

describe('A name that pages show', () => {
  it('is a line of any script', () => {
    for (const name of ['Stayport', 'Locande del Ponte', 'فندق الجسر', 'מלון הגשר', '橋ホテル', 'Zoë’s 🏡'])
      assert.equal(shownName(name), name);
  });

  it('holds no mark that turns the text beside it, and no line end', () => {
    const marks =
      '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\n\r\t\u2028\u2029\u0000';
    for (const mark of marks)
      assert.ok(shownName(`Sea${mark}view`) instanceof Wrong, mark.codePointAt(0)!.toString(16));
  });
});
