/**
 * How far long work is: a bar on a terminal, else one line every few seconds. Always on standard error.
 */
import { MultiBar, type SingleBar } from 'cli-progress';
import type { ImportProgress } from '../../../supply/run/import-run.ts';

const LINE_INTERVAL_MS = 3000;
const BYTES_PER_MB = 1_000_000;

export interface ProgressDisplay {
  update(progress: ImportProgress): void;
  /** A line that stays, above the bar. */
  note(line: string): void;
  stop(): void;
}

/** `unit` is what is counted as read. */
export function openProgress(label: string, unit = 'properties'): ProgressDisplay {
  return process.stderr.isTTY ? barDisplay(label, unit) : lineDisplay(label, unit);
}

/** The total of a stream is unknown: then there is no bar until bytes are known, only the notes. */
function barDisplay(label: string, unit: string): ProgressDisplay {
  const bars = new MultiBar({
    stream: process.stderr,
    clearOnComplete: true,
    format: `${label} {bar} {percentage}% {read} ${unit}`,
  });
  let bar: SingleBar | undefined;
  return {
    update({ bytesRead, bytesTotal, read }) {
      if (bytesTotal === undefined) return;
      bar ??= bars.create(bytesTotal, 0, { read });
      bar.update(bytesRead, { read });
    },
    note(line) {
      if (bar === undefined) process.stderr.write(`${line}\n`);
      else bars.log(`${line}\n`);
    },
    stop: () => bars.stop(),
  };
}

function lineDisplay(label: string, unit: string): ProgressDisplay {
  let lastLineMs = performance.now();
  return {
    update(progress) {
      const nowMs = performance.now();
      if (nowMs - lastLineMs < LINE_INTERVAL_MS) return;
      lastLineMs = nowMs;
      process.stderr.write(`${label}: ${formatProgress(progress, unit)}\n`);
    },
    note: (line) => void process.stderr.write(`${line}\n`),
    stop: () => undefined,
  };
}

/** `1200 properties, 3.4 of 12.0 MB` */
export function formatProgress({ read, bytesRead, bytesTotal }: ImportProgress, unit = 'properties'): string {
  const total = bytesTotal === undefined ? '' : ` of ${(bytesTotal / BYTES_PER_MB).toFixed(1)}`;
  return `${read} ${unit}, ${(bytesRead / BYTES_PER_MB).toFixed(1)}${total} MB`;
}
