import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseDuration, parseInstant } from './parse-duration.ts';

const SEED = { seed: 20261120, numRuns: 500 };

describe('parseDuration', () => {
  it('takes seconds, minutes, hours and days', () => {
    assert.deepEqual(
      ['0m', '90s', '30m', '24h', '7d'].map(parseDuration),
      [0, 90_000, 1_800_000, 86_400_000, 604_800_000],
    );
  });

  it('refuses other units, fractions, signs, spaces and what is too long', () => {
    for (const text of ['', '24', 'h', '1.5h', '-1h', '1h30m', ' 1h', '1H', '1w', '9999999d']) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });
});

describe('parseInstant', () => {
  it('takes what RFC 3339 shows', () => {
    // RFC 3339, section 5.8
    assert.equal(parseInstant('1985-04-12T23:20:50.52Z'), Date.UTC(1985, 3, 12, 23, 20, 50, 520));
    assert.equal(parseInstant('1996-12-19T16:39:57-08:00'), Date.UTC(1996, 11, 20, 0, 39, 57));
    assert.equal(parseInstant('1937-01-01t12:00:27.87+00:20'), Date.UTC(1937, 0, 1, 11, 40, 27, 870));
    assert.equal(parseInstant('2026-12-01 00:00:00z'), Date.UTC(2026, 11, 1));
    assert.equal(parseInstant('2026-12-01T00:00:00.1239Z'), Date.UTC(2026, 11, 1, 0, 0, 0, 123));
  });

  it('refuses impossible and incomplete ones', () => {
    const refused = [
      '',
      '2026-12-01',
      '2026-12-01T00:00:00',
      '2026-12-01T00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-12-01T24:00:00Z',
      '2026-12-01T00:60:00Z',
      '1990-12-31T23:59:60Z',
      '2026-12-01T00:00:00+24:00',
      '2026-12-01T00:00:00+0100',
      '2026-12-01T00:00:00.Z',
      '+002026-12-01T00:00:00Z',
      'tomorrow',
    ];
    for (const text of refused) assert.equal(parseInstant(text), undefined, text);
  });

  it('reads every instant that Date writes', () => {
    const dates = fc.date({
      min: new Date('0001-01-01Z'),
      max: new Date('9999-12-31Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => parseInstant(date.toISOString()) === date.getTime()),
      SEED,
    );
  });
});
