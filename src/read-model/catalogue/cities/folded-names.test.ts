import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { FOLDED_NAMES_MAX, FoldedNames } from './folded-names.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LINE_CHARACTERS = 16_000;
/** Two texts of some 20 characters and their place in the map, with room to spare. */
const BYTES_PER_NAME_MAX = 1000;

describe('folded names', () => {
  it('a remembered folded name equals that of foldPlaceName', () => {
    const names = new FoldedNames();
    for (const name of ['Venézia', 'venezia', '12345', '', 'Łódź', '\ud800', 'Venézia', '\ufffd'])
      assert.equal(names.fold(name).folded, foldPlaceName(name));
  });

  it('keep nothing of the request line that a name was a part of', () => {
    const names = new FoldedNames();
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const count = FOLDED_NAMES_MAX - 1;
    for (let index = 0; index < count; index++) {
      // Digits stay as they are when they are folded: the folded form must not be a view of the line either.
      const line = Buffer.alloc(LINE_CHARACTERS, `${String(index).padStart(20, '1')}&`).toString('latin1');
      names.fold(line.slice(0, 20));
    }
    collectGarbage();
    const bytesPerName = (process.memoryUsage().heapUsed - before) / count;
    assert.ok(bytesPerName < BYTES_PER_NAME_MAX, `${bytesPerName.toFixed(0)} bytes a name`);
    assert.equal(names.fold('x').folded, 'X');
  });

  it('are forgotten when there are too many', () => {
    const names = new FoldedNames();
    for (let index = 0; index < 5 * FOLDED_NAMES_MAX; index++) names.fold(`a name of some length ${index}`);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 5 * FOLDED_NAMES_MAX; index++)
      names.fold(`another of such a length ${index}`);
    collectGarbage();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < FOLDED_NAMES_MAX * BYTES_PER_NAME_MAX, `${grown} bytes more`);
  });
});
