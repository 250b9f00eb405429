/** Lists of properties, page by page; every statement goes by an index. */
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Program, rows, type Value } from '../portable-sql/program.ts';
import { type ListedRow, toListed } from './property-rows.ts';
import type { CatalogueStore, ListedProperty } from './store.ts';

type Listings = Pick<CatalogueStore, 'listPropertyIds' | 'listProperties' | 'countProperties'>;

export const listingConcern = concern([], listings);

function listings({ read }: RunnerOf<[]>): Listings {
  return {
    listPropertyIds: (source, afterId, limit) => read(selectPropertyIds(source, afterId, limit)),
    listProperties: (afterId, limit, source) => read(selectListed(afterId, limit, source)),
    countProperties: (max) => read(selectCount(max)),
  };
}

function* selectPropertyIds(source: string, afterId: string, limit: number): Program<readonly string[]> {
  const found = yield* rows<{ readonly property_id: string }>(
    `SELECT property_id FROM properties
     WHERE source = ? AND property_id > ? AND withdrawn = 0
     ORDER BY property_id
     LIMIT ?`,
    [source, afterId, limit],
    'property-ids',
  );
  return found.map((row) => row.property_id);
}

function* selectListed(
  afterId: string,
  limit: number,
  source: string | undefined,
): Program<readonly ListedProperty[]> {
  const ofSource: readonly Value[] = source === undefined ? [] : [source];
  const found = yield* rows<ListedRow>(
    `SELECT property_id, source, revision, changed_at_ms, document FROM properties
     WHERE ${source === undefined ? '' : 'source = ? AND '}property_id > ? AND withdrawn = 0
     ORDER BY property_id
     LIMIT ?`,
    [...ofSource, afterId, limit],
  );
  return found.map(toListed);
}

/** PostgreSQL writes counts as text. */
function* selectCount(max: number): Program<number> {
  const [row] = yield* rows<{ readonly n: number | string }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM properties WHERE withdrawn = 0 LIMIT ?) AS counted',
    [max],
  );
  return Number(row!.n);
}
