/** Maps rooms of an account to inventory types: those that a name or an id suggests, and documents for the others. */
import { buildCalendar, EMPTY_CALENDAR } from '../../domain/calendar.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { hasPrices, sourceOfConnection } from '../../domain/layers.ts';
import { localToday } from '../../domain/local-date.ts';
import { countNights, type NightRuns, visitStretches } from '../../domain/night-runs.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { inEnglish, type Told, Wrong } from '../../domain/wrong.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { Connection } from '../../storage/connections/store.ts';
import type { LayeredStored, SupplyMapping } from '../../storage/supply/store.ts';
import { makeRoomCheck } from './check-rooms.ts';
import { onAccount } from './connection-changes.ts';
import { type AccountTurn, type ConnectionDeps, withAccount } from './connection-deps.ts';
import type { MappedType } from './connection-view.ts';
import { closedNights } from './hold-reading.ts';
import { ConnectionFailure, type Room } from './kinds/connection-kind.ts';
import {
  isHidden,
  type MadeDocument,
  makeDocuments,
  type MissingTerms,
  writeMade,
} from './make-documents.ts';
import { listMappings, takeMappings } from './mapped-rooms.ts';
import type { RoomCalendar } from './read-calendars.ts';
import { suggestTypes } from './suggest-types.ts';

export type MapDeps = ConnectionDeps & {
  readonly storage: ConnectionDeps['storage'] & Pick<CatalogueStore, 'writeProperties' | 'listProperties'>;
};

export interface MapOptions extends MissingTerms {
  readonly isSuggested: boolean;
  readonly isCreating: boolean;
  readonly isEachRoom: boolean;
  readonly withPrices: boolean;
  readonly dryRun: boolean;
}

/** A room with the outcome of the act, or of its dry run. */
export interface MappedRoom {
  readonly room: string;
  readonly name: string;
  readonly propertyId: string | null;
  readonly inventoryTypeId: string | null;
  readonly outcome: 'mapped' | 'created' | 'refused';
  /** Why it is refused, or what a person may not have meant. */
  readonly note: string | null;
  /** The same as a code, for pages. */
  readonly noteWrong: Told | null;
  /** After a dry run, nights that the first read would close or leave without a price, and those that it prices. */
  readonly closes: number | null;
  readonly prices: number | null;
  readonly unpriced: number | null;
}

/** Rooms that are mapped already stay as they are. */
export function mapRooms(
  deps: MapDeps,
  name: string,
  options: MapOptions,
): Promise<Outcome<readonly MappedRoom[]>> {
  return onAccount(deps, name, async (connection, _connected, turn) => {
    const mappings = [...(await listMappings(deps, name)).values()];
    const mapped = new Set(mappings.map(({ externalKey }) => externalKey));
    const free = connection.rooms.filter(({ room }) => !mapped.has(room));
    const suggested = options.isSuggested
      ? await suggestTypes(deps.storage, free, mappings)
      : new Map<string, MappedType>();
    const left = options.isCreating ? free.filter(({ room }) => !suggested.has(room)) : [];
    const made = makeDocuments(name, left, options);
    if (suggested.size === 0 && made.length === 0) return refuse(new Wrong('nothingToMap', { name }));
    const source = sourceOfConnection(name, options);
    const plans = [
      ...(await planSuggested(deps, { free, suggested, source })),
      ...(await planMade(deps, made)),
    ];
    if (options.dryRun) return done(await foresee(deps, { connection, turn, plans, options }));
    return done(await carryOut(deps, connection, { plans, made, source }));
  });
}

/** A room with its type, before anything is written. */
interface Plan {
  readonly room: Room;
  readonly type: MappedType;
  readonly isMade: boolean;
  readonly refused: Told | undefined;
  readonly doubt: Told | undefined;
  /** Undefined for documents that are not stored yet. */
  readonly layered: LayeredStored | undefined;
}

async function planSuggested(
  deps: MapDeps,
  of: {
    readonly free: readonly Room[];
    readonly suggested: ReadonlyMap<string, MappedType>;
    readonly source: string;
  },
): Promise<Plan[]> {
  const { free, suggested, source } = of;
  const checkRoom = makeRoomCheck(deps.storage);
  const plans: Plan[] = [];
  for (const room of free) {
    const type = suggested.get(room.room);
    if (type === undefined) continue;
    const refused = await checkRoom({ source, externalKey: room.room, ...type });
    const layered = await deps.storage.findLayers(type.propertyId);
    const doubt = layered === undefined ? undefined : findDoubt(room, type, layered);
    plans.push({ room, type, isMade: false, refused, doubt, layered });
  }
  return plans;
}

async function planMade(deps: MapDeps, made: readonly MadeDocument[]): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const { propertyId, rooms, read } of made) {
    const there = await deps.storage.findLayers(propertyId);
    // An act that was interrupted has made it already.
    const isTaken = there !== undefined && !(isHidden(there) && hasTypes(there, rooms));
    const lacking = read.ok ? undefined : new Wrong('documentLacks', { field: read.field, why: read.reason });
    const refused = isTaken ? new Wrong('idTaken', { id: JSON.stringify(propertyId) }) : lacking;
    plans.push(
      ...rooms.map(({ room, type }) => ({
        room,
        type,
        isMade: true,
        refused,
        doubt: undefined,
        layered: there,
      })),
    );
  }
  return plans;
}

function hasTypes({ stored }: LayeredStored, rooms: MadeDocument['rooms']): boolean {
  const ids = new Set(stored.property.inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId));
  return rooms.every(({ type }) => ids.has(type.inventoryTypeId));
}

/** Differences of a room that is mapped all the same. */
function findDoubt(
  { guests, timezone }: Room,
  { inventoryTypeId }: MappedType,
  { stored }: LayeredStored,
): Told | undefined {
  const { property } = stored;
  const type = property.inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
  if (type !== undefined && guests !== null && guests < type.guestsMax)
    return new Wrong('roomSmaller', { theirs: guests, ours: type.guestsMax });
  if (timezone !== null && timezone !== property.timezone)
    return new Wrong('roomElsewhere', { theirs: timezone, ours: property.timezone });
  return undefined;
}

async function carryOut(
  deps: MapDeps,
  connection: Connection,
  of: { readonly plans: readonly Plan[]; readonly made: readonly MadeDocument[]; readonly source: string },
): Promise<MappedRoom[]> {
  const { plans, made, source } = of;
  const taken = new Set<string>();
  for (const { propertyId, read } of made) {
    const isNew = plans.some(
      ({ type, refused, layered }) =>
        type.propertyId === propertyId && refused === undefined && layered === undefined,
    );
    if (isNew && read.ok && !(await writeMade(deps, read))) taken.add(propertyId);
  }
  const settled = plans.map((plan) =>
    plan.isMade && taken.has(plan.type.propertyId)
      ? { ...plan, refused: new Wrong('idTaken', { id: JSON.stringify(plan.type.propertyId) }) }
      : plan,
  );
  const begun = settled.filter(({ refused }) => refused === undefined);
  const mappings: SupplyMapping[] = begun.map(({ room, type }) => ({
    source,
    externalKey: room.room,
    ...type,
  }));
  if (mappings.length > 0) await deps.storage.putSupplyMappings(mappings);
  await takeMappings(deps, connection);
  return settled.map((plan) => viewPlan(plan, undefined));
}

/** Reads the account, and stores nothing of it. */
async function foresee(
  deps: MapDeps,
  of: {
    readonly connection: Connection;
    readonly turn: AccountTurn;
    readonly plans: readonly Plan[];
    readonly options: MapOptions;
  },
): Promise<MappedRoom[]> {
  const { connection, turn, plans, options } = of;
  const rooms = plans.filter(({ refused }) => refused === undefined).map(({ room }) => room);
  const from = localToday('UTC', deps.clock());
  const range = { from, until: from + deps.horizonNights };
  let calendars: ReadonlyMap<string, RoomCalendar> = new Map();
  let failure: Told | undefined;
  try {
    if (rooms.length > 0)
      calendars = await withAccount(deps, connection, turn, (account) => account.readCalendars(rooms, range));
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    failure = error.wrong;
  }
  return plans.map((plan) => {
    const calendar = calendars.get(plan.room.room);
    const refused =
      plan.refused ?? failure ?? (calendar && 'failure' in calendar ? calendar.failure : undefined);
    if (refused !== undefined || calendar === undefined || 'failure' in calendar)
      return viewPlan({ ...plan, refused }, undefined);
    const after = buildCalendar(calendar.entries);
    const closed = closedNights(after);
    const unpriced = calendar.unpriced.reduce(
      (sum, { nights, isUsed }) => sum + (isUsed === true ? 0 : nights),
      0,
    );
    return viewPlan(plan, {
      closes: countNights(both(openNow(plan), closed)),
      prices: options.withPrices && hasPrices(after) ? countNights(pricedIn(calendar)) : 0,
      unpriced: options.withPrices ? unpriced : 0,
    });
  });
}

/** Nights of the stored type that have a unit. */
function openNow({ layered, type }: Plan): NightRuns {
  const place = layered?.stored.property.inventoryTypes.findIndex(
    ({ inventoryTypeId }) => inventoryTypeId === type.inventoryTypeId,
  );
  const calendar = place === undefined ? undefined : layered?.stored.calendars[place];
  const { availability, stopSell } =
    calendar === undefined ? EMPTY_CALENDAR : decodeCalendar(calendar.nights);
  const nights: { from: number; until: number; value: number }[] = [];
  visitStretches([availability, stopSell], (from, until, [units, isStopped]) => {
    if (units !== undefined && units > 0 && isStopped !== 1) nights.push({ from, until, value: 1 });
  });
  return nights;
}

function both(one: NightRuns, other: NightRuns): NightRuns {
  const nights: { from: number; until: number; value: number }[] = [];
  visitStretches([one, other], (from, until, [first, second]) => {
    if (first !== undefined && second !== undefined) nights.push({ from, until, value: 1 });
  });
  return nights;
}

function pricedIn({ entries }: Exclude<RoomCalendar, { readonly failure: Told }>): NightRuns {
  return entries
    .filter(({ set }) => set.rate !== undefined || set.ratesByGuests !== undefined)
    .map(({ from, to }) => ({ from, until: to + 1, value: 1 }));
}

function viewPlan(
  { room, type, isMade, refused, doubt }: Plan,
  foreseen: Pick<MappedRoom, 'closes' | 'prices' | 'unpriced'> | undefined,
): MappedRoom {
  const isRefused = refused !== undefined;
  const note = refused ?? doubt;
  return {
    room: room.room,
    name: room.name,
    propertyId: isRefused && isMade ? null : type.propertyId,
    inventoryTypeId: isRefused && isMade ? null : type.inventoryTypeId,
    outcome: isRefused ? 'refused' : isMade ? 'created' : 'mapped',
    note: note === undefined ? null : inEnglish(note),
    noteWrong: note ?? null,
    closes: foreseen?.closes ?? null,
    prices: foreseen?.prices ?? null,
    unpriced: foreseen?.unpriced ?? null,
  };
}
