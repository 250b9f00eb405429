/**
 * One read of an account: its rooms once a day, the nights of those that are mapped, and what may apply of them. Each
 * room is taken whole or not at all, and others do not wait for a bad one.
 */
import { buildCalendar, type Calendar, type CalendarEntry } from '../../domain/calendar.ts';
import { encode, isSameCalendar } from '../../domain/ledger/encoded-calendar.ts';
import { calendarOfLayer, type TypeChange } from '../../domain/ledger/message.ts';
import { localToday, type EpochDay } from '../../domain/local-date.ts';
import { inEnglish, type Told, Wrong } from '../../domain/wrong.ts';
import type { Connection, ConnectedRoom } from '../../storage/connections/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { LayeredStored } from '../../storage/supply/store.ts';
import { EMPTY_HELD_MS } from '../polling/held-back.ts';
import { nextPollMs } from '../polling/next-poll.ts';
import { type AccountTurn, type ConnectionDeps, withAccount } from './connection-deps.ts';
import { closing, packHeld, type PropertyReading, replacing, sendReadings } from './connection-layer.ts';
import { holdReading, withoutAgeClosing } from './hold-reading.ts';
import { ConnectionFailure, type Room } from './kinds/connection-kind.ts';
import { findKind } from './connection-kinds.ts';
import { setsPrices, settleMappings, sourcesOf } from './mapped-rooms.ts';
import type { OpenAccount } from './open-account.ts';
import type { RoomCalendar } from './read-calendars.ts';

export type ReadOutcome = 'changed' | 'unchanged' | 'held' | 'failed';

export interface ReadResult {
  readonly outcome: ReadOutcome;
  readonly connection: Connection;
  /** Entries that changed a layer. */
  readonly changed: number;
}

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60_000;
const NO_FAILURE = { failureCount: 0, failure: null, failureWrong: null, isRefused: false };

/**
 * Rejects with `StorageUnavailable`, or if the signal aborts. Every other failure is an outcome, stored with the
 * connection; nights whose last reading is too old are closed then.
 */
export async function readConnection(
  deps: ConnectionDeps,
  connection: Connection,
  turn: AccountTurn,
): Promise<ReadResult> {
  const polledAtMs = deps.clock();
  const mapped = await settleMappings(deps, connection);
  let read: Reading;
  try {
    read = await withAccount(deps, connection, turn, (account) =>
      readRooms(deps, connection, mapped, account),
    );
  } catch (error) {
    if (error instanceof StorageUnavailable || turn.signal?.aborted === true) throw error;
    read = failedBy(error);
  }
  // Another process has the account by now, and writes what it reads.
  if (!(await turn.renew())) return { outcome: 'failed', connection, changed: 0 };
  const { outcome, rooms, changed } = await applyReading(deps, connection, mapped, read);
  await closeOld(deps, connection, rooms);
  const after = stateAfter(deps, connection, { read, rooms, polledAtMs });
  if (read.listed !== undefined)
    await deps.storage.saveConnectionRooms(connection.name, read.listed, polledAtMs);
  await deps.storage.saveConnectionState(connection.name, after);
  return { outcome, connection: after, changed };
}

interface Reading {
  /** As listed now; undefined: the last list stays. */
  readonly listed?: readonly Room[] | undefined;
  /** By room; undefined: the account could not be read. */
  readonly calendars?: ReadonlyMap<string, RoomCalendar>;
  readonly failure?: Pick<ConnectionFailure, 'wrong' | 'state' | 'retryAfterMs'>;
}

function failedBy(error: unknown): Reading {
  if (error instanceof ConnectionFailure) return { failure: error };
  return { failure: new ConnectionFailure(new Wrong('answerUnexpected')) };
}

async function readRooms(
  deps: ConnectionDeps,
  connection: Connection,
  mapped: readonly ConnectedRoom[],
  account: OpenAccount,
): Promise<Reading> {
  const listed = isListDue(deps, connection, mapped) ? await account.listRooms() : undefined;
  try {
    const known = new Map((listed ?? connection.rooms).map((room) => [room.room, room]));
    const rooms = mapped.flatMap(({ room }) => known.get(room) ?? []);
    if (rooms.length === 0) return { listed, calendars: new Map() };
    return { listed, calendars: await account.readCalendars(rooms, await nightsToRead(deps, mapped)) };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    return { listed, failure: error };
  }
}

/** Once a day, with each read where they hold terms, and where a mapped room is not among those listed. */
function isListDue(
  { clock }: ConnectionDeps,
  { kind, rooms, roomsAtMs }: Connection,
  mapped: readonly ConnectedRoom[],
): boolean {
  if (findKind(kind)!.hasTermsInRooms) return true;
  const isOld = roomsAtMs === null || Math.abs(clock() - roomsAtMs) >= DAY_MS;
  return isOld || mapped.some(({ room }) => rooms.every((one) => one.room !== room));
}

/** From today, where it is earliest, to the horizon. */
async function nightsToRead(deps: ConnectionDeps, mapped: readonly ConnectedRoom[]) {
  const nowMs = deps.clock();
  let from = localToday('UTC', nowMs);
  for (const propertyId of new Set(mapped.map((room) => room.propertyId))) {
    const found = await deps.storage.findLayers(propertyId);
    if (found !== undefined) from = Math.min(from, localToday(found.stored.property.timezone, nowMs));
  }
  // One more: where today is later, its horizon is.
  return { from, until: from + deps.horizonNights + 1 };
}

interface Applied {
  readonly outcome: ReadOutcome;
  readonly rooms: readonly ConnectedRoom[];
  readonly changed: number;
}

/** The result of reading one room. */
interface RoomResult {
  readonly room: ConnectedRoom;
  /** Undefined: the layer is so already, or stays for a failure. */
  readonly change?: TypeChange;
}

async function applyReading(
  deps: ConnectionDeps,
  connection: Connection,
  mapped: readonly ConnectedRoom[],
  { listed, calendars, failure }: Reading,
): Promise<Applied> {
  if (calendars === undefined) {
    const rooms = mapped.map((room) => ({ ...room, failureWrong: failure!.wrong }));
    return { outcome: 'failed', rooms, changed: 0 };
  }
  const known = new Map((listed ?? connection.rooms).map((room) => [room.room, room]));
  const results: RoomResult[] = [];
  let changed = 0;
  for (const source of sourcesOf(connection.name)) {
    const [whole, partial]: [PropertyReading[], PropertyReading[]] = [[], []];
    for (const [propertyId, rooms] of byProperty(mapped.filter((room) => room.source === source))) {
      const layered = await deps.storage.findLayers(propertyId);
      const own = rooms.map((room) =>
        resultOf(deps, room, { layered, known: known.get(room.room), calendar: calendars.get(room.room) }),
      );
      results.push(...own);
      const types = own.flatMap(({ change }) => change ?? []);
      const isWhole = own.every(({ room }) => room.failureWrong === null && room.held === null);
      if (isWhole) whole.push({ propertyId, types });
      else if (types.length > 0) partial.push({ propertyId, types });
    }
    for (const [readings, isConfirming] of [
      [whole, true],
      [partial, false],
    ] as const) {
      changed += (await sendReadings(deps, source, readings, { isConfirming }))?.changed ?? 0;
    }
  }
  const rooms = results.map(({ room }) => room);
  await deps.storage.putConnectedRooms(rooms);
  const isBad = rooms.some(({ failureWrong }) => failureWrong !== null);
  const isHeld = rooms.some(({ held }) => held !== null);
  const outcome = isBad ? 'failed' : isHeld ? 'held' : changed > 0 ? 'changed' : 'unchanged';
  return { outcome, rooms, changed };
}

function byProperty(rooms: readonly ConnectedRoom[]): ReadonlyMap<string, ConnectedRoom[]> {
  return Map.groupBy(rooms, ({ propertyId }) => propertyId);
}

interface ReadRoom {
  readonly layered: LayeredStored | undefined;
  readonly known: Room | undefined;
  readonly calendar: RoomCalendar | undefined;
}

function resultOf(
  deps: ConnectionDeps,
  before: ConnectedRoom,
  { layered, known, calendar }: ReadRoom,
): RoomResult {
  const layer = calendarOfLayer(layered?.layers ?? [], before.source, before.inventoryTypeId);
  const refused = refusalOf(before, { layered, known, calendar }, layer);
  if (refused !== undefined) return { room: { ...before, failureWrong: refused } };
  const { entries, unpriced } = calendar as Exclude<RoomCalendar, { readonly failure: Told }>;
  const nowMs = deps.clock();
  const today = localToday(layered!.stored.property.timezone, nowMs);
  const after = buildCalendar(setsPrices(before) ? entries : entries.map(withoutPrices));
  const repeated = isSameReading(before.held, packHeld(after)) ? before.held : null;
  const isRepeated = repeated !== null && nowMs >= repeated.notBeforeMs;
  const compared = before.isClosed ? withoutAgeClosing(layer) : layer;
  const { applied, opens, cheapens } = holdReading(compared, after, { today, isRepeated });
  const usualMs = opens && isAllOpen(after, today) ? nowMs + EMPTY_HELD_MS : nowMs;
  const notBeforeMs = repeated?.notBeforeMs ?? usualMs;
  const held = opens || cheapens ? { ...packHeld(after), opens, cheapens, notBeforeMs } : null;
  const room = { ...before, readAtMs: nowMs, failureWrong: null, unpriced, isClosed: false, held };
  // By the layer itself: a process may have ended between its message and what it would have noted of it.
  const isKept = isSameCalendar(encode(applied), encode(layer));
  return isKept ? { room } : { room, change: replacing(before.inventoryTypeId, applied) };
}

function isSameReading(held: ConnectedRoom['held'], { nights, rates }: ReturnType<typeof packHeld>): boolean {
  return held !== null && held.nights === nights && held.rates === rates;
}

function refusalOf(
  { inventoryTypeId, propertyId }: ConnectedRoom,
  of: ReadRoom,
  layer: Calendar,
): Told | undefined {
  const { layered, known, calendar } = of;
  if (known === undefined) return new Wrong('roomGone');
  const typeGone = new Wrong('layerGone', { propertyId, typeId: inventoryTypeId });
  if (layered === undefined) return typeGone;
  const { property } = layered.stored;
  if (property.inventoryTypes.every((type) => type.inventoryTypeId !== inventoryTypeId)) return typeGone;
  if (known.currency !== null && known.currency !== property.currency)
    return new Wrong('roomCurrency', { theirs: known.currency, ours: property.currency });
  if (calendar === undefined) return new Wrong('roomMissing');
  if ('failure' in calendar) return calendar.failure;
  return calendar.isEmpty && layer.availability.some(({ value }) => value > 0)
    ? new Wrong('roomEmpty')
    : undefined;
}

function withoutPrices({ from, to, set }: CalendarEntry): CalendarEntry {
  const { rate: _rate, ratesByGuests: _byGuests, ...rest } = set;
  return { from, to, set: rest };
}

/** Whether nothing is closed any more, as where a provider lost its bookings. */
function isAllOpen({ availability, stopSell }: Calendar, today: EpochDay): boolean {
  const isAhead = ({ until }: { readonly until: EpochDay }): boolean => until > today;
  return (
    availability.filter(isAhead).every(({ value }) => value > 0) &&
    !stopSell.filter(isAhead).some(({ value }) => value === 1)
  );
}

/** Closes the types whose last good reading is older than the connection allows. */
export async function closeOld(
  deps: ConnectionDeps,
  { name, maxAgeSeconds }: Connection,
  rooms: readonly ConnectedRoom[],
): Promise<void> {
  const nowMs = deps.clock();
  const isOld = ({ isClosed, readAtMs, mappedAtMs }: ConnectedRoom): boolean =>
    !isClosed && nowMs - (readAtMs ?? mappedAtMs) >= maxAgeSeconds * SECOND_MS;
  const old = rooms.filter(isOld);
  for (const source of sourcesOf(name)) {
    const readings: PropertyReading[] = [];
    for (const [propertyId, own] of byProperty(old.filter((room) => room.source === source))) {
      const layered = await deps.storage.findLayers(propertyId);
      if (layered === undefined) continue;
      const today = localToday(layered.stored.property.timezone, nowMs);
      const until = today + deps.horizonNights + 1;
      readings.push({
        propertyId,
        types: own.map(({ inventoryTypeId }) => closing(inventoryTypeId, today, until)),
      });
    }
    await sendReadings(deps, source, readings, { isConfirming: false });
  }
  if (old.length > 0) await deps.storage.putConnectedRooms(old.map((room) => ({ ...room, isClosed: true })));
}

function stateAfter(
  deps: ConnectionDeps,
  connection: Connection,
  of: { readonly read: Reading; readonly rooms: readonly ConnectedRoom[]; readonly polledAtMs: number },
): Connection {
  const { read, rooms, polledAtMs } = of;
  const { listed, failure } = read;
  const bad = rooms.find(({ failureWrong }) => failureWrong !== null)?.failureWrong;
  const wrong = failure?.wrong ?? bad;
  // A bad room does not slow the others down.
  const failureCount = failure === undefined ? 0 : connection.failureCount + 1;
  const nowMs = deps.clock();
  return {
    ...connection,
    ...(listed === undefined ? {} : { rooms: listed, roomsAtMs: polledAtMs }),
    ...NO_FAILURE,
    ...(wrong === undefined || wrong === null ? {} : { failure: inEnglish(wrong), failureWrong: wrong }),
    failureCount,
    isRefused: failure?.state === 'refused',
    polledAtMs,
    readAtMs: wrong === undefined || wrong === null ? nowMs : connection.readAtMs,
    nextPollAtMs: nowMs + nextReadMs(deps, connection, { failureCount, failure, rooms, nowMs }),
  };
}

/** As feeds, but no later than the next type is too old: then it closes. */
function nextReadMs(
  { random }: ConnectionDeps,
  { everySeconds, maxAgeSeconds }: Connection,
  of: {
    readonly failureCount: number;
    readonly failure: Reading['failure'];
    readonly rooms: readonly ConnectedRoom[];
    readonly nowMs: number;
  },
): number {
  const { failureCount, failure, rooms, nowMs } = of;
  const usualMs = nextPollMs(everySeconds * SECOND_MS, failureCount, {
    random,
    retryAfterMs: failure?.retryAfterMs,
  });
  return rooms
    .filter(({ isClosed }) => !isClosed)
    .map(({ readAtMs, mappedAtMs }) => (readAtMs ?? mappedAtMs) + maxAgeSeconds * SECOND_MS - nowMs)
    .filter((tooOldMs) => tooOldMs > 0)
    .reduce((least, tooOldMs) => Math.min(least, tooOldMs), usualMs);
}
