/**
 * Published calendars as ready bytes: the database is read once per change of a property and once a day, however often
 * the calendar is requested.
 */
import type { Clock } from '../../runtime/clock.ts';
import { type EpochDay, localToday } from '../../domain/local-date.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { together } from '../../runtime/together.ts';
import type { PublishedKey } from '../../storage/published/store.ts';
import type { Revision } from '../../storage/history/revision.ts';
import type { WrittenCalendar } from './write-calendar.ts';

/** A calendar with the state that it was made from. */
export interface DatedCalendar extends WrittenCalendar {
  readonly revision: Revision;
  readonly timezone: string;
  readonly today: EpochDay;
}

export interface CalendarCacheDeps {
  /** Undefined if the property or type is unknown. */
  readonly publish: (key: PublishedKey) => Promise<DatedCalendar | undefined>;
  /** The revision of the property that this process shows to partners; undefined if it shows none. */
  readonly revisionOf: (propertyId: string) => Revision | undefined;
  /** How often this process noticed that the database went back: revisions from before mean nothing then. */
  readonly lossCount: () => number;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly uptimeMs?: () => number;
}

/** Bytes of all calendars together; the oldest is dropped first. */
export const CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Added to the text of each entry; the size of an entry without a calendar. */
const ENTRY_BYTES = 500;
/** How long an answer is reused for a property that is not in memory. */
const UNKNOWN_MS = 1_000;

interface Entry {
  readonly calendar: DatedCalendar | undefined;
  readonly readAtMs: number;
  readonly lossCount: number;
}

export class CalendarCache {
  readonly #deps: CalendarCacheDeps;
  readonly #uptimeMs: () => number;
  readonly #entries = new BoundedMap<Entry>(CACHE_BYTES_MAX);
  readonly #underway = new Map<string, Promise<DatedCalendar | undefined>>();

  constructor(deps: CalendarCacheDeps) {
    this.#deps = deps;
    this.#uptimeMs = deps.uptimeMs ?? (() => performance.now());
  }

  /** Rejects with `StorageUnavailable`. Concurrent callers share one read. */
  async find(key: PublishedKey): Promise<WrittenCalendar | undefined> {
    const name = `${key.propertyId}\n${key.inventoryTypeId}`;
    const entry = this.#entries.get(name);
    if (entry !== undefined && this.#isGood(key, entry)) return entry.calendar;
    return together(this.#underway, name, () => this.#read(name, key));
  }

  #isGood({ propertyId }: PublishedKey, { calendar, readAtMs, lossCount }: Entry): boolean {
    if (lossCount !== this.#deps.lossCount()) return false;
    const shown = this.#deps.revisionOf(propertyId);
    if (calendar === undefined || shown === undefined) return this.#uptimeMs() - readAtMs < UNKNOWN_MS;
    // The calendar read may be newer than the state that partners see.
    const isNewest = shown <= calendar.revision;
    return isNewest && localToday(calendar.timezone, this.#deps.clock()) === calendar.today;
  }

  async #read(name: string, key: PublishedKey): Promise<DatedCalendar | undefined> {
    const readAtMs = this.#uptimeMs();
    const lossCount = this.#deps.lossCount();
    const calendar = await this.#deps.publish(key);
    this.#entries.set(
      name,
      { calendar, readAtMs, lossCount },
      ENTRY_BYTES + 2 * (calendar?.body.length ?? 0),
    );
    return calendar;
  }
}
