import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NightRuns } from '../../domain/night-runs.ts';
import { opensTooMuch } from './held-back.ts';

const TODAY = 20_788;
const nights = (from: number, until: number): NightRuns => [
  { from: TODAY + from, until: TODAY + until, value: 1 },
];

describe('A calendar is held back', () => {
  const rows: readonly (readonly [string, NightRuns, NightRuns, boolean])[] = [
    ['that opens half of the closed nights', nights(0, 10), nights(0, 5), true],
    ['that opens one less', nights(0, 10), nights(0, 6), false],
    ['that opens the one night there is', nights(3, 4), [], true],
    ['whatever else it closes', nights(0, 10), nights(5, 90), true],
    ['that opens nights before today only', nights(-10, 2), nights(0, 2), false],
    ['that opens half of those from today on', nights(-10, 2), nights(-10, 1), true],
    ['of which nothing was closed before', [], nights(0, 9), false],
  ];
  for (const [name, before, after, isHeld] of rows) {
    it(`${isHeld ? 'one' : 'not one'} ${name}`, () => {
      assert.equal(opensTooMuch(before, after, TODAY), isHeld);
    });
  }
});
