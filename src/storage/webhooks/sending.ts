/** The queries of the process that sends webhooks, in both engines. */
import { commit, rollBack } from '../engine/write-result.ts';
import { change, ordinary, type Program, type ProgramRunner, rows } from '../portable-sql/program.ts';
import type { Revision } from '../history/revision.ts';
import { LISTENING, listensTo, storeDeliveries } from './outbox.ts';
import type {
  ChangeListener,
  DeliveredEvent,
  DueDelivery,
  EndpointHealth,
  ExpiringCredential,
  NewDelivery,
  TakenDelivery,
  TryOutcome,
  WebhookKey,
  WebhookSending,
  WebhookState,
  WebhookSummary,
} from './store.ts';

interface Term {
  readonly nowMs: number;
  readonly leaseUntilMs: number;
}

interface TakenRow {
  readonly url: string;
  readonly body: string;
  readonly event: DeliveredEvent;
  readonly tries_left: number;
  readonly webhook_id: string;
}

/** If two processes take a delivery at once, only one changes the row. */
const take = ordinary('takeDelivery', function* (due: DueDelivery, { nowMs, leaseUntilMs }: Term) {
  const taken = yield* change(
    `UPDATE webhook_deliveries SET attempts = attempts + 1, tried_at_ms = ?, next_attempt_at_ms = ?
     WHERE delivery_id = ? AND attempts = ? AND next_attempt_at_ms IS NOT NULL`,
    [nowMs, leaseUntilMs, due.deliveryId, due.attempts],
  );
  if (taken === 0) return rollBack<TakenDelivery | undefined>(undefined);
  const [row] = yield* rows<TakenRow>(
    `SELECT w.url, d.body, d.event, d.tries_left, w.webhook_id FROM webhook_deliveries d
     JOIN webhooks w ON w.webhook_id = d.webhook_id AND w.disabled_at_ms IS NULL WHERE d.delivery_id = ?`,
    [due.deliveryId],
  );
  if (row === undefined) return rollBack<TakenDelivery | undefined>(undefined);
  const keys = yield* listKeys(row.webhook_id, nowMs);
  const { url, body, event, tries_left: triesLeft } = row;
  return commit<TakenDelivery | undefined>({ url, body, event, keys, triesLeft });
});

function* listKeys(webhookId: string, nowMs: number): Program<WebhookKey[]> {
  const keys = yield* rows<{ secret: string; private_key: string; created_at_ms: number }>(
    `SELECT secret, private_key, created_at_ms FROM webhook_keys
     WHERE webhook_id = ? AND (ends_at_ms IS NULL OR ends_at_ms > ?) ORDER BY created_at_ms DESC, secret`,
    [webhookId, nowMs],
  );
  return keys.map((key) => ({
    secret: key.secret,
    privateKey: key.private_key,
    createdAtMs: key.created_at_ms,
  }));
}

const settle = ordinary(
  'settleDelivery',
  function* ({ deliveryId, attempts }: DueDelivery, outcome: TryOutcome, nowMs: number) {
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
        `UPDATE webhook_deliveries SET status = 'delivered', last_status = ?, next_attempt_at_ms = NULL
         ${which} RETURNING webhook_id`,
        [outcome.status, deliveryId, attempts],
      );
    case 'failed':
      return yield* rows(
        `UPDATE webhook_deliveries SET last_status = ?, tries_left = tries_left - 1,
           status = CASE WHEN tries_left > 1 THEN 'pending' ELSE 'failed' END,
           next_attempt_at_ms = CASE WHEN tries_left > 1 THEN CAST(? AS bigint) END
         ${which} AND next_attempt_at_ms IS NOT NULL RETURNING webhook_id`,
        [outcome.status, outcome.nextAttemptAtMs, deliveryId, attempts],
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

const begin = ordinary('beginChanges', function* (webhookId: string, revision: Revision) {
  yield* change(
    'UPDATE webhooks SET changes_revision = ? WHERE webhook_id = ? AND changes_revision IS NULL',
    [revision, webhookId],
  );
  return commit(undefined);
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
      `UPDATE webhooks SET changes_revision = ?, changes_at_ms = ?
       WHERE webhook_id = ? AND changes_revision = ? AND disabled_at_ms IS NULL`,
      [revision, nowMs, webhookId, changesRevision],
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

export const WEBHOOK_SENDING_WRITES = [take, settle, recall, begin, announce, insertAll, deleteBefore, trim];

export function webhookSending({ read, write }: ProgramRunner): WebhookSending {
  return {
    listDueWebhooks: (nowMs) => read(selectDueWebhooks(nowMs)),
    listDueDeliveries: (webhookId, nowMs, limit) => read(selectDueDeliveries(webhookId, nowMs, limit)),
    takeDelivery: (due, term) => write(take, due, term),
    settleDelivery: (taken, outcome, nowMs) => write(settle, taken, outcome, nowMs),
    recallDeliveries: (nowMs) => write(recall, nowMs),
    summarizeWebhooks: () => read(summarize()),
    listChangeListeners: () => read(selectChangeListeners()),
    beginChanges: (webhookId, revision) => write(begin, webhookId, revision),
    announceChanges: (listener, revision, delivery, failingPauseMs) =>
      write(announce, listener, revision, delivery, failingPauseMs),
    listExpiringCredentials: (nowMs, untilMs) => read(selectExpiring(nowMs, untilMs)),
    insertDeliveries: (deliveries) => write(insertAll, deliveries),
    deleteDeliveriesBefore: (createdBeforeMs, limit) => write(deleteBefore, createdBeforeMs, limit),
    trimDeliveries: (keptMax, limit) => write(trim, keptMax, limit),
  };
}

/** One index lookup per endpoint, however many deliveries wait. */
function* selectDueWebhooks(nowMs: number): Program<{ webhookId: string; isFailing: boolean }[]> {
  const due = yield* rows<{ webhook_id: string; failed_tries: number }>(
    `SELECT w.webhook_id, w.failed_tries FROM ${LISTENING} WHERE EXISTS (
       SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = w.webhook_id AND d.next_attempt_at_ms <= ?)`,
    [nowMs],
    'due-webhooks',
  );
  return due.map((row) => ({ webhookId: row.webhook_id, isFailing: row.failed_tries > 0 }));
}

function* selectDueDeliveries(webhookId: string, nowMs: number, limit: number): Program<DueDelivery[]> {
  const due = yield* rows<{ delivery_id: string; attempts: number }>(
    `SELECT delivery_id, attempts FROM webhook_deliveries WHERE webhook_id = ? AND next_attempt_at_ms <= ?
     ORDER BY next_attempt_at_ms LIMIT ?`,
    [webhookId, nowMs, limit],
    'due-deliveries',
  );
  return due.map((row) => ({ deliveryId: row.delivery_id, attempts: row.attempts }));
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
    changes_revision: number | null;
    changes_at_ms: number | null;
  }>(`SELECT w.webhook_id, w.partner_id, w.events, w.changes_revision, w.changes_at_ms FROM ${LISTENING}`);
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
