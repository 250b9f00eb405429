/** Mappings of other systems' names, except the reads of messages, which each engine implements itself. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows, type Value } from '../portable-sql/program.ts';
import type { SupplyMapping, SupplyStore } from './store.ts';
import { type StoredMapping, toMapping } from './supply-rows.ts';

/** Mappings of four values each; engines accept some 30,000 values per statement. */
export const MAPPINGS_PER_STATEMENT_MAX = 500;

/** The last of two with the same key wins. */
const put = ordinary('putSupplyMappings', function* (mappings: readonly SupplyMapping[]) {
  const latest = [...new Map(mappings.map((row) => [`${row.source}\n${row.externalKey}`, row])).values()];
  for (let from = 0; from < latest.length; from += MAPPINGS_PER_STATEMENT_MAX) {
    yield* putSome(latest.slice(from, from + MAPPINGS_PER_STATEMENT_MAX));
  }
  return commit(undefined);
});

const remove = ordinary('deleteSupplyMapping', function* (source: string, externalKey: string) {
  const deleted = yield* change('DELETE FROM supply_mappings WHERE source = ? AND external_key = ?', [
    source,
    externalKey,
  ]);
  return commit(deleted === 1);
});

const WRITES = [put, remove];

export type MappingStore = Pick<
  SupplyStore,
  'putSupplyMappings' | 'listSupplyMappings' | 'pageSupplyMappings' | 'deleteSupplyMapping'
>;

export const mappingConcern = concern(WRITES, mappingStore);

function mappingStore({ read, write }: RunnerOf<typeof WRITES>): MappingStore {
  return {
    async putSupplyMappings(mappings) {
      mappings.forEach(assertStorableRow);
      await write(put, mappings);
    },
    listSupplyMappings: (source) =>
      read(
        source === undefined
          ? selectMappings('ORDER BY source, external_key')
          : selectMappings('WHERE source = ? ORDER BY external_key', [source]),
      ),
    pageSupplyMappings: (after, limit, source) => read(selectPage(after, limit, source)),
    deleteSupplyMapping: (source, externalKey) => write(remove, source, externalKey),
  };
}

function* putSome(mappings: readonly SupplyMapping[]): Program<void> {
  yield* change(
    `INSERT INTO supply_mappings (source, external_key, property_id, inventory_type_id)
     VALUES ${mappings.map(() => '(?, ?, ?, ?)').join(', ')}
     ON CONFLICT (source, external_key) DO UPDATE SET
       property_id = excluded.property_id, inventory_type_id = excluded.inventory_type_id`,
    mappings.flatMap((row) => [row.source, row.externalKey, row.propertyId, row.inventoryTypeId]),
  );
}

function* selectMappings(condition: string, values: readonly Value[] = []): Program<SupplyMapping[]> {
  return (yield* rows<StoredMapping>(`SELECT * FROM supply_mappings ${condition}`, values)).map(toMapping);
}

function selectPage(
  after: Pick<SupplyMapping, 'source' | 'externalKey'>,
  limit: number,
  source: string | undefined,
): Program<SupplyMapping[]> {
  const ofSource = source === undefined ? '' : 'AND source = ?';
  return selectMappings(
    `WHERE (source, external_key) > (?, ?) ${ofSource} ORDER BY source, external_key LIMIT ?`,
    [after.source, after.externalKey, ...(source === undefined ? [] : [source]), limit],
  );
}
