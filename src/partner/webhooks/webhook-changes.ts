/** The operator's acts on webhooks and what was sent to them. */
import { formatInstant } from '../../access/parse-duration.ts';
import { type Outcome, refuse } from '../../domain/outcome.ts';
import { inEnglish, isSayable, type Told, Wrong } from '../../domain/wrong.ts';
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
  if (url instanceof Wrong) return refuse(new Wrong('urlWrong', { wrong: url }));
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
  if (inserted === 'partnerUnknown') return refuse(new Wrong('unknownPartner', { id: partnerId }));
  if (inserted === 'tooMany') return refuseFull();
  return { ok: true, value: presentCreated(webhook, key) };
}

function refuseFull(): Outcome<never> {
  return refuse(new Wrong('webhooksMany', { max: WEBHOOKS_PER_PARTNER_MAX, all: WEBHOOKS_MAX }));
}

export function parseWebhookUrl(text: string, allowsPrivate: boolean): URL | Wrong {
  if (!URL.canParse(text) || text.length > WEBHOOK_URL_LENGTH_MAX)
    return new Wrong('webhookUrlForm', {
      max: WEBHOOK_URL_LENGTH_MAX,
      example: 'https://partner.example/webhooks',
    });
  const url = new URL(text);
  if (url.protocol !== 'https:') return new Wrong('notHttps');
  if (url.username !== '' || url.password !== '') return new Wrong('urlWithLogin');
  if (url.hash !== '') return new Wrong('urlWithFragment');
  const literal = allowsPrivate ? undefined : findPrivateLiteral(url);
  if (literal === undefined) return url;
  return new Wrong('namedAddressPrivate', { address: literal, setting: 'WEBHOOK_ALLOW_PRIVATE' });
}

function chooseEvents(named: readonly string[] = []): Outcome<readonly WebhookEvent[]> {
  const unknown = named.find((name) => !(WEBHOOK_EVENTS as readonly string[]).includes(name));
  if (unknown !== undefined)
    return refuse(new Wrong('unknownEvent', { event: unknown, known: WEBHOOK_EVENTS.join(', ') }));
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
    return refuse(new Wrong('secretsMany', { count: WEBHOOK_KEYS_MAX, id: webhookId }));
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
  if (url instanceof Wrong) return refuse(new Wrong('urlWrong', { wrong: url }));
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

/** Why the last try had no status; null where an earlier release tried last, which stores the English alone. */
export function whyUnanswered({ lastError, lastWrong }: Delivery): Told | null {
  return isSayable(lastWrong) && inEnglish(lastWrong) === lastError ? lastWrong : null;
}

/** One more try, with the same `webhook-id` and the current keys. */
export async function replayDelivery(
  { storage }: Pick<WebhookDeps, 'storage'>,
  deliveryId: string,
): Promise<Outcome<DeliveryView>> {
  const replayed = await storage.replayDelivery(deliveryId);
  if (replayed === 'unknown') return refuse(new Wrong('unknownDelivery', { id: deliveryId }));
  if (replayed === 'pending') return refuse(new Wrong('deliveryPending', { id: deliveryId }));
  if (replayed === 'partnerDisabled') return refusePartnerDisabled(deliveryId);
  if (replayed === 'disabled') return refuse(new Wrong('deliveryOfDisabled', { id: deliveryId }));
  return { ok: true, value: presentDelivery(replayed) };
}

function refuseUnknown(webhookId: string): Outcome<never> {
  return refuse(new Wrong('unknownWebhook', { id: webhookId }));
}

function refuseDisabled(webhookId: string): Outcome<never> {
  return refuse(new Wrong('webhookDisabled', { id: webhookId }));
}

function refusePartnerDisabled(id: string): Outcome<never> {
  return refuse(new Wrong('partnerDisabled', { id }));
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

export function presentDelivery(delivery: Delivery): DeliveryView {
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
