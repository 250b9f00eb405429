/**
 * What is refused of one message: all of it is counted, a bounded part is named.
 */
import {
  type PropertyChange,
  REFUSED_POSITIONS_MAX,
  type SupplyRefusal,
  VERDICT_BYTES_MAX,
} from './store.ts';

/** `199999,` */
const POSITION_BYTES_MAX = 7;

export class Refusals {
  /** Entries; a change without entries counts as one. */
  count = 0;
  readonly named: SupplyRefusal[] = [];
  #room = REFUSED_POSITIONS_MAX;
  #roomBytes: number;

  /** `note` is kept beside them. */
  constructor(note: string) {
    this.#roomBytes = VERDICT_BYTES_MAX - Buffer.byteLength(JSON.stringify(note));
  }

  add(refusal: SupplyRefusal): void {
    this.count += Math.max(1, refusal.positions.length);
    if (this.#room <= 0) return;
    const bare = Buffer.byteLength(JSON.stringify({ ...refusal, positions: [] }));
    const positionsMax = Math.min(this.#room, Math.floor((this.#roomBytes - bare) / POSITION_BYTES_MAX));
    if (positionsMax < 1) {
      this.#room = 0;
      return;
    }
    const positions = refusal.positions.slice(0, positionsMax);
    this.#room -= Math.max(1, positions.length);
    this.#roomBytes -= bare + Math.max(1, positions.length) * POSITION_BYTES_MAX;
    this.named.push({ ...refusal, positions });
  }
}

/** Of all entries of the change. */
export function positionsOf({ types }: PropertyChange): number[] {
  return types.flatMap((type) => type.positions);
}
