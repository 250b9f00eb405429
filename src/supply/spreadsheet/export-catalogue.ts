/** The stored properties of a source as documents that an import reads back unchanged. */
import type { JsonObject } from '../../domain/document/document-fields.ts';
import type { Storage } from '../../storage/storage.ts';
import { presentLayer } from '../native/shown-document.ts';

const PAGE_SIZE = 100;

type ExportedStore = Pick<Storage, 'listPropertyIds' | 'findLayers'>;

interface ExportedPage {
  readonly documents: readonly JsonObject[];
  /** The next page begins behind this id. */
  readonly after: string;
}

/** By propertyId, in pages. A property that is withdrawn meanwhile is left out. */
export async function* exportCatalogue(
  storage: ExportedStore,
  source: string,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  let page = await exportPage(storage, source, '');
  while (page !== undefined) {
    yield page.documents;
    page = await exportPage(storage, source, page.after);
  }
}

/** Those behind the id `after`; undefined: there are none. */
export async function exportPage(
  storage: ExportedStore,
  source: string,
  after: string,
): Promise<ExportedPage | undefined> {
  const ids = await storage.listPropertyIds(source, after, PAGE_SIZE);
  const last = ids.at(-1);
  if (last === undefined) return undefined;
  const documents: JsonObject[] = [];
  for (const id of ids) {
    const layered = await storage.findLayers(id);
    if (layered?.stored.source === source) documents.push(presentLayer(layered, source));
  }
  return { documents, after: last };
}
