/** All properties of a search, page by page, while the catalogue may change. */
import { checkFields } from './check-arguments.ts';
import type { PropertyList, PropertySummary, Result, SearchParameters } from './types.ts';

/** Properties of one page at most: a walk over all pages asks for so many. A test compares it with `openapi.json`. */
export const PAGE_SIZE_MAX = 50;

type SearchPage = (parameters: SearchParameters) => Promise<Result<PropertyList>>;

/**
 * Gives each property once. Properties come in the order of their ids, so what was given already is known by its id.
 * When the total shrank since the page before, later properties have moved forward: reading goes back by as many
 * pages, so that none of them is passed over. A property that leaves while another one arrives between two pages can
 * still hide one; a catalogue that must be complete is read again.
 */
export async function* eachProperty(
  search: SearchPage,
  parameters: SearchParameters,
): AsyncGenerator<PropertySummary, void, undefined> {
  checkFields(parameters, 'parameters');
  const pageSize = parameters.pageSize ?? PAGE_SIZE_MAX;
  let page = parameters.page ?? 1;
  let lastId = '';
  let lastTotal: number | undefined;
  for (;;) {
    const { items, pagination } = (await search({ ...parameters, page, pageSize })).data;
    const gone = (lastTotal ?? pagination.total) - pagination.total;
    lastTotal = pagination.total;
    if (gone > 0 && page > 1) {
      page = Math.max(1, page - Math.ceil(gone / pageSize));
      continue;
    }
    for (const property of items) {
      if (property.propertyId <= lastId) continue;
      lastId = property.propertyId;
      yield property;
    }
    if (!pagination.hasMore || items.length === 0) return;
    page += 1;
  }
}
