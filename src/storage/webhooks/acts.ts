/** Operators' acts on webhooks, in both engines. Only `sending.ts` reads keys; they are never noted. */
import { commit, rollBack } from '../engine/write-result.ts';
import { assertStorableRow } from '../../domain/storable-text.ts';
import {
  administrative,
  change,
  note,
  type Program,
  type ProgramRunner,
  rows,
} from '../portable-sql/program.ts';
import { storeDeliveries } from './outbox.ts';
import {
  DELIVERY,
  type Delivery,
  type DisabledReason,
  type InsertedWebhook,
  type NewDelivery,
  type ReplayedDelivery,
  type RotatedKey,
  WEBHOOK,
  type Webhook,
  WEBHOOK_KEYS_MAX,
  type WebhookActs,
  type WebhookKey,
  WEBHOOKS_MAX,
  WEBHOOKS_PER_PARTNER_MAX,
} from './store.ts';

/** Changes after this commit are told, whenever a process looks. */
const FROM_NOW_ON = '(SELECT revision FROM revision)';

const insert = administrative('insertWebhook', function* (webhook: Webhook, key: WebhookKey) {
  const { webhookId, partnerId } = webhook;
  const partners = yield* rows('SELECT 1 AS found FROM partners WHERE partner_id = ?', [partnerId]);
  if (partners.length === 0) return rollBack<InsertedWebhook>('partnerUnknown');
  const [counts] = yield* rows<{ all_of_them: number | string; of_partner: number | string }>(
    `SELECT count(*) AS all_of_them, count(CASE WHEN partner_id = ? THEN 1 END) AS of_partner FROM webhooks`,
    [partnerId],
  );
  if (Number(counts!.all_of_them) >= WEBHOOKS_MAX || Number(counts!.of_partner) >= WEBHOOKS_PER_PARTNER_MAX)
    return rollBack<InsertedWebhook>('tooMany');
  yield* change(
    `INSERT INTO webhooks (${WEBHOOK.columns}, changes_revision) VALUES (${WEBHOOK.places}, ${FROM_NOW_ON})`,
    WEBHOOK.values(webhook),
  );
  yield* insertKey(webhookId, key);
  yield* note(webhookId, undefined, termsOf(webhook));
  return commit<InsertedWebhook>('inserted');
});

function* insertKey(webhookId: string, { secret, privateKey, createdAtMs }: WebhookKey): Program<void> {
  yield* change(
    'INSERT INTO webhook_keys (webhook_id, created_at_ms, secret, private_key) VALUES (?, ?, ?, ?)',
    [webhookId, createdAtMs, secret, privateKey],
  );
}

const rotate = administrative(
  'rotateWebhookKey',
  function* (webhookId: string, key: WebhookKey, oldEndsAtMs: number) {
    if ((yield* find(webhookId)) === undefined) return rollBack<RotatedKey>('unknown');
    yield* change('DELETE FROM webhook_keys WHERE webhook_id = ? AND ends_at_ms <= ?', [
      webhookId,
      key.createdAtMs,
    ]);
    const before = yield* rows<{ created_at_ms: number }>(
      'SELECT created_at_ms FROM webhook_keys WHERE webhook_id = ? ORDER BY created_at_ms DESC',
      [webhookId],
    );
    if (before.length >= WEBHOOK_KEYS_MAX) return rollBack<RotatedKey>('tooMany');
    yield* change('UPDATE webhook_keys SET ends_at_ms = ? WHERE webhook_id = ? AND ends_at_ms IS NULL', [
      oldEndsAtMs,
      webhookId,
    ]);
    // The newest key signs first, even if another was made in this millisecond or the clock went back.
    const createdAtMs = Math.max(key.createdAtMs, (before[0]?.created_at_ms ?? 0) + 1);
    yield* insertKey(webhookId, { ...key, createdAtMs });
    const keyFrom = (ms: number | undefined) =>
      ms === undefined ? undefined : { keyCreatedAt: formatTime(ms) };
    yield* note(webhookId, keyFrom(before[0]?.created_at_ms), keyFrom(createdAtMs));
    return commit<RotatedKey>('rotated');
  },
);

const disable = administrative(
  'disableWebhook',
  function* (webhookId: string, atMs: number, reason: DisabledReason) {
    const before = yield* find(webhookId);
    if (before === undefined) return rollBack<Webhook | undefined>(undefined);
    yield* change(
      'UPDATE webhooks SET disabled_at_ms = coalesce(disabled_at_ms, ?), disabled_reason = ? WHERE webhook_id = ?',
      [atMs, reason, webhookId],
    );
    yield* change(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at_ms = NULL
       WHERE webhook_id = ? AND next_attempt_at_ms IS NOT NULL`,
      [webhookId],
    );
    return yield* noted(before);
  },
);

const enable = administrative('enableWebhook', function* (webhookId: string) {
  const before = yield* find(webhookId);
  if (before === undefined) return rollBack<Webhook | undefined>(undefined);
  if (before.disabledAtMs === null) return rollBack<Webhook | undefined>(before);
  yield* change(
    `UPDATE webhooks SET disabled_at_ms = NULL, disabled_reason = NULL, failing_since_ms = NULL, failed_tries = 0,
       changes_revision = ${FROM_NOW_ON}, changes_at_ms = NULL
     WHERE webhook_id = ?`,
    [webhookId],
  );
  return yield* noted(before);
});

function* noted(before: Webhook) {
  const after = (yield* find(before.webhookId))!;
  yield* note(before.webhookId, termsOf(before), termsOf(after));
  return commit<Webhook | undefined>(after);
}

const insertTest = administrative('insertTestDelivery', function* (delivery: NewDelivery) {
  const webhook = yield* find(delivery.webhookId);
  if (webhook === undefined || webhook.disabledAtMs !== null)
    return rollBack<Delivery | undefined>(undefined);
  yield* storeDeliveries([delivery]);
  yield* note(delivery.webhookId, undefined, { deliveryId: delivery.deliveryId });
  return commit(yield* findDelivery(delivery.deliveryId));
});

const replay = administrative('replayDelivery', function* (deliveryId: string) {
  const before = yield* findDelivery(deliveryId);
  if (before === undefined) return rollBack<ReplayedDelivery>('unknown');
  const webhook = yield* find(before.webhookId);
  if (webhook === undefined) return rollBack<ReplayedDelivery>('unknown');
  if (webhook.disabledAtMs !== null) return rollBack<ReplayedDelivery>('disabled');
  const changed = yield* change(
    `UPDATE webhook_deliveries SET status = 'pending', tries_left = 1, next_attempt_at_ms = 0
     WHERE delivery_id = ? AND next_attempt_at_ms IS NULL`,
    [deliveryId],
  );
  if (changed === 0) return rollBack<ReplayedDelivery>('pending');
  yield* note(deliveryId, { status: before.status }, { status: 'pending' });
  return commit<ReplayedDelivery>((yield* findDelivery(deliveryId))!);
});

export const WEBHOOK_ACT_WRITES = [insert, rotate, disable, enable, insertTest, replay];

export function webhookActs({ read, write }: ProgramRunner): WebhookActs {
  return {
    async insertWebhook(webhook, key) {
      assertStorableRow({ webhookId: webhook.webhookId, partnerId: webhook.partnerId, url: webhook.url });
      return write(insert, webhook, key);
    },
    rotateWebhookKey: (webhookId, key, oldEndsAtMs) => write(rotate, webhookId, key, oldEndsAtMs),
    disableWebhook: (webhookId, atMs, reason) => write(disable, webhookId, atMs, reason),
    enableWebhook: (webhookId) => write(enable, webhookId),
    insertTestDelivery: (delivery) => write(insertTest, delivery),
    replayDelivery: (deliveryId) => write(replay, deliveryId),
    findWebhook: (webhookId) => read(find(webhookId)),
    listWebhooks: () => read(selectWebhooks('ORDER BY partner_id, created_at_ms, webhook_id')),
    listDeliveries: (webhookId, limit) =>
      read(
        selectDeliveries('WHERE webhook_id = ? ORDER BY created_at_ms DESC, delivery_id DESC LIMIT ?', [
          webhookId,
          limit,
        ]),
      ),
  };
}

function* find(webhookId: string): Program<Webhook | undefined> {
  return (yield* selectWebhooks('WHERE webhook_id = ?', [webhookId]))[0];
}

function* selectWebhooks(condition: string, values: readonly string[] = []): Program<Webhook[]> {
  return (yield* rows<object>(`SELECT * FROM webhooks ${condition}`, values)).map(WEBHOOK.read);
}

function* findDelivery(deliveryId: string): Program<Delivery | undefined> {
  return (yield* selectDeliveries('WHERE delivery_id = ?', [deliveryId]))[0];
}

function* selectDeliveries(condition: string, values: readonly (string | number)[]): Program<Delivery[]> {
  const found = yield* rows<object>(
    `SELECT ${DELIVERY.columns} FROM webhook_deliveries ${condition}`,
    values,
  );
  return found.map(DELIVERY.read);
}

/** The host only: the rest of a URL may be as good as a password. */
function termsOf({ partnerId, url, events, disabledReason }: Webhook): Readonly<Record<string, unknown>> {
  return { partnerId, host: new URL(url).host, events, disabledReason };
}

function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
