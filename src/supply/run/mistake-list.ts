/** The mistakes of an import: the first ones, and all of them with equal ones joined. Bounded, whatever the file holds. */
import type { Told } from '../../domain/wrong.ts';
import type { Rejection } from './supply-item.ts';

/** Mistakes that are kept one by one, and kinds of them that are counted. */
export const MISTAKES_SHOWN_MAX = 100;
/** Stretches of rows that are named of one kind. */
const STRETCHES_SHOWN_MAX = 10;

/** A mistake of a row of a sheet. */
export interface RowMistake {
  /** As a spreadsheet numbers it; the header is row 1. */
  readonly row: number;
  /** Empty where the row names none. */
  readonly propertyId: string;
  /** Its heading; empty for the whole row. */
  readonly column: string;
  readonly reason: Told;
}

export interface JoinedMistake extends Omit<RowMistake, 'row'> {
  readonly rowCount: number;
  /** `2-41, 50`; ends in an ellipsis where more stretches follow. */
  readonly rows: string;
}

interface Kind {
  readonly first: Rejection;
  rowCount: number;
  isOfOne: boolean;
  readonly stretches: { from: number; to: number }[];
  hasMore: boolean;
}

export class MistakeList {
  /** The first ones. */
  readonly rows: RowMistake[] = [];
  readonly #kinds = new Map<string, Kind>();
  /** Mistakes of further kinds. */
  leftOut = 0;

  add(rejection: Rejection): void {
    const { line: row, propertyId = '', field: column, reason } = rejection;
    if (this.rows.length < MISTAKES_SHOWN_MAX) this.rows.push({ row, propertyId, column, reason });
    const key = JSON.stringify([column, reason]);
    const kind = this.#kinds.get(key);
    if (kind !== undefined) extend(kind, rejection);
    else if (this.#kinds.size < MISTAKES_SHOWN_MAX) this.#kinds.set(key, newKind(rejection));
    else this.leftOut += 1;
  }

  joined(): JoinedMistake[] {
    return Array.from(this.#kinds.values(), ({ first, rowCount, isOfOne, stretches, hasMore }) => ({
      rowCount,
      rows: stretches.map(formatStretch).join(', ') + (hasMore ? ', …' : ''),
      propertyId: isOfOne ? (first.propertyId ?? '') : '',
      column: first.field,
      reason: first.reason,
    }));
  }
}

function newKind(first: Rejection): Kind {
  const stretches = [{ from: first.line, to: first.line }];
  return { first, rowCount: 1, isOfOne: true, stretches, hasMore: false };
}

function extend(kind: Kind, { line, propertyId }: Rejection): void {
  const last = kind.stretches.at(-1)!;
  if (last.to === line) return;
  kind.rowCount += 1;
  kind.isOfOne &&= propertyId === kind.first.propertyId;
  if (last.to + 1 === line && !kind.hasMore) last.to = line;
  else if (kind.stretches.length < STRETCHES_SHOWN_MAX) kind.stretches.push({ from: line, to: line });
  else kind.hasMore = true;
}

function formatStretch({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? String(from) : `${from}-${to}`;
}
