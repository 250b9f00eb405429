/**
 * Days of an account that three processes read: it changes, fails in all its ways, processes are killed in the middle of
 * a read, and the database goes back to a backup. After each step the nights that partners see are held against what the
 * account has said.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '../../../test/kit/catalogue-samples.ts';
import { openAccountHere } from '../../../test/kit/pms/account-here.ts';
import type { Mischief } from '../../../test/kit/pms/fake-server.ts';
import { type FakeSmoobu, type SmoobuDate, startFakeSmoobu } from '../../../test/kit/pms/fake-smoobu.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { valueOf } from '../../../test/kit/value-of.ts';
import { nightEntry, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { sourceOfConnection } from '../../domain/layers.ts';
import { formatLocalDate, localToday } from '../../domain/local-date.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { createMessageIds } from '../../storage/supply/message-id.ts';
import { CLAIM_MS, withClaim } from '../polling/claims.ts';
import { acceptHeld, addConnection, removeConnection } from './connection-changes.ts';
import { type ConnectionDeps, taskOfAccount } from './connection-deps.ts';
import { readConnection } from './read-connection.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HORIZON = 20;
const STEPS = 120;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const ZONE = 'Europe/Rome';
const PROPERTY = 'ponte';
const TYPE = suppliedWrite(PROPERTY, []).property.inventoryTypes[0]!.inventoryTypeId;
const MISCHIEFS: readonly Mischief[] = [
  ...(['failureAs200', 'cutText', 'webPage', 'extraRoom', 'tooMany', 'tooManyOtherwise'] as const),
  ...(['tooManyRetryAfter', 'serverError', 'redirect', 'echoesKey'] as const),
];

class Killed extends Error {}

let database: TemporaryStorage;
let storage: Storage;
let smoobu: FakeSmoobu;
let nowMs = Date.UTC(2026, 10, 30, 12);

before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  ({ storage } = database);
  const account = { customer: 9, key: 'key-1', secret: 'secret-1', apartments: [] };
  smoobu = await startFakeSmoobu({ account, nowMs: () => nowMs });
});
after(async () => {
  await smoobu.stop();
  await storage.close();
  await database.close();
});

/** The file of the database is copied to a backup, or from it. */
async function withFile(copy: (file: string, kept: string) => Promise<void>): Promise<void> {
  const file = database.databaseUrl.replace('sqlite:', '');
  await storage.close();
  await copy(file, `${file}.kept`);
  storage = await openStorage(database.databaseUrl, { clock: () => nowMs, writesHere: true });
}

/** A process that dies at its call number `callsLeft` of the database: nothing of it is done from then on. */
function processOf(holder: string, callsLeft = Infinity): ConnectionDeps {
  let left = callsLeft;
  const proxy = new Proxy(storage, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: readonly unknown[]): unknown => {
        left -= 1;
        return left < 0 ? Promise.reject(new Killed()) : Reflect.apply(method, target, args);
      };
    },
  });
  return {
    storage: proxy,
    clock: () => nowMs,
    random: randomBytes,
    holder,
    newMessageId: createMessageIds(() => randomBytes(8).toString('hex')),
    horizonNights: HORIZON,
    calling: { allowsPrivate: true },
    openAccount: openAccountHere,
    async sleep(ms) {
      nowMs += ms;
    },
  };
}

/** One round of the poller. */
async function round(deps: ConnectionDeps): Promise<void> {
  const { storage: reached } = deps as ConnectionDeps & Pick<TemporaryStorage, 'storage'>;
  for (const listed of await reached.listDueConnections(nowMs, 10)) {
    await withClaim(deps, taskOfAccount(listed), async (renew) => {
      const connection = await reached.findConnection(listed.name);
      if (connection !== undefined && connection.nextPollAtMs <= nowMs)
        await readConnection(deps, connection, { renew });
    });
  }
}

function ignoreKilled(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}

type Dates = Readonly<Record<string, SmoobuDate>>;

function randomDates(random: () => number, today: number): Dates {
  const share = [0.1, 0.5, 0.95][Math.floor(random() * 3)]!;
  const nights = Array.from({ length: HORIZON + 4 }, (_, offset) => {
    const price = [40, 80, 90, 100, 250, null][Math.floor(random() * 6)];
    return [formatLocalDate(today - 1 + offset), { price, available: random() < share ? 1 : 0 }] as const;
  });
  return Object.fromEntries(nights);
}

function changed(dates: Dates, newer: Dates): Dates {
  return { ...dates, ...newer };
}

interface Night {
  readonly isOpen: boolean;
  readonly price: number | undefined;
}

async function seen(): Promise<ReadonlyMap<string, Night>> {
  const { calendars } = (await storage.findProperty(PROPERTY))!;
  const calendar = decodeCalendar(calendars[0]!.nights, calendars[0]!.rates);
  const today = localToday(ZONE, nowMs);
  return new Map(
    Array.from({ length: HORIZON }, (_, offset): [string, Night] => {
      const night = today + offset;
      const units = valueAt(calendar.availability, night);
      const isOpen = units !== undefined && units > 0 && valueAt(calendar.stopSell, night) !== 1;
      return [formatLocalDate(night), { isOpen, price: valueAt(calendar.rate, night) }];
    }),
  );
}

function said(dates: Dates, date: string): Night {
  const { price, available } = dates[date] ?? {};
  return {
    isOpen: available === 1,
    price: typeof price === 'number' && price > 0 ? price * 100 : undefined,
  };
}

describe('An account over days', () => {
  for (const seed of SEEDS) {
    it(`never opens what it has not said, closes what it says, and ends as it is (seed ${seed})`, async () => {
      const random = seededRandom(seed);
      const below = (count: number): number => Math.floor(random() * count);
      nowMs += 40 * DAY_MS;
      const today = localToday(ZONE, nowMs);
      let dates = randomDates(random, today);
      const show = (): void => {
        smoobu.account.apartments = [
          { id: 12, name: 'Ponte', guests: 2, currency: 'EUR', timeZone: ZONE, dates: { ...dates } },
        ];
      };
      show();
      smoobu.mischief = undefined;
      await storage.writeProperties([
        suppliedWrite(PROPERTY, [[nightEntry(-30, 800, { availability: 2, rate: 1 })]], { timezone: ZONE }),
      ]);
      const name = `s${seed}`;
      Object.assign(smoobu.account, { customer: seed });
      const settings = [`base=${smoobu.origin}`];
      const steady = (): ConnectionDeps => processOf('steady');
      valueOf(
        await addConnection(steady(), {
          kind: 'smoobu',
          name,
          key: 'key-1\nsecret-1',
          settings,
          maxAgeMs: 6 * 60 * MINUTE_MS,
        }),
      );
      const source = sourceOfConnection(name, { withPrices: true });
      await storage.putSupplyMappings([
        { source, externalKey: '12', propertyId: PROPERTY, inventoryTypeId: TYPE },
      ]);
      await round(steady());
      /** Everything that the account has said, newest last, with the time since which it was so. */
      const history: { readonly dates: Dates; readonly sinceMs: number }[] = [{ dates, sinceMs: nowMs }];
      let killedAtMs = 0;
      let keptAtMs = nowMs;
      await withFile(copyFile);
      /** Time of the backup that came back: what was said before it may stand here again, until a reading is applied. */
      let restoredToMs = Infinity;
      const reads = { good: 0, failed: 0, held: 0, killed: 0, restored: 0 };

      for (let step = 0; step < STEPS; step += 1) {
        nowMs += (1 + below(20)) * MINUTE_MS;
        if (random() < 0.3) {
          dates = changed(dates, randomDates(random, localToday(ZONE, nowMs)));
          show();
          history.push({ dates, sinceMs: nowMs });
        }
        const draw = random();
        if (draw < 0.05) {
          await withFile(copyFile);
          keptAtMs = nowMs;
        } else if (draw < 0.1) {
          await withFile((file, kept) => copyFile(kept, file));
          restoredToMs = keptAtMs;
          reads.restored += 1;
        }
        smoobu.mischief = random() < 0.35 ? MISCHIEFS[below(MISCHIEFS.length)] : undefined;
        const isKilled = random() < 0.2;
        if (isKilled) {
          reads.killed += 1;
          killedAtMs = nowMs;
        }
        const processes = [
          processOf('one', isKilled ? below(14) : Infinity),
          processOf('two'),
          processOf('three'),
        ];
        await Promise.all(processes.slice(0, 1 + below(3)).map((one) => round(one).catch(ignoreKilled)));
        const connection = (await storage.findConnection(name))!;
        const [room] = await storage.listConnectedRooms(name);
        const now = await seen();
        const isFresh = room!.readAtMs === connection.polledAtMs && connection.polledAtMs === nowMs;
        reads[isFresh ? (room!.held === null ? 'good' : 'held') : 'failed'] += 1;
        if (isFresh && room!.held === null) restoredToMs = Infinity;
        const sinceMs = Math.min(nowMs, restoredToMs) - 7 * 60 * MINUTE_MS;
        const within = history.filter((_one, index) => (history[index + 1]?.sinceMs ?? Infinity) >= sinceMs);
        for (const [date, night] of now) {
          const where = `seed ${seed}, step ${step}, ${date}`;
          if (night.isOpen)
            assert.ok(
              within.some((one) => said(one.dates, date).isOpen),
              `${where}: opened, and never said`,
            );
          if (isFresh && !said(dates, date).isOpen)
            assert.equal(night.isOpen, false, `${where}: closed there, open here`);
          if (isFresh && room!.held === null) assert.deepEqual(night, { ...said(dates, date) }, where);
          assert.notEqual(night.price, 1, `${where}: a price of before`);
        }
        // A claim of the dead is waited for.
        if (room!.held !== null && random() < 0.3 && nowMs - killedAtMs > CLAIM_MS)
          await acceptHeld(steady(), name);
        if (
          nowMs - room!.readAtMs! > connection.maxAgeSeconds * 1_000 + 30 * MINUTE_MS &&
          connection.polledAtMs === nowMs
        )
          assert.ok(
            [...now.values()].every(({ isOpen }) => !isOpen),
            `seed ${seed}, step ${step}: too old, and open`,
          );
      }

      // All is well from here on: what the account says is what partners see, once it was said twice and accepted.
      smoobu.mischief = undefined;
      for (let read = 0; read < 4; read += 1) {
        nowMs += 7 * 60 * MINUTE_MS;
        await round(steady());
        await acceptHeld(steady(), name);
      }
      for (const [date, night] of await seen())
        assert.deepEqual(night, said(dates, date), `seed ${seed}, at the end, ${date}`);
      assert.deepEqual(smoobu.violations, []);
      valueOf(await removeConnection(steady(), name, { dryRun: false }));
      assert.ok(
        Math.min(reads.good, reads.failed, reads.killed) > 5 && reads.restored > 0,
        JSON.stringify(reads),
      );
    });
  }
});
