/** A stored quote, and what became of it. */
import { showQuote } from '../../../partner/quotes/show-quote.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';

export type QuoteShown = ShownBy<typeof readQuote>;

/** The output of `quote show`, without the link, which only the partner may have. */
export async function readQuote({ storage }: PagePorts, { segments }: PageQuestion) {
  const quote = await showQuote(storage, segments['quoteId'] ?? '');
  if (quote === undefined) return undefined;
  const { handoffUrl: _handoffUrl, ...rows } = quote;
  return {
    rows,
    /** Undefined: its page was not opened yet. */
    visit: await storage.findVisit(quote.quoteId),
    bookings: await storage.listConversions(quote.quoteId),
  };
}
