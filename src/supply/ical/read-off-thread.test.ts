import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../domain/wrong.ts';
import { calendarText } from '../../../test/kit/feed-server.ts';
import { readOffThread } from './read-off-thread.ts';
import { readCalendar } from './read-calendar.ts';

const OPTIONS = { timezone: 'Europe/Rome', from: 20_700, until: 21_440 };
/** Each rule is counted from 1770 on: 100 of them are more than a calendar may have. */
const repeating = (count: number): Buffer => {
  const rule =
    'BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:17700101\r\nRRULE:FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2;COUNT=9\r\nEND:VEVENT\r\n';
  return Buffer.from(`BEGIN:VCALENDAR\r\n${rule.repeat(count)}END:VCALENDAR\r\n`);
};

describe('A calendar that is read in a thread', () => {
  it('closes the same nights as one that is not', async () => {
    const stays = Array.from({ length: 400 }, () => ['2026-12-01', '2026-12-04'] as const);
    for (const bytes of [Buffer.from(calendarText(...stays)), repeating(1)]) {
      assert.deepEqual(await readOffThread(bytes, OPTIONS), readCalendar(bytes, OPTIONS));
    }
  });

  it('ends when it takes too long, and leaves the event loop alone meanwhile', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    const read = await readOffThread(repeating(100), OPTIONS, { timeoutMs: 1_000 });
    clearInterval(timer);
    assert.ok(!read.ok);
    assert.match(inEnglish(read.problem), /took too long|too often/);
    assert.ok(turns > 5, `${turns} turns`);
  });

  it('could not be read where its reader fails', async () => {
    const read = await readOffThread(repeating(1), null as unknown as typeof OPTIONS);
    assert.ok(!read.ok);
    assert.equal(inEnglish(read.problem), 'it could not be read');
  });

  it('is given up when the service stops, and not begun after that', async () => {
    const stopping = new AbortController();
    const reading = readOffThread(repeating(100), OPTIONS, { signal: stopping.signal });
    stopping.abort();
    for (const read of [
      await reading,
      await readOffThread(repeating(1), OPTIONS, { signal: stopping.signal }),
    ])
      assert.ok(!read.ok && inEnglish(read.problem) === 'the service is being stopped');
  });
});
