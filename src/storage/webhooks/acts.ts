/** Operators' acts on webhooks, in both engines. Only `sending.ts` reads keys; they are never noted. */
import { commit, rollBack } from '../engine/write-result.ts';
import { assertStorableRow } from '../../domain/storable-text.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, note, type Program, rows } from '../portable-sql/program.ts';
import { storeDeliveries } from './outbox.ts';
import {
  DELIVERY,
  type Delivery,
  type ChangedWebhook,
  type DisabledReason,
  type InsertedWebhook,
  type NewDelivery,
  type ReplayedDelivery,
  type RotatedKey,
  type Unheard,
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
  if (yield* isFull(partnerId)) return rollBack<InsertedWebhook>('tooMany');
  yield* change(
    `INSERT INTO webhooks (${WEBHOOK.columns}, changes_revision) VALUES (${WEBHOOK.places}, ${FROM_NOW_ON})`,
    WEBHOOK.values(webhook),
  );
  yield* insertKey(webhookId, key);
  yield* note(webhookId, undefined, termsOf(webhook));
  return commit<InsertedWebhook>('inserted');
});

/** Disabled endpoints do not count. */
function* isFull(partnerId: string): Program<boolean> {
  const [counts] = yield* rows<{ all_of_them: number | string; of_partner: number | string }>(
    `SELECT count(*) AS all_of_them, count(CASE WHEN partner_id = ? THEN 1 END) AS of_partner FROM webhooks
     WHERE disabled_at_ms IS NULL`,
    [partnerId],
  );
  const { all_of_them: all, of_partner: ofPartner } = counts!;
  return Number(all) >= WEBHOOKS_MAX || Number(ofPartner) >= WEBHOOKS_PER_PARTNER_MAX;
}

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
    if (before.disabledAtMs !== null && reason !== 'operator') return rollBack<Webhook | undefined>(before);
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
  if (before === undefined) return rollBack<ChangedWebhook>('unknown');
  if (before.disabledAtMs === null) return rollBack<ChangedWebhook>(before);
  if (yield* isFull(before.partnerId)) return rollBack<ChangedWebhook>('tooMany');
  yield* change(
    `UPDATE webhooks SET disabled_at_ms = NULL, disabled_reason = NULL, failing_since_ms = NULL, failed_tries = 0,
       changes_revision = ${FROM_NOW_ON}, changes_at_ms = NULL
     WHERE webhook_id = ?`,
    [webhookId],
  );
  const after = (yield* find(webhookId))!;
  yield* note(webhookId, termsOf(before), termsOf(after));
  return commit<ChangedWebhook>(after);
});

function* noted(before: Webhook) {
  const after = (yield* find(before.webhookId))!;
  yield* note(before.webhookId, termsOf(before), termsOf(after));
  return commit<Webhook | undefined>(after);
}

const update = administrative('updateWebhook', function* (webhookId: string, { url }: Pick<Webhook, 'url'>) {
  const before = yield* find(webhookId);
  if (before === undefined) return rollBack<Webhook | undefined>(undefined);
  yield* change(
    'UPDATE webhooks SET url = ?, failing_since_ms = NULL, failed_tries = 0 WHERE webhook_id = ?',
    [url, webhookId],
  );
  // A try that is under way went to the old URL: its answer settles nothing.
  yield* change(
    `UPDATE webhook_deliveries SET next_attempt_at_ms = 0, attempts = attempts + 1
       WHERE webhook_id = ? AND next_attempt_at_ms IS NOT NULL AND attempts > 0`,
    [webhookId],
  );
  return yield* noted(before);
});

const remove = administrative('deleteWebhook', function* (webhookId: string) {
  const before = yield* find(webhookId);
  if (before === undefined) return rollBack<Webhook | undefined>(undefined);
  for (const table of ['webhook_deliveries', 'webhook_keys', 'webhooks'])
    yield* change(`DELETE FROM ${table} WHERE webhook_id = ?`, [webhookId]);
  yield* note(webhookId, termsOf(before), undefined);
  return commit<Webhook | undefined>(before);
});

const endKeys = administrative('endOldWebhookKeys', function* (webhookId: string, nowMs: number) {
  if ((yield* find(webhookId)) === undefined) return rollBack<number | undefined>(undefined);
  const ended = yield* change(
    `UPDATE webhook_keys SET ends_at_ms = ? WHERE webhook_id = ? AND ends_at_ms > ?`,
    [nowMs, webhookId, nowMs],
  );
  yield* note(webhookId, { oldKeys: ended }, { oldKeys: 0 });
  return commit<number | undefined>(ended);
});

/** Why nothing would be sent to an endpoint. */
function* findUnheard({ disabledAtMs, partnerId }: Webhook): Program<Unheard | undefined> {
  if (disabledAtMs !== null) return 'disabled';
  const found = yield* rows('SELECT 1 AS found FROM partners WHERE partner_id = ? AND disabled = 0', [
    partnerId,
  ]);
  return found.length === 0 ? 'partnerDisabled' : undefined;
}

const insertTest = administrative('insertTestDelivery', function* (delivery: NewDelivery) {
  const webhook = yield* find(delivery.webhookId);
  if (webhook === undefined) return rollBack<Delivery | 'unknown' | Unheard>('unknown');
  const unheard = yield* findUnheard(webhook);
  if (unheard !== undefined) return rollBack<Delivery | 'unknown' | Unheard>(unheard);
  yield* storeDeliveries([delivery]);
  yield* note(delivery.webhookId, undefined, { deliveryId: delivery.deliveryId });
  return commit<Delivery | 'unknown' | Unheard>((yield* findDelivery(delivery.deliveryId))!);
});

const replay = administrative('replayDelivery', function* (deliveryId: string) {
  const before = yield* findDelivery(deliveryId);
  if (before === undefined) return rollBack<ReplayedDelivery>('unknown');
  const webhook = yield* find(before.webhookId);
  if (webhook === undefined) return rollBack<ReplayedDelivery>('unknown');
  const unheard = yield* findUnheard(webhook);
  if (unheard !== undefined) return rollBack<ReplayedDelivery>(unheard);
  const changed = yield* change(
    `UPDATE webhook_deliveries SET status = 'pending', tries_left = 1, next_attempt_at_ms = 0
     WHERE delivery_id = ? AND next_attempt_at_ms IS NULL`,
    [deliveryId],
  );
  if (changed === 0) return rollBack<ReplayedDelivery>('pending');
  yield* note(deliveryId, { status: before.status }, { status: 'pending' });
  return commit<ReplayedDelivery>((yield* findDelivery(deliveryId))!);
});

const WRITES = [insert, rotate, disable, enable, update, remove, endKeys, insertTest, replay];

export const webhookActConcern = concern(WRITES, webhookActs);

function webhookActs({ read, write }: RunnerOf<typeof WRITES>): WebhookActs {
  return {
    async insertWebhook(webhook, key) {
      assertStorableRow({ webhookId: webhook.webhookId, partnerId: webhook.partnerId, url: webhook.url });
      return write(insert, webhook, key);
    },
    rotateWebhookKey: (webhookId, key, oldEndsAtMs) => write(rotate, webhookId, key, oldEndsAtMs),
    disableWebhook: (webhookId, atMs, reason) => write(disable, webhookId, atMs, reason),
    enableWebhook: (webhookId) => write(enable, webhookId),
    async updateWebhook(webhookId, changes) {
      assertStorableRow(changes);
      return write(update, webhookId, changes);
    },
    deleteWebhook: (webhookId) => write(remove, webhookId),
    endOldWebhookKeys: (webhookId, nowMs) => write(endKeys, webhookId, nowMs),
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
