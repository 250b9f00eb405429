/** A stored quote, and what became of it. */
import { storedPropertyName } from '../../../partner/quotes/present-quote.ts';
import { findShownQuote } from '../../../partner/quotes/shown-quote.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';

export type QuoteShown = ShownBy<typeof readQuote>;

/** The output of `quote show`, without the link, which only the partner may have. */
export async function readQuote({ storage }: PagePorts, { segments }: PageQuestion) {
  const quote = await findShownQuote(storage, segments['quoteId'] ?? '');
  if (quote === undefined) return undefined;
  const { handoffUrl: _handoffUrl, ...rows } = quote;
  const row = await storage.findQuote(quote.quoteId);
  return {
    rows,
    /** The name of the property as the quote had it; quotes of earlier versions have none. */
    name: row && storedPropertyName(row.breakdown),
    /** Undefined: its page was not opened yet. */
    visit: await storage.findVisit(quote.quoteId),
    bookings: await storage.listConversions(quote.quoteId),
  };
}
