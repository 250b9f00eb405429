/**
 * What this process noticed of databases that went back. Each listener notices by itself, the next time that it asks;
 * the others of the process learn here when the last one was.
 */
import type { Clock } from '../runtime/clock.ts';
import type { HistoryLost } from '../storage/storage.ts';
import type { FollowerLogger } from './retry-loop.ts';

export type Listener = 'access' | 'catalogue';

export interface LossCounts {
  /** How often each listener found that the database does not have what it had read. */
  readonly counts: Readonly<Record<Listener, number>>;
  /** Unix milliseconds of the last one; undefined before the first. */
  readonly lastAtMs: number | undefined;
}

export class Losses implements LossCounts {
  readonly counts: Record<Listener, number> = { access: 0, catalogue: 0 };
  lastAtMs: number | undefined;
  readonly #logger: FollowerLogger;
  readonly #clock: Clock;

  constructor(logger: FollowerLogger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  note(work: Listener, { known, newest }: HistoryLost): void {
    this.counts[work]++;
    this.lastAtMs = this.#clock();
    this.#logger.warn(
      { work, knownRevision: known.revision, databaseRevision: newest.revision },
      'the database was restored to an earlier state: reading everything again',
    );
  }
}
