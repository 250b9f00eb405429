/** Which inventory type a room probably is: the same id, or the same name, in one of our properties alone. */
import { foldPlaceName } from '../../domain/place-name.ts';
import type { LocalizedText } from '../../domain/property.ts';
import type { CatalogueStore, ListedProperty } from '../../storage/catalogue/store.ts';
import type { Room } from './kinds/connection-kind.ts';
import type { MappedType } from './connection-view.ts';

/** Properties that are looked at; who has more maps by a file. */
export const LOOKED_AT_MAX = 5_000;
const PAGE = 500;

/** By room; a room that fits several types, or none, has no suggestion. `taken` are mapped already. */
export async function suggestTypes(
  storage: Pick<CatalogueStore, 'listProperties'>,
  rooms: readonly Room[],
  taken: readonly MappedType[],
): Promise<ReadonlyMap<string, MappedType>> {
  if (rooms.length === 0) return new Map();
  const isTaken = new Set(taken.map(keyOf));
  const byName = new Map<string, MappedType[]>();
  for await (const { property } of listSome(storage)) {
    for (const [name, type] of namesOf(property)) {
      if (isTaken.has(keyOf(type))) continue;
      byName.set(name, [...(byName.get(name) ?? []), type]);
    }
  }
  const suggested = rooms.flatMap((room): [string, MappedType][] => {
    const found = byName.get(idName(room.room)) ?? byName.get(textName(room.name)) ?? [];
    return found.length === 1 ? [[room.room, found[0]!]] : [];
  });
  // Two rooms of one name are two flats: a person tells them apart.
  const count = Map.groupBy(suggested, ([, type]) => keyOf(type));
  return new Map(suggested.filter(([, type]) => count.get(keyOf(type))!.length === 1));
}

async function* listSome(
  storage: Pick<CatalogueStore, 'listProperties'>,
): AsyncGenerator<ListedProperty, void> {
  let last = '';
  for (let seen = 0; seen < LOOKED_AT_MAX; seen += PAGE) {
    const page = await storage.listProperties(last, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    last = page.at(-1)!.property.propertyId;
  }
}

/** Names by which a type is known: its id, its property's where that has no other, and the same of their names. */
function* namesOf({
  propertyId,
  name,
  inventoryTypes,
}: ListedProperty['property']): Generator<[string, MappedType]> {
  const isOnly = inventoryTypes.length === 1;
  for (const type of inventoryTypes) {
    const own = { propertyId, inventoryTypeId: type.inventoryTypeId };
    const ids = new Set([type.inventoryTypeId, ...(isOnly ? [propertyId] : [])]);
    for (const id of ids) yield [idName(id), own];
    const texts = [...textsOf(type.name), ...(isOnly ? textsOf(name) : [])].map(textName);
    for (const text of new Set(texts)) yield [text, own];
  }
}

function textsOf(text: LocalizedText): readonly string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

const idName = (id: string): string => `id ${id}`;
const textName = (name: string): string => `name ${foldPlaceName(name)}`;

function keyOf({ propertyId, inventoryTypeId }: MappedType): string {
  return `${propertyId}\n${inventoryTypeId}`;
}
