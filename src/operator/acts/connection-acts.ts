/** Connections: calendars and prices from the operator's own account at a property management system. */
import { done } from '../../domain/outcome.ts';
import { Wrong } from '../../domain/wrong.ts';
import { compareStays, STAYS_MAX, STAYS_USUAL } from '../../supply/connections/compare-stays.ts';
import * as changes from '../../supply/connections/connection-changes.ts';
import type { ConnectionDeps } from '../../supply/connections/connection-deps.ts';
import { listConnectionViews, viewKinds, viewRooms } from '../../supply/connections/connection-view.ts';
import { offerMade } from '../../supply/connections/make-documents.ts';
import { mapRooms } from '../../supply/connections/map-rooms.ts';
import { listMappings } from '../../supply/connections/mapped-rooms.ts';
import { suggestTypes } from '../../supply/connections/suggest-types.ts';
import { act, type ActPorts, flag, optional, repeated, required, withFallback } from './act.ts';
import { anyText, duration, notBlank, wholeNumber } from './values.ts';

const SEED_MAX = 4_294_967_295;

const CONNECTION = { name: required(anyText, '<name>', 'name of the connection') };
const TERMS = {
  setting: repeated(notBlank, '--setting <name=value>', 'setting of its kind; repeat for several'),
  every: optional(duration, '--every <duration>', 'how often it is read: 5m to 6h, 15m unless given'),
  maxAge: optional(
    duration,
    '--max-age <duration>',
    'nights close after so long without a good read: twice --every to 7d, 24h unless given',
  ),
};
const KEY_FILE = optional(
  anyText,
  '--key-file <file>',
  'file with the parts of the key, one a line; standard input unless given',
);

const kindsAct = act({
  name: 'connection kinds',
  right: 'viewer',
  about: 'list the systems that can be connected, and what is read from each',
  input: {},
  examples: ['connection kinds'],
  audit: 'reads',
  run: () => Promise.resolve(done(viewKinds())),
  print: { columns: ['kind', 'key', 'reads', 'byHand', 'limit', 'live'], empty: '' },
});

const listConnectionsAct = act({
  name: 'connection list',
  right: 'viewer',
  about: 'list connections and what came of their last read',
  input: {},
  examples: ['connection list'],
  audit: 'reads',
  async run({ storage, clock }) {
    return done(await listConnectionViews(storage, clock()));
  },
  print: {
    columns: [
      ...(['name', 'kind', 'account', 'state', 'types', 'unmapped', 'unpriced', 'held'] as const),
      ...(['lastReadAt', 'nextReadAt', 'message'] as const),
    ],
    empty: 'There are no connections yet; "stayport connection add" makes one.',
  },
});

const roomsAct = act({
  name: 'connection rooms',
  right: 'viewer',
  about: 'list the rooms of an account, the types that they are mapped to, and what has to be set by hand',
  input: CONNECTION,
  examples: ['connection rooms smoobu'],
  audit: 'reads',
  async run({ storage }, { name }) {
    const connection = await storage.findConnection(name);
    if (connection === undefined) return changes.refuseUnknown(name);
    const mappings = await listMappings({ storage }, name);
    const free = connection.rooms.filter(({ room }) => !mappings.has(room));
    const suggested = await suggestTypes(storage, free, [...mappings.values()]);
    return done(viewRooms(connection, await storage.listConnectedRooms(name), mappings, suggested));
  },
  print: {
    columns: [
      ...(['room', 'name', 'guests', 'currency', 'timezone', 'propertyId', 'inventoryTypeId'] as const),
      ...(['prices', 'suggested', 'unpriced', 'byHand'] as const),
    ],
    empty: 'The account has no rooms.',
    cells: ({ suggested, unpriced, ...row }) => ({
      ...row,
      suggested: suggested === null ? null : `${suggested.propertyId} ${suggested.inventoryTypeId}`,
      unpriced: unpriced.map(({ reason, nights }) => `${reason} ${nights}`),
    }),
  },
});

export const addConnectionAct = act({
  name: 'connection add',
  right: 'admin',
  about: 'connect an account; tries the key, and stores nothing if that fails',
  input: {
    kind: required(anyText, '<kind>', 'which system, as "connection kinds" lists them'),
    name: optional(anyText, '--name <name>', '1 to 40 of a-z 0-9 -; the kind unless given'),
    keyFile: KEY_FILE,
    ...TERMS,
  },
  examples: ['connection add smoobu --key-file key.txt'],
  audit: ({ kind, name }) => name ?? kind,
  async run(ports, { keyFile, setting, every, maxAge, ...given }) {
    const key = await ports.readSecret(keyFile);
    if (!key.ok) return key;
    const terms = { settings: setting, everyMs: every, maxAgeMs: maxAge };
    const added = await changes.addConnection(connectionPorts(ports), { ...given, ...terms, key: key.value });
    if (!added.ok) return added;
    const { name, kind, account } = added.value;
    ports.tell(null, { kind, account });
    ports.note(
      `Its rooms: stayport connection rooms ${name}; to map them: stayport connection map ${name} --suggested`,
    );
    return added;
  },
  print: 'fields',
});

export const updateConnectionAct = act({
  name: 'connection update',
  right: 'admin',
  about: 'change settings, intervals, and which inexact prices are taken; it is read at once',
  input: {
    ...CONNECTION,
    ...TERMS,
    allow: repeated(
      notBlank,
      '--allow <reason>',
      'take the prices of nights with this reason; repeat for several',
    ),
    disallow: repeated(notBlank, '--disallow <reason>', 'take them no longer'),
  },
  examples: ['connection update beds24 --every 30m --allow multiplier'],
  audit: ({ name }) => name,
  check: ({ setting, every, maxAge, allow, disallow }) =>
    [setting, every, maxAge, allow, disallow].every((given) => given === undefined)
      ? new Wrong('nothingToChange')
      : undefined,
  async run(ports, { name, setting, every, maxAge, allow, disallow }) {
    const terms = { settings: setting, everyMs: every, maxAgeMs: maxAge, allow, disallow };
    const updated = await inTurnOfAccount(ports, name, (deps) => changes.updateConnection(deps, name, terms));
    if (updated.ok)
      ports.tell(null, { settings: setting ?? [], allow: allow ?? [], disallow: disallow ?? [] });
    return updated;
  },
  print: 'fields',
});

export const connectionKeyAct = act({
  name: 'connection key',
  right: 'admin',
  about: 'take another key of the same account',
  input: { ...CONNECTION, keyFile: KEY_FILE },
  examples: ['connection key smoobu --key-file key.txt'],
  audit: ({ name }) => name,
  async run(ports, { name, keyFile }) {
    const key = await ports.readSecret(keyFile);
    if (!key.ok) return key;
    const changed = await inTurnOfAccount(ports, name, (deps) => changes.changeKey(deps, name, key.value));
    if (changed.ok) ports.tell(null, { key: 'changed' });
    return changed;
  },
  print: 'fields',
});

export const mapRoomsAct = act({
  name: 'connection map',
  right: 'admin',
  about: 'map rooms to inventory types: those that an id or a name suggests, and documents for the others',
  input: {
    ...CONNECTION,
    suggested: flag('--suggested', 'map the rooms that have a suggestion'),
    create: flag('--create', 'make documents of the others, which no partner sees until "connection offer"'),
    eachRoom: flag('--each-room', 'with --create: a property for each room, not one for each of the account'),
    withoutPrices: flag('--no-prices', 'take the nights, and leave prices to the source that sets them now'),
    city: optional(notBlank, '--city <city>', 'with --create: where the account names none'),
    country: optional(notBlank, '--country <code>', 'with --create: ISO 3166-1, such as IT'),
    timezone: optional(notBlank, '--timezone <zone>', 'with --create: IANA, such as Europe/Rome'),
    type: optional(notBlank, '--type <type>', 'with --create: property type, apartment unless given'),
    bathrooms: optional(wholeNumber(0, 50), '--bathrooms <n>', 'with --create: 1 unless given'),
    dryRun: flag('--dry-run', 'store nothing; say what the first read would change'),
  },
  examples: ['connection map smoobu --suggested --create --city Rome --country IT --dry-run'],
  audit: ({ name }) => name,
  check: ({ suggested, create }) =>
    suggested === undefined && create === undefined ? new Wrong('nothingToMapBy') : undefined,
  async run(ports, { name, suggested, create, eachRoom, withoutPrices, dryRun, type, ...given }) {
    const options = {
      ...given,
      propertyType: type,
      isSuggested: suggested === true,
      isCreating: create === true,
      isEachRoom: eachRoom === true,
      withPrices: withoutPrices !== true,
      dryRun: dryRun === true,
    };
    const mapped = await inTurnOfAccount(ports, name, (deps) => mapRooms(deps, name, options));
    if (mapped.ok && !options.dryRun) {
      const of = (outcome: string): number => mapped.value.filter((row) => row.outcome === outcome).length;
      ports.tell(null, { mapped: of('mapped'), created: of('created'), refused: of('refused') });
      ports.note(`A running service reads them at once; so does: stayport connection read ${name}`);
    }
    return mapped;
  },
  document: (rows) => rows.map(({ noteWrong: _inEnglish, ...row }) => row),
  print: {
    columns: [
      ...([
        'room',
        'name',
        'propertyId',
        'inventoryTypeId',
        'outcome',
        'closes',
        'prices',
        'unpriced',
      ] as const),
      'note',
    ],
    empty: 'Every room is mapped.',
  },
});

export const offerConnectionAct = act({
  name: 'connection offer',
  right: 'admin',
  about: 'show to all partners what "connection map --create" made, if nobody sees it yet',
  input: CONNECTION,
  examples: ['connection offer smoobu'],
  audit: ({ name }) => name,
  async run(ports, { name }) {
    const connection = await ports.storage.findConnection(name);
    if (connection === undefined) return changes.refuseUnknown(name);
    const offered = await offerMade(ports, connection, await ports.storage.listConnectedRooms(name));
    ports.tell(null, { offered: offered.length });
    return done({ name, offered });
  },
  print: ({ offered }) =>
    offered.length === 0
      ? 'Nothing to offer: all that was made is offered, or was changed.'
      : offered.join('\n'),
});

export const removeConnectionAct = act({
  name: 'connection remove',
  right: 'admin',
  about: 'end all its mappings and delete it with its key: its nights are what others say, and so are prices',
  input: { ...CONNECTION, dryRun: flag('--dry-run', 'only count what it would end') },
  examples: ['connection remove smoobu --dry-run'],
  audit: ({ name }) => name,
  async run(ports, { name, dryRun }) {
    const options = { dryRun: dryRun === true };
    const removed = await inTurnOfAccount(ports, name, (deps) =>
      changes.removeConnection(deps, name, options),
    );
    if (removed.ok && !options.dryRun) ports.tell({ types: removed.value.types }, 'done');
    return removed;
  },
  print: 'fields',
});

export const readConnectionAct = act({
  name: 'connection read',
  right: 'operator',
  about: 'read an account now; a running service reads by itself',
  input: CONNECTION,
  examples: ['connection read smoobu'],
  audit: ({ name }) => name,
  run: (ports, { name }) => inTurnOfAccount(ports, name, (deps) => changes.readNow(deps, name)),
  print: 'fields',
});

export const acceptConnectionAct = act({
  name: 'connection accept',
  right: 'operator',
  about:
    'apply what was held back because it would open half of the closed nights, or halve half of the prices',
  input: CONNECTION,
  examples: ['connection accept smoobu'],
  audit: ({ name }) => name,
  run: (ports, { name }) => inTurnOfAccount(ports, name, (deps) => changes.acceptHeld(deps, name)),
  print: 'fields',
});

export const compareConnectionAct = act({
  name: 'connection compare',
  right: 'operator',
  about: 'ask the system for some stays and price the same ones here; fails while a stay is unexplained',
  input: {
    ...CONNECTION,
    stays: withFallback(wholeNumber(1, STAYS_MAX), '--stays <n>', 'how many', STAYS_USUAL),
    seed: withFallback(wholeNumber(0, SEED_MAX), '--seed <n>', 'the same number asks the same stays', 1),
  },
  examples: ['connection compare smoobu --stays 40'],
  audit: ({ name }) => name,
  run: (ports, { name, ...options }) =>
    inTurnOfAccount(ports, name, (deps) => compareStays(deps, name, options)),
  print: {
    columns: [
      ...(['propertyId', 'inventoryTypeId', 'checkIn', 'checkOut', 'guests', 'theirs', 'ours'] as const),
      ...(['difference', 'explained', 'verdict'] as const),
    ],
    empty: 'No stay could be asked.',
    cells: ({ theirs, ours, explained, ...row }) => ({
      ...row,
      theirs: saySide(theirs.available, theirs.price, theirs.reason),
      ours: saySide(ours.available, ours.accommodation, ours.reason),
      explained: explained.map(({ what, amount }) => (amount === null ? what : `${what} ${amount}`)),
    }),
  },
});

/** `285.00`, `open`, `closed: MIN_STAY`; null where nothing is said. */
function saySide(available: boolean | null, price: string | null, reason: string | null): string | null {
  if (available === null) return null;
  if (available) return price ?? 'open';
  return reason === null ? 'closed' : `closed: ${reason}`;
}

export const CONNECTION_ACTS = [
  kindsAct,
  listConnectionsAct,
  roomsAct,
  addConnectionAct,
  updateConnectionAct,
  connectionKeyAct,
  mapRoomsAct,
  offerConnectionAct,
  removeConnectionAct,
  readConnectionAct,
  acceptConnectionAct,
  compareConnectionAct,
];

/** Waits for another system: a service does only a few such acts at once, on each connection one. */
export function inTurnOfAccount<T>(
  ports: ActPorts,
  name: string,
  work: (deps: ReturnType<typeof connectionPorts>) => Promise<T>,
): Promise<T> {
  return ports.inTurn(name, () => work(connectionPorts(ports)));
}

/** The ports that work on connections needs. */
export function connectionPorts(ports: ActPorts): ConnectionDeps & Pick<ActPorts, 'storage'> {
  return { ...ports, calling: { allowsPrivate: ports.connectionsAllowPrivate } };
}
