/**
 * Events that a transaction causes, stored by it: what is committed is told, even if the process dies afterwards. Without an
 * endpoint that listens, a transaction pays for one look at a small table.
 */
import { createHash } from 'node:crypto';
import type { HandoffVisit } from '../attribution/store.ts';
import { change, type Program, rows, type Value } from '../programs/program.ts';
import { type DeliveredEvent, type NewDelivery, TRIES_MAX, type WebhookEvent } from './store.ts';

/** Something that happened to a quote. */
interface QuoteEvent {
  readonly event: WebhookEvent;
  readonly quoteId: string;
  readonly propertyId: string;
  readonly partnerId: string;
  readonly atMs: number;
}

interface Listener {
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

/** Text of `IN (...)`; statements are kept by their text, so lists are filled up to few lengths. */
function places(values: readonly string[]): { readonly text: string; readonly values: Value[] } {
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  const filled = Array.from({ length }, (_, index) => values[index] ?? null);
  return { text: filled.map(() => '?').join(', '), values: filled };
}

interface VisitedQuote {
  readonly quote_id: string;
  readonly partner_id: string;
  readonly property_id: string;
  readonly opened_count: number | null;
  readonly outcome: string | null;
  readonly continued_at_ms: number | null;
}

/** What these visits are about to tell. Ask before they are written; store it in the same transaction. */
export function* planVisitEvents(visits: readonly HandoffVisit[]): Program<NewDelivery[]> {
  const listeners = yield* listListeners();
  if (listeners.length === 0) return [];
  const { text, values } = places(visits.map(({ quoteId }) => quoteId));
  const quotes = yield* rows<VisitedQuote>(
    `SELECT q.quote_id, q.partner_id, q.property_id, v.opened_count, v.outcome, v.continued_at_ms
     FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
     WHERE q.is_test = 0 AND q.quote_id IN (${text})`,
    values,
  );
  const byId = new Map(quotes.map((quote) => [quote.quote_id, quote]));
  return visits
    .flatMap((visit) => eventsOfVisit(visit, byId.get(visit.quoteId)))
    .flatMap((event) => deliveriesOf(event, listeners));
}

/** The first opening, the first continuation, and the outcome that stays. */
function eventsOfVisit(visit: HandoffVisit, quote: VisitedQuote | undefined): QuoteEvent[] {
  if (quote === undefined) return [];
  const { quote_id: quoteId, property_id: propertyId, partner_id: partnerId } = quote;
  const of = (event: WebhookEvent, atMs: number): QuoteEvent => ({
    event,
    quoteId,
    propertyId,
    partnerId,
    atMs,
  });
  const events: QuoteEvent[] = [];
  const { firstOpenedAtMs: openedAtMs, continuedAtMs } = visit;
  if (openedAtMs !== null && Number(quote.opened_count) === 0) events.push(of('quote.opened', openedAtMs));
  if (openedAtMs !== null && visit.outcome === 'price_changed' && quote.outcome === null)
    events.push(of('quote.price_changed', openedAtMs));
  if (continuedAtMs !== null && quote.continued_at_ms === null)
    events.push(of('quote.continued', continuedAtMs));
  return events;
}

/** In the transaction that stores the first booking of a quote. */
export function* storeQuoteEvent(event: QuoteEvent): Program<void> {
  yield* storeDeliveries(deliveriesOf(event, yield* listListeners()));
}

function* listListeners(): Program<Listener[]> {
  return yield* rows<Listener>(`SELECT w.webhook_id, w.partner_id, w.events FROM ${LISTENING}`);
}

function deliveriesOf(
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
