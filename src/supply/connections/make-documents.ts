/** Documents for rooms that no property of ours stands for yet: what the account knows, and the rest as a person gave it. */
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { documentMark } from '../../domain/ledger/stored-document.ts';
import { ID_LENGTH_MAX } from '../../domain/property.ts';
import { Wrong } from '../../domain/wrong.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { ConnectedRoom, Connection } from '../../storage/connections/store.ts';
import type { LayeredStored, SupplyStore } from '../../storage/supply/store.ts';
import { STANDARD_SOURCE } from '../native/catalogue-file.ts';
import { formatPropertyDocument } from '../native/format-property-document.ts';
import { parsePropertyDocument, type ReadDocument } from '../native/property-document.ts';
import { encodeProperty } from '../run/encode-property.ts';
import type { Room } from './kinds/connection-kind.ts';
import type { MappedType } from './connection-view.ts';

export interface DocumentDeps {
  readonly storage: Pick<CatalogueStore, 'writeProperties'> & Pick<SupplyStore, 'findLayers'>;
  readonly horizonNights: number;
}

/** Terms that an account may lack. */
export interface MissingTerms {
  readonly city?: string | undefined;
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
  readonly propertyType?: string | undefined;
  readonly bathrooms?: number | undefined;
}

export interface MadeDocument {
  readonly propertyId: string;
  readonly rooms: readonly { readonly room: Room; readonly type: MappedType }[];
  /** The document, or the first thing that is wrong with it. */
  readonly read: ReadDocument | { readonly ok: false; readonly field: string; readonly reason: Wrong };
}

const DEFAULT_TYPE = 'apartment';
const DEFAULT_BATHROOMS = 1;

/** One document for each property of the account, with its rooms as types; `isEachRoom`: one for each room. */
export function makeDocuments(
  name: string,
  rooms: readonly Room[],
  { isEachRoom, ...given }: MissingTerms & { readonly isEachRoom: boolean },
): readonly MadeDocument[] {
  const groups = Map.groupBy(rooms, ({ room, property }) => (isEachRoom ? room : property.id));
  return Array.from(groups, ([id, own]) =>
    makeDocument(idOf(`${name}-${id}`), own, { ...given, isEachRoom }),
  );
}

function makeDocument(
  propertyId: string,
  rooms: readonly Room[],
  {
    isEachRoom,
    city,
    country,
    timezone,
    propertyType,
    bathrooms,
  }: MissingTerms & { readonly isEachRoom: boolean },
): MadeDocument {
  const { property, ...first } = rooms[0]!;
  const types = rooms.map((room) => ({ room, type: { propertyId, inventoryTypeId: idOf(room.room) } }));
  const [ours, theirs] = new Set(rooms.flatMap(({ currency }) => currency ?? []));
  const document: JsonObject = {
    propertyId,
    name: isEachRoom ? first.name : property.name,
    propertyType: propertyType ?? DEFAULT_TYPE,
    location: { city: property.city ?? city, country: property.country ?? country },
    bathrooms: bathrooms ?? DEFAULT_BATHROOMS,
    currency: ours,
    timezone: rooms.find((room) => room.timezone !== null)?.timezone ?? timezone,
    visibleTo: [],
    inventoryTypes: types.map(({ room, type }) => ({
      inventoryTypeId: type.inventoryTypeId,
      name: room.name,
      guestsMax: room.guests ?? undefined,
    })),
  };
  if (theirs !== undefined) {
    const reason = new Wrong('roomCurrency', { theirs, ours: ours! });
    return { propertyId, rooms: types, read: { ok: false, field: 'currency', reason } };
  }
  // A term that nobody gave is left out, and named by the reader of documents.
  const read = parsePropertyDocument(JSON.parse(JSON.stringify(document)));
  return {
    propertyId,
    rooms: types,
    read: read.ok ? read : { ok: false, field: read.field, reason: read.reason },
  };
}

/** Other characters than an id may have become hyphens. */
function idOf(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._~-]/g, '-').slice(0, ID_LENGTH_MAX);
}

/** Writes a document that nobody has yet; false: a property of this id stands already. */
export async function writeMade(
  { storage, horizonNights }: DocumentDeps,
  { property, entries, keptTypeIds, details }: ReadDocument,
): Promise<boolean> {
  const own = { source: STANDARD_SOURCE, horizonNights, keptTypeIds, details };
  const write = { ...encodeProperty(property, entries, own), isOwnOnly: true, replaces: '' };
  const [outcome] = await storage.writeProperties([write]);
  return outcome !== 'foreign';
}

/** Whether no partner sees it, and it is the operator's own. */
export function isHidden({ stored: { property, source } }: LayeredStored): boolean {
  return source === STANDARD_SOURCE && property.visibleTo !== 'all' && property.visibleTo.length === 0;
}

/** Properties of mapped rooms whose ids are those that `map` makes. */
export function madeFor(
  { name, rooms: listed }: Pick<Connection, 'name' | 'rooms'>,
  rooms: readonly ConnectedRoom[],
): ReadonlySet<string> {
  const ids = listed.flatMap(({ room, property }) => [room, property.id]).map((id) => idOf(`${name}-${id}`));
  const made = new Set(ids);
  return new Set(rooms.map(({ propertyId }) => propertyId).filter((id) => made.has(id)));
}

/** Shows what `map` made for this account, where no partner sees it yet, to all partners. Returns the ids. */
export async function offerMade(
  { storage, horizonNights }: DocumentDeps,
  connection: Pick<Connection, 'name' | 'rooms'>,
  rooms: readonly ConnectedRoom[],
): Promise<readonly string[]> {
  const offered: string[] = [];
  for (const propertyId of madeFor(connection, rooms)) {
    const found = await storage.findLayers(propertyId);
    if (found === undefined || !isHidden(found)) continue;
    const { property, source } = found.stored;
    const document = formatPropertyDocument({ ...property, visibleTo: 'all' }, [], found.details);
    const types = document['inventoryTypes'] as readonly JsonObject[];
    const inventoryTypes = types.map(({ calendar: _calendar, ...type }) => type);
    const read = parsePropertyDocument({ ...document, inventoryTypes });
    if (!read.ok) continue;
    const own = { source, horizonNights, keptTypeIds: read.keptTypeIds, details: read.details };
    const write = encodeProperty(read.property, read.entries, own);
    const replaces = documentMark(property, source);
    const [outcome] = await storage.writeProperties([{ ...write, isOwnOnly: true, replaces }]);
    if (outcome !== 'foreign') offered.push(propertyId);
  }
  return offered;
}
