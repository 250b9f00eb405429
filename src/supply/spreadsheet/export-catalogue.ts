/** The stored properties of a source as documents that an import reads back unchanged. */
import type { JsonObject } from '../../domain/document/document-fields.ts';
import type { Storage } from '../../storage/storage.ts';
import { showLayer } from '../native/shown-document.ts';

const PAGE_SIZE = 100;

/** By propertyId, in pages. A property that is withdrawn meanwhile is left out. */
export async function* exportCatalogue(
  storage: Pick<Storage, 'listPropertyIds' | 'findLayers'>,
  source: string,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  for (let after = ''; ;) {
    const ids = await storage.listPropertyIds(source, after, PAGE_SIZE);
    const last = ids.at(-1);
    if (last === undefined) return;
    after = last;
    const documents: JsonObject[] = [];
    for (const id of ids) {
      const layered = await storage.findLayers(id);
      if (layered?.stored.source === source) documents.push(showLayer(layered, source));
    }
    yield documents;
  }
}
