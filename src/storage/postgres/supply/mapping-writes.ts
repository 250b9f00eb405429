import type { ClientBase } from 'pg';
import type { SupplyMapping } from '../../port/supply-store.ts';
import { textArray } from '../binary-array.ts';

/** The last of two with the same key stays. */
export async function putMappings(client: ClientBase, mappings: readonly SupplyMapping[]): Promise<void> {
  const rows = [...new Map(mappings.map((row) => [`${row.source}\n${row.externalKey}`, row])).values()];
  await client.query(
    `INSERT INTO supply_mappings (source, external_key, property_id, inventory_type_id)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
     ON CONFLICT (source, external_key) DO UPDATE SET
       property_id = excluded.property_id, inventory_type_id = excluded.inventory_type_id`,
    [
      textArray(rows.map((row) => row.source)),
      textArray(rows.map((row) => row.externalKey)),
      textArray(rows.map((row) => row.propertyId)),
      textArray(rows.map((row) => row.inventoryTypeId)),
    ],
  );
}
