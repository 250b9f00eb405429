/**
 * Notices about a sheet that a person may not expect: ids that became numbers and may have lost zeros or digits, and
 * hidden rows and columns.
 */
import type { SheetRow } from './sheet.ts';
import { isRead, type SheetHeader } from './sheet-header.ts';

const ID_COLUMNS = ['propertyId', 'inventoryTypeId'];
const SCIENTIFIC = /E[+-]/;

const HIDDEN = 'hidden';
const HIDDEN_COLUMNS = 'hidden columns';

/** Speaks once of each column, once of hidden rows, and once of hidden columns. */
export class SheetNotices {
  readonly #told = new Set<string>();

  take(header: SheetHeader, row: SheetRow): string[] {
    return [...this.#ofHiddenColumns(header, row), ...this.#ofHidden(row), ...this.#ofIds(header, row)];
  }

  #ofHidden({ row, isHidden = false }: SheetRow): string[] {
    if (!isHidden || this.#told.has(HIDDEN)) return [];
    this.#told.add(HIDDEN);
    return [
      `Row ${row} is hidden in the spreadsheet; hidden rows are read like the others: delete those that do not count.`,
    ];
  }

  /** Those that are read. */
  #ofHiddenColumns(header: SheetHeader, { hiddenColumns = [] }: SheetRow): string[] {
    if (hiddenColumns.length === 0 || this.#told.has(HIDDEN_COLUMNS)) return [];
    this.#told.add(HIDDEN_COLUMNS);
    const names = header.filter(
      (name, at) => isRead(name) && hiddenColumns.some(({ first, last }) => first <= at && at <= last),
    );
    if (names.length === 0) return [];
    return [
      `Hidden in the spreadsheet: ${names.join(', ')}; hidden columns are read like the others: delete those that do not count.`,
    ];
  }

  #ofIds(header: SheetHeader, { row, shown, overlong }: SheetRow): string[] {
    if (shown === undefined || shown.size === 0) return [];
    return ID_COLUMNS.flatMap((column) => {
      const at = header.indexOf(column);
      // The row is refused.
      if (overlong?.has(at) === true) return [];
      const id = shown.get(at) ?? '';
      const isScientific = SCIENTIFIC.test(id);
      const kind = `${column} ${isScientific}`;
      if (id === '' || id.startsWith('0') || this.#told.has(kind)) return [];
      this.#told.add(kind);
      const place = `Row ${row}: ${column} is a number in the spreadsheet, taken as shown: ${id}`;
      const lost = isScientific ? 'Its digits are lost' : 'Zeros before it are lost, if it had any';
      return [`${place}. ${lost}: format the column as text, and write it again.`];
    });
  }
}
