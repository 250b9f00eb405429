/** When each source last confirmed, and the silence after which a person should look. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AdministeredStores } from '../../storage/administered.ts';
import type { ConfirmedSupply, SupplyStore } from '../../storage/supply/store.ts';
import { FreshnessSummary, readConfirmations } from '../../supply/freshness/read-freshness.ts';
import { createKept, type Kept } from './kept.ts';
import { HOUR_MS } from '../../domain/local-date.ts';

/** Some seconds old. */
type Summed = Awaited<ReturnType<typeof sumUp>>;
export type SourceAge = Summed['sources'][number];
export type SourceAges = Kept<Summed>;

const AGES_KEPT_MS = 10_000;

/** Sums over all properties, cached for ten seconds, or longer if computing them takes long. */
export function createSourceAges(storage: Pick<SupplyStore, 'listConfirmations'>): SourceAges {
  return createKept({ make: () => sumUp(storage), isOutdated: (ageMs) => ageMs >= AGES_KEPT_MS });
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

type SourceHistory = Pick<AdministeredStores, 'readAudit'> & Pick<SupplyStore, 'listSupplyMessages'>;

/**
 * The least silence, for frequent sources and those with a single message; `freshness --stale-hours 24` lists the
 * properties.
 */
export const SILENT_MS_MIN = 24 * HOUR_MS;
const GAPS_MISSED = 2;
/** Messages closer than this count as one occasion: they could not raise the bound above its minimum. */
const APART_MS = SILENT_MS_MIN / GAPS_MISSED;
const OCCASIONS_MAX = 5;
const IMPORTS_SINCE_MS = 100 * 24 * HOUR_MS;
const IMPORTS_READ = 2_000;

/** Twice the usual gap between its last messages, or between the last imports of its file; at least 24 hours. */
export async function silentAfterMs(storage: SourceHistory, age: SourceAge): Promise<number> {
  const messages = await messageTimes(storage, age.source);
  const times =
    messages.length > 0 ? messages : await importTimes(storage, Date.parse(age.newestConfirmedAt));
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

/**
 * Files leave no message, but the audit trail has each import. The newest import began before the last confirmation,
 * and imports of the same file have similar names; digits in its name are a date or version.
 */
async function importTimes(storage: SourceHistory, confirmedAtMs: number): Promise<readonly number[]> {
  const entries = await storage.readAudit(confirmedAtMs - IMPORTS_SINCE_MS, IMPORTS_READ);
  const imports = entries.filter(({ act, atMs }) => act.startsWith('import ') && atMs <= confirmedAtMs);
  const kindOf = ({ act, on }: (typeof imports)[number]): string => `${act} ${on.replaceAll(/\d+/g, '#')}`;
  const times: number[] = [];
  for (const one of imports) {
    const last = times.at(-1) ?? Infinity;
    if (kindOf(one) === kindOf(imports[0]!) && one.atMs <= last - APART_MS) times.push(one.atMs);
  }
  return times.slice(0, OCCASIONS_MAX);
}
