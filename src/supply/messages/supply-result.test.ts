import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTE_BYTES_MAX } from '../../domain/ledger/message.ts';
import { Wrong } from '../../domain/wrong.ts';
import { MESSAGE_ERRORS_MAX } from './message-limits.ts';
import { type Mistakes, makeCodedError } from './message-body.ts';
import { formatNote, parseNote } from './supply-result.ts';

/** As many as a message lists, each with a name of so many letters. */
function mistakesOf(letters: number, count = MESSAGE_ERRORS_MAX): Mistakes {
  const wrong = new Wrong('misspeltField', { meant: 'é'.repeat(letters) });
  return { count: 2 * count, named: Array.from({ length: count }, () => makeCodedError('/a', 'X', wrong)) };
}

describe('The note of a message', () => {
  it('leaves out the codes of all where they would push one out, errors and warnings together', () => {
    const each = 40;
    const found = Array.from({ length: 30 }, (_, at) => {
      const text = formatNote({ errors: mistakesOf(10 * at, each), warnings: mistakesOf(10 * at, each) });
      assert.ok(Buffer.byteLength(JSON.stringify(text)) <= NOTE_BYTES_MAX);
      const { errors, warnings } = parseNote(text);
      assert.deepEqual([errors.count, warnings.count], [2 * each, 2 * each]);
      const named = [...errors.named, ...warnings.named];
      return { named: named.length, coded: named.filter(({ wrong }) => wrong !== undefined).length };
    });
    const all = 2 * each;
    for (const { named, coded } of found) {
      assert.ok(coded === 0 || coded === named, 'some have their codes, others not');
      assert.ok(coded === 0 || named === all, 'codes pushed a mistake out');
    }
    assert.deepEqual(found[0], { named: all, coded: all });
    assert.ok(
      found.some(({ named, coded }) => named === all && coded === 0),
      'codes went before a mistake did',
    );
    assert.ok(found.at(-1)!.named < all);
  });

  it('lists errors before warnings where not all fit', () => {
    const { errors, warnings } = parseNote(
      formatNote({ errors: mistakesOf(300), warnings: mistakesOf(300) }),
    );
    assert.ok(errors.named.length > 0);
    assert.ok(errors.named.length === MESSAGE_ERRORS_MAX || warnings.named.length === 0);
  });
});
