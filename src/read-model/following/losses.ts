/**
 * Losses of history that this process noticed. Each listener notices its own at its next query; the rest of the process
 * reads the last one here.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { HistoryLost } from '../../storage/storage.ts';
import type { FollowerLogger } from './retry-loop.ts';

export type Listener = 'access' | 'catalogue';

export interface LossCounts {
  /** Losses noticed by each listener. */
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
