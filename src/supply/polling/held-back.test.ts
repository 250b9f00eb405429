import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NightRuns } from '../../domain/night-runs.ts';
import { closesNothingMore, isSameFromToday, isSuddenlyEmpty, opensTooMuch } from './held-back.ts';

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

describe('Nights that a held calendar closes are the same as those of a later one', () => {
  const UNTIL = TODAY + 365;
  const rows: readonly (readonly [string, NightRuns, NightRuns, number, boolean])[] = [
    ['if both close them', nights(3, 9), nights(3, 9), UNTIL, true],
    ['if both close none', [], [], UNTIL, true],
    ['but not if one closes a night more', nights(3, 9), nights(3, 10), UNTIL, false],
    ['but not if one closes a night less', nights(3, 9), nights(4, 9), UNTIL, false],
    ['whatever was before today', nights(-9, 2), nights(-4, 2), UNTIL, true],
    ['but not without the night of today', nights(0, 2), nights(1, 2), UNTIL, false],
    ['as far as both were read', nights(3, 9), nights(3, 20), TODAY + 9, true],
    ['but not one night less far', nights(3, 9), nights(3, 20), TODAY + 10, false],
  ];
  for (const [name, one, other, until, isSame] of rows) {
    it(name, () => {
      const [first, second] = [
        { closed: one, until, notBeforeMs: 0 },
        { closed: other, until: UNTIL, notBeforeMs: 0 },
      ];
      assert.equal(isSameFromToday(first, second, TODAY), isSame);
      assert.equal(isSameFromToday(second, first, TODAY), isSame);
    });
  }
});

describe('A calendar closes nothing more than what is closed', () => {
  const rows: readonly (readonly [string, NightRuns, NightRuns, boolean])[] = [
    ['if it closes the same', nights(3, 9), nights(3, 9), true],
    ['if it closes less', nights(4, 8), nights(3, 9), true],
    ['but not with a night more', nights(3, 10), nights(3, 9), false],
    ['but not with the night of today more', nights(0, 9), nights(1, 9), false],
    ['whatever it closes before today', nights(-5, 9), nights(0, 9), true],
  ];
  for (const [name, one, other, isWithin] of rows) {
    it(name, () => assert.equal(closesNothingMore(one, other, TODAY), isWithin));
  }
});

describe('A calendar is suddenly empty', () => {
  const [one, two] = [nights(3, 9), [...nights(3, 9), ...nights(12, 14)]];
  const rows: readonly (readonly [string, NightRuns, NightRuns, number, boolean])[] = [
    ['if it had two stays apart', two, [], 2, true],
    ['if it had two stays that touch', one, [], 2, true],
    ['but not if it had one', one, [], 1, false],
    ['but not if one night is left', two, nights(0, 1), 2, false],
    ['if what is left was before today', two, nights(-3, 0), 2, true],
    ['but not if one of the two had ended', [...nights(-5, 0), ...nights(3, 9)], [], 1, false],
  ];
  for (const [name, before, after, stayCount, isEmpty] of rows) {
    it(name, () => assert.equal(isSuddenlyEmpty(before, after, TODAY, stayCount), isEmpty));
  }
});
