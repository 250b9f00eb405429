/** Property documents as lines of a spreadsheet: one row for each inventory type. */
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { CATALOGUE_COLUMNS, type CatalogueColumn } from './catalogue-columns.ts';
import { formatCell } from './cell.ts';

export interface SpreadsheetOptions {
  /** With the calendars: cells that may be too long for a spreadsheet. Default false: an import leaves them as they are. */
  readonly withCalendars?: boolean;
  /** A semicolon opens in columns where the decimal sign is a comma, as in Italy. Default: a comma. */
  readonly separator?: ',' | ';';
}

const CALENDAR = 'calendar';

/** Begins with the mark by which spreadsheets know UTF-8. */
export function spreadsheetHeader(options: SpreadsheetOptions = {}): string {
  return `\u{feff}${formatRow(
    columnsOf(options).map(({ name }) => name),
    options,
  )}`;
}

/** The rows of one property, each with its line end. Columns of the property are filled in its first row. */
export function spreadsheetRows(document: JsonObject, options: SpreadsheetOptions = {}): string {
  const columns = columnsOf(options);
  const types = document['inventoryTypes'] as readonly JsonObject[];
  return types
    .map((type, index) =>
      formatRow(
        columns.map((column) => {
          const isFilled = column.isOfType || index === 0 || column.name === 'propertyId';
          return isFilled ? formatCell(column, valueAt(column.isOfType ? type : document, column)) : '';
        }),
        options,
      ),
    )
    .join('');
}

function columnsOf({ withCalendars = false }: SpreadsheetOptions): readonly CatalogueColumn[] {
  return withCalendars ? CATALOGUE_COLUMNS : CATALOGUE_COLUMNS.filter(({ name }) => name !== CALENDAR);
}

/** A text for all locales stands in the column without a locale, texts by locale in theirs. */
function valueAt(from: JsonObject, { steps, kind }: CatalogueColumn): unknown {
  let value: unknown = from;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as JsonObject)[step];
  }
  return kind === 'localized' && typeof value !== 'string' ? undefined : value;
}

function formatRow(cells: readonly string[], { separator = ',' }: SpreadsheetOptions): string {
  return `${cells.map(quote).join(separator)}\r\n`;
}

/** Spreadsheets may take a tab for the end of a cell, too, and run what follows it as a formula. */
function quote(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

// Template.

const EXAMPLES: readonly JsonObject[] = [
  {
    propertyId: 'casa-verde',
    name: { 'it-IT': 'Casa Verde', 'en-GB': 'Green House' },
    description: { 'it-IT': 'Due camere sul canale.', 'en-GB': 'Two bedrooms by the canal.' },
    propertyType: 'apartment',
    location: { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT', area: 'Cannaregio' },
    cityAliases: ['Venise', 'Venedig'],
    bathrooms: 1.5,
    amenities: ['wifi', 'kitchen'],
    currency: 'EUR',
    timezone: 'Europe/Rome',
    cleaningFee: '40.00',
    taxes: [
      {
        code: 'city-tax',
        kind: 'city_tax',
        logic: 'per_person_per_night',
        amount: '4.00',
        maxNights: 5,
        exemptUntilAge: 9,
      },
      { code: 'vat', kind: 'tax', logic: 'percent', percent: '10' },
    ],
    discounts: [{ code: 'weekly', percent: '10', minNights: 7 }],
    ageBands: [
      { untilAge: 2, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ],
    checkIn: { from: '15:00', until: '22:00' },
    checkOut: { until: '10:30' },
    cancellation: [{ daysBefore: 14, refundPercent: '100' }],
    inventoryTypes: [{ inventoryTypeId: 'whole', name: 'Whole apartment', guestsMax: 4 }],
  },
  {
    propertyId: 'hotel-esempio',
    name: 'Hotel Esempio',
    propertyType: 'hotel',
    location: { city: 'Torino', country: 'IT' },
    bathrooms: 2,
    currency: 'EUR',
    timezone: 'Europe/Rome',
    inventoryTypes: [
      { inventoryTypeId: 'double', name: 'Double room', guestsMax: 2, extraGuestRate: '0.00' },
    ],
  },
];

/** The header and two rows to write over. */
export function spreadsheetTemplate(options: SpreadsheetOptions = {}): string {
  return spreadsheetHeader(options) + EXAMPLES.map((document) => spreadsheetRows(document, options)).join('');
}
