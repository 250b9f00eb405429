/**
 * What was counted, on its way into the database: in slices of few rows, so that each holds the one writer for a few
 * milliseconds. A slice keeps its number until it is known to be written, so it counts once; a database that is away
 * costs no request anything.
 */
import type { ActivityRows, ActivitySlice, ActivityStore } from '../storage/activity/store.ts';
import { StorageUnavailable } from '../storage/storage.ts';

export const SLICE_ROWS_MAX = 200;
/** Of one thread; beyond, the oldest are dropped. More than all tables hold together; some 6 MB. */
export const ROWS_WAITING_MAX = 25_000;

/** One alone is another process that writes just now. */
const FAILURES_SAID = 2;
const WAITING = 'what is counted of requests waits for its tables; requests go on';

export interface ActivityMeter {
  rowsWritten: number;
  rowsDropped: number;
}

export interface SliceWriterDeps {
  readonly storage: Pick<ActivityStore, 'recordActivity'>;
  readonly clock: () => number;
  readonly logger: { warn(fields: object, message: string): void };
  readonly meter: ActivityMeter;
  /** This run of this thread. */
  readonly writer: string;
}

export class SliceWriter {
  readonly #deps: SliceWriterDeps;
  /** Each the rows of one moment: there are no two of one key in it. */
  #waiting: ActivityRows[] = [];
  /** Sent, and not known to be written. */
  #pending: ActivitySlice | undefined;
  #number = 0;
  #failures = 0;

  constructor(deps: SliceWriterDeps) {
    this.#deps = deps;
  }

  add(rows: ActivityRows): void {
    if (countRows(rows) === 0) return;
    this.#waiting.push(...cutRows(rows));
    let count = this.#waiting.reduce((sum, slice) => sum + countRows(slice), 0);
    while (count > ROWS_WAITING_MAX) {
      const dropped = countRows(this.#waiting.shift()!);
      this.#deps.meter.rowsDropped += dropped;
      count -= dropped;
    }
  }

  /** Writes what waits, as far as the database takes it; false when it does not take all. Never rejects. */
  async write(): Promise<boolean> {
    const { storage, meter, writer, clock } = this.#deps;
    for (;;) {
      const rows = this.#pending ?? this.#waiting.shift();
      if (rows === undefined) return true;
      this.#pending ??= { ...rows, writer, number: ++this.#number, writtenAtMs: clock() };
      try {
        await storage.recordActivity(this.#pending);
      } catch (err) {
        this.#noteFailure(err);
        return false;
      }
      meter.rowsWritten += countRows(rows);
      this.#pending = undefined;
      this.#failures = 0;
    }
  }

  /** Nothing more is written: what waits still is lost. */
  abandon(): void {
    const lost = [...this.#waiting, ...(this.#pending === undefined ? [] : [this.#pending])];
    for (const rows of lost) this.#deps.meter.rowsDropped += countRows(rows);
    this.#waiting = [];
    this.#pending = undefined;
  }

  /** Said once until it works again. A slice that no database takes is not tried for ever. */
  #noteFailure(err: unknown): void {
    const { logger, meter } = this.#deps;
    this.#failures += 1;
    if (this.#failures === FAILURES_SAID) logger.warn({ err }, WAITING);
    if (err instanceof StorageUnavailable) return;
    meter.rowsDropped += countRows(this.#pending!);
    this.#pending = undefined;
  }
}

function countRows({ traffic, requests, demand, unknownPlaces }: ActivityRows): number {
  return traffic.length + requests.length + demand.length + unknownPlaces.length;
}

/** SLICE_ROWS_MAX rows each at most. */
function cutRows({ traffic, requests, demand, unknownPlaces }: ActivityRows): ActivityRows[] {
  const length = Math.max(traffic.length, requests.length, demand.length, unknownPlaces.length);
  const each = SLICE_ROWS_MAX / 4;
  return Array.from({ length: Math.ceil(length / each) }, (_, index) => {
    const part = <Row>(rows: readonly Row[]): readonly Row[] => rows.slice(index * each, (index + 1) * each);
    return {
      traffic: part(traffic),
      requests: part(requests),
      demand: part(demand),
      unknownPlaces: part(unknownPlaces),
    };
  });
}
