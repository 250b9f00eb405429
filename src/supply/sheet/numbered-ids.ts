/** Ids that a spreadsheet made numbers of, which may have lost zeros or digits. */
import type { SheetRow } from './sheet.ts';
import type { SheetHeader } from './sheet-header.ts';

const ID_COLUMNS = ['propertyId', 'inventoryTypeId'];
const SCIENTIFIC = /E[+-]/;

/** Speaks once of each column. */
export class NumberedIds {
  readonly #told = new Set<string>();

  take(header: SheetHeader, { row, shown, overlong }: SheetRow): string[] {
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
