/**
 * The part of the storage port that connections need: accounts at property management systems, and the rooms that are
 * mapped. Nobody follows these rows: they take no revision. Instants are Unix milliseconds.
 */
import type { Told } from '../../domain/wrong.ts';
import { flag, json, plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

/** A secret made from the key, with its end. */
export interface StoredToken {
  readonly value: string;
  readonly expiresAtMs: number;
}

/** A room that can be mapped; `terms` are the kind's own. */
export interface StoredRoom {
  readonly room: string;
  readonly name: string;
  readonly guests: number | null;
  readonly currency: string | null;
  readonly timezone: string | null;
  readonly property: {
    readonly id: string;
    readonly name: string;
    readonly city?: string;
    readonly country?: string;
  };
  readonly byHand: readonly string[];
  readonly terms: unknown;
}

/** Calls counted over restarts. */
export interface StoredCalls {
  readonly sinceMs: number;
  readonly used: number;
  /** No call before; 0: none is forbidden. */
  readonly notBeforeMs: number;
}

export interface UnpricedNights {
  readonly reason: string;
  readonly nights: number;
  /** The nights have a price that is never below the true one. */
  readonly isUsed?: boolean;
}

export const CONNECTION_STATE_COLUMNS = {
  nextPollAtMs: plain<number>(),
  /** The last try, successful or not. */
  polledAtMs: plain<number | null>(),
  /** The last time that every mapped room was read. */
  readAtMs: plain<number | null>(),
  /** Failed polls in a row. */
  failureCount: plain<number>(),
  /** The problem of the last poll, in English, and as a code with values. */
  failure: plain<string | null>(),
  failureWrong: json<Told | null>(),
  /** The problem asks for a person: a key, a right, a clock. */
  isRefused: flag,
} as const;
export const CONNECTION_STATE = storedRow(CONNECTION_STATE_COLUMNS);
export type ConnectionState = RowOf<typeof CONNECTION_STATE>;

export const CONNECTION = storedRow({
  name: plain<string>(),
  kind: plain<string>(),
  /** The provider's own id of the account. */
  account: plain<string>(),
  createdAtMs: plain<number>(),
  /** Secret: the parts of the key by name. */
  key: json<Readonly<Record<string, string>>>(),
  /** Secret. */
  tokens: json<Readonly<Record<string, StoredToken>>>(),
  keyEndsAtMs: plain<number | null>(),
  settings: json<Readonly<Record<string, string>>>(),
  /** Reasons for nights without an exact price that the operator allowed. */
  allowed: json<readonly string[]>(),
  everySeconds: plain<number>(),
  maxAgeSeconds: plain<number>(),
  calls: json<StoredCalls>(),
  /** Rooms as they were listed last, and when. */
  rooms: json<readonly StoredRoom[]>(),
  roomsAtMs: plain<number | null>(),
  /** The last comparison, JSON; null before the first. */
  comparison: plain<string | null>(),
  ...CONNECTION_STATE_COLUMNS,
});
export type Connection = RowOf<typeof CONNECTION>;

export const CONNECTED_ROOM = storedRow({
  name: plain<string>(),
  room: plain<string>(),
  source: plain<string>(),
  propertyId: plain<string>(),
  inventoryTypeId: plain<string>(),
  mappedAtMs: plain<number>(),
  /** The last reading that could be used. */
  readAtMs: plain<number | null>(),
  /** A reading that is held back; null if none is. */
  held: json<HeldReading | null>(),
  failureWrong: json<Told | null>(),
  unpriced: json<readonly UnpricedNights[]>(),
  /** Closed because no reading was good for too long. */
  isClosed: flag,
});
export type ConnectedRoom = RowOf<typeof CONNECTED_ROOM>;

/** Base64 of an encoded calendar, with why it waits. */
export interface HeldReading {
  readonly nights: string;
  readonly rates: string;
  readonly opens: boolean;
  readonly cheapens: boolean;
  /** A second reading that says the same counts only from then on; 0: at once. */
  readonly notBeforeMs: number;
}

/** A connection in a few values, without its rooms and secrets. */
export interface ConnectionSummary extends Pick<
  Connection,
  'name' | 'kind' | 'everySeconds' | keyof ConnectionState
> {
  /** Mapped rooms. */
  readonly types: number;
  /** Rooms whose last reading is held back. */
  readonly held: number;
  /** The oldest last good reading of a mapped room, or its mapping where there was none; null without one. */
  readonly oldestReadAtMs: number | null;
}

export interface ConnectionStore {
  insertConnection(connection: Connection): Promise<void>;
  /** Replaces all but what it is about; false when it no longer exists. */
  updateConnection(connection: Connection): Promise<boolean>;
  /** Replaces the state; false when it no longer exists. */
  saveConnectionState(name: string, state: ConnectionState): Promise<boolean>;
  saveConnectionRooms(name: string, rooms: readonly StoredRoom[], atMs: number): Promise<void>;
  saveConnectionCalls(name: string, calls: StoredCalls): Promise<void>;
  saveConnectionTokens(name: string, tokens: Connection['tokens']): Promise<void>;
  saveComparison(name: string, comparison: string): Promise<void>;
  /** With its rooms, its mappings, and the confirmations of its sources. */
  deleteConnection(name: string, sources: readonly string[]): Promise<boolean>;
  findConnection(name: string): Promise<Connection | undefined>;
  /** By name. */
  listConnections(): Promise<readonly Connection[]>;
  /** By name; cheap, whatever the number of rooms. */
  summarizeConnections(): Promise<readonly ConnectionSummary[]>;
  /** Longest waiting first; then those that a clock polled which is far ahead, or was. */
  listDueConnections(nowMs: number, limit: number): Promise<readonly Connection[]>;
  /** By room; of all connections unless named. */
  listConnectedRooms(name?: string): Promise<readonly ConnectedRoom[]>;
  /** Inserts or replaces by (name, room), in one transaction. */
  putConnectedRooms(rooms: readonly ConnectedRoom[]): Promise<void>;
  deleteConnectedRooms(name: string, rooms: readonly string[]): Promise<void>;
}
