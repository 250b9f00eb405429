/**
 * Published calendars as ready bytes: however often one is requested, the database is read once for each change of its
 * property and once a day.
 */
import type { Clock } from '../../runtime/clock.ts';
import { type EpochDay, localToday } from '../../domain/local-date.ts';
import type { PublishedKey } from '../../storage/published/store.ts';
import type { Revision } from '../../storage/history/revision.ts';
import type { WrittenCalendar } from './write-calendar.ts';

/** A calendar, and what it was made of. */
export interface DatedCalendar extends WrittenCalendar {
  readonly revision: Revision;
  readonly timezone: string;
  readonly today: EpochDay;
}

export interface CalendarCacheDeps {
  /** Undefined when property or type are unknown. */
  readonly publish: (key: PublishedKey) => Promise<DatedCalendar | undefined>;
  /** Of the property as this process shows it to partners; undefined where it does not. */
  readonly revisionOf: (propertyId: string) => Revision | undefined;
  readonly clock: Clock;
  /** Milliseconds that only ever grow. */
  readonly uptimeMs?: () => number;
}

/** Of all calendars together; the one that was written first goes first. */
export const CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** An entry without a calendar counts as so many bytes, and each has so many beside its text. */
const ENTRY_BYTES = 500;
/** How long an answer is good of a property that is not in memory. */
const UNKNOWN_MS = 1_000;

interface Entry {
  readonly calendar: DatedCalendar | undefined;
  readonly readAtMs: number;
  readonly bytes: number;
}

export class CalendarCache {
  readonly #deps: CalendarCacheDeps;
  readonly #uptimeMs: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #underway = new Map<string, Promise<DatedCalendar | undefined>>();
  #bytes = 0;

  constructor(deps: CalendarCacheDeps) {
    this.#deps = deps;
    this.#uptimeMs = deps.uptimeMs ?? (() => performance.now());
  }

  /** Rejects with `StorageUnavailable`. Those who ask meanwhile get the same answer. */
  async find(key: PublishedKey): Promise<WrittenCalendar | undefined> {
    const name = `${key.propertyId}\n${key.inventoryTypeId}`;
    const entry = this.#entries.get(name);
    if (entry !== undefined && this.#isGood(key, entry)) return entry.calendar;
    const underway = this.#underway.get(name);
    if (underway !== undefined) return underway;
    const reading = this.#read(name, key).finally(() => this.#underway.delete(name));
    this.#underway.set(name, reading);
    return reading;
  }

  #isGood({ propertyId }: PublishedKey, { calendar, readAtMs }: Entry): boolean {
    const shown = this.#deps.revisionOf(propertyId);
    if (calendar === undefined || shown === undefined) return this.#uptimeMs() - readAtMs < UNKNOWN_MS;
    // What was read may be newer than what partners are shown yet.
    const isNewest = shown <= calendar.revision;
    return isNewest && localToday(calendar.timezone, this.#deps.clock()) === calendar.today;
  }

  async #read(name: string, key: PublishedKey): Promise<DatedCalendar | undefined> {
    const readAtMs = this.#uptimeMs();
    const calendar = await this.#deps.publish(key);
    this.#forget(name);
    const bytes = ENTRY_BYTES + 2 * (calendar?.body.length ?? 0);
    this.#entries.set(name, { calendar, readAtMs, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= CACHE_BYTES_MAX) break;
      this.#forget(oldest);
    }
    return calendar;
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}
