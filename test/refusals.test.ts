/** Whatever is wrong in what people and systems write, a row says why, in the language of the reader and in no other. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTING_ROWS } from '../src/app/settings/settings-table.ts';
import { readValue } from '../src/app/settings/settings.ts';
import { type ConsoleActName, CONSOLE_FORMS, type FormOfAct } from '../src/console/reading/console-forms.ts';
import { readForm } from '../src/console/reading/act-forms.ts';
import type { Mistake } from '../src/console/reading/console-page.ts';
import { refusedForm } from '../src/console/web/act-form.ts';
import { viewOf } from '../src/console/web/elements.ts';
import { formatPage } from '../src/console/web/frame.ts';
import { unescapeHtml } from '../src/http/html/html.ts';
import { LOCALES } from '../src/domain/property.ts';
import type { RefusalRow } from '../src/domain/refusals/refusal-row.ts';
import { REFUSALS } from '../src/domain/refusals/refusals.ts';
import {
  inEnglish,
  isSayable,
  optionOf,
  sayAlone,
  sayDetail,
  sayWrong,
  type Told,
  Wrong,
} from '../src/domain/wrong.ts';
import { readCalendar } from '../src/supply/ical/read-calendar.ts';
import { parsePropertyDocument } from '../src/supply/native/property-document.ts';
import { RatesReader } from '../src/supply/rates/rates-file.ts';
import { readCell } from '../src/supply/spreadsheet/cell.ts';
import { CATALOGUE_COLUMNS } from '../src/supply/spreadsheet/catalogue-columns.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { createRandom, mutate, type MutationRandom } from './kit/mutations.ts';
import { seedOfRun } from './kit/seeds.ts';

/** Texts that are nearly right, and texts that are not. */
const PIECES = [
  '',
  ' ',
  '-1',
  '0',
  '1e9',
  '1,5',
  '120.505',
  'null',
  'true',
  'VERO',
  'x'.repeat(300),
  '\0',
  '\u202e',
  '\ud800',

  '2026-02-30',
  '31/12/26',
  '9999-12-31',
  'https://a@b.example/#c',
  'http://a',
  '{place}',
  '../a',
  '99:99',
  'manual',

  'ical:f',
  'all',
  '[{',
  'a;b|c=d',
  'per_night',
  'EUR',
  'IT',
  'Europe/Nowhere',
  '10.0.0.0/99',
  '200%',
  '#12345g',
  ',',
];
const VALUES: readonly unknown[] = [...PIECES, null, true, -1, 0, 0.3, 1e12, [], {}, [1], [[]], { a: 1 }];

/** The wrong ones that were met, each distinct one judged once. */
class Judged {
  count = 0;
  readonly #seen = new Set<string>();
  readonly codes = new Set<string>();

  take(wrong: Told): void {
    this.count += 1;
    const key = JSON.stringify(wrong);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    judge(wrong, this.codes);
  }
}

/** The words of a row that no value has: a text of the other language would hold them. */
const ENGLISH = Object.values(REFUSALS).flatMap((row) =>
  row['en-GB'].split(/\{\w+\}/).filter((words) => words.length > 14 && words.trim().includes(' ')),
);

function judge(wrong: Told, codes: Set<string>): void {
  codes.add(wrong.code);
  const row = REFUSALS[wrong.code];
  assert.ok(row !== undefined, `no row of ${wrong.code}`);
  const stored: unknown = JSON.parse(JSON.stringify(wrong));
  assert.ok(isSayable(stored), `${wrong.code} is not sayable once it was stored`);
  assert.ok(!isSayable({ ...stored, code: `${wrong.code}OfTomorrow` }));
  for (const locale of LOCALES) {
    assert.equal(sayAlone(stored, locale), sayAlone(wrong, locale));
    const places = [...row[locale].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    assert.deepEqual(
      places.filter((name) => wrong.values[name] === undefined),
      [],
      wrong.code,
    );
    for (const text of [sayWrong(wrong, locale), sayAlone(wrong, locale)]) {
      assert.doesNotMatch(text, /undefined|\[object/, wrong.code);
      // oxlint-disable-next-line no-control-regex -- they steer a terminal
      assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f]/, wrong.code);
    }
  }
  for (const value of Object.values(wrong.values)) {
    if (typeof value === 'object') judge(value, codes);
    else if (`${value}`.includes(' '))
      assert.deepEqual(
        ENGLISH.filter((words) => `${value}`.includes(words)),
        [],
        wrong.code,
      );
  }
}

const randomOf = (seed: number): MutationRandom => createRandom(seedOfRun(seed));

/** A copy with one to three of its values replaced, added or left out. */
function spoil(document: object, random: MutationRandom): object {
  const copy = structuredClone(document);
  for (let change = random(3); change >= 0; change -= 1) {
    let at = copy as Record<string, unknown>;
    for (let depth = random(4); depth > 0; depth -= 1) {
      const inner = Object.values(at).filter((value) => typeof value === 'object' && value !== null);
      if (inner.length === 0) break;
      at = inner[random(inner.length)] as Record<string, unknown>;
    }
    const names = Object.keys(at);
    const name = random(12) === 0 ? 'unknown' : (names[random(names.length || 1)] ?? 'unknown');
    if (random(8) === 0) Reflect.deleteProperty(at, name);
    else at[name] = VALUES[random(VALUES.length)];
  }
  return copy;
}

const DOCUMENT = hotel('hotel-ponte', {
  taxes: [
    { code: 'city', kind: 'city_tax', logic: 'per_person_per_night', amount: '4.00', maxNights: 5 },
    { code: 'vat', kind: 'tax', logic: 'percent', percent: '10', base: ['accommodation'] },
  ],
  discounts: [{ code: 'weekly', percent: '10', minNights: 7, maxNights: 9, inventoryTypeIds: ['double'] }],
  images: [{ src: 'hotel-ponte/front.svg', alt: { 'it-IT': 'a', 'en-GB': 'b' }, width: 10, height: 10 }],
  checkIn: { from: '15:00', until: '22:00' },
  cancellation: [
    { daysBefore: 7, refundPercent: '100' },
    { daysBefore: 2, refundPercent: '50' },
  ],
  payment: [
    { due: 'booking', percent: '30' },
    { due: 'daysBefore', daysBefore: 7, percent: '70' },
  ],
  bookingUrl: 'https://book.example/{propertyId}',
});

const SHEET_HEADER =
  'propertyId inventoryTypeId dateFrom dateTo availability rate ratesByGuests weekdays stopSell maxStay';
const SHEET_ROW = 'ponte|double|2026-12-01|2026-12-31|2|120.50|1:80.00|fri|false|14';

const EVENT = [
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTART;VALUE=DATE:20261204',
  'DTEND;VALUE=DATE:20261206',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'END:VEVENT',
];
const CALENDAR_LINES = [
  'BEGIN:VEVENT',
  'END:VEVENT',
  'BEGIN:VFREEBUSY',
  'BEGIN:VAVAILABILITY',
  'FREEBUSY:20261204T000000Z/20261201T000000Z',
  'CALSCALE:JULIAN',
  'METHOD:CANCEL',
  'DTSTART;VALUE=DATE:20261301',
  'DTEND;VALUE=DATE:20261201',
  'DURATION:P9D',
  'DURATION:-P1D',
  'EXRULE:FREQ=DAILY',
  'RDATE;VALUE=PERIOD:20261204T000000Z/20261201T000000Z',
  'RECURRENCE-ID;VALUE=DATE:20261204',
  'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20261204',
  'RECURRENCE-ID;RANGE=THISANDPRIOR;VALUE=DATE:20261204',
  'RRULE:FREQ=HOURLY',
  'RRULE:FREQ=MINUTELY',
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=DAILY;X=1',
  'RRULE:FREQ=DAILY;COUNT=1;COUNT=2',
  'RRULE:FREQ=DAILY;COUNT=1;UNTIL=20261204',
  'RRULE:FREQ=WEEKLY;BYMONTHDAY=1',
  'RRULE:FREQ=DAILY;BYYEARDAY=1',
  'RRULE:FREQ=WEEKLY;BYDAY=1MO',
  'RRULE:FREQ=YEARLY;BYDAY=1MO;BYWEEKNO=1',
  'RRULE:FREQ=DAILY;BYSETPOS=1',
  'RRULE:FREQ=YEARLY;BYWEEKNO=1',
  'RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO;INTERVAL=2',
  'RRULE:FREQ=DAILY;RSCALE=HEBREW',
  'RRULE:FREQ=DAILY;SKIP=FORWARD',
];

describe('The reason why something is wrong', () => {
  it('has a code that no other row has', () => {
    const folder = join(import.meta.dirname, '..', 'src', 'domain', 'refusals');
    const codes = globSync('*-rows.ts', { cwd: folder }).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /^  (\w+): (?:row|clause|sentence|ofOption)\(/gm,
        ),
      ].map(([, code]) => code),
    );
    assert.deepEqual(codes.toSorted(), Object.keys(REFUSALS).toSorted());
  });

  it('is a row of two languages, which name the same values', () => {
    for (const [code, row] of Object.entries(REFUSALS)) {
      const [english, italian] = LOCALES.map((locale) => row[locale]);
      assert.ok(english !== '' && italian !== '', code);
      const names = (text: string): readonly string[] =>
        [...text.matchAll(/\{\w+\}/g)].map(String).toSorted();
      assert.deepEqual([...new Set(names(italian!))], [...new Set(names(english!))], code);
      assert.doesNotMatch(`${english!}\n${italian!}`, /\.$/m, `${code}: who says it sets the full stop`);
      if (/[a-z]{4}/i.test(english!.replaceAll(/\{\w+\}/g, ''))) assert.notEqual(english, italian, code);
    }
  });

  it('says what no other row of its kind says', () => {
    const unnamed = (text: string): string => text.replaceAll(/\{\w+\}/g, '{}');
    const rows = Object.entries<RefusalRow>(REFUSALS).map(([code, row]) => ({
      code,
      says: [row.kind, row.option, ...LOCALES.map((locale) => unnamed(row[locale]))].join('\n'),
    }));
    const twins = [...Map.groupBy(rows, ({ says }) => says).values()].filter(({ length }) => length > 1);
    assert.deepEqual(twins, []);
  });

  it('stands alone with a full stop where it is a sentence, and begins as it is written', () => {
    const hidden = new Wrong('hiddenBy', { field: 'rate', typeId: 'double', propertyId: 'p', by: 'x' });
    const taken = new Wrong('typeTaken', { typeId: '"double"' });
    for (const say of [sayAlone, sayDetail]) {
      assert.equal(say(hidden, 'en-GB'), 'rate of double of p is hidden by x.');
      assert.equal(say(hidden, 'it-IT'), 'rate di double di p è nascosto da x.');
      assert.equal(say(new Wrong('bodyNotUtf8'), 'en-GB'), 'The body is not valid UTF-8.');
    }
    assert.equal(sayAlone(taken, 'en-GB'), '"double" is already an inventory type of this property');
    assert.equal(sayDetail(taken, 'en-GB'), '"double" is already an inventory type of this property.');
    assert.equal(sayAlone(new Wrong('notText'), 'en-GB'), 'It must be text.');
    assert.equal(sayDetail(new Wrong('notText'), 'en-GB'), 'Must be text.');
    for (const locale of LOCALES)
      for (const [code, row] of Object.entries<RefusalRow>(REFUSALS))
        if (row.kind === 'sentence') assert.match(row[locale], /^[\p{Lu}{].*[^.]$/u, `${code} ${locale}`);
  });

  it('has the option that it is about beside its text, which commands begin with it', () => {
    for (const [code, row] of Object.entries<RefusalRow>(REFUSALS))
      for (const locale of LOCALES) assert.doesNotMatch(row[locale], /^--/, `${code} ${locale}`);
    const empty = new Wrong('optionWrong', { option: 'source', wrong: new Wrong('empty') });
    assert.deepEqual([optionOf(empty), optionOf(new Wrong('empty'))], ['source', undefined]);
    assert.equal(inEnglish(empty), '--source must not be empty');
    assert.equal(sayAlone(empty, 'en-GB'), 'It must not be empty.');
    assert.equal(sayDetail(empty, 'it-IT'), 'Non deve essere vuoto.');
    assert.equal(inEnglish(new Wrong('noneAndSome')), '--network none must not be given with a network');
  });

  it('comes from a row for each of 20,000 spoilt documents', () => {
    const random = randomOf(20_261_130);
    const judged = new Judged();
    for (let index = 0; index < 20_000; index += 1) {
      const read = parsePropertyDocument(spoil(DOCUMENT, random));
      if (!read.ok) for (const { reason } of [read, ...read.others]) judged.take(reason);
      else for (const { reason } of read.warnings) judged.take(reason);
    }
    assert.ok(judged.count > 15_000 && judged.codes.size > 40, `${judged.count} ${judged.codes.size}`);
  });

  it('comes from a row for each of 15,000 spoilt rows of sheets', () => {
    const random = randomOf(20_261_131);
    const judged = new Judged();
    const reader = new RatesReader({ european: true });
    reader.take({ row: 1, cells: SHEET_HEADER.split(' ') });
    for (let row = 2; row < 10_002; row += 1) {
      const cells = mutate(SHEET_ROW, [...PIECES, '|', '1:'], random, 4).split('|');
      const read = reader.take({ row, cells });
      const found = read?.ok === false ? read.mistakes : (read?.warnings ?? []);
      for (const { reason } of found) judged.take(reason);
    }
    for (let index = 0; index < 5_000; index += 1) {
      const column = CATALOGUE_COLUMNS[random(CATALOGUE_COLUMNS.length)]!;
      const read = readCell(column, PIECES[random(PIECES.length)]!, true);
      if (!read.ok) judged.take(read.reason);
    }
    assert.ok(judged.count > 5_000 && judged.codes.size > 10, `${judged.count} ${judged.codes.size}`);
  });

  it('comes from a row for each of 10,000 spoilt calendars', () => {
    const random = randomOf(20_261_134);
    const judged = new Judged();
    const reading = { timezone: 'Europe/Rome', from: 20_700, until: 21_440 };
    for (let index = 0; index < 10_000; index += 1) {
      const lines = [...EVENT];
      for (let change = random(3); change >= 0; change -= 1)
        lines.splice(random(lines.length), random(2), CALENDAR_LINES[random(CALENDAR_LINES.length)]!);
      const text = mutate(
        ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'),
        ['', ':', 'x'],
        random,
        4,
      );
      const read = readCalendar(Buffer.from(text), reading);
      if (!read.ok) judged.take(new Wrong('calendarUnusable', { why: read.problem }));
    }
    assert.ok(judged.count > 5_000 && judged.codes.size > 30, `${judged.count} ${judged.codes.size}`);
  });

  it('comes from a row for each of 10,000 spoilt settings', () => {
    const random = randomOf(20_261_132);
    const judged = new Judged();
    for (let index = 0; index < 10_000; index += 1) {
      const [, entry] = SETTING_ROWS[random(SETTING_ROWS.length)]!;
      const text = mutate(entry.example, PIECES, random, 4);
      const read = readValue(entry, text);
      if (read instanceof Wrong) judged.take(read);
    }
    assert.ok(judged.count > 4_000 && judged.codes.size > 15, `${judged.count} ${judged.codes.size}`);
  });

  it('comes from a row for each of 5,000 spoilt forms, and its page says nothing in another language', () => {
    const random = randomOf(20_261_133);
    const judged = new Judged();
    const acts = Object.entries<FormOfAct>(CONSOLE_FORMS).filter(([, { row }]) => row !== undefined);
    const view = viewOf({
      locale: 'it-IT',
      root: '/',
      nowMs: 0,
      formId: 'f',
      person: undefined,
      leadsToSetup: false,
    });
    for (let index = 0; index < 5_000; index += 1) {
      const [name, { row }] = acts[random(acts.length)]!;
      const texts = Object.values(row!.input).map(({ usage }) => [
        /[\w-]+/
          .exec(usage.replace(/^--/, ''))![0]
          .replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase()),
        PIECES[random(PIECES.length)]!,
      ]);
      const form = new URLSearchParams(texts);
      const { mistakes } = readForm(row!, { segments: {}, form });
      for (const { reason } of mistakes) judged.take(reason!);
      if (index % 50 === 0) assertItalian(pageOf(name as ConsoleActName, form, mistakes), mistakes);
    }
    assert.ok(judged.count > 3_000 && judged.codes.size > 8, `${judged.count} ${judged.codes.size}`);

    function pageOf(act: ConsoleActName, form: URLSearchParams, mistakes: readonly Mistake[]): string {
      const refused = { act, path: '/console/partners', form, segments: {}, problem: undefined, mistakes };
      const main = refusedForm({ ...view, refused }, refused);
      return formatPage(view, 'refused', '', { title: view.messages.refused.act, act: undefined, main });
    }
  });
});

function assertItalian(page: string, mistakes: readonly Mistake[]): void {
  assert.match(page, /<html lang="it/);
  assert.doesNotMatch(page, / lang="en/);
  const said = unescapeHtml(page.replaceAll(/<[^<>]*>/g, ''));
  for (const { reason } of mistakes) {
    const text = sayAlone(reason!, 'it-IT');
    assert.ok(said.includes(text), text);
  }
}
