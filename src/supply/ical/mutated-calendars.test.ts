/** Any bytes may arrive as a calendar: reading them ends soon and with an answer. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish } from '../../domain/wrong.ts';
import { assertShare, type MutationRandom, MUTATIONS, readMutations } from '../../../test/kit/mutations.ts';
import { readCalendar } from './read-calendar.ts';

const OPTIONS = { timezone: 'Europe/Rome', from: 20_700, until: 21_440 };
const PIECES = [
  'BEGIN:VEVENT',
  'END:VEVENT',
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  'DTSTART;VALUE=DATE:20261201',
  'DTEND;VALUE=DATE:20261204',
  'DTSTART:20261201T223000Z',
  'DTSTART;TZID=Europe/Rome:20261201T150000',
  'DTEND:99991231T235959Z',
  'DURATION:P3D',
  'DURATION:-PT1H',
  'RRULE:FREQ=WEEKLY;BYDAY=FR,-1SU;COUNT=9',
  'RRULE:FREQ=MONTHLY;BYMONTHDAY=31',
  'RRULE:FREQ=YEARLY;BYDAY=5MO',
  'RRULE:FREQ=WEEKLY;INTERVAL=0',
  'RDATE;VALUE=PERIOD:20261201T000000Z/P1D',
  'EXDATE;VALUE=DATE:20261204',
  'RECURRENCE-ID;VALUE=DATE:20261204',
  'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261204',
  'EXDATE;TZID=Eastern Standard Time:20261204T000000',
  'BEGIN:VFREEBUSY',
  'END:VFREEBUSY',
  'FREEBUSY:20261201T150000Z/P3D',
  'BEGIN:VTIMEZONE',
  'TZID:Hotel time',
  'UID:1',
  'STATUS:CANCELLED',
  'TRANSP:TRANSPARENT',
  'SUMMARY:x',
  ' folded',
  ';',
  ':',
  '\0',
  '\ud83d\ude00',
  '2026',
  '-',
  '=',
  ',',
  'T',
  'Z',
];
const SEED_TEXT = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTART;VALUE=DATE:20261204',
  'DTEND;VALUE=DATE:20261206',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:2',
  'DTSTART:20261201T150000Z',
  'DTEND:20261203T100000Z',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

function mutateCalendar(random: MutationRandom): string {
  let text = SEED_TEXT;
  for (let round = random(4); round >= 0; round -= 1) {
    const at = random(text.length + 1);
    const piece = PIECES[random(PIECES.length)]!;
    const kind = random(4);
    if (kind === 0) text = text.slice(0, at) + piece + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + random(12));
    else if (kind === 2) text = text.slice(0, at) + String.fromCharCode(32 + random(96)) + text.slice(at + 1);
    else {
      const lines = text.split('\r\n');
      lines.splice(random(lines.length), random(2), piece);
      text = lines.join('\r\n');
    }
  }
  return text;
}

describe(`${MUTATIONS} mutated calendars`, () => {
  it('are read or refused, and nothing else', async () => {
    const read = (text: string): 'read' | 'refused' => {
      const result = readCalendar(Buffer.from(text), OPTIONS);
      if (!result.ok) {
        // Text of the calendar stays out of lists, logs and columns.
        assert.match(inEnglish(result.problem), /^[ -~…]{1,200}$/, text);
        return 'refused';
      }
      for (const { from, until } of result.closed)
        assert.ok(from >= OPTIONS.from && until <= OPTIONS.until && from < until, text);
      return 'read';
    };
    const counts = await readMutations({ seed: 7, make: mutateCalendar, read });
    assertShare(counts.read, 5);
    assertShare(counts.refused, 5);
  });
});
