/**
 * What is refused of one message: all of it is counted, a bounded part is named.
 */
import { type PropertyChange, REFUSED_POSITIONS_MAX, type SupplyRefusal } from '../port/supply-store.ts';

export class Refusals {
  /** Entries; a change without entries counts as one. */
  count = 0;
  readonly named: SupplyRefusal[] = [];
  #room = REFUSED_POSITIONS_MAX;

  add(refusal: SupplyRefusal): void {
    this.count += Math.max(1, refusal.positions.length);
    if (this.#room <= 0) return;
    const positions = refusal.positions.slice(0, this.#room);
    this.#room -= Math.max(1, positions.length);
    this.named.push({ ...refusal, positions });
  }
}

/** Of all entries of the change. */
export function positionsOf({ types }: PropertyChange): number[] {
  return types.flatMap((type) => type.positions);
}
