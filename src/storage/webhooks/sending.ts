/** The queries of the process that sends webhooks, in both engines. */
import { commit, rollBack } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, type Program, rows, SKIP_LOCKED } from '../portable-sql/program.ts';
import type { Revision } from '../history/revision.ts';
import { LISTENING, listensTo, storeDeliveries } from './outbox.ts';
import {
  type ChangeListener,
  type DeliveredEvent,
  type DueDelivery,
  type EndpointHealth,
  type ExpiringCredential,
  type NewDelivery,
  TAKEN_MAX,
  type TakenDelivery,
  type TakenVersion,
  type TryOutcome,
  type WebhookSending,
  type WebhookState,
  type WebhookSummary,
} from './store.ts';

interface Term {
  readonly nowMs: number;
  readonly leaseUntilMs: number;
}

interface TakenRow {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly attempts: number;
  readonly body: string;
  readonly event: DeliveredEvent;
  readonly tries_left: number;
}

/** One text for however many there are. */
const TAKEN = Array.from({ length: TAKEN_MAX }, () => '?').join(', ');
const toTaken = (ids: readonly string[]): string[] =>
  Array.from({ length: TAKEN_MAX }, (_, index) => ids[index] ?? '');

/** If two processes take a delivery at once, only one changes the row. */
const take = ordinary(
  'takeDeliveries',
  function* (deliveryIds: readonly string[], { nowMs, leaseUntilMs }: Term) {
    const taken = yield* rows<TakenRow>(
      `UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at_ms = ?, next_attempt_at_ms = ?
       WHERE delivery_id IN (
         SELECT delivery_id FROM webhook_deliveries
         WHERE delivery_id IN (${TAKEN}) AND next_attempt_at_ms <= ? ${SKIP_LOCKED})
       RETURNING delivery_id, webhook_id, attempts, body, event, tries_left`,
      [nowMs, leaseUntilMs, ...toTaken(deliveryIds), nowMs],
    );
    if (taken.length === 0) return rollBack<TakenDelivery[]>([]);
    const ids = toTaken([...new Set(taken.map((row) => row.webhook_id))]);
    const urls = yield* rows<{ webhook_id: string; url: string }>(
      `SELECT webhook_id, url FROM webhooks WHERE disabled_at_ms IS NULL AND webhook_id IN (${TAKEN})`,
      ids,
    );
    const keys = yield* rows<KeyRow>(
      `SELECT webhook_id, secret, private_key, created_at_ms FROM webhook_keys
       WHERE webhook_id IN (${TAKEN}) AND (ends_at_ms IS NULL OR ends_at_ms > ?)
       ORDER BY created_at_ms DESC, secret`,
      [...ids, nowMs],
    );
    const urlOf = new Map(urls.map((row) => [row.webhook_id, row.url]));
    const keysOf = Map.groupBy(keys, (row) => row.webhook_id);
    return commit(
      taken.flatMap((row): TakenDelivery[] => {
        const url = urlOf.get(row.webhook_id);
        // Disabled in this moment, which drops what waits.
        if (url === undefined) return [];
        return [toTakenDelivery(row, url, keysOf.get(row.webhook_id) ?? [])];
      }),
    );
  },
);

interface KeyRow {
  readonly webhook_id: string;
  readonly secret: string;
  readonly private_key: string;
  readonly created_at_ms: number;
}

function toTakenDelivery(row: TakenRow, url: string, keys: readonly KeyRow[]): TakenDelivery {
  return {
    deliveryId: row.delivery_id,
    webhookId: row.webhook_id,
    attempts: row.attempts,
    url,
    body: row.body,
    event: row.event,
    keys: keys.map((key) => ({
      secret: key.secret,
      privateKey: key.private_key,
      createdAtMs: key.created_at_ms,
    })),
    triesLeft: row.tries_left,
  };
}

const settle = ordinary(
  'settleDelivery',
  function* ({ deliveryId, attempts }: TakenVersion, outcome: TryOutcome, nowMs: number) {
    const [row] = yield* settleRow(deliveryId, attempts, outcome);
    if (row === undefined) return rollBack<EndpointHealth | undefined>(undefined);
    if (outcome.kind === 'delivered')
      yield* change(
        'UPDATE webhooks SET failing_since_ms = NULL, failed_tries = 0 WHERE webhook_id = ? AND failed_tries > 0',
        [row.webhook_id],
      );
    if (outcome.kind === 'failed')
      yield* change(
        `UPDATE webhooks SET failing_since_ms = coalesce(failing_since_ms, ?), failed_tries = failed_tries + 1
         WHERE webhook_id = ?`,
        [nowMs, row.webhook_id],
      );
    const [health] = yield* rows<{ failing_since_ms: number | null; failed_tries: number }>(
      'SELECT failing_since_ms, failed_tries FROM webhooks WHERE webhook_id = ?',
      [row.webhook_id],
    );
    return commit<EndpointHealth | undefined>({
      failingSinceMs: health!.failing_since_ms,
      failedTries: health!.failed_tries,
    });
  },
);

/** A delivery that was dropped meanwhile is still marked as delivered if it was; nothing else changes it. */
function* settleRow(
  deliveryId: string,
  attempts: number,
  outcome: TryOutcome,
): Program<{ readonly webhook_id: string }[]> {
  const which = 'WHERE delivery_id = ? AND attempts = ?';
  switch (outcome.kind) {
    case 'delivered':
      return yield* rows(
        `UPDATE webhook_deliveries SET status = 'delivered', last_status = ?, last_error = NULL,
           last_wrong = NULL, next_attempt_at_ms = NULL
         ${which} RETURNING webhook_id`,
        [outcome.status, deliveryId, attempts],
      );
    case 'failed':
      return yield* rows(
        `UPDATE webhook_deliveries SET last_status = ?, last_error = ?, last_wrong = ?, tries_left = tries_left - 1,
           status = CASE WHEN tries_left > 1 THEN 'pending' ELSE 'failed' END,
           next_attempt_at_ms = CASE WHEN tries_left > 1 THEN CAST(? AS bigint) END
         ${which} AND next_attempt_at_ms IS NOT NULL RETURNING webhook_id`,
        [
          outcome.status,
          outcome.error ?? null,
          outcome.wrong ? JSON.stringify(outcome.wrong) : null,
          outcome.nextAttemptAtMs,
          deliveryId,
          attempts,
        ],
      );
    case 'given-back':
      return yield* rows(
        `UPDATE webhook_deliveries SET next_attempt_at_ms = 0
         ${which} AND next_attempt_at_ms IS NOT NULL RETURNING webhook_id`,
        [deliveryId, attempts],
      );
  }
}

const recall = ordinary('recallDeliveries', function* (nowMs: number) {
  const recalled = yield* change(
    'UPDATE webhook_deliveries SET next_attempt_at_ms = 0 WHERE next_attempt_at_ms > ? AND tried_at_ms > ?',
    [nowMs, nowMs],
  );
  return recalled === 0 ? rollBack(0) : commit(recalled);
});

const announce = ordinary(
  'announceChanges',
  function* (
    { webhookId, changesRevision }: ChangeListener,
    revision: Revision,
    delivery: NewDelivery,
    failingPauseMs: number,
  ) {
    const nowMs = delivery.createdAtMs;
    const heard = yield* change(
      `UPDATE webhooks SET changes_at_ms = ?, changes_revision = (
         SELECT CASE WHEN r.revision < ? THEN r.revision ELSE ? END FROM revision AS r
       )
       WHERE webhook_id = ? AND coalesce(changes_revision, 0) = ? AND disabled_at_ms IS NULL`,
      [nowMs, revision, revision, webhookId, changesRevision],
    );
    if (heard === 0) return rollBack(false);
    const waiting = yield* rows<{ attempts: number; created_at_ms: number }>(
      `SELECT attempts, created_at_ms FROM webhook_deliveries
       WHERE webhook_id = ? AND event = ? AND next_attempt_at_ms IS NOT NULL`,
      [webhookId, delivery.event],
    );
    // A waiting delivery without a try covers these changes too.
    if (waiting.some(({ attempts }) => attempts === 0)) return commit(false);
    if (waiting.some((one) => Math.abs(nowMs - one.created_at_ms) < failingPauseMs)) return rollBack(false);
    yield* change(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at_ms = NULL
       WHERE webhook_id = ? AND event = ? AND next_attempt_at_ms IS NOT NULL`,
      [webhookId, delivery.event],
    );
    yield* storeDeliveries([delivery]);
    return commit(true);
  },
);

const insertAll = ordinary('insertDeliveries', function* (deliveries: readonly NewDelivery[]) {
  yield* storeDeliveries(deliveries);
  return commit(undefined);
});

const deleteBefore = ordinary('deleteDeliveriesBefore', function* (createdBeforeMs: number, limit: number) {
  const deleted = yield* change(
    `DELETE FROM webhook_deliveries WHERE delivery_id IN (
       SELECT delivery_id FROM webhook_deliveries WHERE created_at_ms < ? ORDER BY created_at_ms LIMIT ?)`,
    [createdBeforeMs, limit],
  );
  return commit(deleted);
});

/** Keeps notices of expiring credentials: each prevents a second notice. */
const trim = ordinary('trimDeliveries', function* (keptMax: number, limit: number) {
  const webhooks = yield* rows<{ webhook_id: string }>('SELECT webhook_id FROM webhooks ORDER BY webhook_id');
  let deleted = 0;
  for (const { webhook_id: webhookId } of webhooks) {
    if (deleted >= limit) break;
    deleted += yield* change(
      `DELETE FROM webhook_deliveries WHERE event <> 'credential.expiring' AND delivery_id IN (
         SELECT delivery_id FROM webhook_deliveries WHERE webhook_id = ?
         ORDER BY created_at_ms DESC, delivery_id DESC LIMIT ? OFFSET ?)`,
      [webhookId, limit - deleted, keptMax],
    );
  }
  return commit(deleted);
});

const WRITES = [take, settle, recall, announce, insertAll, deleteBefore, trim];

export const webhookSendingConcern = concern(WRITES, webhookSending);

function webhookSending({ read, write }: RunnerOf<typeof WRITES>): WebhookSending {
  return {
    listDueDeliveries: (nowMs) => read(selectDueDeliveries(nowMs)),
    takeDeliveries: (deliveryIds, term) => write(take, deliveryIds, term),
    settleDelivery: (taken, outcome, nowMs) => write(settle, taken, outcome, nowMs),
    recallDeliveries: (nowMs) => write(recall, nowMs),
    summarizeWebhooks: () => read(summarize()),
    listChangeListeners: () => read(selectChangeListeners()),
    announceChanges: (listener, revision, delivery, failingPauseMs) =>
      write(announce, listener, revision, delivery, failingPauseMs),
    listExpiringCredentials: (nowMs, untilMs) => read(selectExpiring(nowMs, untilMs)),
    insertDeliveries: (deliveries) => write(insertAll, deliveries),
    deleteDeliveriesBefore: (createdBeforeMs, limit) => write(deleteBefore, createdBeforeMs, limit),
    trimDeliveries: (keptMax, limit) => write(trim, keptMax, limit),
  };
}

/** One look into an index for each endpoint, however much waits for one of them. */
function* selectDueDeliveries(nowMs: number): Program<DueDelivery[]> {
  const due = yield* rows<{
    webhook_id: string;
    partner_id: string;
    failed_tries: number;
    delivery_id: string | null;
  }>(
    `SELECT w.webhook_id, w.partner_id, w.failed_tries, (
       SELECT d.delivery_id FROM webhook_deliveries d
       WHERE d.webhook_id = w.webhook_id AND d.next_attempt_at_ms <= ?
       ORDER BY d.next_attempt_at_ms LIMIT 1) AS delivery_id
     FROM ${LISTENING}`,
    [nowMs],
    'due-deliveries',
  );
  return due.flatMap(
    ({ webhook_id: webhookId, partner_id: partnerId, delivery_id: deliveryId, failed_tries: tries }) =>
      deliveryId === null ? [] : [{ webhookId, partnerId, deliveryId, isFailing: tries > 0 }],
  );
}

function* summarize(): Program<WebhookSummary> {
  const found = yield* rows<{ state: WebhookState; n: number | string }>(`
    SELECT state, count(*) AS n FROM (
      SELECT CASE
        WHEN disabled_reason = 'operator' THEN 'disabled'
        WHEN disabled_at_ms IS NOT NULL THEN 'stopped'
        WHEN failing_since_ms IS NOT NULL THEN 'failing'
        ELSE 'ok'
      END AS state FROM webhooks
    ) AS webhooks_now GROUP BY state`);
  const [untried] = yield* rows<{ oldest: number | null }>(
    `SELECT min(d.created_at_ms) AS oldest FROM ${LISTENING}
     JOIN webhook_deliveries d
       ON d.webhook_id = w.webhook_id AND d.next_attempt_at_ms <= 0 AND d.attempts = 0`,
  );
  const counts = { ok: 0, failing: 0, disabled: 0, stopped: 0 };
  for (const { state, n } of found) counts[state] = Number(n);
  return { counts, oldestUntriedMs: untried?.oldest ?? null };
}

function* selectChangeListeners(): Program<ChangeListener[]> {
  const found = yield* rows<{
    webhook_id: string;
    partner_id: string;
    events: string;
    changes_revision: number;
    changes_at_ms: number | null;
  }>(`SELECT w.webhook_id, w.partner_id, w.events, coalesce(w.changes_revision, 0) AS changes_revision, w.changes_at_ms
      FROM ${LISTENING}`);
  return found
    .filter(({ events }) => listensTo(events, 'changes.available'))
    .map((row) => ({
      webhookId: row.webhook_id,
      partnerId: row.partner_id,
      changesRevision: row.changes_revision,
      changesAtMs: row.changes_at_ms,
    }));
}

function* selectExpiring(nowMs: number, untilMs: number): Program<ExpiringCredential[]> {
  const found = yield* rows<{
    credential_id: string;
    expires_at_ms: number;
    webhook_id: string;
    events: string;
  }>(
    `SELECT c.credential_id, c.expires_at_ms, l.webhook_id, l.events FROM credentials c
     JOIN (SELECT w.webhook_id, w.partner_id, w.events FROM ${LISTENING}) AS l ON l.partner_id = c.partner_id
     WHERE c.revoked_at_ms IS NULL AND c.expires_at_ms > ? AND c.expires_at_ms <= ?
     ORDER BY c.expires_at_ms, c.credential_id`,
    [nowMs, untilMs],
  );
  return found
    .filter(({ events }) => listensTo(events, 'credential.expiring'))
    .map((row) => ({
      credentialId: row.credential_id,
      expiresAtMs: row.expires_at_ms,
      webhookId: row.webhook_id,
    }));
}
