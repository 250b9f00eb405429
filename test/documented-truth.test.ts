/**
 * The truth tables of `docs/supply.md`, row by row: each restriction by itself, and two layers together; and numbers
 * that other pages take from the code.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildCalendar, calendarRanges, type CalendarEntry } from '../src/domain/calendar.ts';
import { FIELDS, RESTRICTION_FIELDS } from '../src/domain/calendar-fields.ts';
import { readDiscount } from '../src/domain/price-terms.ts';
import { makeReduction } from '../src/domain/pricing.ts';
import { explainEligibility, isEligible, makeOfferedNights } from '../src/domain/eligibility.ts';
import { combineLayers } from '../src/domain/layers.ts';
import { getMoney } from '../src/domain/money.ts';
import { DISCOUNTS_MAX } from '../src/domain/property.ts';
import { IMAGES_MAX } from '../src/domain/property-details.ts';
import { STAY_NIGHTS_MAX } from '../src/domain/stay-limits.ts';
import { VISITS_WAITING_MAX } from '../src/traveller/attribution/visit-log.ts';
import { CLOSE_GRACE_MS } from '../src/http/listener/listener.ts';
import { PIPELINED_MAX } from '../src/http/listener/pipelining.ts';
import { PICTURE_BYTES_MAX } from '../src/http/pages/picture-kind.ts';
import { CREDENTIALS_COUNTED_MAX } from '../src/http/observability/metrics/request-meter.ts';
import { WINDOW_DATES_MAX } from '../src/contract/partner/limits.ts';
import { OPENING_DAYS_MAX } from '../src/domain/nearest-shifts.ts';
import { NEAREST_DAYS_MAX } from '../src/partner/quotes/nearest-stays.ts';
import { CONVERSIONS_PER_QUOTE_MAX } from '../src/storage/conversions/store.ts';
import { ENTRIES_KEPT_BYTES_MAX } from '../src/domain/ledger/message.ts';
import { MESSAGE_ENTRIES_MAX, MESSAGE_ERRORS_MAX } from '../src/supply/messages/message-limits.ts';
import {
  HOUSE_RULES_LENGTH_MAX,
  INVENTORY_TYPES_MAX,
  REGISTRATION_NUMBER_LENGTH_MAX,
  SELLER_LENGTH_MAX,
  TAXED_TYPES_MAX,
  TAXES_MAX,
} from '../src/domain/document/document-limits.ts';
import { CONNECTIONS_MAX } from '../src/storage/engine/postgres/connections.ts';
import { documentFields } from '../src/domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../src/domain/document/property-grammar.ts';
import { parsePropertyDocument } from '../src/supply/native/property-document.ts';
import { formatEntry } from '../src/supply/native/format-property-document.ts';
import { hotel, double } from './kit/catalogue-lines.ts';
import { dayOf, makeDiscount, makeInventoryType } from './kit/property-fixtures.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', 'docs', 'supply.md'), 'utf8');

/** The rows of the table whose head begins so, as texts without the marks of code. */
function rowsOf(head: string): string[][] {
  const start = PAGE.indexOf(head);
  assert.ok(start >= 0, head);
  const lines = PAGE.slice(start).split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** Entries as the reader of documents makes them, so that the page speaks of what operators write. */
function entriesOf(written: readonly object[]): readonly CalendarEntry[] {
  const read = parsePropertyDocument(hotel('a', { inventoryTypes: [double({ calendar: written })] }));
  assert.ok(read.ok, JSON.stringify(read));
  return read.entries[0]!;
}

function valueOf(text: string): unknown {
  if (/^\d+\.\d\d$/.test(text)) return text;
  return JSON.parse(text);
}

describe('Each restriction by itself', () => {
  const type = makeInventoryType({ guestsMax: 2 });
  const offered = makeOfferedNights(dayOf('2026-11-20'), 730);
  const stay = { checkIn: dayOf('2026-12-01'), checkOut: dayOf('2026-12-03'), guests: 2 };
  const rows = rowsOf('| set | on | eligible |');

  it('is in the table', () => {
    const documented = new Set(rows.map(([set = '']) => set.split(' ')[0]));
    assert.deepEqual([...documented], RESTRICTION_FIELDS, '"Restrictions, one by one" in docs/supply.md');
  });

  for (const [set = '', on = '', eligible = ''] of rows) {
    it(`${set} on ${on}: ${eligible}`, () => {
      const [field = '', value = ''] = set.split(' ');
      const date = `2026-12-0${on.split(' ')[0]}`;
      const calendar = buildCalendar(
        entriesOf([
          { dateFrom: '2026-12-01', dateTo: '2026-12-31', availability: 3 },
          { dateFrom: date, dateTo: date, [field]: valueOf(value) },
        ]),
      );
      const isExpected = eligible.startsWith('yes');
      assert.equal(isEligible(type, calendar, stay, offered), isExpected);
      const rules = explainEligibility(type, calendar, stay, offered).map(({ rule }) => rule);
      assert.deepEqual(rules, isExpected ? [] : [field]);
    });
  }
});

describe('Two layers together', () => {
  const rows = rowsOf('| field | `pms` has | `channel` has | partners see |');

  it('are in the table', () => {
    const documented = new Set(rows.map(([field = '']) => field));
    assert.deepEqual(documented, new Set(FIELDS), 'the table of two layers in docs/supply.md');
  });

  for (const [field = '', pms = '', channel = '', seen = ''] of rows) {
    it(`${field}: ${pms} and ${channel} make ${seen}`, () => {
      const night = { dateFrom: '2026-12-01', dateTo: '2026-12-01' };
      const layerOf = (source: string, value: string) => ({
        source,
        calendar: buildCalendar(value === '-' ? [] : entriesOf([{ ...night, [field]: valueOf(value) }])),
      });
      const layers = [layerOf('pms', pms), layerOf('channel', channel)];
      for (const order of [layers, layers.toReversed()]) {
        const written = calendarRanges(combineLayers(order, 'pms')).map(formatEntry);
        assert.deepEqual(written, seen === '-' ? [] : [{ ...night, [field]: valueOf(seen) }]);
      }
    });
  }
});

describe('The discounts of docs/supply.md', () => {
  it('are taken as they are printed there', () => {
    const [, printed = ''] = /```json\n(\{"discounts":[^`]+)```/.exec(PAGE) ?? [];
    const read = parsePropertyDocument(hotel('a', JSON.parse(printed)));
    assert.ok(read.ok, JSON.stringify(read));
    assert.equal(read.property.discounts?.length, 4);
  });

  it('have every field in the table', () => {
    const rows = rowsOf('| field | required | notes |');
    const documented = rows.flatMap(([names = '']) => names.split(', '));
    const discountFields = documentFields(PROPERTY_DOCUMENT).flatMap(
      ({ path }) => /^discounts\[\]\.(\w+)$/.exec(path)?.[1] ?? [],
    );
    assert.deepEqual(documented.toSorted(), discountFields.toSorted());
  });

  it('are at most as many as the page says, and rounded as it says', () => {
    assert.ok(PAGE.replaceAll(/\s+/g, ' ').includes(` ${DISCOUNTS_MAX} discounts`));
    const [, percent = '', price = '', reduction = '', left = ''] =
      /cents: (\S+) % of (\S+) is (\S+), and (\S+) is left/.exec(PAGE) ?? [];
    assert.equal(
      makeReduction(readDiscount(makeDiscount({ percent })), 1)(Number(getMoney(price))),
      Number(getMoney(reduction)),
    );
    assert.equal(getMoney(price) - getMoney(reduction), getMoney(left));
  });
});

describe('Numbers that pages take from the code', () => {
  /** Line breaks of prose stand anywhere. */
  const textOf = (page: string): string =>
    readFileSync(join(import.meta.dirname, '..', 'docs', page), 'utf8').replaceAll(/\s+/g, ' ');

  const written = (value: number): string => value.toLocaleString('en');
  const mib = (bytes: number): number => bytes / 2 ** 20;

  /** Sentences of pages that name a limit, each with the constant in it. */
  const LIMITS: readonly (readonly [page: string, sentence: string])[] = [
    ['contract.md', `1 to ${STAY_NIGHTS_MAX} occupied nights`],
    ['contract.md', `check-in on any of up to ${WINDOW_DATES_MAX} dates`],
    ['contract.md', `of the same length within ${OPENING_DAYS_MAX} days`],
    ['supply.md', `at most ${IMAGES_MAX}, shown in this order`],
    ['supply.md', `at most ${written(HOUSE_RULES_LENGTH_MAX)} characters`],
    ['supply.md', `at most ${REGISTRATION_NUMBER_LENGTH_MAX} characters: the CIN`],
    ['supply.md', `at most ${SELLER_LENGTH_MAX} characters: who sells`],
    [
      'supply.md',
      `Limits of a document: ${written(INVENTORY_TYPES_MAX)} inventory types, ${TAXES_MAX} tax rules`,
    ],
    ['supply.md', `${written(TAXED_TYPES_MAX)} as the product of both`],
    ['supply.md', `the first ${ENTRIES_KEPT_BYTES_MAX / 1024} KB of its entries are kept`],
    ['supply.md', `${written(MESSAGE_ENTRIES_MAX)} entries, the first ${MESSAGE_ERRORS_MAX} mistakes listed`],
    ['traveller.md', `SVG up to ${mib(PICTURE_BYTES_MAX)} MB are served`],
    ['traveller.md', `at most ${NEAREST_DAYS_MAX} days away`],
    ['traveller.md', `the visits of up to ${written(VISITS_WAITING_MAX)} quotes wait in memory`],
    ['operating.md', `Files up to ${mib(PICTURE_BYTES_MAX)} MB`],
    ['operating.md', `the quote has ${CONVERSIONS_PER_QUOTE_MAX} references`],
    ['operating.md', `more than ${PIPELINED_MAX} requests waited on it`],
    ['operating.md', `at most ${PIPELINED_MAX} requests waiting behind it`],
    ['operating.md', `The first ${CREDENTIALS_COUNTED_MAX} credentials of a process have their own series`],
    ['operating.md', `up to ${CLOSE_GRACE_MS / 1000} s more`],
  ];
  for (const [page, sentence] of LIMITS)
    it(`include the limit of docs/${page}: ${sentence}`, () => {
      assert.ok(textOf(page).includes(sentence));
    });

  it('include the connections to PostgreSQL', () => {
    const most = `most ${CONNECTIONS_MAX + 1} connections`;
    assert.ok(textOf('operating.md').includes(`At ${most} per worker`));
    assert.ok(textOf('decisions/010-postgresql.md').includes(`at ${most}`));
  });
});
