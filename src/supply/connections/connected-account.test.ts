/** An account at an invented Smoobu, over real sockets into a real database, with a clock that moves by hand. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FakeSmoobu, type SmoobuDate, startFakeSmoobu } from '../../../test/kit/pms/fake-smoobu.ts';
import { until } from '../../../test/kit/command-line.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { valueOf } from '../../../test/kit/value-of.ts';
import {
  calendarWork,
  nightEntry,
  send,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { Calendar } from '../../domain/calendar.ts';
import { sourceOfConnection } from '../../domain/layers.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { valueAt } from '../../domain/night-runs.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { inEnglish } from '../../domain/wrong.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { createMessageIds } from '../../storage/supply/message-id.ts';
import { findPriceLayer } from '../manual-override/price-layer.ts';
import { makeRoomCheck } from './check-rooms.ts';
import { compareStays } from './compare-stays.ts';
import * as changes from './connection-changes.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { createReadCounts, startConnectionPoller } from './connection-poller.ts';
import { viewRooms } from './connection-view.ts';
import { offerMade } from './make-documents.ts';
import { type MapDeps, mapRooms, type MapOptions } from './map-rooms.ts';
import { listMappings } from './mapped-rooms.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 30, 12);
const KEY = 'key-1\nsecret-1\n';
const PROPERTY = 'ponte';
const TYPE = suppliedWrite(PROPERTY, []).property.inventoryTypes[0]!.inventoryTypeId;

let nowMs = START_MS;
let database: TemporaryStorage;
let smoobu: FakeSmoobu;
let deps: MapDeps;

before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  const account = { customer: 9, key: 'key-1', secret: 'secret-1', apartments: [] };
  smoobu = await startFakeSmoobu({ account, nowMs: () => nowMs });
});
after(async () => {
  await smoobu.stop();
  await database.close();
});
beforeEach(async () => {
  nowMs += 10 * DAY_MS;
  smoobu.mischief = undefined;
  deps = depsOf('this');
  for (const { name } of await database.storage.listConnections())
    valueOf(await changes.removeConnection(deps, name, { dryRun: false }));
  smoobu.account.apartments = [
    {
      id: 12,
      name: 'Ponte Vecchio',
      guests: 3,
      currency: 'EUR',
      timeZone: 'Europe/Rome',
      city: 'Rome',
      country: 'IT',
      dates: datesOf(0, 60),
    },
  ];
  await database.storage.writeProperties([
    suppliedWrite(PROPERTY, [[nightEntry(-30, 800, { availability: 2, rate: 5_000 })]], {
      timezone: 'Europe/Rome',
    }),
  ]);
});

function depsOf(holder: string): MapDeps {
  return {
    storage: database.storage,
    clock: () => nowMs,
    random: randomBytes,
    holder,
    newMessageId: createMessageIds(() => randomBytes(8).toString('hex')),
    horizonNights: 90,
    calling: { allowsPrivate: true },
  };
}

/** The day so many nights from today, in Rome. */
function day(offset: number): string {
  return new Date(nowMs + offset * DAY_MS).toISOString().slice(0, 10);
}

function datesOf(from: number, until: number, night: SmoobuDate = { price: 100, available: 1 }) {
  const offsets = Array.from({ length: until - from }, (_, index) => from + index);
  return Object.fromEntries(offsets.map((offset) => [day(offset), night]));
}

async function connect(mapsType = true): Promise<void> {
  valueOf(
    await changes.addConnection(deps, { kind: 'smoobu', key: KEY, settings: [`base=${smoobu.origin}`] }),
  );
  if (mapsType)
    await database.storage.putSupplyMappings([
      {
        source: sourceOfConnection('smoobu', { withPrices: true }),
        externalKey: '12',
        propertyId: PROPERTY,
        inventoryTypeId: TYPE,
      },
    ]);
}

async function read(): Promise<string> {
  const outcome = valueOf(await changes.readNow(deps, 'smoobu'));
  return outcome.message === null ? outcome.outcome : `${outcome.outcome}: ${outcome.message}`;
}

async function stateNow(): Promise<string> {
  const connection = (await database.storage.findConnection('smoobu'))!;
  return connection.isRefused ? 'refused' : (connection.failureWrong?.code ?? 'good');
}

/** The night as partners see it. */
async function night(offset: number) {
  const calendar = await seen();
  const at = parseLocalDate(day(offset))!;
  const [units, rate] = [valueAt(calendar.availability, at), valueAt(calendar.rate, at)];
  const isOpen = units !== undefined && units > 0 && valueAt(calendar.stopSell, at) !== 1;
  return isOpen ? (rate ?? 'no price') : 'closed';
}

async function seen(): Promise<Calendar> {
  const { calendars } = (await database.storage.findProperty(PROPERTY))!;
  return decodeCalendar(calendars[0]!.nights, calendars[0]!.rates);
}

function problemOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? '' : inEnglish(outcome.problem);
}

const MAP_OPTIONS: MapOptions = {
  isSuggested: true,
  isCreating: false,
  isEachRoom: false,
  withPrices: true,
  dryRun: false,
};

describe('A connected account', () => {
  it('closes what is booked, prices what is free, and closes what it does not mention', async () => {
    smoobu.account.apartments[0]!.dates = {
      ...datesOf(0, 60),
      [day(5)]: { price: 100, available: 0 },
      [day(6)]: { price: null, available: 1 },
      [day(7)]: { price: 80.5, available: 1, min_length_of_stay: 3 },
    };
    await connect();
    assert.equal(await read(), 'changed');
    assert.deepEqual(
      [await night(4), await night(5), await night(6), await night(7), await night(60)],
      [10_000, 'closed', 'no price', 8_050, 'closed'],
    );
    assert.equal(valueAt((await seen()).minStayArrival, parseLocalDate(day(7))!), 3);
    assert.equal(await read(), 'unchanged');
    assert.deepEqual(smoobu.violations, []);
  });

  it('prices alone: others are refused with its name, and an old price never comes back', async () => {
    await connect();
    await read();
    const layered = (await database.storage.findLayers(PROPERTY))!;
    const system = { ...deps, storage: database.storage };
    assert.match(problemOf(await findPriceLayer(system, layered, TYPE)), /connection:smoobu/);
    const set = { rate: 1 };
    const byHand = calendarWork([
      { propertyId: PROPERTY, inventoryTypeId: TYPE, entries: [nightEntry(0, 9, set)] },
    ]);
    const { refusals } = await send(database.storage, 'manual', byHand);
    assert.deepEqual(
      refusals.map(({ reason, owner }) => [reason, owner]),
      [['price-refused', 'connection:smoobu']],
    );
    smoobu.account.apartments[0]!.dates = datesOf(0, 60, { price: 0, available: 1 });
    assert.equal(await read(), 'changed');
    assert.equal(await night(3), 'no price');
  });

  it('gives back nights and prices when its mapping ends', async () => {
    await connect();
    await read();
    assert.equal(await night(3), 10_000);
    await database.storage.deleteSupplyMapping(sourceOfConnection('smoobu', { withPrices: true }), '12');
    await changes.readMappingsAnew(deps, 'smoobu');
    assert.equal(await night(3), 5_000);
    assert.equal(await night(70), 5_000);
  });

  it('leaves prices to others where it is mapped without them', async () => {
    await connect(false);
    const [mapping] = [{ externalKey: '12', propertyId: PROPERTY, inventoryTypeId: TYPE }];
    const source = sourceOfConnection('smoobu', { withPrices: false });
    await database.storage.putSupplyMappings([{ source, ...mapping! }]);
    assert.equal(await read(), 'changed');
    assert.deepEqual([await night(3), await night(70)], [5_000, 'closed']);
  });
});

describe('A reading that cannot be used', () => {
  for (const mischief of [
    'failureAs200',
    'cutText',
    'webPage',
    'extraRoom',
    'serverError',
    'redirect',
    'echoesKey',
  ] as const) {
    it(`leaves the nights as they are: ${mischief}`, async () => {
      await connect();
      await read();
      smoobu.account.apartments[0]!.dates = datesOf(0, 10);
      smoobu.mischief = mischief;
      assert.match(await read(), /^failed: /);
      assert.equal(await night(30), 10_000);
      const stored = JSON.stringify(await database.storage.findConnection('smoobu'));
      assert.doesNotMatch(stored.replace('"key":{"key":"key-1","secret":"secret-1"}', ''), /secret-1/);
    });
  }

  it('asks for a person where the key is wrong, and waits longer each time otherwise', async () => {
    await connect();
    await read();
    const { key } = smoobu.account;
    Object.assign(smoobu.account, { key: 'another' });
    await read();
    assert.equal(await stateNow(), 'refused');
    Object.assign(smoobu.account, { key });
    assert.equal(await read(), 'unchanged');
    assert.equal(await stateNow(), 'good');
  });

  it('keeps to the wait that a refusal for too many calls asks for', async () => {
    await connect();
    await read();
    smoobu.mischief = 'tooManyRetryAfter';
    assert.match(await read(), /refuses further calls/);
    smoobu.mischief = undefined;
    const { calls } = (await database.storage.findConnection('smoobu'))!;
    assert.ok(calls.notBeforeMs >= nowMs + 120_000);
    const asked = smoobu.calls.length;
    const waited: number[] = [];
    const patient: ConnectionDeps = {
      ...deps,
      sleep: async (ms) => {
        waited.push(ms);
        nowMs += ms;
      },
    };
    assert.equal(valueOf(await changes.readNow(patient, 'smoobu')).outcome, 'unchanged');
    assert.ok(waited.reduce((sum, ms) => sum + ms, 0) >= 120_000, 'the call waited');
    assert.ok(smoobu.calls.length > asked);
  });

  it('closes a type that was not read for too long, and opens it with the next good reading', async () => {
    await connect();
    await read();
    smoobu.mischief = 'serverError';
    nowMs += 23 * 3_600_000;
    await read();
    assert.equal(await night(3), 10_000);
    nowMs += 2 * 3_600_000;
    await read();
    assert.equal(await night(3), 'closed');
    smoobu.mischief = undefined;
    assert.equal(await read(), 'changed');
    assert.equal(await night(3), 10_000);
  });
});

describe('An account that is read by the clock', () => {
  it('is counted once for each reading, by its outcome', async () => {
    await connect();
    const counts = createReadCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    const sleep = async (ms: number) => void (nowMs += ms);
    const poller = startConnectionPoller({ ...deps, sleep, logger, counts, roundMs: 5 });
    await until(async () => counts.changed > 0);
    for (const [outcome, mischief] of [
      ['unchanged', undefined],
      ['failed', 'serverError'],
      ['failed', 'serverError'],
      ['unchanged', undefined],
    ] as const) {
      const before = counts[outcome];
      smoobu.mischief = mischief;
      nowMs += DAY_MS / 24;
      await until(async () => counts[outcome] > before);
    }
    await poller.stop();
    assert.deepEqual(counts, { changed: 1, unchanged: 2, held: 0, failed: 2 });
  });
});

describe('A reading that is held back', () => {
  it('opens half of the closed nights when the account says so a second time', async () => {
    smoobu.account.apartments[0]!.dates = {
      ...datesOf(0, 95),
      ...datesOf(10, 20, { price: 100, available: 0 }),
    };
    await connect();
    await read();
    smoobu.account.apartments[0]!.dates = {
      ...datesOf(0, 95),
      ...datesOf(40, 45, { price: 100, available: 0 }),
    };
    assert.equal(await read(), 'held');
    assert.deepEqual([await night(12), await night(42)], ['closed', 'closed'], 'closings apply at once');
    assert.equal(await read(), 'changed');
    assert.deepEqual([await night(12), await night(42)], [10_000, 'closed']);
  });

  it('lets prices fall by half only when a person accepts, and raises others at once', async () => {
    await connect();
    await read();
    smoobu.account.apartments[0]!.dates = {
      ...datesOf(0, 60, { price: 1, available: 1 }),
      [day(2)]: { price: 150, available: 1 },
    };
    assert.equal(await read(), 'held');
    assert.equal(await read(), 'held');
    assert.deepEqual([await night(2), await night(3)], [15_000, 10_000]);
    assert.equal(valueOf(await changes.acceptHeld(deps, 'smoobu')).outcome, 'changed');
    assert.deepEqual([await night(2), await night(3)], [15_000, 100]);
    assert.equal(await read(), 'unchanged');
  });

  it('takes a lost price at once', async () => {
    await connect();
    await read();
    smoobu.account.apartments[0]!.dates = datesOf(0, 60, { price: null, available: 1 });
    assert.equal(await read(), 'changed');
    assert.equal(await night(3), 'no price');
  });
});

describe('Acts on a connection', () => {
  it('store nothing when the key fails, and refuse the same account, another one, and other names', async () => {
    const wrong = await changes.addConnection(deps, {
      kind: 'smoobu',
      key: 'key-1\nwrong',
      settings: [`base=${smoobu.origin}`],
    });
    assert.match(problemOf(wrong), /the key could not be used/);
    assert.deepEqual(await database.storage.listConnections(), []);
    await connect(false);
    const settings = [`base=${smoobu.origin}`];
    assert.match(
      problemOf(await changes.addConnection(deps, { kind: 'smoobu', name: 'b', key: KEY, settings })),
      /connected already/,
    );
    assert.match(
      problemOf(await changes.addConnection(deps, { kind: 'smoobu', key: KEY, settings })),
      /--name/,
    );
    assert.match(problemOf(await changes.addConnection(deps, { kind: 'x', key: KEY })), /smoobu, beds24/);
    assert.match(
      problemOf(await changes.addConnection(deps, { kind: 'smoobu', name: 'B_', key: KEY, settings })),
      /a-z 0-9/,
    );
    assert.match(
      problemOf(await changes.addConnection(deps, { kind: 'smoobu', name: 'b', key: 'one' })),
      /2 lines: key, secret/,
    );
    const elsewhere = { ...deps, calling: { allowsPrivate: false } };
    assert.match(
      problemOf(await changes.addConnection(elsewhere, { kind: 'smoobu', name: 'b', key: KEY, settings })),
      /CONNECTIONS_ALLOW_PRIVATE/,
    );
    Object.assign(smoobu.account, { customer: 10 });
    assert.match(problemOf(await changes.changeKey(deps, 'smoobu', KEY)), /another account/);
    Object.assign(smoobu.account, { customer: 9 });
    assert.equal(valueOf(await changes.changeKey(deps, 'smoobu', KEY)).state, 'new');
  });

  it('map what a name suggests, and make documents of the others, which offer shows to partners', async () => {
    const [stored] = [
      suppliedWrite(PROPERTY, [[nightEntry(-30, 800, { availability: 2 })]], { name: 'Pónte  vecchio' }),
    ];
    await database.storage.writeProperties([stored!]);
    smoobu.account.apartments.push({
      id: 13,
      name: 'Attico',
      guests: 2,
      currency: 'EUR',
      timeZone: 'Europe/Rome',
      dates: datesOf(0, 60),
    });
    await connect(false);
    const planned = valueOf(
      await mapRooms(deps, 'smoobu', {
        ...MAP_OPTIONS,
        isCreating: true,
        city: 'Rome',
        country: 'IT',
        dryRun: true,
      }),
    );
    assert.deepEqual(
      planned.map(({ room, outcome, closes, prices }) => [room, outcome, closes, prices]),
      [
        ['12', 'mapped', 30, 60],
        ['13', 'created', 0, 60],
      ],
    );
    assert.equal((await listMappings(deps, 'smoobu')).size, 0);
    const without = valueOf(
      await mapRooms(deps, 'smoobu', { ...MAP_OPTIONS, isCreating: true, dryRun: true }),
    );
    assert.match(without[1]!.note!, /location/);
    const mapped = valueOf(
      await mapRooms(deps, 'smoobu', { ...MAP_OPTIONS, isCreating: true, city: 'Rome', country: 'IT' }),
    );
    assert.deepEqual(
      mapped.map(({ propertyId, inventoryTypeId }) => `${propertyId} ${inventoryTypeId}`),
      [`${PROPERTY} ${TYPE}`, 'smoobu-13 13'],
    );
    await read();
    // As after an act that ended between its documents and its mappings.
    await database.storage.deleteSupplyMapping(sourceOfConnection('smoobu', { withPrices: true }), '13');
    const again = valueOf(
      await mapRooms(deps, 'smoobu', { ...MAP_OPTIONS, isSuggested: false, isCreating: true }),
    );
    assert.deepEqual(
      again.map(({ room, outcome }) => [room, outcome]),
      [['13', 'refused']],
    );
    const location = { city: 'Rome', country: 'IT' };
    const third = valueOf(
      await mapRooms(deps, 'smoobu', { ...MAP_OPTIONS, isSuggested: false, isCreating: true, ...location }),
    );
    assert.deepEqual(
      third.map(({ room, outcome }) => [room, outcome]),
      [['13', 'created']],
    );
    const made = (await database.storage.findProperty('smoobu-13'))!;
    assert.deepEqual(made.property.visibleTo, []);
    const rooms = await database.storage.listConnectedRooms('smoobu');
    const connection = (await database.storage.findConnection('smoobu'))!;
    assert.deepEqual(await offerMade(deps, connection, rooms), ['smoobu-13']);
    assert.deepEqual(await offerMade(deps, connection, rooms), []);
    assert.equal((await database.storage.findProperty('smoobu-13'))!.property.visibleTo, 'all');
    const [first] = viewRooms(connection, rooms, await listMappings(deps, 'smoobu'), new Map());
    assert.deepEqual([first!.propertyId, first!.prices, first!.guests], [PROPERTY, true, 3]);
  });

  it('give a type to one room of all connections, by name, by a file and one by one', async () => {
    smoobu.account.apartments.push({ ...smoobu.account.apartments[0]!, id: 15, name: 'Mansarda' });
    await connect(false);
    const check = makeRoomCheck(database.storage);
    const source = sourceOfConnection('smoobu', { withPrices: true });
    const place = { propertyId: PROPERTY, inventoryTypeId: TYPE };
    assert.equal(await check({ source, externalKey: '12', ...place }), undefined);
    assert.equal((await check({ source, externalKey: '15', ...place }))?.code, 'typeConnected');
    assert.equal(await check({ source: 'channex', externalKey: '15', ...place }), undefined);
    const nothing = { ...place, inventoryTypeId: 'no-such-type' };
    assert.equal((await check({ source, externalKey: '15', ...nothing }))?.code, 'unknownType');
    await database.storage.putSupplyMappings([{ source, externalKey: '12', ...place }]);
    Object.assign(smoobu.account, { customer: 77 });
    const settings = [`base=${smoobu.origin}`];
    valueOf(await changes.addConnection(deps, { kind: 'smoobu', name: 'other', key: KEY, settings }));
    Object.assign(smoobu.account, { customer: 9 });
    await database.storage.writeProperties([suppliedWrite(PROPERTY, [undefined], { name: 'Mansarda' })]);
    const suggested = valueOf(await mapRooms(deps, 'other', { ...MAP_OPTIONS, dryRun: true }));
    assert.deepEqual(
      suggested.map(({ room, outcome }) => [room, outcome]),
      [['15', 'refused']],
    );
  });

  it('connect an account once, though two add it at once', async () => {
    const settings = [`base=${smoobu.origin}`];
    const add = (holder: string) =>
      changes.addConnection(depsOf(holder), { kind: 'smoobu', name: holder, key: KEY, settings });
    const addHere = () =>
      changes.addConnection(depsOf('one'), { kind: 'smoobu', name: 'here', key: KEY, settings });
    // One process has one holder.
    const added = await Promise.all([add('one'), add('other'), addHere()]);
    assert.deepEqual(added.map(({ ok }) => ok).toSorted(), [false, false, true]);
    assert.equal((await database.storage.listConnections()).length, 1);
  });

  it('tell a database that is away from an account that answers wrongly', async () => {
    await connect();
    const away = new StorageUnavailable('away');
    const storage = { ...database.storage, saveConnectionCalls: () => Promise.reject(away) };
    await assert.rejects(changes.readNow({ ...deps, storage }, 'smoobu'), away);
  });

  it('count what an end would open, and end it', async () => {
    await connect();
    await read();
    const { closed, types } = valueOf(await changes.removeConnection(deps, 'smoobu', { dryRun: true }));
    assert.deepEqual([types, closed], [1, 31]);
    valueOf(await changes.removeConnection(deps, 'smoobu', { dryRun: false }));
    assert.equal(await night(70), 5_000);
    assert.match(problemOf(await changes.readNow(deps, 'smoobu')), /no connection/);
  });

  it('let one process work on an account', async () => {
    await connect();
    const [one, other] = [depsOf('one'), depsOf('other')];
    const both = await Promise.all([changes.readNow(one, 'smoobu'), changes.readNow(other, 'smoobu')]);
    assert.deepEqual(both.map((outcome) => valueOf(outcome).outcome).toSorted(), ['changed', 'unchanged']);
  });
});

describe('A comparison', () => {
  it('is made of the rooms that are read, where one is not', async () => {
    smoobu.account.apartments.push({ ...smoobu.account.apartments[0]!, id: 16, name: 'Soffitta' });
    await connect();
    const location = { city: 'Rome', country: 'IT' };
    valueOf(
      await mapRooms(deps, 'smoobu', { ...MAP_OPTIONS, isSuggested: false, isCreating: true, ...location }),
    );
    smoobu.account.apartments[1] = { ...smoobu.account.apartments[1]!, currency: 'USD' };
    nowMs += 2 * DAY_MS;
    smoobu.account.apartments[0]!.dates = datesOf(0, 60);
    assert.match(await read(), /^failed: its currency is USD/);
    const compared = valueOf(await compareStays(deps, 'smoobu', { stays: 8, seed: 3 }));
    assert.ok(compared.some(({ propertyId, verdict }) => propertyId === PROPERTY && verdict === 'equal'));
  });

  it('finds the same prices, explains a fee to the cent, and fails for a stay that is closed there', async () => {
    await connect();
    await read();
    const same = valueOf(await compareStays(deps, 'smoobu', { stays: 12, seed: 1 }));
    assert.ok(same.length >= 9);
    assert.deepEqual([...new Set(same.map(({ verdict }) => verdict))], ['equal']);
    assert.ok(same.some(({ ours }) => ours.accommodation !== null));
    smoobu.account.apartments[0]!.refusal = 402;
    const refused = await compareStays(deps, 'smoobu', { stays: 4, seed: 1 });
    assert.ok(refused.ok && refused.failed !== undefined);
    const [first] = refused.value;
    assert.deepEqual(
      [first!.verdict, first!.ours.available, first!.theirs.available],
      ['unexplained', true, false],
    );
    assert.equal(typeof first!.theirs.reason, 'string');
  });
});
