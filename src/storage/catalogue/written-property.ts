/** A property as both engines write it: its row, those of its inventory types, and its details. */
import type { PlannedWrite, StoredCalendar } from '../../domain/ledger/stored-write.ts';
import type { WrittenTable } from '../engine/written-table.ts';
import type { Stamp } from './change-row.ts';

export interface WrittenProperty extends PlannedWrite {
  readonly stamp: Stamp;
  /** Other sources have layers of the property too. */
  readonly isLayered: boolean;
}

export const PROPERTIES: WrittenTable<WrittenProperty> = {
  name: 'properties',
  key: ['property_id'],
  columns: [
    { name: 'property_id', type: 'text', of: ({ write }) => write.propertyId },
    { name: 'revision', type: 'bigint', of: ({ stamp }) => stamp.revision },
    { name: 'source', type: 'text', of: ({ write }) => write.source },
    { name: 'withdrawn', type: 'int', of: () => 0 },
    { name: 'changed_at_ms', type: 'bigint', of: ({ stamp }) => stamp.nowMs },
    { name: 'content_hash', type: 'text', of: ({ hash }) => hash },
    { name: 'lowest_rates', type: 'bytea', of: ({ write }) => write.lowestRates },
    { name: 'document', type: 'text', of: ({ write }) => write.document },
    { name: 'layered', type: 'int', of: ({ isLayered }) => (isLayered ? 1 : 0) },
  ],
};

export interface WrittenType extends StoredCalendar {
  readonly propertyId: string;
  readonly position: number;
}

export const INVENTORY_TYPES: WrittenTable<WrittenType> = {
  name: 'inventory_types',
  key: ['property_id', 'position'],
  columns: [
    { name: 'property_id', type: 'text', of: ({ propertyId }) => propertyId },
    { name: 'position', type: 'int', of: ({ position }) => position },
    { name: 'inventory_type_id', type: 'text', of: ({ inventoryTypeId }) => inventoryTypeId },
    { name: 'nights', type: 'bytea', of: ({ nights }) => nights },
    { name: 'rates', type: 'bytea', of: ({ rates }) => rates },
  ],
  leavesEqual: true,
};

export interface WrittenDetails {
  readonly propertyId: string;
  readonly details: string;
}

export const PROPERTY_DETAILS: WrittenTable<WrittenDetails> = {
  name: 'property_details',
  key: ['property_id'],
  columns: [
    { name: 'property_id', type: 'text', of: ({ propertyId }) => propertyId },
    { name: 'details', type: 'text', of: ({ details }) => details },
  ],
  leavesEqual: true,
};
