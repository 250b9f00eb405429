/**
 * The columns of a catalogue as a spreadsheet: one for each field of the property document that has one value, in the
 * order of the document. They are read from its grammar, so a new field has a column by itself.
 */
import {
  type DocumentField,
  documentFields,
  type JsonSchema,
  type Kind,
} from '../../domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../../domain/document/property-grammar.ts';
import { LOCALES } from '../../domain/property.ts';

export interface CatalogueColumn {
  /** As the header names it: `name`, `name:it-IT`, `city`, `rating.score`. */
  readonly name: string;
  /** Where the value stands in the document: `['location', 'city', 'it-IT']`. */
  readonly steps: readonly string[];
  readonly kind: Kind;
  readonly schema: JsonSchema;
  /** Whether it belongs to the inventory type of the row, not to the property. */
  readonly isOfType: boolean;
  /** The heading of a text for all locales, which stands for this column too. */
  readonly ofAllLocales?: string;
}

const TYPES = 'inventoryTypes[].';
/** Short names where the path of the field says more than a person needs. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'location.city': 'city',
  'location.country': 'country',
  'location.area': 'area',
  'inventoryTypes[].name': 'typeName',
  'inventoryTypes[].ageBands': 'typeAgeBands',
};

export const CATALOGUE_COLUMNS: readonly CatalogueColumn[] = documentFields(PROPERTY_DOCUMENT).flatMap(
  ({ path, kind, schema }) => {
    const isOfType = path.startsWith(TYPES);
    const own = isOfType ? path.slice(TYPES.length) : path;
    // Objects have a column for each of their fields; lists, and what is in them, have one cell.
    if (kind === 'object' || own === 'inventoryTypes' || own.includes('[]')) return [];
    const column = { name: SHORT_NAMES[path] ?? own, steps: own.split('.'), kind, schema, isOfType };
    return kind === 'localized' ? [column, ...LOCALES.map((locale) => inLocale(column, locale))] : [column];
  },
);

function inLocale(column: CatalogueColumn, locale: string): CatalogueColumn {
  return {
    ...column,
    name: `${column.name}:${locale}`,
    steps: [...column.steps, locale],
    kind: 'text',
    ofAllLocales: column.name,
  };
}

/** Headings that every sheet has; a text has the heading for all locales, or one of those by locale. */
export const REQUIRED_COLUMNS: readonly (readonly string[])[] = requiredPaths(
  documentFields(PROPERTY_DOCUMENT),
).map((path) => {
  const { name } = CATALOGUE_COLUMNS.find((column) => pathOf(column) === path)!;
  return [
    name,
    ...CATALOGUE_COLUMNS.filter(({ ofAllLocales }) => ofAllLocales === name).map((one) => one.name),
  ];
});

/** Paths of values that are required with all objects around them. */
function requiredPaths(fields: readonly DocumentField[]): readonly string[] {
  const required = new Set(fields.flatMap(({ path, isRequired }) => (isRequired ? [path] : [])));
  const holders = (path: string): readonly string[] =>
    [...path.matchAll(/(?:\[\])?\./g)].map(({ index }) => path.slice(0, index));
  const columns = new Set(CATALOGUE_COLUMNS.map(pathOf));
  return [...required].filter((path) => columns.has(path) && holders(path).every((one) => required.has(one)));
}

function pathOf({ steps, isOfType }: CatalogueColumn): string {
  return `${isOfType ? TYPES : ''}${steps.join('.')}`;
}
