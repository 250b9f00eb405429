import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseRetryAfter, RETRY_AFTER_MS_MAX } from './retry-after.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

describe('Retry-After', () => {
  const cases: readonly (readonly [string | undefined, number | undefined])[] = [
    [undefined, undefined],
    ['', undefined],
    ['0', undefined],
    ['1', 1_000],
    ['007', 7_000],
    ['3600', HOUR_MS],
    ['86400', RETRY_AFTER_MS_MAX],
    ['86401', RETRY_AFTER_MS_MAX],
    ['9'.repeat(400), RETRY_AFTER_MS_MAX],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['2026-11-21T14:00:00Z', undefined],
    ['Sat, 21 Nov 2026 13:00:00 GMT', HOUR_MS],
    ['Sat, 21 Nov 2026 12:00:00 GMT', undefined],
    ['Fri, 20 Nov 2026 13:00:00 GMT', undefined],
    ['Tue, 01 Jan 2030 00:00:00 GMT', RETRY_AFTER_MS_MAX],
    ['Xxx, 99 Yyy 2026 99:99:99 GMT', undefined],
    ['Sat, 21 Nov 2026 13:00:00 CET', undefined],
  ];
  for (const [text, waitMs] of cases) {
    it(`${JSON.stringify(text)?.slice(0, 40)} means ${waitMs ?? 'nothing'}`, () =>
      assert.equal(parseRetryAfter(text, NOW_MS), waitMs));
  }
});
