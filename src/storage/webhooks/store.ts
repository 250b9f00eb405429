/**
 * The part of the storage port that webhooks need: endpoints of partners, the keys that sign, and deliveries. Events of
 * quotes are stored by the transactions that cause them: see `outbox.ts`. Instants are Unix milliseconds.
 */
import type { Told } from '../../domain/wrong.ts';
import type { Revision } from '../history/revision.ts';
import { json, plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

/** Events that a partner can receive; each endpoint chooses among them. */
export const WEBHOOK_EVENTS = [
  'changes.available',
  'quote.opened',
  'quote.continued',
  'quote.price_changed',
  'quote.converted',
  'credential.expiring',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
/** Sent to any endpoint at the operator's request. */
export const TEST_EVENT = 'webhook.test';
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

export const WEBHOOKS_MAX = 1_000;
export const WEBHOOKS_PER_PARTNER_MAX = 20;
/** Keys of one endpoint that sign at the same time. */
export const WEBHOOK_KEYS_MAX = 5;
/** Deliveries that are taken at once. */
export const TAKEN_MAX = 128;
/** Tries of a new delivery; a replay has one. */
export const TRIES_MAX = 10;

/** Why an endpoint is disabled: by the operator, because it answered 410, or because it failed for too long. */
export type DisabledReason = 'operator' | 'gone' | 'failing';

export const WEBHOOK = storedRow({
  webhookId: plain<string>(),
  partnerId: plain<string>(),
  /** May hold a secret in its query: never in logs. */
  url: plain<string>(),
  events: json<readonly WebhookEvent[]>(),
  createdAtMs: plain<number>(),
  disabledAtMs: plain<number | null>(),
  disabledReason: plain<DisabledReason | null>(),
  /** The first failed try since the last successful delivery. */
  failingSinceMs: plain<number | null>(),
});
export type Webhook = RowOf<typeof WEBHOOK>;

/** Stored in the clear, as the sealing keys of handoffs are: signing needs the secret itself. */
export interface WebhookKey {
  /** HMAC-SHA256 secret, base64. */
  readonly secret: string;
  /** The seed of ed25519, 32 bytes, base64. */
  readonly privateKey: string;
  readonly createdAtMs: number;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export const DELIVERY = storedRow({
  /** Sent as `webhook-id`. */
  deliveryId: plain<string>(),
  webhookId: plain<string>(),
  event: plain<DeliveredEvent>(),
  createdAtMs: plain<number>(),
  status: plain<DeliveryStatus>(),
  attempts: plain<number>(),
  lastStatus: plain<number | null>(),
  /** Why the last try had no status: one sentence without the URL. */
  lastError: plain<string | null>(),
  /** The same as a code; an earlier release, which may have tried last, leaves it as it is. */
  lastWrong: json<Told | null>(),
  nextAttemptAtMs: plain<number | null>(),
});
export type Delivery = RowOf<typeof DELIVERY>;

export interface NewDelivery extends Pick<Delivery, 'deliveryId' | 'webhookId' | 'event' | 'createdAtMs'> {
  /** JSON. */
  readonly body: string;
}

/** The next delivery of an endpoint. */
export interface DueDelivery {
  readonly webhookId: string;
  readonly partnerId: string;
  readonly deliveryId: string;
  readonly isFailing: boolean;
}

/** `attempts` is also the version of the row: it tells whether somebody else has taken it since. */
export interface TakenVersion {
  readonly deliveryId: string;
  readonly attempts: number;
}

/** The current data for one try. */
export interface TakenDelivery extends TakenVersion, Pick<NewDelivery, 'webhookId' | 'event' | 'body'> {
  readonly url: string;
  /** Newest first. */
  readonly keys: readonly WebhookKey[];
  readonly triesLeft: number;
}

export type TryOutcome =
  | { readonly kind: 'delivered'; readonly status: number }
  /** `nextAttemptAtMs` counts while tries are left. */
  | {
      readonly kind: 'failed';
      readonly status: number | null;
      /** Where there is no status. */
      readonly error?: string | null;
      readonly wrong?: Told | null;
      readonly nextAttemptAtMs: number;
    }
  /** The try was abandoned before it ended: another process repeats it at once. */
  | { readonly kind: 'given-back' };

/** The state of an endpoint after a try. */
export interface EndpointHealth {
  readonly failingSinceMs: number | null;
  readonly failedTries: number;
}

export interface ChangeListener {
  readonly webhookId: string;
  readonly partnerId: string;
  /** Everything up to here was announced, or came before the endpoint. */
  readonly changesRevision: Revision;
  readonly changesAtMs: number | null;
}

export interface ExpiringCredential {
  readonly credentialId: string;
  readonly expiresAtMs: number;
  readonly webhookId: string;
}

export const WEBHOOK_STATES = ['ok', 'failing', 'disabled', 'stopped'] as const;
/** Disabled by the operator, or stopped by the service. */
export type WebhookState = (typeof WEBHOOK_STATES)[number];

export interface WebhookSummary {
  readonly counts: Readonly<Record<WebhookState, number>>;
  /** When the oldest delivery without a try was stored; null if there is none. */
  readonly oldestUntriedMs: number | null;
}

export type InsertedWebhook = 'inserted' | 'partnerUnknown' | 'tooMany';
export type RotatedKey = 'rotated' | 'unknown' | 'tooMany';
export type ReplayedDelivery = Delivery | 'unknown' | 'pending' | Unheard;
/** Nothing is sent: the endpoint is disabled, or its partner is. */
export type Unheard = 'disabled' | 'partnerDisabled';
export type ChangedWebhook = Webhook | 'unknown' | 'tooMany';

/** Acts of the operator; each leaves a note in the audit trail. */
export interface WebhookActs {
  insertWebhook(webhook: Webhook, key: WebhookKey): Promise<InsertedWebhook>;
  /** The previous keys keep signing until `oldEndsAtMs`. */
  rotateWebhookKey(webhookId: string, key: WebhookKey, oldEndsAtMs: number): Promise<RotatedKey>;
  /**
   * Drops pending deliveries. Undefined: unknown webhook. Of a disabled one only the operator replaces the reason: a
   * late 410 does not.
   */
  disableWebhook(webhookId: string, atMs: number, reason: DisabledReason): Promise<Webhook | undefined>;
  /** Events that occurred while it was disabled are not sent. */
  enableWebhook(webhookId: string): Promise<ChangedWebhook>;
  /** Pending deliveries go to the new URL; failures of the old one no longer count. */
  updateWebhook(webhookId: string, changes: Pick<Webhook, 'url'>): Promise<Webhook | undefined>;
  /** With its keys and deliveries. The webhook as it was. */
  deleteWebhook(webhookId: string): Promise<Webhook | undefined>;
  /** Ends all keys but the newest at once; undefined: unknown webhook. How many ended. */
  endOldWebhookKeys(webhookId: string, nowMs: number): Promise<number | undefined>;
  /** Stored whatever events the endpoint listens to. */
  insertTestDelivery(delivery: NewDelivery): Promise<Delivery | 'unknown' | Unheard>;
  /** One more try, with the same id. */
  replayDelivery(deliveryId: string): Promise<ReplayedDelivery>;
  findWebhook(webhookId: string): Promise<Webhook | undefined>;
  /** By partner, oldest first. */
  listWebhooks(): Promise<readonly Webhook[]>;
  /** Newest first. */
  listDeliveries(webhookId: string, limit: number): Promise<readonly Delivery[]>;
}

/** The reads and writes of the sending process. */
export interface WebhookSending {
  /** At most one of each endpoint: that which has been due for longest. */
  listDueDeliveries(nowMs: number): Promise<readonly DueDelivery[]>;
  /** Takes up to `TAKEN_MAX` deliveries, those that are still due. They are due again at `leaseUntilMs` unless settled. */
  takeDeliveries(
    deliveryIds: readonly string[],
    term: { readonly nowMs: number; readonly leaseUntilMs: number },
  ): Promise<readonly TakenDelivery[]>;
  /** Undefined: somebody else has taken it since. */
  settleDelivery(
    taken: TakenVersion,
    outcome: TryOutcome,
    nowMs: number,
  ): Promise<EndpointHealth | undefined>;
  /** After the clock went back: tries that were planned by its future are due now. How many. */
  recallDeliveries(nowMs: number): Promise<number>;
  summarizeWebhooks(): Promise<WebhookSummary>;
  listChangeListeners(): Promise<readonly ChangeListener[]>;
  /**
   * True if stored. At most one announcement is pending; it is replaced if it was tried and is `failingPauseMs` old.
   * The listener then knows of everything up to `revision`, or up to the newest one if the database went back.
   */
  announceChanges(
    listener: ChangeListener,
    revision: Revision,
    delivery: NewDelivery,
    failingPauseMs: number,
  ): Promise<boolean>;
  /** Credentials that end after `nowMs` and by `untilMs`, with the endpoints that listen. */
  listExpiringCredentials(nowMs: number, untilMs: number): Promise<readonly ExpiringCredential[]>;
  /** Skips deliveries that are stored already. */
  insertDeliveries(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Deletes the oldest, up to `limit`; returns how many. */
  deleteDeliveriesBefore(createdBeforeMs: number, limit: number): Promise<number>;
  /** Deletes the oldest deliveries of endpoints with more than `keptMax`, up to `limit` in all; returns how many. */
  trimDeliveries(keptMax: number, limit: number): Promise<number>;
}

export interface WebhookStore extends WebhookActs, WebhookSending {}
