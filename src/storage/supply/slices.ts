/** Pieces of at most `countMax` items and about `bytesMax` bytes; an item that is larger is a piece by itself. */
export function* inPieces<T>(
  items: readonly T[],
  { countMax, bytesMax, bytesOf }: PieceOptions<T>,
): Generator<readonly T[], void> {
  let piece: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const itemBytes = bytesOf(item);
    if (piece.length > 0 && (piece.length >= countMax || bytes + itemBytes > bytesMax)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    piece.push(item);
    bytes += itemBytes;
  }
  if (piece.length > 0) yield piece;
}

export interface PieceOptions<T> {
  readonly countMax: number;
  readonly bytesMax: number;
  readonly bytesOf: (item: T) => number;
}
