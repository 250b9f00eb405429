/**
 * Changes calendars at a constant rate through the storage port, as another process of the operator would, and sees
 * how long each of some watched changes takes to show in a search of the running service.
 */
import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { formatLocalDate, type EpochDay } from '../../src/domain/local-date.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { poolCalendar, type PooledCalendar } from '../catalogue/calendar-pool.ts';
import type { Place } from '../catalogue/places.ts';
import { HORIZON_NIGHTS } from '../catalogue/profiles.ts';
import { asWrite } from '../catalogue/property-generator.ts';
import { makeWorld, type World } from '../catalogue/world.ts';
import { obeyOrders } from '../machine/channel.ts';
import { seedRandom, type SeededRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';

export interface FreshnessOrder {
  readonly databaseUrl: string;
  readonly today: EpochDay;
  readonly cities: number;
  readonly properties: number;
  readonly port: number;
  readonly token: string;
  readonly changesPerSecond: number;
  readonly seconds: number;
}

export interface FreshnessReport {
  readonly changes: number;
  readonly seconds: number;
  readonly transactions: number;
  /** From the commit to the first search that shows it, for each watched night and each watched rate. */
  readonly visibleAfterMs: readonly number[];
  readonly rateVisibleAfterMs: readonly number[];
}

const SOURCE = 'generated';
/** A channel manager sends some changes together; a transaction each. */
const CHANGES_PER_TRANSACTION = 20;
/** Several may be under way: the next one is prepared and queued while a disk is waited for. */
const TRANSACTIONS_AT_ONCE_MAX = 4;
/** Every so many transactions one change is watched. */
const WATCH_EVERY = 5;
const POLL_EVERY_MS = 2;
const GIVE_UP_AFTER_MS = 20_000;
const IMPORT_GIVE_UP_AFTER_MS = 120_000;
/** Properties of a transaction of an import. */
const IMPORTED_AT_ONCE = 500;
const WATCHED_PLACE: Omit<Place, 'city'> = { country: 'IT', timezone: 'Europe/Rome', currency: 'EUR' };
/** Watched properties are in cities of their own; one is not changed again before its change was seen. */
const WATCHED_COUNT = 200;
const RATE = 99_00;
const DEARER = 120_00;
const WATCHED_NIGHTS = 2;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Of new properties, as fast as they can be written. */
export interface ImportReport {
  readonly writtenAfterSeconds: number;
  readonly visibleAfterSeconds: number;
}

obeyOrders({
  run: (order: FreshnessOrder) => withStorage(order, (storage) => new Changes(order, storage).run()),
  import: ({ count, ...order }: FreshnessOrder & { count: number }) =>
    withStorage(order, (storage) => new Changes(order, storage).importNew(count)),
});

async function withStorage<T>(order: FreshnessOrder, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(order.databaseUrl, { clock: systemClock });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

class Changes {
  readonly #order: FreshnessOrder;
  readonly #storage: Storage;
  readonly #world: World;
  readonly #open: PooledCalendar;
  readonly #closed: PooledCalendar;
  readonly #dearer: PooledCalendar;
  readonly #visibleAfterMs: number[] = [];
  readonly #rateVisibleAfterMs: number[] = [];
  readonly #watches: Promise<void>[] = [];

  constructor(order: FreshnessOrder, storage: Storage) {
    this.#order = order;
    this.#storage = storage;
    this.#world = makeWorld(order.today, order.cities);
    const nights = { from: order.today, to: order.today + HORIZON_NIGHTS - 1 };
    this.#open = poolCalendar([{ ...nights, set: { availability: 1, rate: RATE } }], HORIZON_NIGHTS);
    this.#closed = poolCalendar([{ ...nights, set: { availability: 0, rate: RATE } }], HORIZON_NIGHTS);
    this.#dearer = poolCalendar([{ ...nights, set: { availability: 1, rate: DEARER } }], HORIZON_NIGHTS);
  }

  async run(): Promise<FreshnessReport> {
    const { changesPerSecond, seconds } = this.#order;
    const watched = Array.from({ length: WATCHED_COUNT }, (_, index) => this.#watchedWrite(index, false));
    await this.#storage.writeProperties(watched);
    const random = seedRandom(SEED);
    const under = new Set<Promise<void>>();
    const startedAtMs = performance.now();
    let transactions = 0;
    for (; performance.now() - startedAtMs < seconds * 1000; transactions++) {
      const dueAtMs = startedAtMs + ((transactions * CHANGES_PER_TRANSACTION) / changesPerSecond) * 1000;
      if (dueAtMs > performance.now()) await delay(dueAtMs - performance.now());
      if (under.size === TRANSACTIONS_AT_ONCE_MAX) await Promise.race(under);
      const transaction = this.#change(transactions, random);
      under.add(transaction);
      void transaction.finally(() => under.delete(transaction));
    }
    await Promise.all(under);
    const tookSeconds = (performance.now() - startedAtMs) / 1000;
    await Promise.all(this.#watches);
    const changes = transactions * CHANGES_PER_TRANSACTION;
    return {
      changes,
      seconds: tookSeconds,
      transactions,
      visibleAfterMs: this.#visibleAfterMs,
      rateVisibleAfterMs: this.#rateVisibleAfterMs,
    };
  }

  /** Behind all that there are; the last one is watched until it shows. */
  async importNew(count: number): Promise<ImportReport> {
    const startedAtMs = performance.now();
    const firstIndex = this.#order.properties + WATCHED_COUNT;
    let writing: Promise<unknown> = Promise.resolve();
    for (let start = 0; start < count; start += IMPORTED_AT_ONCE) {
      const size = Math.min(IMPORTED_AT_ONCE, count - start);
      const writes = Array.from({ length: size }, (_, index) =>
        asWrite(this.#world.propertyAt(firstIndex + start + index), this.#world.profile, SOURCE),
      );
      // One batch is made while the one before is written.
      await writing;
      writing = this.#storage.writeProperties(writes);
    }
    await writing;
    await this.#storage.writeProperties([this.#watchedWrite(WATCHED_COUNT, true)]);
    const writtenAtMs = performance.now();
    await this.#watch(WATCHED_COUNT, true, writtenAtMs, IMPORT_GIVE_UP_AFTER_MS);
    const visibleAtMs = writtenAtMs + this.#visibleAfterMs.at(-1)!;
    return {
      writtenAfterSeconds: (writtenAtMs - startedAtMs) / 1000,
      visibleAfterSeconds: (visibleAtMs - startedAtMs) / 1000,
    };
  }

  /** One transaction; the first of its changes is watched when it is the turn. */
  async #change(number: number, random: SeededRandom): Promise<void> {
    const firstVersion = number * CHANGES_PER_TRANSACTION;
    const writes = Array.from({ length: CHANGES_PER_TRANSACTION }, (_, index) =>
      this.#anyWrite(random, firstVersion + index),
    );
    if (number % WATCH_EVERY !== 0) {
      await this.#storage.writeProperties(writes);
      return;
    }
    const watch = number / WATCH_EVERY;
    const index = watch % WATCHED_COUNT;
    // Opened (or dear) in the first round, closed (or cheap) in the second, and so on.
    const isOn = Math.floor(watch / WATCHED_COUNT) % 2 === 0;
    writes[0] = this.#watchedWrite(index, isOn);
    await this.#storage.writeProperties(writes);
    this.#watches.push(this.#watch(index, isOn, performance.now()));
  }

  #anyWrite(random: SeededRandom, version: number): PropertyWrite {
    const changed = this.#world.changedAt(random.below(this.#order.properties), version);
    return asWrite(changed, this.#world.profile, SOURCE);
  }

  /** Of one of two states: closed or open, or of a property whose rate is watched, cheap or dear. */
  #watchedWrite(index: number, isOn: boolean): PropertyWrite {
    const place = { city: watchedCity(index), ...WATCHED_PLACE };
    const { property } = this.#world.propertyIn(place, this.#order.properties + index);
    const [type] = property.inventoryTypes;
    const [off, on] = isOfRate(index) ? [this.#open, this.#dearer] : [this.#closed, this.#open];
    const generated = {
      property: { ...property, visibleTo: 'all' as const, inventoryTypes: [type!] },
      calendars: [isOn ? on : off],
    };
    return asWrite(generated, this.#world.profile, SOURCE);
  }

  async #watch(
    index: number,
    isOn: boolean,
    committedAtMs: number,
    giveUpAfterMs = GIVE_UP_AFTER_MS,
  ): Promise<void> {
    const { today, token, port } = this.#order;
    const [checkIn, checkOut] = [30, 30 + WATCHED_NIGHTS].map((days) => formatLocalDate(today + days));
    const stay = `checkIn=${checkIn}&checkOut=${checkOut}&guests=1`;
    const query = `city=${encodeURIComponent(watchedCity(index))}&${stay}`;
    const path = isOfRate(index) ? `/prices/v1/stays?${query}&sort=total` : `/v1/properties?${query}`;
    const visibleAfterMs = isOfRate(index) ? this.#rateVisibleAfterMs : this.#visibleAfterMs;
    for (;;) {
      const page = await search(port, path, token);
      const afterMs = performance.now() - committedAtMs;
      if (isShownOn(index, page) === isOn || afterMs > giveUpAfterMs) {
        visibleAfterMs.push(afterMs);
        return;
      }
      await delay(POLL_EVERY_MS);
    }
  }
}

function watchedCity(index: number): string {
  return `Watched ${index}`;
}

function isOfRate(index: number): boolean {
  return index % 2 === 1;
}

interface Page {
  readonly pagination?: { readonly total: number };
  readonly items?: readonly { readonly pricing?: { readonly accommodation: string } | null }[];
}

function isShownOn(index: number, { pagination, items }: Page): boolean {
  if (!isOfRate(index)) return (pagination?.total ?? 0) > 0;
  return items?.[0]?.pricing?.accommodation === formatMoney(DEARER * WATCHED_NIGHTS);
}

function search(port: number, path: string, token: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const outgoing = httpRequest({ agent, host: '127.0.0.1', port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Page));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}
