/** The properties of the console: all by id, or those that a search finds. */
import { ID_PATTERN, type Locale, textFor } from '../domain/property.ts';
import type { ListedProperty } from '../storage/catalogue/store.ts';
import { type PagePorts, firstPage, type PageQuestion, type ShownBy } from './console-page.ts';
import { withQuery } from './paths.ts';

export type PropertiesShown = ShownBy<typeof readProperties>;

const PATH = '/console/properties';
export const PROPERTIES_PER_PAGE = 50;
/** Characters of a search; longer than any id, and than names that somebody types. */
export const SEARCH_LENGTH_MAX = 200;

/**
 * `?search=&after=`: by id behind `after`, or what begins with `search`; the property whose id is the search comes first.
 */
export async function readProperties(ports: PagePorts, { query, locale }: PageQuestion) {
  const search = (query.get('search') ?? '').slice(0, SEARCH_LENGTH_MAX).trim();
  const after = query.get('after') ?? '';
  const { found, next } = await (search === '' ? listAll(ports, after) : findNamed(ports, search, after));
  const asked = search === '' ? {} : { search };
  return {
    search,
    rows: found.map((one) => presentRow(one, locale)),
    nextPath: next && withQuery(PATH, { ...asked, after: next }),
  };
}

async function listAll({ storage, names }: PagePorts, after: string) {
  names.prepare();
  const rows = await storage.listProperties(ID_PATTERN.test(after) ? after : '', PROPERTIES_PER_PAGE + 1);
  const { page: found, last } = firstPage(rows, PROPERTIES_PER_PAGE);
  return { found, next: last?.property.propertyId };
}

async function findNamed({ storage, names }: PagePorts, search: string, after: string) {
  const { propertyIds, next } = await names.find(search, after, PROPERTIES_PER_PAGE);
  // What was imported just now is found by its id before the names are read again.
  const isId = after === '' && ID_PATTERN.test(search);
  const ids = isId ? [search, ...propertyIds.filter((id) => id !== search)] : propertyIds;
  const stored = await Promise.all(ids.map((id) => storage.findProperty(id)));
  return { found: stored.filter((one) => one !== undefined), next };
}

export function presentRow({ property }: Pick<ListedProperty, 'property'>, locale: Locale) {
  return {
    propertyId: property.propertyId,
    name: textFor(property.name, locale),
    city: textFor(property.location.city, locale),
  };
}
