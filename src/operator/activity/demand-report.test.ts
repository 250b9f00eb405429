import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { OTHER } from '../../storage/activity/store.ts';
import { reportPlaces } from './demand-report.ts';

describe('Unknown places of several releases', () => {
  it('are one where they differ only in what an earlier release kept', () => {
    const stored = [
      { place: 'L’AQUILA', searches: 2 },
      { place: "L'AQUILA", searches: 1 },
      { place: 'AIX-EN-PROVENCE, FR', searches: 4 },
      { place: OTHER, searches: 3 },
    ];
    assert.deepEqual(reportPlaces(stored, 9), [
      { text: 'AIX EN PROVENCE, FR', searches: 4 },
      { text: OTHER, searches: 3 },
      { text: "L'AQUILA", searches: 3 },
    ]);
  });

  it('stay as they are once they are folded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = foldPlaceName(text);
        assert.equal(foldPlaceName(once), once);
      }),
      RUN_SEED,
    );
  });
});
