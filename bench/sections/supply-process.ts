/**
 * The operator's systems: eight senders that change calendars at a constant rate, and one that sends a large message.
 * A message is timed from the moment it was due, so that a service that falls behind is not measured as fast.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { obeyOrders } from '../machine/channel.ts';
import { seedRandom, type SeededRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';
import { askSupply, type SupplyTarget, untilVisible } from './supply-client.ts';

export interface ChangesOrder extends SupplyTarget {
  readonly changesPerSecond: number;
  readonly seconds: number;
}

export interface ChangesReport {
  readonly changes: number;
  readonly seconds: number;
  readonly refused: number;
  /** From when it was due to the answer, each message. */
  readonly answeredAfterMs: readonly number[];
  /** From when it was due until the process shows it to partners, each watched message. */
  readonly visibleAfterMs: readonly number[];
}

export interface LargeOrder extends SupplyTarget {
  readonly entryCount: number;
}

export interface LargeReport {
  readonly megabytes: number;
  readonly answeredAfterMs: number;
  readonly visibleAfterMs: number;
  readonly changed: number;
}

const SENDERS = 8;
/** Of one sender under way: a change does not wait for the answer to the one before. */
const UNDERWAY_MAX = 8;
const WATCH_EVERY = 20;
const NIGHTS = 300;

obeyOrders({
  async changes(order: ChangesOrder): Promise<ChangesReport> {
    const report = { answeredAfterMs: [] as number[], visibleAfterMs: [] as number[], refused: 0 };
    const startedAtMs = performance.now();
    await Promise.all(
      Array.from({ length: SENDERS }, (_, sender) => sendChanges(order, sender, startedAtMs, report)),
    );
    const seconds = (performance.now() - startedAtMs) / 1000;
    return { ...report, changes: report.answeredAfterMs.length, seconds };
  },

  async large(order: LargeOrder): Promise<LargeReport> {
    const random = seedRandom(SEED);
    const entries = Array.from({ length: order.entryCount }, (_, index) =>
      changeOf(order, order.propertyIds[index % order.propertyIds.length]!, random),
    );
    const body = Buffer.from(JSON.stringify({ entries }));
    const startedAtMs = performance.now();
    const answer = await askSupply(order, 'PATCH', '/supply/v1/calendars', body);
    const answeredAfterMs = performance.now() - startedAtMs;
    if (answer.revision === undefined)
      throw new Error(`the large message was refused: ${JSON.stringify(answer)}`);
    await untilVisible(order, answer.revision);
    const visibleAfterMs = performance.now() - startedAtMs;
    return { megabytes: body.length / 1e6, answeredAfterMs, visibleAfterMs, changed: answer.changed };
  },
});

async function sendChanges(
  order: ChangesOrder,
  sender: number,
  startedAtMs: number,
  report: { readonly answeredAfterMs: number[]; readonly visibleAfterMs: number[]; refused: number },
): Promise<void> {
  const random = seedRandom(SEED + sender);
  const underway = new Set<Promise<void>>();
  const count = Math.floor((order.changesPerSecond * order.seconds) / SENDERS);
  for (let number = 0; number < count; number++) {
    const dueAtMs = startedAtMs + ((number * SENDERS + sender) / order.changesPerSecond) * 1000;
    if (dueAtMs > performance.now()) await delay(dueAtMs - performance.now());
    if (underway.size === UNDERWAY_MAX) await Promise.race(underway);
    const isWatched = number % WATCH_EVERY === 0;
    const sending = sendChange(order, random, { dueAtMs, isWatched }, report);
    underway.add(sending);
    void sending.finally(() => underway.delete(sending));
  }
  await Promise.all(underway);
}

async function sendChange(
  order: ChangesOrder,
  random: SeededRandom,
  { dueAtMs, isWatched }: { readonly dueAtMs: number; readonly isWatched: boolean },
  report: { readonly answeredAfterMs: number[]; readonly visibleAfterMs: number[]; refused: number },
): Promise<void> {
  const entries = [changeOf(order, random.pick(order.propertyIds), random)];
  const answer = await askSupply(
    order,
    'PATCH',
    '/supply/v1/calendars',
    Buffer.from(JSON.stringify({ entries })),
  );
  if (answer.revision === undefined) report.refused += 1;
  report.answeredAfterMs.push(performance.now() - dueAtMs);
  if (!isWatched) return;
  await untilVisible(order, answer.revision);
  report.visibleAfterMs.push(performance.now() - dueAtMs);
}

function changeOf(
  { today, inventoryTypeId }: SupplyTarget,
  propertyId: string,
  random: SeededRandom,
): object {
  const from = today + random.below(NIGHTS);
  return {
    propertyId,
    inventoryTypeId,
    dateFrom: formatLocalDate(from),
    dateTo: formatLocalDate(from + random.below(4)),
    availability: random.below(2),
    rate: `${50 + random.below(200)}.00`,
  };
}
