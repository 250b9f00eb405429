/** When each source last confirmed, and the silence after which a person should look. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConfirmedSupply, SupplyStore } from '../../storage/supply/store.ts';
import { FreshnessSummary, readConfirmations } from '../../supply/freshness/read-freshness.ts';
import { createCache, type Cache } from './cache.ts';
import { HOUR_MS } from '../../domain/local-date.ts';

/** Some seconds old. */
type Summed = Awaited<ReturnType<typeof sumUp>>;
export type SourceAges = Cache<Summed>;

const AGES_KEPT_MS = 10_000;

/** Sums over all properties, cached for ten seconds, or longer if computing them takes long. */
export function createSourceAges(storage: Pick<SupplyStore, 'listConfirmations'>): SourceAges {
  return createCache({ make: () => sumUp(storage), isOutdated: (ageMs) => ageMs >= AGES_KEPT_MS });
}

/** Confirmations listed, oldest first. */
export const OLDEST_MAX = 1_000;

async function sumUp(storage: Pick<SupplyStore, 'listConfirmations'>) {
  const summary = new FreshnessSummary();
  let oldest: ConfirmedSupply[] = [];
  for await (const rows of readConfirmations(storage)) {
    for (const row of rows) summary.add(row);
    const boundMs = oldest.length < OLDEST_MAX ? Infinity : oldest.at(-1)!.confirmedAtMs;
    const older = rows.filter(({ confirmedAtMs }) => confirmedAtMs < boundMs);
    if (older.length > 0) oldest = firstOldest([...oldest, ...older]).slice(0, OLDEST_MAX);
    await nextTurn();
  }
  return { sources: presentSources(summary), oldest };
}

/** By age; all from one read. */
function firstOldest(rows: readonly ConfirmedSupply[]): ConfirmedSupply[] {
  return rows.toSorted((one, other) => one.confirmedAtMs - other.confirmedAtMs);
}

/** Sums per source over its properties, longest silent first. */
function presentSources(summary: FreshnessSummary) {
  return [...summary.sources]
    .sort(([, one], [, other]) => one.newestConfirmedAtMs - other.newestConfirmedAtMs)
    .map(([source, { properties, newestConfirmedAtMs, oldestConfirmedAtMs }]) => ({
      source,
      properties,
      newestConfirmedAt: new Date(newestConfirmedAtMs).toISOString(),
      oldestConfirmedAt: new Date(oldestConfirmedAtMs).toISOString(),
    }));
}

// The expected interval between its messages.

type SourceHistory = Pick<SupplyStore, 'listSupplyMessages'>;

/**
 * The least silence, for frequent sources and those with a single message; `freshness --stale-hours 24` lists the
 * properties.
 */
export const SILENT_MS_MIN = 24 * HOUR_MS;
const GAPS_MISSED = 2;
/** Messages closer than this count as one occasion: they could not raise the bound above its minimum. */
const APART_MS = SILENT_MS_MIN / GAPS_MISSED;
const OCCASIONS_MAX = 5;

/** Twice the usual gap between its last messages; at least 24 hours. */
export async function silentAfterMs(storage: SourceHistory, source: string): Promise<number> {
  const times = await messageTimes(storage, source);
  const gaps = times.slice(1).map((atMs, index) => times[index]! - atMs);
  const usualMs = gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0;
  return Math.max(SILENT_MS_MIN, GAPS_MISSED * usualMs);
}

/** Times of the last occasions in the history of messages, newest first: one indexed row each. */
async function messageTimes(storage: SourceHistory, source: string): Promise<readonly number[]> {
  const times: number[] = [];
  while (times.length < OCCASIONS_MAX) {
    const last = times.at(-1);
    const until = last === undefined ? {} : { untilMs: last - APART_MS };
    const [message] = await storage.listSupplyMessages({ source, ...until, limit: 1 });
    if (message === undefined) break;
    times.push(message.receivedAtMs);
  }
  return times;
}
