/** What the messages of a batch confirm, until it is written. */
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import type { ConfirmedRow } from './plan-rows.ts';

/** Stands for all properties that the source has confirmed before. */
export const ALL_PROPERTIES = '';

export class Confirmations {
  readonly #rows = new Map<string, ConfirmedRow>();

  add(propertyId: string, source: string, atMs: number): void {
    this.#rows.set(`${propertyId}\n${source}`, { propertyId, source, atMs });
  }

  addAll(source: string, atMs: number): void {
    this.add(ALL_PROPERTIES, source, atMs);
  }

  /** As if the source had not spoken of it. */
  remove(propertyId: string, source: string): void {
    this.#rows.delete(`${propertyId}\n${source}`);
  }

  /** A word for all properties of a source counts for this one too, whether or not the source has spoken of it. */
  mayConcern(propertyId: string): boolean {
    return this.#rows
      .values()
      .some((row) => row.source !== MANUAL_SOURCE && [propertyId, ALL_PROPERTIES].includes(row.propertyId));
  }

  /** Ascending by property. */
  rows(): ConfirmedRow[] {
    return [...this.#rows.values()].toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1));
  }
}
