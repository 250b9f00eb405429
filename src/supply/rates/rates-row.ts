/** One row of a spreadsheet of rates, read as a calendar entry. */
import { Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { type AnyField, FIELDS, isPrice, rowOf } from '../../domain/calendar-fields.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { parseMoney } from '../../domain/money.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import { ENTRY_FIELDS, readCalendarEntry } from '../../domain/document/calendar-entry.ts';
import {
  type DocumentWarning,
  Fields,
  type Finding,
  Findings,
  type JsonObject,
  shown,
} from '../../domain/document/document-fields.ts';
import {
  hasDecimalComma,
  quoteAsWritten,
  readFlag,
  withoutGroups,
  withoutInvisible,
  withPoint,
  withYearFirst,
} from '../sheet/written-values.ts';

const ROW_FIELDS: ReadonlySet<string> = new Set(['propertyId', 'inventoryTypeId', ...ENTRY_FIELDS]);
/** `currency` changes no night: it has to be the property's. */
export const RATES_COLUMNS: ReadonlySet<string> = new Set([...ROW_FIELDS, 'currency']);
export const REQUIRED_COLUMNS = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo'] as const;

export type RatesRow =
  | {
      readonly ok: true;
      readonly propertyId: string;
      readonly inventoryTypeId: string;
      /** One, or one for each stretch of `weekdays`. */
      readonly entries: readonly CalendarEntry[];
      readonly warnings: readonly DocumentWarning[];
      /** As the row names it. */
      readonly currency: string | undefined;
    }
  /** All mistakes of the row, and its ids as far as they are there. */
  | { readonly ok: false; readonly ids: RowIds; readonly mistakes: readonly Finding[] };

interface RowIds {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

/** Written in a cell, it clears the field; an empty cell leaves the field as it is. */
const CLEARED = 'null';
/** Ten years: every stretch of weekdays becomes an entry of its own. */
const WEEKDAY_NIGHTS_MAX = 3_660;
const COUNT = /^-?\d{1,15}$/;
/** As people write them, besides true and false. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...(['yes', '1'] as const).map((text) => [text, true] as const),
  ...(['no', '0'] as const).map((text) => [text, false] as const),
]);

/** How a cell becomes the value that a calendar entry has in JSON; what can't be read stays text, and is named. */
function readCell(column: string, cell: string): unknown {
  if (cell === CLEARED) return null;
  if (column === 'weekdays') return wordsOf(cell.toLowerCase());
  const field = FIELDS.find((name) => name === column);
  return field === undefined ? cell : readFieldCell(field, cell);
}

/** Never undefined: that would clear the field. So the compiler names the shape that has no case. */
function readFieldCell(field: AnyField, cell: string): string | number | boolean | JsonObject {
  switch (rowOf(field).shape) {
    case 'units':
    case 'nights':
      return COUNT.test(cell) ? Number(cell) : cell;
    case 'flag':
      return readFlag(cell) ?? FLAGS.get(cell.toLowerCase()) ?? cell;
    case 'money':
      return cell;
    case 'moneyByGuests':
      return toGuestRates(cell);
  }
}

/** `cells` by the name of their column; `european` as `isEuropean` tells of the sheet. */
export function readRatesRow(written: ReadonlyMap<string, string>, european: boolean): RatesRow {
  const cells = new Map(
    [...written].map(([name, cell]) => [name, toPlain(name, withoutInvisible(cell).trim(), european)]),
  );
  const currency = cells.get('currency')?.toUpperCase() || undefined;
  cells.delete('currency');
  const commas = findDecimalCommas(cells);
  const findings = new Findings();
  const object = toObject(cells, commas);
  const fields = Fields.of(object, '', ROW_FIELDS, findings);
  const propertyId = fields.id('propertyId', ID_PATTERN);
  const inventoryTypeId = fields.id('inventoryTypeId', ID_PATTERN);
  const entries: CalendarEntry[] = [];
  const long = findLongWeekdays(cells);
  if (long === undefined) readCalendarEntry(fields, entries, { isOfSystem: true });
  else findings.report('weekdays', long);
  for (const { field, reason } of commas) findings.report(field, reason);
  if (findings.first === undefined && entries.length === 0) findings.report('weekdays', new Wrong('noNight'));
  if (entries.length > 0 && entries.every(({ set }) => Object.keys(set).length === 0))
    findings.report('', new Wrong('setsNothing'));
  if (findings.first !== undefined) {
    const mistakes = findings.mistakes.map(({ field, reason, ...more }) => {
      const cell = written.get(field)?.trim();
      return {
        ...more,
        field,
        reason: cell === undefined ? reason : quoteAsWritten(reason, object[field], cell),
      };
    });
    return { ok: false, ids: idsOf(cells), mistakes };
  }
  return { ok: true, propertyId, inventoryTypeId, entries, warnings: findings.warnings, currency };
}

/** A row whose cells do not stand in their columns. */
export function rejectRow(reason: Wrong): RatesRow {
  return { ok: false, ids: idsOf(new Map()), mistakes: [{ field: '', reason }] };
}

function idsOf(cells: ReadonlyMap<string, string>): RowIds {
  return { propertyId: cells.get('propertyId') ?? '', inventoryTypeId: cells.get('inventoryTypeId') ?? '' };
}

/** Dates and numbers as the other readers expect them. */
function toPlain(name: string, cell: string, european: boolean): string {
  if (name === 'dateFrom' || name === 'dateTo') return withYearFirst(cell, european);
  const field = FIELDS.find((one) => one === name);
  if (field === undefined) return cell;
  const toPoint = european ? withPoint : withoutGroups;
  switch (rowOf(field).shape) {
    case 'units':
    case 'nights':
      return withoutGroups(cell);
    case 'money':
      return asAmount(cell, toPoint);
    case 'moneyByGuests':
      return cell.replaceAll(GROUP_IN_PAIR, '').replaceAll(/[^\s|:]+/g, (word) => asAmount(word, toPoint));
    case 'flag':
      return cell;
  }
}

/** A space that does not break stands between thousands, and not between pairs. */
const GROUP_IN_PAIR = /(?<=\d)[\u00a0\u202f](?=\d{3}(?![\d:]))/g;

/** A text that can't be read as an amount stays as it is written. */
function asAmount(text: string, toPoint: (text: string) => string): string {
  const plain = toPoint(text);
  return parseMoney(plain) === undefined ? text : plain;
}

/** Without the cells that are wrong already. */
function toObject(cells: ReadonlyMap<string, string>, wrong: readonly Finding[]): JsonObject {
  const filled = [...cells].filter(
    ([name, cell]) => cell !== '' && !wrong.some(({ field }) => field === name),
  );
  return Object.fromEntries(filled.map(([name, cell]) => [name, readCell(name, cell)]));
}

function findDecimalCommas(
  cells: ReadonlyMap<string, string>,
): { readonly field: string; readonly reason: Wrong }[] {
  return FIELDS.filter(isPrice).flatMap((field) => {
    const cell = cells.get(field) ?? '';
    const amounts = rowOf(field).shape === 'money' ? [cell] : amountsOf(cell);
    const amount = amounts.find((text) => hasDecimalComma(text) && parseMoney(withPoint(text)) !== undefined);
    if (amount === undefined) return [];
    return [
      { field, reason: new Wrong('decimalComma', { instead: withPoint(amount), given: shown(amount) }) },
    ];
  });
}

/** Why the row makes too many entries. */
function findLongWeekdays(cells: ReadonlyMap<string, string>): Wrong | undefined {
  const from = parseLocalDate(cells.get('dateFrom') ?? '');
  const to = parseLocalDate(cells.get('dateTo') ?? '');
  if ((cells.get('weekdays') ?? '') === '' || from === undefined || to === undefined) return undefined;
  if (to - from < WEEKDAY_NIGHTS_MAX) return undefined;
  return new Wrong('weekdaysLong', { max: WEEKDAY_NIGHTS_MAX });
}

function amountsOf(cell: string): string[] {
  return wordsOf(cell).map((word) => word.slice(word.indexOf(':') + 1));
}

/** `1:80.00 2:100.00` is `{"1":"80.00","2":"100.00"}`. */
function toGuestRates(cell: string): string | JsonObject {
  const pairs = wordsOf(cell).map((word) => word.split(':'));
  const isPaired = pairs.every((pair) => pair.length === 2);
  return isPaired ? Object.fromEntries(pairs) : cell;
}

function wordsOf(cell: string): string[] {
  return cell.split(/[\s|]+/).filter((word) => word !== '');
}
