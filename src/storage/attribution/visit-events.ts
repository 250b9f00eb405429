/** Events of the traveller's page, stored in the same transaction as the visits that cause them. */
import { placeholders, type Program, rows } from '../portable-sql/program.ts';
import { deliveriesOf, listListeners, type QuoteEvent } from '../webhooks/outbox.ts';
import type { NewDelivery, WebhookEvent } from '../webhooks/store.ts';
import type { HandoffVisit } from './store.ts';

interface VisitedQuote {
  readonly quote_id: string;
  readonly partner_id: string;
  readonly property_id: string;
  readonly opened_count: number | null;
  readonly outcome: string | null;
  readonly continued_at_ms: number | null;
}

/**
 * The events that these visits will cause. Call this before you write the visits, and store both in one transaction.
 */
export function* planVisitEvents(visits: readonly HandoffVisit[]): Program<NewDelivery[]> {
  const listeners = yield* listListeners();
  if (listeners.length === 0) return [];
  const { text, values } = placeholders(visits.map(({ quoteId }) => quoteId));
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
