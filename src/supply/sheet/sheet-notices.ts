/**
 * Notices about a sheet that a person may not expect: ids that became numbers and may have lost zeros or digits, and
 * hidden rows and columns.
 */
import { Wrong } from '../../domain/wrong.ts';
import type { SheetRow } from './sheet.ts';
import { isRead, type SheetHeader } from './sheet-header.ts';

const ID_COLUMNS = ['propertyId', 'inventoryTypeId'];
const SCIENTIFIC = /E[+-]/;

const HIDDEN = 'hidden';
const HIDDEN_COLUMNS = 'hidden columns';

/** Speaks once of each column, once of hidden rows, and once of hidden columns. */
export class SheetNotices {
  readonly #told = new Set<string>();

  take(header: SheetHeader, row: SheetRow): Wrong[] {
    return [...this.#ofHiddenColumns(header, row), ...this.#ofHidden(row), ...this.#ofIds(header, row)];
  }

  #ofHidden({ row, isHidden = false }: SheetRow): Wrong[] {
    if (!isHidden || this.#told.has(HIDDEN)) return [];
    this.#told.add(HIDDEN);
    return [new Wrong('rowHidden', { row })];
  }

  /** Those that are read. */
  #ofHiddenColumns(header: SheetHeader, { hiddenColumns = [] }: SheetRow): Wrong[] {
    if (hiddenColumns.length === 0 || this.#told.has(HIDDEN_COLUMNS)) return [];
    this.#told.add(HIDDEN_COLUMNS);
    const names = header.filter(
      (name, at) => isRead(name) && hiddenColumns.some(({ first, last }) => first <= at && at <= last),
    );
    if (names.length === 0) return [];
    return [new Wrong('columnsHidden', { names: names.join(', ') })];
  }

  #ofIds(header: SheetHeader, { row, shown, overlong }: SheetRow): Wrong[] {
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
      return [new Wrong(isScientific ? 'idDigits' : 'idZeros', { row, column, id })];
    });
  }
}
