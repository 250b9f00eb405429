/**
 * The webhooks of a service. Of all processes on a database, the holder of a claim sends; the claim expires if that
 * process dies. Due deliveries are in the database, so none are lost then.
 */
import type { AddressRule } from '../../runtime/outbound/public-request.ts';
import { type Clock, machineUptime } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { Author } from '../../storage/portable-sql/program.ts';
import { repeat, type Repeated, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import type { TaskStore } from '../../storage/tasks/store.ts';
import type { WebhookActs, WebhookStore, WebhookSummary } from '../../storage/webhooks/store.ts';
import type { VisibleChanges } from '../changes/visible-changes.ts';
import { type AnnounceDeps, createChangeAnnouncer } from './announce-changes.ts';
import { announceExpiring } from './announce-expiry.ts';
import type { WebhookNumbers } from '../../http/observability/metrics/webhook-families.ts';
import { type SenderDeps, type TryCounts, WebhookSender } from './webhook-sender.ts';

/** Interval between looks for due deliveries and for changes. */
export const ROUND_MS = 500;
const EXPIRY_ROUND_MS = 60_000;
const SUMMARY_ROUND_MS = 5_000;
/** After a process dies, the others wait this long. */
export const CLAIM_MS = 20_000;
export const CLAIM_AGAIN_MS = 5_000;
/** If the clock goes back by more than this, planned tries are planned again. */
const CLOCK_BACK_MS = 1_000;

const TASK = 'send webhooks';
/** Disables endpoints that fail. */
const SERVICE: Author = { person: 'service', role: null, act: 'webhook disable' };

type Log = (fields: object, message: string) => void;

export interface WebhooksDeps {
  readonly storage: WebhookStore &
    TaskStore &
    AnnounceDeps['storage'] & { readonly asAuthor: (author: Author) => Pick<WebhookActs, 'disableWebhook'> };
  readonly clock: Clock;
  /** Monotonic. */
  readonly uptimeMs?: Clock;
  readonly random: Random;
  readonly logger: RepeatLogger & { readonly info: Log; readonly warn: Log };
  /** This process, among all that share the database. */
  readonly holder: string;
  readonly addresses: AddressRule;
  /** Undefined: no partner is notified of changes. */
  readonly changes: VisibleChanges | undefined;
  /** For tests. */
  readonly roundMs?: number;
  readonly timeoutMs?: number;
  readonly postDelivery?: NonNullable<SenderDeps['postDelivery']>;
  readonly triesAtOnce?: number | undefined;
}

export interface Webhooks extends WebhookNumbers {
  /** Resolves when no try is running. */
  stop(): Promise<void>;
}

const NOTHING: WebhookSummary = {
  counts: { ok: 0, failing: 0, disabled: 0, stopped: 0 },
  oldestUntriedMs: null,
};

export function startWebhooks(deps: WebhooksDeps): Webhooks {
  const { storage, logger, roundMs = ROUND_MS, uptimeMs = machineUptime } = deps;
  const tries: TryCounts = { delivered: 0, failed: 0 };
  const turn = createTurn({ ...deps, uptimeMs });
  const sender = new WebhookSender({
    ...deps,
    counts: tries,
    disableWebhook: (...args) => storage.asAuthor(SERVICE).disableWebhook(...args),
  });
  let summary = NOTHING;
  /** Runs rounds while this process holds the claim; the first round starts at once. */
  const owned = (name: string, everyMs: number, round: (signal: AbortSignal) => Promise<void>): Repeated =>
    repeat({
      name,
      everyMs,
      firstMs: 0,
      logger,
      round: async (signal) => {
        if (await turn.isOurs()) await round(signal);
      },
    });
  const works = [
    owned('send webhooks', roundMs, () => sender.round()),
    owned('announce expiring credentials', EXPIRY_ROUND_MS, () => announceExpiring(deps)),
    repeat({
      name: 'count webhooks',
      everyMs: SUMMARY_ROUND_MS,
      firstMs: 0,
      logger,
      round: async () => void (summary = await storage.summarizeWebhooks()),
    }),
  ];
  if (deps.changes !== undefined) {
    const announcer = createChangeAnnouncer({ ...deps, uptimeMs, changes: deps.changes });
    works.push(owned('announce changes', roundMs, (signal) => announcer.round(signal)));
  }
  return {
    tries,
    state: () => summary,
    async stop() {
      await Promise.all([sender.stop(), ...works.map((work) => work.stop())]);
      await turn.giveUp();
    },
  };
}

/** Whether this process is the sender; called often, claims rarely. */
function createTurn({ storage, clock, uptimeMs, holder }: WebhooksDeps & { readonly uptimeMs: Clock }) {
  let isOurs = false;
  let claimedAtMs: number | undefined;
  let asking: Promise<void> | undefined;
  /** The end of the claim of another process, and since when it is that. */
  let other = { untilMs: 0, sinceMs: 0 };

  async function claim(nowMs: number): Promise<void> {
    const hadIt = isOurs;
    const before = claimedAtMs;
    // Who is alive would have claimed it again: the claim of a clock that was ahead has ended, too.
    const endedMs = uptimeMs() - other.sinceMs >= CLAIM_MS ? other.untilMs : 0;
    const term = { nowMs: Math.max(nowMs, endedMs), untilMs: nowMs + CLAIM_MS };
    isOurs = await storage.claimTask(TASK, holder, term);
    claimedAtMs = nowMs;
    if (!isOurs) await watchOther();
    // Tries may have been planned by a clock that was ahead: ours before a step back, or that of a process before us.
    const wentBack = before !== undefined && nowMs < before - CLOCK_BACK_MS;
    if (isOurs && (!hadIt || wentBack)) await storage.recallDeliveries(nowMs);
  }

  async function watchOther(): Promise<void> {
    const untilMs = await storage.readClaimEnd(TASK);
    if (untilMs !== other.untilMs) other = { untilMs, sinceMs: uptimeMs() };
  }

  return {
    async isOurs(): Promise<boolean> {
      const nowMs = clock();
      const isRecent =
        claimedAtMs !== undefined &&
        nowMs >= claimedAtMs - CLOCK_BACK_MS &&
        nowMs < claimedAtMs + CLAIM_AGAIN_MS;
      if (!isRecent) {
        asking ??= claim(nowMs).finally(() => (asking = undefined));
        await asking;
      }
      return isOurs;
    },
    /** Best effort: the claim expires by itself. */
    async giveUp(): Promise<void> {
      if (!isOurs) return;
      await storage.claimTask(TASK, holder, { nowMs: clock(), untilMs: 0 }).catch(() => undefined);
    },
  };
}
