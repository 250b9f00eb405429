/**
 * Polls the feeds of this database beside the traffic. Each process looks for feeds that are due; a claim in the
 * database assigns each feed to one process.
 */
import { conditionOf, type Feed, type FeedStore } from '../../storage/feeds/store.ts';
import { type Clock, machineUptime } from '../../runtime/clock.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { type ClaimDeps, withFeed } from './feed-claims.ts';
import { pollFeed, type PollDeps, type PolledFeed, type PollOutcome } from './poll-feed.ts';

/** Polls of one process; each mostly waits for a server. */
export const POLLS_AT_ONCE = 4;
const FEEDS_PER_ROUND = 100;
const ROUND_MS = 1_000;
/** Pauses while the database is away, in rounds. */
const AWAY_ROUNDS = 5;

const FAILING = 'iCal feed cannot be read: its nights stay as they are';
const RECOVERED = 'iCal feed can be read again';
const HELD = 'iCal feed held back: it would open half or more of its closed nights';

type Log = (fields: object, message: string) => void;

export interface PollerDeps extends PollDeps, ClaimDeps {
  readonly storage: PollDeps['storage'] & ClaimDeps['storage'] & Pick<FeedStore, 'listDueFeeds' | 'findFeed'>;
  readonly logger: RepeatLogger & { readonly info: Log; readonly warn: Log };
  /** Polls by outcome, counted for the metrics. */
  readonly counts: Record<PollOutcome, number>;
  /** Monotonic. */
  readonly uptimeMs?: Clock;
  /** Shorter in tests. */
  readonly roundMs?: number;
}

export interface FeedPoller {
  /** Resolves when no poll is running; polls that wait for a server are abandoned. */
  stop(): Promise<void>;
}

export function createPollCounts(): Record<PollOutcome, number> {
  return { changed: 0, unchanged: 0, held: 0, failed: 0 };
}

export function startFeedPoller(deps: PollerDeps): FeedPoller {
  const everyMs = deps.roundMs ?? ROUND_MS;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns: Turns = {
    waiting: [],
    inHand: new Set(),
    lanes: new Set(),
    ahead: new Map(),
    error: undefined,
  };
  const stoppable = { ...deps, fetching: { ...deps.fetching, signal } };
  const rounds = repeat({
    name: 'poll feeds',
    everyMs,
    awayMs: AWAY_ROUNDS * everyMs,
    logger: deps.logger,
    round: () => runRound(stoppable, turns, signal),
  });
  return {
    async stop() {
      stopping.abort();
      await rounds.stop();
      await Promise.all(turns.lanes);
    },
  };
}

/** Feeds waiting for a poll in this process, and the polls running. */
interface Turns {
  readonly waiting: Feed[];
  readonly inHand: Set<string>;
  /** At most POLLS_AT_ONCE; each polls one feed after another until none waits. */
  readonly lanes: Set<Promise<void>>;
  /** By id, feeds of the last list that are not due by our clock. */
  ahead: ReadonlyMap<string, Standing>;
  error: unknown;
}

/** A feed whose last poll planned the next one far ahead of our clock, and the uptime since when it stands so. */
interface Standing {
  readonly nextPollAtMs: number;
  readonly sinceMs: number;
}

/**
 * Those to poll. A process that is alive with a clock ahead of ours polls again in time; where none does, its clock went
 * back, or it is gone.
 */
function leaveStanding(
  { clock, uptimeMs = machineUptime }: PollerDeps,
  turns: Turns,
  listed: readonly Feed[],
): readonly Feed[] {
  const [nowMs, upMs] = [clock(), uptimeMs()];
  const ahead = listed.filter(({ nextPollAtMs }) => nextPollAtMs > nowMs);
  const before = turns.ahead;
  turns.ahead = new Map(
    ahead.map(({ feedId, nextPollAtMs }) => {
      const known = before.get(feedId);
      return [feedId, known?.nextPollAtMs === nextPollAtMs ? known : { nextPollAtMs, sinceMs: upMs }];
    }),
  );
  return listed.filter(({ feedId, nextPollAtMs, polledAtMs }) => {
    const standing = turns.ahead.get(feedId);
    return standing === undefined || upMs - standing.sinceMs >= nextPollAtMs - (polledAtMs ?? nextPollAtMs);
  });
}

/** Does not wait for the polls, so a slow server delays no other feed. */
async function runRound(deps: PollerDeps, turns: Turns, signal: AbortSignal): Promise<void> {
  const { waiting, inHand, lanes } = turns;
  if (waiting.length === 0) {
    const listed = await deps.storage.listDueFeeds(deps.clock(), FEEDS_PER_ROUND);
    const due = leaveStanding(deps, turns, listed);
    waiting.push(...due.filter(({ feedId }) => !inHand.has(feedId)));
  }
  for (let free = POLLS_AT_ONCE - lanes.size; free > 0 && waiting.length > 0; free -= 1) {
    const lane = takeTurns(deps, turns, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) turns.error = error;
      })
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  }
  const { error } = turns;
  turns.error = undefined;
  if (error !== undefined) throw error;
}

async function takeTurns(deps: PollerDeps, { waiting, inHand }: Turns, signal: AbortSignal): Promise<void> {
  for (let feed = waiting.shift(); feed !== undefined && !signal.aborted; feed = waiting.shift()) {
    const { feedId } = feed;
    inHand.add(feedId);
    await pollInTurn(deps, feed, signal).finally(() => inHand.delete(feedId));
  }
}

async function pollInTurn(deps: PollerDeps, listed: Feed, signal: AbortSignal): Promise<void> {
  const { feedId, nextPollAtMs } = listed;
  await withFeed(deps, feedId, async () => {
    // Another process may have just polled it.
    const feed = await deps.storage.findFeed(feedId);
    if (feed === undefined || signal.aborted) return;
    if (feed.nextPollAtMs > deps.clock() && feed.nextPollAtMs !== nextPollAtMs) return;
    const polled = await pollFeed(deps, feed);
    deps.counts[polled.outcome] += 1;
    report(deps, feed, polled);
  });
}

/** One line per change of a feed's condition. Never the URL: it is as good as a password. */
function report({ logger }: PollerDeps, before: Feed, { outcome, feed }: PolledFeed): void {
  const { feedId, propertyId, inventoryTypeId, failure: reason } = feed;
  const fields = { feedId, propertyId, inventoryTypeId };
  const [was, is] = [conditionOf(before), conditionOf(feed)];
  if (is !== was) {
    if (was === 'failing') logger.info({ ...fields, failedPolls: before.failureCount }, RECOVERED);
    if (was === 'held' && is === 'ok') logger.info(fields, 'iCal feed no longer held back');
    if (is === 'failing') logger.warn({ ...fields, reason }, FAILING);
    if (is === 'held') logger.warn(fields, HELD);
  }
  if (outcome === 'changed') logger.info(fields, 'iCal feed changed nights');
}
