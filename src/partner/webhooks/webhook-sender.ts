/**
 * Sends due deliveries. Each endpoint in turn gets one try, up to a few at once. Failing endpoints share half of all
 * tries, and those of one partner a quarter, so endpoints that never answer delay no others. The database is the queue.
 */
import { inEnglish } from '../../domain/wrong.ts';
import { parseRetryAfter } from '../../runtime/outbound/retry-after.ts';
import type { AddressRule } from '../../runtime/outbound/public-request.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import {
  type DueDelivery,
  type EndpointHealth,
  TAKEN_MAX,
  type TakenDelivery,
  type WebhookStore,
} from '../../storage/webhooks/store.ts';
import { postDelivery, type PostResult, TRY_MS_MAX } from './post-delivery.ts';
import { signMessage } from './signatures.ts';
import { nextTryDelayMs } from './try-times.ts';

/** Tries at once in one process: in all, of failing endpoints, of one partner's endpoints, of one endpoint. */
export const TRIES_AT_ONCE_MAX = TAKEN_MAX;
export const FAILING_AT_ONCE_MAX = TRIES_AT_ONCE_MAX / 2;
export const PER_PARTNER_MAX = TRIES_AT_ONCE_MAX / 4;
export const PER_ENDPOINT_MAX = 4;
/** Longer than a try can take; after that another may start. */
export const LEASE_MS = 2 * TRY_MS_MAX;
/** An endpoint is disabled after failing for this long and at least this often. */
export const FAILING_MS_MAX = 5 * 86_400_000;
export const FAILING_TRIES_MIN = 10;

/** The receiver asks for no further requests. */
const GONE = 410;

type Log = (fields: object, message: string) => void;

export interface SenderDeps {
  readonly storage: Pick<WebhookStore, 'listDueDeliveries' | 'takeDeliveries' | 'settleDelivery'>;
  /** Signed by the service, for the audit trail. */
  readonly disableWebhook: WebhookStore['disableWebhook'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: { readonly info: Log; readonly warn: Log };
  readonly addresses: AddressRule;
  /** Shorter in tests. */
  readonly timeoutMs?: number;
  readonly postDelivery?: typeof postDelivery;
  /** `TRIES_AT_ONCE_MAX`, smaller in tests. */
  readonly triesAtOnce?: number | undefined;
  readonly counts: TryCounts;
}

export type TryCounts = Record<'delivered' | 'failed', number>;

interface Underway extends Pick<DueDelivery, 'webhookId' | 'partnerId'> {
  readonly isFailing: boolean;
  readonly ended: Promise<void>;
}

export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #stopping = new AbortController();
  /** By delivery: start no second try meanwhile, even if the clock ends the lease. */
  readonly #underway = new Map<string, Underway>();
  /** The endpoint that had its turn last. */
  #lastWebhookId = '';
  #looking: Promise<void> | undefined;
  #mustLook = false;
  #error: unknown;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Finds due deliveries and starts sending them; does not wait for the tries. */
  async round(): Promise<void> {
    await this.#look();
    const error = this.#error;
    this.#error = undefined;
    if (error !== undefined) throw error;
  }

  /** Resolves when no try is running; tries that wait for a server are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking?.catch(() => undefined);
    await Promise.all(this.#underway.values().map(({ ended }) => ended));
  }

  /** One look at a time; any number of calls meanwhile cause one more. */
  #look(): Promise<void> {
    this.#mustLook = true;
    this.#looking ??= this.#lookUntilDone();
    return this.#looking;
  }

  async #lookUntilDone(): Promise<void> {
    try {
      while (this.#mustLook && !this.#stopping.signal.aborted) {
        this.#mustLook = false;
        const begunCount = await this.#beginDue();
        // Endpoints with further due deliveries get their next turn.
        if (begunCount > 0) this.#mustLook = true;
      }
    } finally {
      this.#looking = undefined;
    }
  }

  async #beginDue(): Promise<number> {
    const { storage, clock } = this.#deps;
    const chosen = this.#choose(await storage.listDueDeliveries(clock()));
    if (chosen.size === 0) return 0;
    const nowMs = clock();
    const term = { nowMs, leaseUntilMs: nowMs + LEASE_MS };
    const taken = await storage.takeDeliveries([...chosen.keys()], term);
    for (const one of taken) this.#begin(one, chosen.get(one.deliveryId)!);
    return taken.length;
  }

  /** One delivery of each endpoint that may start another try, beginning after the endpoint that had the last turn. */
  #choose(due: readonly DueDelivery[]): ReadonlyMap<string, DueDelivery> {
    const underway = [...this.#underway.values()];
    const ofEndpoint = new Tally(underway.map(({ webhookId }) => webhookId));
    const ofPartner = new Tally(underway.map(({ partnerId }) => partnerId));
    let failingLeft = FAILING_AT_ONCE_MAX - underway.filter(({ isFailing }) => isFailing).length;
    const left = (this.#deps.triesAtOnce ?? TRIES_AT_ONCE_MAX) - underway.length;
    const chosen = new Map<string, DueDelivery>();
    for (const one of this.#inTurn(due)) {
      if (chosen.size >= left) break;
      const { webhookId, partnerId, deliveryId, isFailing } = one;
      // A failing endpoint gets one delivery at a time.
      if (ofEndpoint.count(webhookId) >= (isFailing ? 1 : PER_ENDPOINT_MAX)) continue;
      if (ofPartner.count(partnerId) >= PER_PARTNER_MAX) continue;
      if (this.#underway.has(deliveryId) || (isFailing && failingLeft <= 0)) continue;
      if (isFailing) failingLeft -= 1;
      ofPartner.add(partnerId);
      chosen.set(deliveryId, one);
      this.#lastWebhookId = webhookId;
    }
    return chosen;
  }

  #inTurn(due: readonly DueDelivery[]): readonly DueDelivery[] {
    const inOrder = due.toSorted((one, other) => (one.webhookId < other.webhookId ? -1 : 1));
    const first = inOrder.findIndex(({ webhookId }) => webhookId > this.#lastWebhookId);
    return first <= 0 ? inOrder : [...inOrder.slice(first), ...inOrder.slice(0, first)];
  }

  #begin(taken: TakenDelivery, { webhookId, partnerId, isFailing }: DueDelivery): void {
    const { deliveryId } = taken;
    const ended = attempt(this.#deps, taken, { wasFailing: isFailing, signal: this.#stopping.signal })
      .finally(() => this.#underway.delete(deliveryId))
      .then(() => this.#look())
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#error = error;
      });
    this.#underway.set(deliveryId, { webhookId, partnerId, isFailing, ended });
  }
}

/** How often each name was added. */
class Tally {
  readonly #counts = new Map<string, number>();

  constructor(names: readonly string[]) {
    for (const name of names) this.add(name);
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string): void {
    this.#counts.set(name, this.count(name) + 1);
  }
}

interface AttemptOptions {
  readonly wasFailing: boolean;
  readonly signal: AbortSignal;
}

async function attempt(
  deps: SenderDeps,
  taken: TakenDelivery,
  { wasFailing, signal }: AttemptOptions,
): Promise<void> {
  let result: PostResult;
  try {
    result = await post(deps, taken, signal);
  } catch (error) {
    await deps.storage.settleDelivery(taken, { kind: 'given-back' }, deps.clock()).catch(() => undefined);
    throw error;
  }
  await settle(deps, taken, { result, wasFailing });
}

async function post(
  { addresses, clock, timeoutMs, postDelivery: send = postDelivery }: SenderDeps,
  { deliveryId, url, body, keys }: TakenDelivery,
  signal: AbortSignal,
): Promise<PostResult> {
  signal.throwIfAborted();
  const message = { deliveryId, timestampSeconds: Math.floor(clock() / 1000), body };
  const headers = signMessage(message, keys);
  return send(
    new URL(url),
    { headers, body },
    { ...addresses, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  );
}

interface Tried {
  readonly result: PostResult;
  readonly wasFailing: boolean;
}

async function settle(deps: SenderDeps, taken: TakenDelivery, { result, wasFailing }: Tried): Promise<void> {
  const { storage, clock, counts, random, logger } = deps;
  const { webhookId, deliveryId, event, triesLeft } = taken;
  const fields = { webhookId, deliveryId, event };
  const nowMs = clock();
  const { status, retryAfter, reason, wrong } = readResult(result);
  if (status !== null && status >= 200 && status < 300) {
    await storage.settleDelivery(taken, { kind: 'delivered', status }, nowMs);
    counts.delivered += 1;
    if (wasFailing) logger.info(fields, 'webhook answers again');
    return;
  }
  const retryAfterMs = parseRetryAfter(retryAfter, nowMs);
  const nextAttemptAtMs = nowMs + nextTryDelayMs(triesLeft - 1, { random, retryAfterMs });
  const error = wrong === null ? null : reason;
  const health = await storage.settleDelivery(
    taken,
    { kind: 'failed', status, error, wrong, nextAttemptAtMs },
    nowMs,
  );
  counts.failed += 1;
  // Dropped or sent elsewhere meanwhile: this answer tells nothing of the endpoint as it is now.
  if (health === undefined) return;
  if (health.failedTries === 1)
    logger.warn({ ...fields, reason }, 'webhook fails; its deliveries are tried again');
  if (status === GONE) await stop(deps, webhookId, 'gone');
  else if (hasFailedTooLong(health, nowMs)) await stop(deps, webhookId, 'failing');
}

function readResult(result: PostResult) {
  if (result.kind === 'failed') {
    const { wrong } = result;
    return { status: null, retryAfter: undefined, reason: inEnglish(wrong), wrong };
  }
  const { status, retryAfter } = result;
  return { status, retryAfter, reason: `the server answered with status ${status}`, wrong: null };
}

/** Elapsed time alone does not disable an endpoint: a clock may jump. */
function hasFailedTooLong({ failingSinceMs, failedTries }: EndpointHealth, nowMs: number): boolean {
  return (
    failingSinceMs !== null && nowMs - failingSinceMs >= FAILING_MS_MAX && failedTries >= FAILING_TRIES_MIN
  );
}

async function stop(
  { disableWebhook, clock, logger }: SenderDeps,
  webhookId: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  await disableWebhook(webhookId, clock(), reason);
  logger.warn(
    { webhookId, reason },
    'webhook disabled: "webhook enable" continues, what happens until then is not told',
  );
}
