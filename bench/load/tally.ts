/** Counts what comes back during one run, from the end of the warm-up on. */
import { createHistogram, performance, type RecordableHistogram } from 'node:perf_hooks';
import { latenciesOf } from '../measure/statistics.ts';
import type { LoadReport } from './load-orders.ts';

const NS_PER_MS = 1e6;

export class Tally {
  readonly #latencies: RecordableHistogram = createHistogram();
  #isCounting = false;
  #startedAtMs = 0;
  #startedCpu = process.cpuUsage();
  #pollingMs = 0;
  #answers = 0;
  #answersInAll = 0;
  #refusals = 0;
  #bytes = 0;

  /** The warm-up is over. */
  start(): void {
    this.#isCounting = true;
    this.#startedCpu = process.cpuUsage();
    this.#startedAtMs = performance.now();
    this.#pollingMs = 0;
  }

  /** So long this process asked for answers and found none; it could have done more. */
  notePolling(milliseconds: number): void {
    this.#pollingMs += milliseconds;
  }

  /** Answers so far, with the warm-up. */
  get answersInAll(): number {
    return this.#answersInAll;
  }

  count(status: number, bytes: number, latencyMs: number): void {
    this.#answersInAll++;
    if (!this.#isCounting) return;
    this.#answers++;
    this.#bytes += bytes;
    if (status < 200 || status > 299) this.#refusals++;
    this.#latencies.record(Math.max(1, Math.round(latencyMs * NS_PER_MS)));
  }

  /** The figures up to now; nothing is counted any more. */
  finish(): LoadReport {
    this.#isCounting = false;
    const seconds = (performance.now() - this.#startedAtMs) / 1000;
    const { user, system } = process.cpuUsage(this.#startedCpu);
    return {
      answers: this.#answers,
      answersInAll: this.#answersInAll,
      refusals: this.#refusals,
      seconds,
      answersPerSecond: this.#answers / seconds,
      bytesPerAnswer: this.#answers === 0 ? 0 : this.#bytes / this.#answers,
      latencies: latenciesOf(this.#latencies),
      // Polling is told by the clock: on a core that others use too it can come to more than was used.
      loadBusy: Math.max(0, (user + system) / 1e6 - this.#pollingMs / 1000) / seconds,
    };
  }
}
