/**
 * The truth tables of `docs/supply.md`, row by row: each restriction by itself, and two layers together.
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

describe('The property document of docs/supply.md', () => {
  it('has every field of the grammar in a table', () => {
    const documented = new Set(
      [...PAGE.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = '']) =>
        names.split(', ').map((name) => name.replaceAll(/`|\[\]|^.*\./g, '')),
      ),
    );
    const missing = Object.keys(PROPERTY_DOCUMENT.fields).filter(
      // An object is written field by field.
      (name) => !documented.has(name) && !PAGE.includes(`\`${name}.`),
    );
    assert.deepEqual(missing, []);
  });
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
