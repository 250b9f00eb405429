/**
 * What a message says of one property, as text: it travels to the thread or the transaction that applies it, and is
 * what the list of messages keeps.
 */
import type { PropertyChange } from '../port/supply-store.ts';

export function formatPropertyChange({ propertyId, types }: PropertyChange): string {
  return JSON.stringify({ propertyId, types });
}

/** Only texts of `formatPropertyChange` come here, so nothing is checked again. */
export function parsePropertyChange(text: string): PropertyChange {
  return JSON.parse(text) as PropertyChange;
}
