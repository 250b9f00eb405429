/**
 * Polls what this database reads by the clock, beside the traffic. Each process looks for what is due; a claim in the
 * database assigns each to one process.
 */
import { type Clock, machineUptime } from '../../runtime/clock.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { type ClaimDeps, type RenewClaim, withClaim } from './claims.ts';

/** Polls of one kind in one process; each mostly waits for a server. */
export const POLLS_AT_ONCE = 4;
const LISTED_PER_ROUND = 100;
const ROUND_MS = 1_000;
/** Pauses while the database is away, in rounds. */
const AWAY_ROUNDS = 5;

/** An item that is read by the clock, as it is stored. Instants are Unix ms. */
export interface Polled {
  readonly nextPollAtMs: number;
  readonly polledAtMs: number | null;
}

/** One kind of what is read by the clock. */
export interface PolledKind<Item extends Polled> {
  /** Its name in logs and metrics. */
  readonly name: string;
  readonly idOf: (item: Item) => string;
  /** The task that is claimed for one of them. */
  readonly taskOf: (item: Item) => string;
  /** Those due, longest waiting first; then those that a clock polled which is far ahead, or was. */
  readonly listDue: (nowMs: number, limit: number) => Promise<readonly Item[]>;
  readonly find: (id: string) => Promise<Item | undefined>;
  /** Stores and reports what came of it. The signal ends waits for servers. */
  readonly poll: (
    item: Item,
    turn: { readonly signal: AbortSignal; readonly renew: RenewClaim },
  ) => Promise<void>;
}

export interface PollerDeps extends ClaimDeps {
  readonly logger: RepeatLogger;
  /** Monotonic. */
  readonly uptimeMs?: Clock;
  /** Shorter in tests. */
  readonly roundMs?: number;
}

export interface Poller {
  /** Resolves when no poll is running; polls that wait for a server are abandoned. */
  stop(): Promise<void>;
}

export function startPoller<Item extends Polled>(deps: PollerDeps, kind: PolledKind<Item>): Poller {
  const everyMs = deps.roundMs ?? ROUND_MS;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns: Turns<Item> = {
    waiting: [],
    inHand: new Set(),
    lanes: new Set(),
    ahead: new Map(),
    error: undefined,
  };
  const rounds = repeat({
    name: kind.name,
    everyMs,
    awayMs: AWAY_ROUNDS * everyMs,
    logger: deps.logger,
    round: () => runRound(deps, kind, turns, signal),
  });
  return {
    async stop() {
      stopping.abort();
      await rounds.stop();
      await Promise.all(turns.lanes);
    },
  };
}

/** The items that wait for a poll in this process, and the polls running. */
interface Turns<Item> {
  readonly waiting: Item[];
  readonly inHand: Set<string>;
  /** At most POLLS_AT_ONCE; each polls one after another until none waits. */
  readonly lanes: Set<Promise<void>>;
  /** By id, those of the last list that are not due by our clock. */
  ahead: ReadonlyMap<string, Standing>;
  error: unknown;
}

/** One whose last poll planned the next far ahead of our clock, and the uptime since when it stands so. */
interface Standing {
  readonly nextPollAtMs: number;
  readonly sinceMs: number;
}

/**
 * Those to poll. A process that is alive with a clock ahead of ours polls again in time; where none does, its clock went
 * back, or it is gone.
 */
function leaveStanding<Item extends Polled>(
  { clock, uptimeMs = machineUptime }: PollerDeps,
  { idOf }: PolledKind<Item>,
  turns: Turns<Item>,
  listed: readonly Item[],
): readonly Item[] {
  const [nowMs, upMs] = [clock(), uptimeMs()];
  const ahead = listed.filter(({ nextPollAtMs }) => nextPollAtMs > nowMs);
  const before = turns.ahead;
  turns.ahead = new Map(
    ahead.map((item) => {
      const { nextPollAtMs } = item;
      const known = before.get(idOf(item));
      return [idOf(item), known?.nextPollAtMs === nextPollAtMs ? known : { nextPollAtMs, sinceMs: upMs }];
    }),
  );
  return listed.filter((item) => {
    const { nextPollAtMs, polledAtMs } = item;
    const standing = turns.ahead.get(idOf(item));
    return standing === undefined || upMs - standing.sinceMs >= nextPollAtMs - (polledAtMs ?? nextPollAtMs);
  });
}

/** Does not wait for the polls, so a slow server delays no other. */
async function runRound<Item extends Polled>(
  deps: PollerDeps,
  kind: PolledKind<Item>,
  turns: Turns<Item>,
  signal: AbortSignal,
): Promise<void> {
  const { waiting, inHand, lanes } = turns;
  if (waiting.length === 0) {
    const listed = await kind.listDue(deps.clock(), LISTED_PER_ROUND);
    const due = leaveStanding(deps, kind, turns, listed);
    waiting.push(...due.filter((item) => !inHand.has(kind.idOf(item))));
  }
  for (let free = POLLS_AT_ONCE - lanes.size; free > 0 && waiting.length > 0; free -= 1) {
    const lane = takeTurns(deps, kind, turns, signal)
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

async function takeTurns<Item extends Polled>(
  deps: PollerDeps,
  kind: PolledKind<Item>,
  { waiting, inHand }: Turns<Item>,
  signal: AbortSignal,
): Promise<void> {
  for (let item = waiting.shift(); item !== undefined && !signal.aborted; item = waiting.shift()) {
    const id = kind.idOf(item);
    inHand.add(id);
    await pollInTurn(deps, kind, item, signal).finally(() => inHand.delete(id));
  }
}

async function pollInTurn<Item extends Polled>(
  deps: PollerDeps,
  kind: PolledKind<Item>,
  listed: Item,
  signal: AbortSignal,
): Promise<void> {
  await withClaim(deps, kind.taskOf(listed), async (renew) => {
    // Another process may have just polled it.
    const item = await kind.find(kind.idOf(listed));
    if (item === undefined || signal.aborted) return;
    if (item.nextPollAtMs > deps.clock() && item.nextPollAtMs !== listed.nextPollAtMs) return;
    await kind.poll(item, { signal, renew });
  });
}
