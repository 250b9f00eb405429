/**
 * Sends what is due. Each endpoint has a short queue and a few lanes, and those that fail share half of all lanes, so
 * that endpoints which never answer keep nobody else waiting. The database says what is due, and who has taken it.
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

/** Tries under way in one process: in all, of endpoints that fail, of one endpoint. */
export const LANES_MAX = 128;
export const FAILING_LANES_MAX = LANES_MAX / 2;
export const LANES_PER_ENDPOINT_MAX = 4;
/** Deliveries of one endpoint that wait in memory. */
export const QUEUE_MAX = 20;
/** Longer than a try can take: then another one may be made. */
export const LEASE_MS = 2 * TRY_MS_MAX;
/** So long an endpoint fails, and at least so often, before it is stopped. */
export const FAILING_MS_MAX = 5 * 86_400_000;
export const FAILING_TRIES_MIN = 10;

/** The receiver asks never to be called again. */
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

export interface WebhookSender {
  /** Looks for what is due and begins to send it; does not wait for the tries. */
  round(signal: AbortSignal): Promise<void>;
  /** Resolves when no try is under way any more; those that wait for a server are given back. */
  stop(): Promise<void>;
}

interface Endpoint {
  readonly webhookId: string;
  isFailing: boolean;
  queue: DueDelivery[];
  lanes: number;
}

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const stopping = new AbortController();
  const endpoints = new Map<string, Endpoint>();
  const lanes = new Set<Promise<void>>();
  /** Being tried by a lane: not to be tried beside it, whatever the clock makes of its lease. */
  const inHand = new Set<string>();
  let failingLanes = 0;
  let laneError: unknown;

  async function round(signal: AbortSignal): Promise<void> {
    const due = await deps.storage.listDueWebhooks(deps.clock());
    for (const webhook of due) {
      if (signal.aborted) return;
      await refill(endpointOf(webhook));
    }
    fill();
    const error = laneError;
    laneError = undefined;
    if (error !== undefined) throw error;
  }

  function endpointOf({ webhookId, isFailing }: DueWebhook): Endpoint {
    const endpoint = endpoints.get(webhookId) ?? { webhookId, isFailing, queue: [], lanes: 0 };
    endpoint.isFailing = isFailing;
    endpoints.set(webhookId, endpoint);
    return endpoint;
  }

  async function refill(endpoint: Endpoint): Promise<void> {
    if (endpoint.queue.length > 0 || endpoint.lanes >= shareOf(endpoint)) return;
    const due = await deps.storage.listDueDeliveries(endpoint.webhookId, deps.clock(), QUEUE_MAX);
    endpoint.queue = due.filter(({ deliveryId }) => !inHand.has(deliveryId));
  }

  /** One lane for each endpoint in turn, so that those which come late get theirs. */
  function fill(): void {
    for (let hasBegun = true; hasBegun;) {
      hasBegun = false;
      for (const endpoint of endpoints.values()) if (begin(endpoint)) hasBegun = true;
    }
    for (const { webhookId, queue, lanes: own } of endpoints.values())
      if (queue.length === 0 && own === 0) endpoints.delete(webhookId);
  }

  function begin(endpoint: Endpoint): boolean {
    const { queue, isFailing } = endpoint;
    if (stopping.signal.aborted || queue.length === 0 || lanes.size >= LANES_MAX) return false;
    if (endpoint.lanes >= shareOf(endpoint)) return false;
    if (isFailing && failingLanes >= FAILING_LANES_MAX) return false;
    // What it is now; a try may change it.
    if (isFailing) failingLanes += 1;
    endpoint.lanes += 1;
    const due = queue.shift()!;
    inHand.add(due.deliveryId);
    const lane = attempt(deps, endpoint, due, stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) laneError = error;
      })
      .finally(() => {
        lanes.delete(lane);
        inHand.delete(due.deliveryId);
        endpoint.lanes -= 1;
        if (isFailing) failingLanes -= 1;
        fill();
      });
    lanes.add(lane);
    return true;
  }

  return {
    round,
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
    },
  };
}

/** One that fails is asked with one delivery at a time. */
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

/** Time alone does not stop it: a clock may jump. */
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
