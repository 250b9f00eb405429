/**
 * Writes counts into the database in slices of few rows, so that each holds the one writer for a few milliseconds. A
 * slice keeps its number until its write is confirmed, so it counts once; a database that is away delays no request.
 */
import type { ActivityRows, ActivitySlice, ActivityStore } from '../../storage/activity/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';

export const SLICE_ROWS_MAX = 200;
/** Bytes of one thread, by ROW_BYTES; beyond, the oldest are dropped. More than all tables hold together. */
export const WAITING_BYTES_MAX = 3_440_000;
/** Bytes of a row in memory, with the longest names that a partner can send. */
export const ROW_BYTES = {
  traffic: 260,
  requests: 700,
  demand: 165,
  unknownPlaces: 330,
  unmet: 165,
} as const;

/** A single failure is another process that is just writing. */
const FAILURES_SAID = 2;
const WAITING = 'what is counted of requests waits for its tables; requests go on';
const DROPPED = 'what was counted of requests was dropped in part: its tables did not take it in time';

export interface ActivityMeter {
  rowsWritten: number;
  rowsDropped: number;
}

export interface SliceWriterDeps {
  readonly storage: Pick<ActivityStore, 'recordActivity'>;
  readonly clock: () => number;
  readonly logger: { warn(fields: object, message: string): void };
  readonly meter: ActivityMeter;
  /** Identifies this run of this thread. */
  readonly writer: string;
}

export class SliceWriter {
  readonly #deps: SliceWriterDeps;
  /** Each has the rows of one moment, without repeated keys. */
  #waiting: ActivityRows[] = [];
  /** Sent, without confirmation yet. */
  #pending: ActivitySlice | undefined;
  #number = 0;
  #failures = 0;
  /** The value of `meter.rowsDropped` at the last log line. */
  #droppedSaid = 0;

  constructor(deps: SliceWriterDeps) {
    this.#deps = deps;
  }

  add(rows: ActivityRows): void {
    if (countRows(rows) === 0) return;
    this.#waiting.push(...cutRows(rows));
    let bytes = this.#waiting.reduce((sum, slice) => sum + countBytes(slice), 0);
    while (bytes > WAITING_BYTES_MAX) {
      const dropped = this.#waiting.shift()!;
      this.#deps.meter.rowsDropped += countRows(dropped);
      bytes -= countBytes(dropped);
    }
  }

  /** Writes waiting rows, if the database takes them; false when some remain. Never rejects. */
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
      if (this.#failures > 0) this.#sayDropped();
      this.#failures = 0;
    }
  }

  /** Stops writing: waiting rows are lost. */
  abandon(): void {
    const lost = [...this.#waiting, ...(this.#pending === undefined ? [] : [this.#pending])];
    for (const rows of lost) this.#deps.meter.rowsDropped += countRows(rows);
    this.#waiting = [];
    this.#pending = undefined;
    this.#sayDropped();
  }

  /** Logs dropped rows once for each failure of the tables. */
  #sayDropped(): void {
    const { logger, meter } = this.#deps;
    const rows = meter.rowsDropped - this.#droppedSaid;
    if (rows > 0) logger.warn({ rows }, DROPPED);
    this.#droppedSaid = meter.rowsDropped;
  }

  /** Logged once until it works again. A slice that no database takes is given up. */
  #noteFailure(err: unknown): void {
    const { logger, meter } = this.#deps;
    this.#failures += 1;
    if (this.#failures === FAILURES_SAID) logger.warn({ err }, WAITING);
    if (err instanceof StorageUnavailable) return;
    meter.rowsDropped += countRows(this.#pending!);
    this.#pending = undefined;
  }
}

function countRows({ traffic, requests, demand, unknownPlaces, unmet }: ActivityRows): number {
  return traffic.length + requests.length + demand.length + unknownPlaces.length + unmet.length;
}

function countBytes(rows: ActivityRows): number {
  const kinds = ['traffic', 'requests', 'demand', 'unknownPlaces', 'unmet'] as const;
  return kinds.reduce((sum, kind) => sum + rows[kind].length * ROW_BYTES[kind], 0);
}

/** Cuts rows into slices of at most SLICE_ROWS_MAX. */
function cutRows({ traffic, requests, demand, unknownPlaces, unmet }: ActivityRows): ActivityRows[] {
  const lists = [traffic, requests, demand, unknownPlaces, unmet];
  const length = Math.max(...lists.map((list) => list.length));
  const each = SLICE_ROWS_MAX / lists.length;
  return Array.from({ length: Math.ceil(length / each) }, (_, index) => {
    const part = <Row>(rows: readonly Row[]): readonly Row[] => rows.slice(index * each, (index + 1) * each);
    return {
      traffic: part(traffic),
      requests: part(requests),
      demand: part(demand),
      unknownPlaces: part(unknownPlaces),
      unmet: part(unmet),
    };
  });
}
