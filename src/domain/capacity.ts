import type { Property } from './property.ts';

/** `capacity.guests`: how many the largest inventory type hosts. Types are never combined (SPEC 1). */
export function guestsMax(property: Property): number {
  return Math.max(...property.inventoryTypes.map((type) => type.guestsMax));
}
