/**
 * A connection: its state, its rooms with the types that they are mapped to or could be, and its last comparison; and the
 * systems that can be connected.
 */
import { textFor, type Locale } from '../../../domain/property.ts';
import type { ConnectedRoom, Connection } from '../../../storage/connections/store.ts';
import type { Storage } from '../../../storage/storage.ts';
import {
  type MappedType,
  type RoomView,
  viewConnection,
  viewKinds,
  viewRooms,
} from '../../../supply/connections/connection-view.ts';
import { findKind } from '../../../supply/connections/connection-kinds.ts';
import { readComparison } from '../../../supply/connections/last-comparison.ts';
import { isHidden, madeFor } from '../../../supply/connections/make-documents.ts';
import { listMappings } from '../../../supply/connections/mapped-rooms.ts';
import { suggestTypes } from '../../../supply/connections/suggest-types.ts';
import type { ActPorts, ActQuestion, PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';

export type ConnectionShown = ShownBy<typeof readConnection>;
export type RoomShown = ConnectionShown['shownRooms'][number];

export const NEW_CONNECTION_PATH = '/console/new-connection';
/** Rooms of one page, of which each is a row of fields. */
const ROOMS_SHOWN_MAX = 200;
/** Choices of a page, over all its rooms. With more, a room offers its own type and the suggested one. */
const CHOICES_MAX = 4_000;
/** Properties that are looked at for one that no partner sees. */
const MADE_READ_MAX = 200;
/** Stays of a comparison in a page. */
const STAYS_SHOWN_MAX = 100;

export interface TypeChoice extends MappedType {
  readonly name: string;
}

/** `rows`: as `connection list` and `connection rooms` print it, and the stays of the last comparison. */
export async function readConnection(ports: PagePorts, { segments, query, isJson, locale }: PageQuestion) {
  const { storage, clock } = ports;
  const name = segments['name']!;
  const connection = await storage.findConnection(name);
  if (connection === undefined) return undefined;
  const connected = await storage.listConnectedRooms(name);
  const mappings = await listMappings({ storage }, name);
  const free = connection.rooms.filter(({ room }) => !mappings.has(room));
  const suggested = await suggestTypes(storage, free, [...mappings.values()]);
  const rooms = viewRooms(connection, connected, mappings, suggested);
  const comparison = readComparison(connection, clock());
  const start = readStart(query.get('after') ?? '', rooms.length);
  const page = isJson ? [] : rooms.slice(start, start + ROOMS_SHOWN_MAX);
  const end = start + page.length;
  const { everySeconds, maxAgeSeconds, settings, allowed, keyEndsAtMs, failureWrong } = connection;
  return {
    rows: {
      connection: viewConnection(connection, connected, clock()),
      rooms,
      comparison: {
        at: instantOf(comparison.atMs),
        isBeingMade: comparison.begunAtMs !== null,
        stays: comparison.stays,
      },
    },
    about: {
      kind: findKind(connection.kind),
      every: durationOf(everySeconds),
      maxAge: durationOf(maxAgeSeconds),
      settings,
      allowed,
      keyEndsAt: instantOf(keyEndsAtMs),
      failureWrong,
    },
    shownRooms: page.map((row) => ({ ...row, held: heldOf(connected, row) })),
    ...(await readTypes(storage, page, locale)),
    suggestedCount: suggested.size,
    /** Terms of documents that some room without a type, or suggestion, lacks. */
    lacking: lackingOf(free.filter(({ room }) => !suggested.has(room))),
    isHidden: !isJson && (await isSomeHidden(storage, connection, connected)),
    comparison: {
      ...comparison,
      at: instantOf(comparison.atMs),
      stays: comparison.stays.slice(0, STAYS_SHOWN_MAX),
    },
    allowsPrivate: await allowsPrivate(ports),
    nextPath:
      end < rooms.length && !isJson
        ? withQuery(pathOf('connections', name), { after: String(end) })
        : undefined,
    start,
  };
}

/** Rooms on the pages before; 0 if it can't be read. */
function readStart(text: string, count: number): number {
  const start = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return start < count ? start : 0;
}

function instantOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** As forms and commands take it: `15m`, `24h`. Whole days below a week are hours, as people say them. */
function durationOf(seconds: number): string {
  const [unit, length] = UNITS.find(([, own]) => seconds % own === 0 && seconds >= 2 * own) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

function heldOf(connected: readonly ConnectedRoom[], { room }: RoomView) {
  const held = connected.find((one) => one.room === room)?.held ?? null;
  return held && { opens: held.opens, cheapens: held.cheapens };
}

/** Names of the types of the page, by `typeKey`, and those to choose from; no choices where there are too many. */
async function readTypes(storage: Storage, page: readonly RoomView[], locale: Locale) {
  const most = Math.floor(CHOICES_MAX / Math.max(1, page.length));
  const listed = await storage.listProperties('', most + 1);
  const all = listed.flatMap(({ property }) => choicesOf(property, locale));
  const choices = all.length > most ? [] : all;
  const names = new Map(all.map((one) => [typeKey(one), one.name]));
  const needed = page.flatMap((row) => [typeOf(row), row.suggested].filter((type) => type !== null));
  for (const type of needed) {
    if (names.has(typeKey(type))) continue;
    const found = await storage.findProperty(type.propertyId);
    for (const one of found === undefined ? [] : choicesOf(found.property, locale))
      names.set(typeKey(one), one.name);
  }
  return { names: names as ReadonlyMap<string, string>, choices, hasMoreTypes: all.length > most };
}

type Named = Awaited<ReturnType<Storage['listProperties']>>[number]['property'];

/** By the property's name alone where it has one type. */
function choicesOf({ propertyId, name, inventoryTypes }: Named, locale: Locale): readonly TypeChoice[] {
  const own = textFor(name, locale);
  return inventoryTypes.map((type) => ({
    propertyId,
    inventoryTypeId: type.inventoryTypeId,
    name: inventoryTypes.length === 1 ? own : `${own}, ${textFor(type.name, locale)}`,
  }));
}

export function typeOf({ propertyId, inventoryTypeId }: Pick<RoomView, 'propertyId' | 'inventoryTypeId'>) {
  return propertyId === null || inventoryTypeId === null ? null : { propertyId, inventoryTypeId };
}

/** The value of a choice, and a part of a form: ids have no spaces. */
export function typeKey({ propertyId, inventoryTypeId }: MappedType): string {
  return `${propertyId} ${inventoryTypeId}`;
}

function lackingOf(left: Connection['rooms']) {
  return {
    count: left.length,
    city: left.some(({ property }) => property.city === undefined),
    country: left.some(({ property }) => property.country === undefined),
    timezone: left.some(({ timezone }) => timezone === null),
  };
}

/** Whether something that the connection made is shown to no partner yet. */
async function isSomeHidden(
  storage: Storage,
  connection: Connection,
  connected: readonly ConnectedRoom[],
): Promise<boolean> {
  for (const propertyId of [...madeFor(connection, connected)].slice(0, MADE_READ_MAX)) {
    const found = await storage.findLayers(propertyId);
    if (found !== undefined && isHidden(found)) return true;
  }
  return false;
}

async function allowsPrivate({ settings }: PagePorts): Promise<boolean> {
  return (await settings()).some(
    ({ name, value }) => name === 'CONNECTIONS_ALLOW_PRIVATE' && value === 'true',
  );
}

export async function isConnection({ storage }: ActPorts, { segments }: ActQuestion): Promise<boolean> {
  return (await storage.findConnection(segments['name']!)) !== undefined;
}

/** The systems; `connected`: how many accounts of each are. */
export async function readNewConnections({ storage }: PagePorts) {
  const connections = await storage.listConnections();
  const connected = Map.groupBy(connections, ({ kind }) => kind);
  const rows = viewKinds();
  const kinds = rows.map((row) => ({
    ...row,
    title: findKind(row.kind)!.title,
    connected: connected.get(row.kind)?.length ?? 0,
  }));
  return { rows, kinds };
}

export async function readNewConnection(ports: PagePorts, { segments }: PageQuestion) {
  const kind = findKind(segments['kind']!);
  if (kind === undefined) return undefined;
  const isFirst = (await ports.storage.findConnection(kind.kind)) === undefined;
  return {
    rows: viewKinds().find((row) => row.kind === kind.kind),
    kind,
    isFirst,
    allowsPrivate: await allowsPrivate(ports),
  };
}
