/** Counts answers by credential, operation, code and duration. */
import { DURATION_BUCKETS, OTHER, type TrafficRow } from '../../storage/activity/store.ts';
import { CountTable, Numbers } from './count-table.ts';

/** Rows of one thread and day: credentials by operations by codes. */
export const TRAFFIC_ROWS_MAX = 2_048;
/** Operations and codes are ours: there are fewer of them. */
const CODES_MAX = 256;

/** The first bucket holds faster answers; each following one doubles the bound, and the last takes the rest. */
export const FIRST_BOUND_US = 50;

export class TrafficTable {
  readonly #table = new CountTable({ rowsMax: TRAFFIC_ROWS_MAX, width: DURATION_BUCKETS });
  readonly #credentials = new Numbers(TRAFFIC_ROWS_MAX);
  readonly #partnerIds: string[] = [];
  readonly #operations = new Numbers(CODES_MAX);
  readonly #codes = new Numbers(CODES_MAX);
  /** Most answers have the operation and code of the one before. */
  #last = { operation: '', code: '', result: -1 };

  get bytes(): number {
    return this.#table.bytes;
  }

  /** `code` is empty for a success. */
  count(
    caller: { readonly credentialId: string; readonly partnerId: string },
    operation: string,
    code: string,
    durationUs: number,
  ): void {
    const table = this.#table;
    const credential = this.#credentials.of(caller.credentialId);
    const result = this.#resultOf(operation, code);
    const hasRoom = credential >= 0 && result >= 0;
    const row = hasRoom ? table.rowOf(credential, result) : table.otherRow;
    if (hasRoom) this.#partnerIds[credential] ??= caller.partnerId;
    table.counts[row * DURATION_BUCKETS + bucketOf(durationUs)]! += 1;
  }

  /** -1 without room for another one. */
  #resultOf(operation: string, code: string): number {
    const last = this.#last;
    if (operation === last.operation && code === last.code) return last.result;
    const operationNumber = this.#operations.of(operation);
    const codeNumber = this.#codes.of(code);
    const hasRoom = operationNumber >= 0 && codeNumber >= 0;
    this.#last = { operation, code, result: hasRoom ? operationNumber * CODES_MAX + codeNumber : -1 };
    return this.#last.result;
  }

  /** The counts since the last call, for the minute that begins at `fromMs`. */
  drain(fromMs: number): TrafficRow[] {
    const rows: TrafficRow[] = [];
    this.#table.drain((credential, second, counts) => {
      const isOther = credential < 0;
      rows.push({
        fromMs,
        partnerId: isOther ? OTHER : this.#partnerIds[credential]!,
        credentialId: isOther ? OTHER : this.#credentials.texts[credential]!,
        operation: isOther ? OTHER : this.#operations.texts[Math.floor(second / CODES_MAX)]!,
        code: isOther ? OTHER : this.#codes.texts[second % CODES_MAX]!,
        durations: [...counts],
      });
    });
    return rows;
  }

  /** Makes room for the next day. */
  clear(): void {
    this.#table.clear();
    this.#credentials.clear();
    this.#partnerIds.length = 0;
  }
}

/** 0 below 50 us, 1 below 100, 2 below 200, ... 15 from 819 ms on. */
export function bucketOf(durationUs: number): number {
  return Math.min(DURATION_BUCKETS - 1, 32 - Math.clz32(durationUs / FIRST_BOUND_US));
}
