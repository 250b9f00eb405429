/**
 * The operator's account at a property management system in a story. Each of its rooms has as many units on all nights;
 * it answers those who read it, mostly, and some answers lack a room. Each change that a read makes is judged by what the
 * account has said.
 */
import { sourceOfConnection } from '../../src/domain/layers.ts';
import type { SupplyAnswer, SupplyMessage } from '../../src/domain/ledger/message.ts';
import { Wrong } from '../../src/domain/wrong.ts';
import { taskOfAccount } from '../../src/supply/connections/connection-deps.ts';
import { ConnectionFailure, type Room } from '../../src/supply/connections/kinds/connection-kind.ts';
import type { openAccount } from '../../src/supply/connections/open-account.ts';
import type { RoomCalendar } from '../../src/supply/connections/read-calendars.ts';
import { PROPERTIES } from './base.ts';
import { readingOf } from './known-truth.ts';
import { pick } from './quotes.ts';
import type { Process } from './scheduler.ts';
import type { Step } from './story.ts';
import type { DoneCall } from './truth.ts';
import type { World } from './world.ts';

/** The connection. Prices stay with the other sources. */
export const CONNECTION = 'office';
export const NIGHTS_SOURCE = sourceOfConnection(CONNECTION, { withPrices: false });
const ACCOUNT = '9';
/** From a read that is due to its end. */
const READ_MS = 3_000;
/** From an answer to what is made of it. */
const STORED_MS = 1_000;
/** Most answers come sooner. */
const ANSWER_MS_MAX = 80;
const BROKEN_MS_MAX = 1_500;
const UNITS = [0, 1, 2];

export class Accounts {
  readonly #world: World;
  /** By room, which is named as its property. */
  readonly #units = new Map<string, number>(PROPERTIES.map((room) => [room, 0]));
  /** By room, everything that it has said. */
  readonly #said = new Map<string, Set<number>>(PROPERTIES.map((room) => [room, new Set()]));
  /** By room, the true time of the first answer since all calmed down. */
  readonly #quietAnswers = new Map<string, number>();
  #brokenUntilMs = 0;
  /** A person has begun to accept what is held back: nights may open. */
  mayOpen = false;

  constructor(world: World) {
    this.#world = world;
  }

  change([room, units, forMs, whether]: Step['numbers']): void {
    const world = this.#world;
    const isBreaking = whether % 4 === 0;
    if (isBreaking) this.#brokenUntilMs = world.nowMs + (forMs % BROKEN_MS_MAX);
    else
      for (const one of whether % 2 === 0 ? PROPERTIES : [pick(PROPERTIES, room)])
        this.#units.set(one, pick(UNITS, units));
    const said = [...this.#units].map(([name, count]) => `${name} ${count}`).join(', ');
    world.tell('the account', isBreaking ? 'is broken' : `has ${said}`);
  }

  /** As `openAccount` opens it, in `process`. */
  opener(process: Process): typeof openAccount {
    return (_connection, { signal }) => {
      const answer = async <T>(say: () => T): Promise<T> => {
        await this.#travel(process);
        signal?.throwIfAborted();
        this.#breakSometimes();
        const said = say();
        await this.#travel(process);
        signal?.throwIfAborted();
        return said;
      };
      return {
        identify: () => answer(() => ({ account: ACCOUNT, warnings: [] })),
        listRooms: () => answer(() => PROPERTIES.map(roomOf)),
        readCalendars: (rooms, range) => answer(() => this.#calendars(rooms, range)),
        askStay: () => Promise.reject(new Error('not simulated')),
        end: () => Promise.resolve(),
      };
    };
  }

  #travel(process: Process): Promise<void> {
    const travelMs = (this.#world.scheduler.random() * ANSWER_MS_MAX) / 2;
    return new Promise((resolve) => process.after(travelMs, resolve));
  }

  #breakSometimes(): void {
    const { scheduler, isQuiet, nowMs } = this.#world;
    if (isQuiet || (scheduler.random() >= 0.1 && nowMs >= this.#brokenUntilMs)) return;
    throw new ConnectionFailure(new Wrong('serverStatus', { status: 503 }), 'failing', 1_000);
  }

  #calendars(
    rooms: readonly Room[],
    { from, until }: { readonly from: number; readonly until: number },
  ): ReadonlyMap<string, RoomCalendar> {
    const { scheduler, isQuiet, nowMs } = this.#world;
    const calendars = new Map<string, RoomCalendar>();
    for (const { room } of rooms) {
      if (!isQuiet && scheduler.random() < 0.1) continue;
      const units = this.#units.get(room)!;
      this.#said.get(room)!.add(units);
      if (isQuiet && !this.#quietAnswers.has(room)) this.#quietAnswers.set(room, nowMs);
      const entries = [{ from, to: until - 1, set: { availability: units } }];
      calendars.set(room, { entries, isEmpty: false, unpriced: [] });
    }
    return calendars;
  }

  /** Before the checker follows it. */
  judgeCall({ name, args, result, process }: DoneCall): void {
    if (name !== 'applySupply') return;
    const reading = readingOf(args[0] as SupplyMessage, result as SupplyAnswer);
    for (const { propertyId, units } of reading?.entries ?? []) {
      this.#world.counts.checks += 1;
      const before = this.#world.known.newest.get(propertyId)?.units[NIGHTS_SOURCE];
      if (units === undefined || units === 0) continue;
      if (!this.#said.get(propertyId)!.has(units))
        this.#world.blame(process.name, `gives ${propertyId} ${units}, as the account never said`);
      if (before === 0 && !this.#canOpen()) this.#world.blame(process.name, `opens ${propertyId} too soon`);
    }
  }

  /** All nights of a room open only when a person accepts. Clocks that differ by minutes let two read at once. */
  #canOpen(): boolean {
    return this.mayOpen || this.#world.story.steps.some(({ kind }) => kind === 'jump');
  }

  /** When all has calmed down: the account is read in time, and partners see what it says. */
  async judgeEnd(): Promise<void> {
    const world = this.#world;
    await world.sleep(2 * READ_MS);
    const { storage } = world.truth;
    const connection = await world.askDatabase(() => storage.findConnection(CONNECTION));
    if (connection !== undefined) {
      const task = taskOfAccount(connection);
      const claimedUntilMs = await world.askDatabase(() => storage.readClaimEnd(task));
      const dueMs = Math.max(connection.nextPollAtMs, claimedUntilMs ?? 0) + READ_MS;
      world.counts.checks += 1;
      if (world.places.every(({ process }) => process.wallMs() > dueMs))
        world.blame('the service', `does not read the account, which was due ${world.nowMs - dueMs} ms ago`);
    }
    await this.#judgeRooms(connection?.failureWrong ?? null);
  }

  async #judgeRooms(failure: object | null): Promise<void> {
    const world = this.#world;
    const { storage } = world.truth;
    const rooms = await world.askDatabase(() => storage.listConnectedRooms());
    const mappings = await world.askDatabase(() => storage.listSupplyMappings(NIGHTS_SOURCE));
    const mapped = new Set(mappings.map(({ propertyId }) => propertyId));
    for (const { propertyId, isWithdrawn, units } of world.known.newest.values()) {
      const room = rooms.find((one) => one.propertyId === propertyId);
      if (units[NIGHTS_SOURCE] !== undefined && room === undefined && !mapped.has(propertyId))
        world.blame('the service', `keeps what the account said of ${propertyId}, which is not mapped`);
      const answeredMs = this.#quietAnswers.get(propertyId) ?? Infinity;
      if (room === undefined || isWithdrawn || failure !== null || room.failureWrong !== null) continue;
      if (answeredMs >= world.nowMs - STORED_MS) continue;
      const wanted = room.held === null ? this.#units.get(propertyId) : 0;
      world.counts.checks += 1;
      if (units[NIGHTS_SOURCE] !== wanted)
        world.blame(
          'the service',
          `has ${units[NIGHTS_SOURCE]} of ${propertyId}; the account says ${wanted}`,
        );
    }
  }
}

function roomOf(room: string): Room {
  return {
    room,
    name: room,
    guests: 2,
    currency: null,
    timezone: null,
    property: { id: room, name: room },
    byHand: [],
    terms: null,
  };
}
