/** The properties of the console: all by id, or those that a search finds. */
import { DEFAULT_LOCALE, ID_PATTERN, textFor } from '../domain/property.ts';
import type { CatalogueStore, ListedProperty } from '../storage/catalogue/store.ts';
import type { PageQuestion } from './console-page.ts';
import { withQuery } from './paths.ts';
import type { PropertyNames } from './property-names.ts';

export interface PropertiesDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty' | 'listProperties'>;
  readonly names: PropertyNames;
}

export interface PropertyRow {
  readonly propertyId: string;
  readonly name: string;
  readonly city: string;
}

export interface PropertiesShown {
  readonly search: string;
  readonly rows: readonly PropertyRow[];
  readonly nextPath: string | undefined;
}

const PATH = '/console/properties';
export const PROPERTIES_PER_PAGE = 50;
/** Characters of a search; longer than any id, and than names that somebody types. */
export const SEARCH_LENGTH_MAX = 200;

/** `?search=&after=`: by id behind `after`, or what begins with `search`; the property whose id is the search comes first. */
export async function readProperties(
  deps: PropertiesDeps,
  { query }: Pick<PageQuestion, 'query'>,
): Promise<PropertiesShown> {
  const wanted = (query.get('search') ?? '').slice(0, SEARCH_LENGTH_MAX).trim();
  const after = query.get('after') ?? '';
  return wanted === '' ? listAll(deps, after) : findNamed(deps, wanted, after);
}

async function listAll({ storage, names }: PropertiesDeps, after: string): Promise<PropertiesShown> {
  names.prepare();
  const rows = await storage.listProperties(ID_PATTERN.test(after) ? after : '', PROPERTIES_PER_PAGE + 1);
  const page = rows.slice(0, PROPERTIES_PER_PAGE);
  const next = rows.length > page.length ? page.at(-1)?.property.propertyId : undefined;
  return { search: '', rows: page.map(presentRow), nextPath: next && withQuery(PATH, { after: next }) };
}

async function findNamed(
  { storage, names }: PropertiesDeps,
  search: string,
  after: string,
): Promise<PropertiesShown> {
  const { propertyIds, next } = await names.find(search, after, PROPERTIES_PER_PAGE);
  // What was imported just now is found by its id before the names are read again.
  const isId = after === '' && ID_PATTERN.test(search);
  const ids = isId ? [search, ...propertyIds.filter((id) => id !== search)] : propertyIds;
  const stored = await Promise.all(ids.map((id) => storage.findProperty(id)));
  const rows = stored.filter((one) => one !== undefined).map(presentRow);
  return { search, rows, nextPath: next && withQuery(PATH, { search, after: next }) };
}

export function presentRow({ property }: Pick<ListedProperty, 'property'>): PropertyRow {
  return {
    propertyId: property.propertyId,
    name: textFor(property.name, DEFAULT_LOCALE),
    city: textFor(property.location.city, DEFAULT_LOCALE),
  };
}
