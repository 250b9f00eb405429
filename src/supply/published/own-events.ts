/** How an event of a calendar that we publish is known again when another platform publishes it, too. */
import { hash } from 'node:crypto';

export interface PublishedType {
  /** Where partners reach the service: another service may have properties of the same names. */
  readonly publicUrl: string;
  readonly propertyId: string;
  readonly inventoryTypeId: string;
}

/** Stands in the UIDs of all events of this inventory type, and in no others. */
export function ownEventMark({ publicUrl, propertyId, inventoryTypeId }: PublishedType): string {
  return hash('sha256', `${publicUrl}\n${propertyId}\n${inventoryTypeId}`, 'hex').slice(0, 32);
}
