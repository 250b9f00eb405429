import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Reader } from '../../domain/document/grammar.ts';
import { findDirectionProblem } from '../../domain/text-direction.ts';
import { sayWrong, Wrong } from '../../domain/wrong.ts';
import { notBlank } from './values.ts';

const NO_OWNER = {};
const TURNING = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';

describe('A text that somebody types into an act', () => {
  it('is refused with each character that turns the direction of text, by its number', () => {
    for (const character of TURNING) {
      const number = character.codePointAt(0)!.toString(16).toUpperCase();
      const reason = new Wrong('turnsDirection', { code: number });
      const typed = notBlank.parse(`Sea${character}view`);
      assert.deepEqual(typed, reason);
      const reader = new Reader();
      notBlank.read(`Sea${character}view`, 'name', reader, NO_OWNER);
      assert.deepEqual(reader.findings.mistakes, [{ field: 'name', reason }]);
      assert.match(sayWrong(reason, 'it-IT'), new RegExp(`^contiene il carattere invisibile U\\+${number},`));
    }
  });

  it('may be of any script, with the marks that its names hold', () => {
    for (const text of ['Zoë’s 🏡', 'فندق الجسر', '\u200fמלון\u200e (A)', '\u061cفندق', 'می\u200cخواهم']) {
      assert.equal(notBlank.parse(text), text);
      assert.equal(notBlank.read(text, 'name', new Reader(), NO_OWNER), text);
      assert.equal(findDirectionProblem(text), undefined);
    }
  });

  it('is not empty', () => assert.deepEqual(notBlank.parse(' '), new Wrong('empty')));
});
