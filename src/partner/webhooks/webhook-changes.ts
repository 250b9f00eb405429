/** The operator's acts on webhooks and what was sent to them. */
import { formatInstant } from '../../access/parse-duration.ts';
import { type Outcome, refuse } from '../../domain/outcome.ts';
import { Wrong } from '../../domain/wrong.ts';
import { DAY_MS } from '../../domain/local-date.ts';
import { findPrivateLiteral } from '../../runtime/outbound/public-request.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Random, randomBase62 } from '../../runtime/random.ts';
import { formatEvent } from '../../storage/webhooks/outbox.ts';
import {
  type Delivery,
  TEST_EVENT,
  type Webhook,
  WEBHOOK_EVENTS,
  WEBHOOK_KEYS_MAX,
  type WebhookActs,
  type WebhookEvent,
  type WebhookKey,
  WEBHOOKS_MAX,
  WEBHOOKS_PER_PARTNER_MAX,
} from '../../storage/webhooks/store.ts';
import { formatPublicKey, formatSecret, mintKey } from './signatures.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2_000;
/** After a rotation, old and new keys both sign for this long. */
export const ROTATION_OVERLAP_MS = DAY_MS;

export interface WebhookDeps {
  readonly storage: WebhookActs;
  readonly clock: Clock;
  readonly random: Random;
}

/** Includes the keys, which are shown only now. */
export interface CreatedWebhook extends Pick<Webhook, 'webhookId' | 'url' | 'events'> {
  readonly secret: string;
  readonly publicKey: string;
}

/** Never a secret. Instants are RFC 3339. */
export interface WebhookView extends Pick<Webhook, 'webhookId' | 'partnerId' | 'url' | 'events'> {
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** `operator`, `gone` or `failing`. */
  readonly disabledReason: string | null;
  readonly failingSince: string | null;
}

export interface DeliveryView extends Pick<
  Delivery,
  'deliveryId' | 'event' | 'status' | 'attempts' | 'lastStatus' | 'lastError'
> {
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
}

export interface NewWebhookOptions {
  readonly partnerId: string;
  readonly url: string;
  /** All events if absent or empty. */
  readonly events?: readonly string[] | undefined;
  /** WEBHOOK_ALLOW_PRIVATE */
  readonly allowsPrivate: boolean;
}

export async function createWebhook(
  { storage, clock, random }: WebhookDeps,
  { partnerId, url: text, events: named, allowsPrivate }: NewWebhookOptions,
): Promise<Outcome<CreatedWebhook>> {
  const url = parseWebhookUrl(text, allowsPrivate);
  if (url instanceof Wrong) return refuse(`the URL ${url.reason}`);
  const events = chooseEvents(named);
  if (!events.ok) return events;
  const nowMs = clock();
  const key = mintKey(random, nowMs);
  const webhook: Webhook = {
    webhookId: `wh_${randomBase62(16, random)}`,
    partnerId,
    url: url.href,
    events: events.value,
    createdAtMs: nowMs,
    disabledAtMs: null,
    disabledReason: null,
    failingSinceMs: null,
  };
  const inserted = await storage.insertWebhook(webhook, key);
  if (inserted === 'partnerUnknown') return refuse(`there is no partner ${partnerId}`);
  if (inserted === 'tooMany') return refuseFull();
  return { ok: true, value: presentCreated(webhook, key) };
}

function refuseFull(): Outcome<never> {
  return refuse(
    `a partner has at most ${WEBHOOKS_PER_PARTNER_MAX} enabled webhooks, and all partners together ${WEBHOOKS_MAX}: disable one first, or change the URL of one`,
  );
}

export function parseWebhookUrl(text: string, allowsPrivate: boolean): URL | Wrong {
  if (!URL.canParse(text) || text.length > WEBHOOK_URL_LENGTH_MAX)
    return new Wrong(
      `must be at most ${WEBHOOK_URL_LENGTH_MAX} characters, such as https://partner.example/webhooks`,
    );
  const url = new URL(text);
  if (url.protocol !== 'https:') return new Wrong('must begin with https://');
  if (url.username !== '' || url.password !== '') return new Wrong('must not hold a name or a password');
  if (url.hash !== '') return new Wrong('must not have a fragment (#)');
  const literal = allowsPrivate ? undefined : findPrivateLiteral(url);
  if (literal === undefined) return url;
  return new Wrong(`leads to the private address ${literal}; WEBHOOK_ALLOW_PRIVATE=true allows these`);
}

function chooseEvents(named: readonly string[] = []): Outcome<readonly WebhookEvent[]> {
  const unknown = named.find((name) => !(WEBHOOK_EVENTS as readonly string[]).includes(name));
  if (unknown !== undefined)
    return refuse(`${unknown} is not an event; there are ${WEBHOOK_EVENTS.join(', ')}`);
  const events = WEBHOOK_EVENTS.filter((event) => named.length === 0 || named.includes(event));
  return { ok: true, value: events };
}

export async function listWebhooks({
  storage,
}: Pick<WebhookDeps, 'storage'>): Promise<readonly WebhookView[]> {
  return (await storage.listWebhooks()).map(presentWebhook);
}

/** The previous keys sign for another day. */
export async function rotateWebhook(
  { storage, clock, random }: WebhookDeps,
  webhookId: string,
): Promise<Outcome<CreatedWebhook>> {
  const nowMs = clock();
  const key = mintKey(random, nowMs);
  const rotated = await storage.rotateWebhookKey(webhookId, key, nowMs + ROTATION_OVERLAP_MS);
  if (rotated === 'tooMany')
    return refuse(`${WEBHOOK_KEYS_MAX} secrets of ${webhookId} sign at present: wait until the oldest ends`);
  const webhook = rotated === 'unknown' ? undefined : await storage.findWebhook(webhookId);
  return webhook === undefined ? refuseUnknown(webhookId) : { ok: true, value: presentCreated(webhook, key) };
}

export async function disableWebhook(
  { storage, clock }: WebhookDeps,
  webhookId: string,
): Promise<Outcome<WebhookView>> {
  return presentFound(webhookId, await storage.disableWebhook(webhookId, clock(), 'operator'));
}

export async function enableWebhook(
  { storage }: WebhookDeps,
  webhookId: string,
): Promise<Outcome<WebhookView>> {
  const enabled = await storage.enableWebhook(webhookId);
  if (enabled === 'tooMany') return refuseFull();
  return presentFound(webhookId, enabled === 'unknown' ? undefined : enabled);
}

/** Pending deliveries go to the new URL. */
export async function updateWebhook(
  { storage }: Pick<WebhookDeps, 'storage'>,
  { webhookId, url: text, allowsPrivate }: Pick<NewWebhookOptions, 'url' | 'allowsPrivate'> & WebhookName,
): Promise<Outcome<WebhookView>> {
  const url = parseWebhookUrl(text, allowsPrivate);
  if (url instanceof Wrong) return refuse(`the URL ${url.reason}`);
  return presentFound(webhookId, await storage.updateWebhook(webhookId, { url: url.href }));
}

interface WebhookName {
  readonly webhookId: string;
}

export async function deleteWebhook(
  { storage }: Pick<WebhookDeps, 'storage'>,
  webhookId: string,
): Promise<Outcome<WebhookView>> {
  return presentFound(webhookId, await storage.deleteWebhook(webhookId));
}

export interface EndedKeys extends WebhookName {
  readonly endedKeys: number;
}

/** After a rotation: the old secrets and keys sign no longer. */
export async function endOldKeys(
  { storage, clock }: Pick<WebhookDeps, 'storage' | 'clock'>,
  webhookId: string,
): Promise<Outcome<EndedKeys>> {
  const endedKeys = await storage.endOldWebhookKeys(webhookId, clock());
  return endedKeys === undefined ? refuseUnknown(webhookId) : { ok: true, value: { webhookId, endedKeys } };
}

/** The sending process sends it within a second or two. */
export async function testWebhook(
  { storage, clock, random }: WebhookDeps,
  webhookId: string,
): Promise<Outcome<DeliveryView>> {
  const nowMs = clock();
  const delivery = await storage.insertTestDelivery({
    deliveryId: `msg_${randomBase62(24, random)}`,
    webhookId,
    event: TEST_EVENT,
    body: formatEvent(TEST_EVENT, nowMs, { webhookId }),
    createdAtMs: nowMs,
  });
  if (delivery === 'unknown') return refuseUnknown(webhookId);
  if (delivery === 'disabled') return refuseDisabled(webhookId);
  if (delivery === 'partnerDisabled') return refusePartnerDisabled(webhookId);
  return { ok: true, value: presentDelivery(delivery) };
}

export async function listDeliveries(
  { storage }: Pick<WebhookDeps, 'storage'>,
  webhookId: string,
  limit: number,
): Promise<Outcome<readonly DeliveryView[]>> {
  if ((await storage.findWebhook(webhookId)) === undefined) return refuseUnknown(webhookId);
  return { ok: true, value: (await storage.listDeliveries(webhookId, limit)).map(presentDelivery) };
}

/** One more try, with the same `webhook-id` and the current keys. */
export async function replayDelivery(
  { storage }: Pick<WebhookDeps, 'storage'>,
  deliveryId: string,
): Promise<Outcome<DeliveryView>> {
  const replayed = await storage.replayDelivery(deliveryId);
  if (replayed === 'unknown') return refuse(`there is no delivery ${deliveryId}`);
  if (replayed === 'pending') return refuse(`${deliveryId} is pending: it will be tried anyway`);
  if (replayed === 'partnerDisabled') return refusePartnerDisabled(deliveryId);
  if (replayed === 'disabled') return refuse(`the webhook of ${deliveryId} is disabled`);
  return { ok: true, value: presentDelivery(replayed) };
}

function refuseUnknown(webhookId: string): Outcome<never> {
  return refuse(`there is no webhook ${webhookId}`);
}

function refuseDisabled(webhookId: string): Outcome<never> {
  return refuse(`${webhookId} is disabled; "webhook enable" enables it`);
}

function refusePartnerDisabled(id: string): Outcome<never> {
  return refuse(`the partner of ${id} is disabled, so nothing is sent; "partner enable" enables it`);
}

function presentFound(webhookId: string, webhook: Webhook | undefined): Outcome<WebhookView> {
  return webhook === undefined ? refuseUnknown(webhookId) : { ok: true, value: presentWebhook(webhook) };
}

function presentCreated({ webhookId, url, events }: Webhook, key: WebhookKey): CreatedWebhook {
  return { webhookId, url, events, secret: formatSecret(key), publicKey: formatPublicKey(key) };
}

function presentWebhook(webhook: Webhook): WebhookView {
  const { webhookId, partnerId, url, events, disabledReason } = webhook;
  return {
    webhookId,
    partnerId,
    url,
    events,
    createdAt: formatInstant(webhook.createdAtMs),
    disabledAt: formatInstant(webhook.disabledAtMs),
    disabledReason,
    failingSince: formatInstant(webhook.failingSinceMs),
  };
}

function presentDelivery(delivery: Delivery): DeliveryView {
  const { deliveryId, event, status, attempts, lastStatus, lastError, nextAttemptAtMs, createdAtMs } =
    delivery;
  return {
    deliveryId,
    event,
    status,
    attempts,
    lastStatus,
    lastError,
    // The first try is made at once and has no time of its own.
    nextAttemptAt: formatInstant(nextAttemptAtMs === 0 ? createdAtMs : nextAttemptAtMs),
    createdAt: formatInstant(createdAtMs),
  };
}
