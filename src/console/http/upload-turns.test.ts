import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UPLOAD_BYTES_MAX } from '../pages/property-form/pictures.ts';
import { UPLOADS_AT_ONCE_MAX, UPLOADS_AT_ONCE_OF_PERSON_MAX, UploadTurns } from './file-form.ts';

describe('Turns of uploads', () => {
  it('are those of pictures that are whole: senders who are slow take none', () => {
    const turns = new UploadTurns();
    for (const person of ['Ada', 'Bob', 'Eve'])
      for (let sender = 0; sender < 50; sender += 1) assert.ok(turns.hold(person, 1_000));
    assert.ok(turns.begin('Zoe'));
    assert.ok(turns.begin('Ada'));
  });

  it('are few at once, for one person and for all', () => {
    const turns = new UploadTurns();
    for (let count = 0; count < UPLOADS_AT_ONCE_MAX; count += 1) {
      const person = `p${Math.floor(count / UPLOADS_AT_ONCE_OF_PERSON_MAX)}`;
      assert.ok(turns.begin(person));
      if (count % UPLOADS_AT_ONCE_OF_PERSON_MAX === UPLOADS_AT_ONCE_OF_PERSON_MAX - 1)
        assert.equal(turns.begin(person), false);
    }
    assert.equal(turns.begin('other'), false);
    turns.end('p0');
    assert.ok(turns.begin('other'));
  });

  it('hold of arriving bytes at most what is left for others, at the limit and one past it', () => {
    const turns = new UploadTurns();
    const own = UPLOADS_AT_ONCE_OF_PERSON_MAX * UPLOAD_BYTES_MAX;
    let left = UPLOADS_AT_ONCE_MAX * UPLOAD_BYTES_MAX;
    for (const [person, bytes] of [
      ['Ada', own],
      ['Bob', own],
      ['Eve', own / 2],
      ['Zoe', own / 4],
      ['Kim', own / 8],
    ] as const) {
      assert.equal(turns.hold(person, bytes + 1), false, person);
      assert.ok(turns.hold(person, bytes));
      assert.equal(turns.hold(person, 1), false, person);
      left -= bytes;
    }
    assert.equal(left, own / 8);
    turns.release('Ada', own);
    assert.ok(turns.hold('Ada', own / 2), 'what is given back can be had again');
  });
});
