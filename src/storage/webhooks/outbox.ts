/**
 * Events that a transaction causes, stored by it: what is committed is told, even if the process dies afterwards. Without an
 * endpoint that listens, a transaction pays for one look at a small table.
 */
import { createHash } from 'node:crypto';
import { change, type Program, rows } from '../portable-sql/program.ts';
import { type DeliveredEvent, type NewDelivery, TRIES_MAX, type WebhookEvent } from './store.ts';

/** Something that happened to a quote. */
export interface QuoteEvent {
  readonly event: WebhookEvent;
  readonly quoteId: string;
  readonly propertyId: string;
  readonly partnerId: string;
  readonly atMs: number;
}

export interface Listener {
  readonly webhook_id: string;
  readonly partner_id: string;
  /** JSON. */
  readonly events: string;
}

/** Enabled endpoints of partners that are not disabled. */
export const LISTENING = `webhooks w
  JOIN partners p ON p.partner_id = w.partner_id AND p.disabled = 0 AND w.disabled_at_ms IS NULL`;

/** The same for the same happening, so that two processes store it once. */
export function deliveryIdOf(event: WebhookEvent, subject: string, webhookId: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([event, subject, webhookId]))
    .digest('hex');
  return `msg_${hash.slice(0, 32)}`;
}

/** `{type, timestamp, data}`: Standard Webhooks calls it a thin payload. */
export function formatEvent(
  type: DeliveredEvent,
  atMs: number,
  data: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ type, timestamp: new Date(atMs).toISOString(), data });
}

/** In the transaction that stores the first booking of a quote. */
export function* storeQuoteEvent(event: QuoteEvent): Program<void> {
  yield* storeDeliveries(deliveriesOf(event, yield* listListeners()));
}

export function* listListeners(): Program<Listener[]> {
  return yield* rows<Listener>(`SELECT w.webhook_id, w.partner_id, w.events FROM ${LISTENING}`);
}

export function deliveriesOf(
  { event, quoteId, propertyId, partnerId, atMs }: QuoteEvent,
  listeners: readonly Listener[],
): NewDelivery[] {
  return listeners
    .filter((listener) => listener.partner_id === partnerId && listensTo(listener.events, event))
    .map(({ webhook_id: webhookId }) => ({
      deliveryId: deliveryIdOf(event, quoteId, webhookId),
      webhookId,
      event,
      body: formatEvent(event, atMs, { quoteId, propertyId }),
      createdAtMs: atMs,
    }));
}

export function listensTo(events: string, event: WebhookEvent): boolean {
  return (JSON.parse(events) as readonly string[]).includes(event);
}

const ROWS_AT_ONCE = 32;
const ROW = `(?, ?, ?, ?, ?, 'pending', 0, ${TRIES_MAX}, 0)`;

/** Those that are not stored yet. */
export function* storeDeliveries(deliveries: readonly NewDelivery[]): Program<void> {
  let at = 0;
  while (at < deliveries.length) {
    const count = deliveries.length - at >= ROWS_AT_ONCE ? ROWS_AT_ONCE : 1;
    const some = deliveries.slice(at, at + count);
    yield* change(
      `INSERT INTO webhook_deliveries
         (delivery_id, webhook_id, event, body, created_at_ms, status, attempts, tries_left, next_attempt_at_ms)
       VALUES ${some.map(() => ROW).join(', ')} ON CONFLICT (delivery_id) DO NOTHING`,
      some.flatMap((one) => [one.deliveryId, one.webhookId, one.event, one.body, one.createdAtMs]),
    );
    at += count;
  }
}
