/** A person's acts on connections: add, update, another key, read, accept, remove. */
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { countNights } from '../../domain/night-runs.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { randomBase62 } from '../../runtime/random.ts';
import type { ConnectedRoom, Connection, StoredCalls, StoredToken } from '../../storage/connections/store.ts';
import { withClaim } from '../polling/claims.ts';
import { NO_CALLS } from './account-caller.ts';
import { type AccountTurn, type ConnectionDeps, taskOfAccount, withAccount } from './connection-deps.ts';
import { replacing, sendReadings, unpackHeld } from './connection-layer.ts';
import { type ConnectionView, viewConnection } from './connection-view.ts';
import { closedNights } from './hold-reading.ts';
import { ConnectionFailure, type ConnectionKind, type Identity, type Room } from './kinds/connection-kind.ts';
import { CONNECTION_KINDS, findKind } from './connection-kinds.ts';
import { listMappings, settleMappings, sourcesOf, takeMappings } from './mapped-rooms.ts';
import { BASE_SETTING } from './open-account.ts';
import { readConnection, type ReadOutcome } from './read-connection.ts';

/** A running read ends within this time, unless it waits for its provider's window, or its process has died. */
const CLAIM_WAIT_MS = 60_000;
const NAME_PATTERN = /^[a-z0-9-]{1,40}$/;
const MINUTE_MS = 60_000;
const EVERY_MS = { min: 5 * MINUTE_MS, max: 6 * 60 * MINUTE_MS, usual: 15 * MINUTE_MS };
const MAX_AGE_MS = { max: 7 * 24 * 60 * MINUTE_MS, usual: 24 * 60 * MINUTE_MS };
const KEY_LENGTH_MAX = 4_096;
const HOLDER_LENGTH = 22;

/** Durations in ms; absent: as usual, or as it is. */
export interface ConnectionTerms {
  /** `name=value` each. */
  readonly settings?: readonly string[] | undefined;
  readonly everyMs?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

export interface NewConnection extends ConnectionTerms {
  readonly kind: string;
  readonly name?: string | undefined;
  /** The parts of the key, one a line. */
  readonly key: string;
}

export interface KeyView extends ConnectionView {
  /** About the key, such as rights that it does not need. */
  readonly warnings: readonly string[];
}

/** Tries the key, and stores nothing if that fails. */
export async function addConnection(deps: ConnectionDeps, given: NewConnection): Promise<Outcome<KeyView>> {
  const kind = findKind(given.kind);
  if (kind === undefined) return refuse(unknownKind(given.kind));
  const name = given.name ?? kind.kind;
  if (!NAME_PATTERN.test(name)) return refuse(new Wrong('connectionNameForm'));
  const key = readKey(kind, given.key);
  if (key instanceof Wrong) return refuse(key);
  const settings = readSettings(kind, {}, given.settings ?? [], deps.calling.allowsPrivate);
  if (settings instanceof Wrong) return refuse(settings);
  const times = readTimes({ everyMs: EVERY_MS.usual, maxAgeMs: MAX_AGE_MS.usual }, given);
  if (times instanceof Wrong) return refuse(times);
  if ((await deps.storage.findConnection(name)) !== undefined)
    return refuse(new Wrong('connectionNameTaken', { name }));
  const tried = await tryKey(deps, {
    name,
    kind: kind.kind,
    key,
    settings,
    allowed: [],
    tokens: {},
    calls: NO_CALLS,
  });
  if (!tried.ok) return tried;
  const { identity, rooms, calls, tokens } = tried.value;
  const nowMs = deps.clock();
  const connection: Connection = {
    name,
    kind: kind.kind,
    account: identity.account,
    createdAtMs: nowMs,
    key,
    tokens,
    keyEndsAtMs: identity.keyEndsAtMs ?? null,
    settings,
    allowed: [],
    ...times,
    calls,
    comparison: null,
    nextPollAtMs: nowMs,
    polledAtMs: null,
    readAtMs: null,
    failureCount: 0,
    failure: null,
    failureWrong: null,
    isRefused: false,
    rooms,
    roomsAtMs: nowMs,
  };
  const refused = await insertOnce(deps, connection);
  if (refused !== undefined) return refuse(refused);
  const warnings = identity.warnings.map(inEnglish);
  return done({ ...viewConnection(connection, [], nowMs), warnings });
}

/** Another may have added the name or the account while the key was tried: one adds at a time. */
async function insertOnce(deps: ConnectionDeps, connection: Connection): Promise<Wrong | undefined> {
  const { name, kind, account } = connection;
  const insert = async (): Promise<{ readonly refused: Wrong | undefined }> => {
    const all = await deps.storage.listConnections();
    const same = all.find((one) => one.kind === kind && one.account === account);
    if (same !== undefined) return { refused: new Wrong('accountConnected', { name: same.name }) };
    if (all.some((one) => one.name === name)) return { refused: new Wrong('connectionNameTaken', { name }) };
    await deps.storage.insertConnection(connection);
    return { refused: undefined };
  };
  // A holder of its own: two forms of one process wait for each other, too.
  const holder = randomBase62(HOLDER_LENGTH, deps.random);
  const claimed = await withClaim({ ...deps, holder }, 'add connection', insert, CLAIM_WAIT_MS);
  return claimed === undefined ? new Wrong('connectionBusy', { name }) : claimed.value.refused;
}

export interface ConnectionChanges extends ConnectionTerms {
  readonly allow?: readonly string[] | undefined;
  readonly disallow?: readonly string[] | undefined;
}

/** It is read at once. */
export async function updateConnection(
  deps: ConnectionDeps,
  name: string,
  changes: ConnectionChanges,
): Promise<Outcome<ConnectionView>> {
  return onAccount(deps, name, async (connection, rooms) => {
    const kind = findKind(connection.kind)!;
    const { settings: before } = connection;
    const settings = readSettings(kind, before, changes.settings ?? [], deps.calling.allowsPrivate);
    if (settings instanceof Wrong) return refuse(settings);
    const times = readTimes(
      { everyMs: connection.everySeconds * 1_000, maxAgeMs: connection.maxAgeSeconds * 1_000 },
      changes,
    );
    if (times instanceof Wrong) return refuse(times);
    const { allow = [], disallow = [] } = changes;
    const unknown = [...allow, ...disallow].find((reason) => !kind.allows.includes(reason));
    if (unknown !== undefined)
      return refuse(
        new Wrong('unknownReason', { reason: JSON.stringify(unknown), known: kind.allows.join(', ') || '-' }),
      );
    const allowed = [...new Set([...connection.allowed, ...allow])].filter((one) => !disallow.includes(one));
    const changed = { ...connection, settings, allowed, ...times, nextPollAtMs: deps.clock() };
    await deps.storage.updateConnection(changed);
    return done(viewConnection(changed, rooms, deps.clock()));
  });
}

/** Another key of the same account. */
export async function changeKey(deps: ConnectionDeps, name: string, text: string): Promise<Outcome<KeyView>> {
  return onAccount(deps, name, async (connection, rooms, turn) => {
    const kind = findKind(connection.kind)!;
    const key = readKey(kind, text);
    if (key instanceof Wrong) return refuse(key);
    const tried = await tryKey(deps, { ...connection, key, tokens: {} }, turn);
    if (!tried.ok) return tried;
    const { identity, rooms: listed, calls, tokens } = tried.value;
    if (identity.account !== connection.account) return refuse(new Wrong('keyOfOtherAccount'));
    const nowMs = deps.clock();
    const changed: Connection = {
      ...connection,
      key,
      tokens,
      calls,
      keyEndsAtMs: identity.keyEndsAtMs ?? null,
      rooms: listed,
      roomsAtMs: nowMs,
      failureCount: 0,
      failure: null,
      failureWrong: null,
      isRefused: false,
      nextPollAtMs: nowMs,
    };
    await deps.storage.updateConnection(changed);
    const warnings = identity.warnings.map(inEnglish);
    return done({ ...viewConnection(changed, rooms, nowMs), warnings });
  });
}

export type ReadView = ConnectionView & { readonly outcome: ReadOutcome; readonly changed: number };

/** Reads now, even if no read is due. A read that fails is an answer with `failed`. */
export function readNow(deps: ConnectionDeps, name: string): Promise<Outcome<ReadView>> {
  return onAccount(deps, name, async (connection, _rooms, turn) => {
    const { outcome, changed, connection: after } = await readConnection(deps, connection, turn);
    const rooms = await deps.storage.listConnectedRooms(name);
    const view = { ...viewConnection(after, rooms, deps.clock()), outcome, changed };
    const why = after.failureWrong;
    return done(
      view,
      outcome === 'failed' && why !== null ? new Wrong('connectionUnread', { name, why }) : undefined,
    );
  });
}

/** Applies the readings that are held back, as they were read. */
export function acceptHeld(deps: ConnectionDeps, name: string): Promise<Outcome<ReadView>> {
  return onAccount(deps, name, async (connection, rooms) => {
    const waiting = rooms.filter(({ held }) => held !== null);
    if (waiting.length === 0) return refuse(new Wrong('nothingHeldBack', { name }));
    let changed = 0;
    for (const source of sourcesOf(name)) {
      const own = Map.groupBy(
        waiting.filter((room) => room.source === source),
        ({ propertyId }) => propertyId,
      );
      const readings = Array.from(own, ([propertyId, ofProperty]) => ({
        propertyId,
        types: ofProperty.map(({ inventoryTypeId, held }) => replacing(inventoryTypeId, unpackHeld(held!))),
      }));
      // It says nothing of the property's other types, nor how old the reading is.
      changed += (await sendReadings(deps, source, readings, { isConfirming: false }))?.changed ?? 0;
    }
    const applied = waiting.map((room) => ({ ...room, held: null }));
    await deps.storage.putConnectedRooms(applied);
    const now = await deps.storage.listConnectedRooms(name);
    const outcome = changed > 0 ? 'changed' : 'unchanged';
    return done({ ...viewConnection(connection, now, deps.clock()), outcome, changed });
  });
}

export interface Removed {
  readonly name: string;
  readonly types: number;
  /** Nights that its layers close. */
  readonly closed: number;
  readonly dryRun: boolean;
}

/** Ends all its mappings, and deletes it with its key. */
export function removeConnection(
  deps: ConnectionDeps,
  name: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Outcome<Removed>> {
  return onAccount(deps, name, async (connection, rooms) => {
    const closed = await countClosed(deps, rooms);
    const removed = { name, types: rooms.length, closed, dryRun };
    if (dryRun) return done(removed);
    for (const { source, externalKey } of (await listMappings(deps, name)).values())
      await deps.storage.deleteSupplyMapping(source, externalKey);
    await settleMappings(deps, connection);
    await deps.storage.deleteConnection(name, sourcesOf(name));
    return done(removed);
  });
}

async function countClosed(deps: ConnectionDeps, rooms: readonly ConnectedRoom[]): Promise<number> {
  let count = 0;
  for (const { propertyId, inventoryTypeId, source } of rooms) {
    const found = await deps.storage.findLayers(propertyId);
    if (found === undefined) continue;
    count += countNights(closedNights(calendarOfLayer(found.layers, source, inventoryTypeId)));
  }
  return count;
}

/** After mappings changed elsewhere: deletes layers of those that ended, and lets the service read at once. */
export async function readMappingsAnew(deps: ConnectionDeps, name: string): Promise<void> {
  await onAccount(deps, name, async (connection) => done(await takeMappings(deps, connection)));
}

export function refuseUnknown(name: string) {
  return refuse(new Wrong('unknownConnection', { name: JSON.stringify(name) }), 'unknown');
}

/** Runs `work` as the one that works on the account, on what is mapped now. */
export async function onAccount<T>(
  deps: ConnectionDeps,
  name: string,
  work: (connection: Connection, rooms: readonly ConnectedRoom[], turn: AccountTurn) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const unknown = refuseUnknown(name);
  const listed = await deps.storage.findConnection(name);
  if (listed === undefined) return unknown;
  const run = async (renew: AccountTurn['renew']): Promise<Outcome<T>> => {
    const connection = await deps.storage.findConnection(name);
    if (connection === undefined) return unknown;
    return work(connection, await settleMappings(deps, connection), { renew });
  };
  const claimed = await withClaim(deps, taskOfAccount(listed), run, CLAIM_WAIT_MS);
  return claimed?.value ?? refuse(new Wrong('connectionBusy', { name }));
}

interface TriedKey {
  readonly identity: Identity;
  readonly rooms: readonly Room[];
  readonly calls: StoredCalls;
  readonly tokens: Readonly<Record<string, StoredToken>>;
}

type KeyToTry = Pick<Connection, 'name' | 'kind' | 'key' | 'settings' | 'allowed' | 'tokens' | 'calls'>;

/** The account that the key reaches; the calls that it took, and tokens made from it, are not stored yet. */
async function tryKey(
  deps: ConnectionDeps,
  connection: KeyToTry,
  turn: AccountTurn = { renew: () => Promise.resolve(true) },
): Promise<Outcome<TriedKey>> {
  let { calls, tokens } = connection;
  const unsaved = {
    async saveCalls(made: StoredCalls) {
      calls = made;
    },
    async saveTokens(made: typeof tokens) {
      tokens = made;
    },
  };
  try {
    return await withAccount(deps, connection, { ...turn, unsaved }, async (account) => {
      const [identity, rooms] = [await account.identify(), await account.listRooms()];
      return done({ identity, rooms, calls, tokens });
    });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    return refuse(new Wrong('keyRefused', { why: error.wrong }));
  }
}

function unknownKind(kind: string): Wrong {
  const known = CONNECTION_KINDS.map((one) => one.kind).join(', ');
  return new Wrong('unknownKind', { kind: JSON.stringify(kind), known });
}

/** One part a line; blank lines and spaces around are left out. */
function readKey(kind: ConnectionKind, text: string): Readonly<Record<string, string>> | Wrong {
  const names = kind.keyParts.map(({ name }) => name);
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length !== names.length || text.length > KEY_LENGTH_MAX || /[^\x21-\x7e\s]/.test(text))
    return new Wrong('keyForm', { count: names.length, parts: names.join(', ') });
  return Object.fromEntries(names.map((name, place) => [name, lines[place]!]));
}

function readSettings(
  kind: ConnectionKind,
  before: Connection['settings'],
  given: readonly string[],
  allowsPrivate: boolean,
): Connection['settings'] | Wrong {
  const settings = { ...before };
  for (const text of given) {
    const [name, value] = splitOnce(text, '=');
    if (name === BASE_SETTING) {
      if (!allowsPrivate) return new Wrong('baseForbidden');
      if (!isBase(value)) return new Wrong('baseForm');
      settings[name] = value.replace(/\/$/, '');
      continue;
    }
    const values = Object.hasOwn(kind.settings, name) ? kind.settings[name] : undefined;
    if (values?.includes(value) !== true) {
      const known = Object.entries(kind.settings).map(([own, all]) => `${own}=${all.join('|')}`);
      return new Wrong('unknownSetting', { setting: JSON.stringify(text), known: known.join(', ') || '-' });
    }
    settings[name] = value;
  }
  return settings;
}

/** https, or http to this machine. */
function isBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search } = new URL(text);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return username === '' && search === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}

function splitOnce(text: string, by: string): readonly [string, string] {
  const place = text.indexOf(by);
  return place === -1 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}

function readTimes(
  usual: { readonly everyMs: number; readonly maxAgeMs: number },
  { everyMs = usual.everyMs, maxAgeMs = Math.max(usual.maxAgeMs, 2 * everyMs) }: ConnectionTerms,
): Pick<Connection, 'everySeconds' | 'maxAgeSeconds'> | Wrong {
  if (everyMs < EVERY_MS.min || everyMs > EVERY_MS.max)
    return new Wrong('everyForm', { min: '5m', max: '6h', example: '15m' });
  if (maxAgeMs < 2 * everyMs || maxAgeMs > MAX_AGE_MS.max) return new Wrong('maxAgeForm', { max: '7d' });
  return { everySeconds: Math.round(everyMs / 1_000), maxAgeSeconds: Math.round(maxAgeMs / 1_000) };
}
