/**
 * Sends due deliveries. Each endpoint has a short queue and a few lanes. Failing endpoints share half of all lanes, so
 * endpoints that never answer delay no others. The database holds which deliveries are due and which process has taken
 * each.
 */
import { parseRetryAfter } from '../outbound/retry-after.ts';
import type { AddressRule } from '../outbound/public-request.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import type {
  DueDelivery,
  DueWebhook,
  EndpointHealth,
  TakenDelivery,
  WebhookStore,
} from '../storage/webhooks/store.ts';
import { postDelivery, type PostResult, TRY_MS_MAX } from './post-delivery.ts';
import { signMessage } from './signatures.ts';
import { nextTryDelayMs } from './try-times.ts';

/** Tries at once in one process: in all, of failing endpoints, of one endpoint. */
export const LANES_MAX = 128;
export const FAILING_LANES_MAX = LANES_MAX / 2;
export const LANES_PER_ENDPOINT_MAX = 4;
/** Deliveries of one endpoint held in memory. */
export const QUEUE_MAX = 20;
/** Longer than a try can take; after that another may start. */
export const LEASE_MS = 2 * TRY_MS_MAX;
/** An endpoint is disabled after failing for this long and at least this often. */
export const FAILING_MS_MAX = 5 * 86_400_000;
export const FAILING_TRIES_MIN = 10;

/** The receiver asks for no further requests. */
const GONE = 410;

type Log = (fields: object, message: string) => void;

export interface SenderDeps {
  readonly storage: Pick<
    WebhookStore,
    'listDueWebhooks' | 'listDueDeliveries' | 'takeDelivery' | 'settleDelivery'
  >;
  /** Signed by the service, for the audit trail. */
  readonly disableWebhook: WebhookStore['disableWebhook'];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: { readonly info: Log; readonly warn: Log };
  readonly addresses: AddressRule;
  /** Shorter in tests. */
  readonly timeoutMs?: number;
  readonly counts: TryCounts;
}

export type TryCounts = Record<'delivered' | 'failed', number>;

interface Endpoint {
  readonly webhookId: string;
  isFailing: boolean;
  queue: DueDelivery[];
  lanes: number;
}

export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #stopping = new AbortController();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #lanes = new Set<Promise<void>>();
  /** Deliveries that a lane is trying: start no second try, even if the clock ends the lease. */
  readonly #inHand = new Set<string>();
  #failingLanes = 0;
  #laneError: unknown;

  constructor(deps: SenderDeps) {
    this.#deps = deps;
  }

  /** Finds due deliveries and starts sending them; does not wait for the tries. */
  async round(signal: AbortSignal): Promise<void> {
    const { storage, clock } = this.#deps;
    for (const webhook of await storage.listDueWebhooks(clock())) {
      if (signal.aborted) return;
      await this.#refill(webhook);
    }
    this.#fill();
    const error = this.#laneError;
    this.#laneError = undefined;
    if (error !== undefined) throw error;
  }

  /** Resolves when no try is running; tries that wait for a server are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#lanes);
  }

  async #refill({ webhookId, isFailing }: DueWebhook): Promise<void> {
    const { storage, clock } = this.#deps;
    const endpoint = this.#endpoints.get(webhookId) ?? { webhookId, isFailing, queue: [], lanes: 0 };
    endpoint.isFailing = isFailing;
    if (endpoint.queue.length > 0 || endpoint.lanes >= shareOf(endpoint)) return;
    const due = await storage.listDueDeliveries(webhookId, clock(), QUEUE_MAX);
    endpoint.queue = due.filter(({ deliveryId }) => !this.#inHand.has(deliveryId));
    // Not earlier: a lane that ended meanwhile would have dropped an endpoint without a queue.
    this.#endpoints.set(webhookId, endpoint);
  }

  /** Gives each endpoint in turn one lane, so that later ones get theirs. */
  #fill(): void {
    for (let hasBegun = true; hasBegun;) {
      hasBegun = false;
      for (const endpoint of this.#endpoints.values()) if (this.#begin(endpoint)) hasBegun = true;
    }
    for (const { webhookId, queue, lanes } of this.#endpoints.values())
      if (queue.length === 0 && lanes === 0) this.#endpoints.delete(webhookId);
  }

  #begin(endpoint: Endpoint): boolean {
    const { queue, isFailing } = endpoint;
    if (this.#stopping.signal.aborted || queue.length === 0 || this.#lanes.size >= LANES_MAX) return false;
    if (endpoint.lanes >= shareOf(endpoint)) return false;
    if (isFailing && this.#failingLanes >= FAILING_LANES_MAX) return false;
    // Counts by its state now, which a try may change.
    if (isFailing) this.#failingLanes += 1;
    endpoint.lanes += 1;
    const due = queue.shift()!;
    this.#inHand.add(due.deliveryId);
    const lane = attempt(this.#deps, endpoint, due, this.#stopping.signal)
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#laneError = error;
      })
      .finally(() => {
        this.#lanes.delete(lane);
        this.#inHand.delete(due.deliveryId);
        endpoint.lanes -= 1;
        if (isFailing) this.#failingLanes -= 1;
        this.#fill();
      });
    this.#lanes.add(lane);
    return true;
  }
}

/** A failing endpoint gets one delivery at a time. */
function shareOf({ isFailing }: Endpoint): number {
  return isFailing ? 1 : LANES_PER_ENDPOINT_MAX;
}

async function attempt(
  deps: SenderDeps,
  endpoint: Endpoint,
  due: DueDelivery,
  signal: AbortSignal,
): Promise<void> {
  const { storage, clock } = deps;
  const nowMs = clock();
  const taken = await storage.takeDelivery(due, { nowMs, leaseUntilMs: nowMs + LEASE_MS });
  if (taken === undefined) return;
  const mine = { deliveryId: due.deliveryId, attempts: due.attempts + 1 };
  let result: PostResult;
  try {
    result = await post(deps, mine.deliveryId, taken, signal);
  } catch (error) {
    await storage.settleDelivery(mine, { kind: 'given-back' }, clock()).catch(() => undefined);
    throw error;
  }
  await settle(deps, endpoint, { due: mine, taken, result });
}

async function post(
  { addresses, clock, timeoutMs }: SenderDeps,
  deliveryId: string,
  { url, body, keys }: TakenDelivery,
  signal: AbortSignal,
): Promise<PostResult> {
  signal.throwIfAborted();
  const message = { deliveryId, timestampSeconds: Math.floor(clock() / 1000), body };
  const headers = signMessage(message, keys);
  return postDelivery(
    new URL(url),
    { headers, body },
    { ...addresses, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  );
}

interface Tried {
  readonly due: DueDelivery;
  readonly taken: TakenDelivery;
  readonly result: PostResult;
}

async function settle(deps: SenderDeps, endpoint: Endpoint, { due, taken, result }: Tried): Promise<void> {
  const { storage, clock, counts, random, logger } = deps;
  const { webhookId } = endpoint;
  const fields = { webhookId, deliveryId: due.deliveryId, event: taken.event };
  const nowMs = clock();
  const { status, retryAfter, reason } = readResult(result);
  if (status !== null && status >= 200 && status < 300) {
    await storage.settleDelivery(due, { kind: 'delivered', status }, nowMs);
    counts.delivered += 1;
    if (endpoint.isFailing) logger.info(fields, 'webhook answers again');
    endpoint.isFailing = false;
    return;
  }
  const retryAfterMs = parseRetryAfter(retryAfter, nowMs);
  const nextAttemptAtMs = nowMs + nextTryDelayMs(taken.triesLeft - 1, { random, retryAfterMs });
  const health = await storage.settleDelivery(due, { kind: 'failed', status, nextAttemptAtMs }, nowMs);
  counts.failed += 1;
  if (!endpoint.isFailing)
    logger.warn({ ...fields, reason }, 'webhook fails; its deliveries are tried again');
  endpoint.isFailing = true;
  if (status === GONE) await stop(deps, webhookId, 'gone');
  else if (health !== undefined && hasFailedTooLong(health, nowMs)) await stop(deps, webhookId, 'failing');
}

function readResult(result: PostResult) {
  if (result.kind === 'failed') return { status: null, retryAfter: undefined, reason: result.reason };
  const { status, retryAfter } = result;
  return { status, retryAfter, reason: `the server answered with status ${status}` };
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
