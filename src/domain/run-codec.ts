/**
 * Runs as bytes, each as three varints: nights since the end of the run before (since 0001-01-01 for the first),
 * nights, value.
 */
import { EPOCH_DAY_MIN, type EpochDay } from './local-date.ts';
import type { NightRuns } from './night-runs.ts';
import type { VarintReader, VarintWriter } from './varint.ts';

export function writeRuns(writer: VarintWriter, runs: NightRuns): void {
  let night = EPOCH_DAY_MIN;
  for (const { from, until, value } of runs) {
    writer.write(from - night);
    writer.write(until - from);
    writer.write(value);
    night = until;
  }
}

/** The run that was read last, in place: a catalogue is read run by run, and an object each would cost more. */
export class RunReader {
  from: EpochDay = EPOCH_DAY_MIN;
  until: EpochDay = EPOCH_DAY_MIN;
  value = 0;
  readonly #reader: VarintReader;

  constructor(reader: VarintReader) {
    this.#reader = reader;
  }

  next(): void {
    this.from = this.until + this.#reader.read();
    this.until = this.from + this.#reader.read();
    this.value = this.#reader.read();
  }
}
