/** Pieces of 1 KB in shared memory, each with a version: odd while it is being changed. */

export const PIECES = 65_536;
export const BODY_BYTES = 1_024;

export interface Arena {
  readonly bodies: SharedArrayBuffer;
  readonly versions: SharedArrayBuffer;
}

export interface WriterData {
  readonly arena: Arena;
  readonly changesPerSecond: number;
}

export function makeArena(): Arena {
  return {
    bodies: new SharedArrayBuffer(PIECES * BODY_BYTES),
    versions: new SharedArrayBuffer(PIECES * Int32Array.BYTES_PER_ELEMENT),
  };
}

export function placeOf(piece: number): number {
  return piece * BODY_BYTES;
}

interface Views {
  readonly bytes: Buffer;
  readonly versions: Int32Array;
}

/** Copies until the version is the same before and after; returns how often it had to be done again. */
export function copyVersioned({ bytes, versions }: Views, piece: number, into: Buffer, at: number): number {
  const place = placeOf(piece);
  for (let retries = 0; ; retries++) {
    const version = Atomics.load(versions, piece);
    if ((version & 1) === 1) continue;
    bytes.copy(into, at, place, place + BODY_BYTES);
    if (Atomics.load(versions, piece) === version) return retries;
  }
}

export function changeVersioned({ bytes, versions }: Views, piece: number, fill: number): void {
  Atomics.add(versions, piece, 1);
  bytes.fill(fill, placeOf(piece), placeOf(piece) + BODY_BYTES);
  Atomics.add(versions, piece, 1);
}
