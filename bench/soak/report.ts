/** Whether memory stays level under an unchanging load, and the words for it. */
import type { MemorySample } from './memory.ts';
import type { TrafficCounts } from './traffic.ts';

/** The first part of a soak fills caches, arenas and the database's pages; it is left out of the slope. */
const WARM_UP_SHARE = 0.5;
/**
 * V8 lets its heaps grow and then collects them: memory swings by a third of its size within minutes. What counts is the
 * least of each stretch of so many samples; a quarter of an hour has seven such stretches behind its warm-up.
 */
const STRETCH_SAMPLES = 4;
const STRETCHES_MIN = 2;
const GROWTH_MIB_A_MINUTE_MAX = 2;

export type Verdict =
  | { readonly kind: 'level' | 'growing'; readonly rssMibAMinute: number }
  | { readonly kind: 'unexpected answers' | 'too short' };

export interface SoakReport {
  readonly options: object;
  readonly samples: readonly MemorySample[];
  readonly counts: TrafficCounts;
  readonly verdict: Verdict;
}

export function judge(samples: readonly MemorySample[], { unexpected }: TrafficCounts): Verdict {
  if (Object.keys(unexpected).length > 0) return { kind: 'unexpected answers' };
  const last = samples.at(-1)?.minutes ?? 0;
  const settled = samples.filter(({ minutes }) => minutes >= last * WARM_UP_SHARE);
  const floors = floorsOf(settled);
  if (floors.length < STRETCHES_MIN) return { kind: 'too short' };
  const rssMibAMinute = slopeOf(floors, 'rss');
  return { kind: rssMibAMinute > GROWTH_MIB_A_MINUTE_MAX ? 'growing' : 'level', rssMibAMinute };
}

/** The sample with the least resident memory of each whole stretch. */
function floorsOf(samples: readonly MemorySample[]): MemorySample[] {
  const count = Math.floor(samples.length / STRETCH_SAMPLES);
  return Array.from({ length: count }, (_, index) =>
    samples
      .slice(index * STRETCH_SAMPLES, (index + 1) * STRETCH_SAMPLES)
      .reduce((least, sample) => (sample.rss < least.rss ? sample : least)),
  );
}

/** Least squares: mebibytes (or how many) a minute. */
function slopeOf(samples: readonly MemorySample[], field: keyof MemorySample): number {
  const mean = (of: keyof MemorySample): number =>
    samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [meanMinutes, meanValue] = [mean('minutes'), mean(field)];
  let products = 0;
  let squares = 0;
  for (const sample of samples) {
    products += (sample.minutes - meanMinutes) * (sample[field] - meanValue);
    squares += (sample.minutes - meanMinutes) ** 2;
  }
  return products / squares;
}

export function printReport({ samples, counts, verdict }: SoakReport): void {
  const first = samples[0];
  const last = samples.at(-1);
  const rows = last === undefined ? [] : (Object.keys(last) as (keyof MemorySample)[]);
  const settled = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const lines = rows
    .filter((field) => field !== 'minutes')
    .map((field) => {
      const values = [first![field], last![field]].map((value) => value.toFixed(0).padStart(9)).join('');
      const slope = settled.length > 1 ? slopeOf(settled, field).toFixed(2) : '-';
      return `${field.padEnd(16)}${values}${slope.padStart(12)}`;
    });
  const answers = Object.values(counts.answers).reduce((sum, count) => sum + count, 0);
  const slope = 'rssMibAMinute' in verdict ? ` (${verdict.rssMibAMinute.toFixed(2)} MiB a minute)` : '';
  const text = [
    `${'MiB'.padEnd(16)}${'first'.padStart(9)}${'last'.padStart(9)}${'a minute'.padStart(12)}`,
    ...lines,
    `answers: ${answers}, shed: ${counts.shed}, left out: ${counts.leftOut}, unexpected: ${JSON.stringify(counts.unexpected)}`,
    `resident memory: ${verdict.kind}${slope}`,
  ];
  process.stdout.write(`${text.join('\n')}\n`);
}
