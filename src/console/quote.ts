/** A stored quote: what `quote show` prints, without the link that is the partner's alone. */
import { showQuote } from '../quotes/show-quote.ts';
import type { PagePorts, PageQuestion, ShownBy } from './console-page.ts';

export type QuoteShown = ShownBy<typeof readQuote>;

export async function readQuote({ storage }: PagePorts, { segments }: PageQuestion) {
  const quote = await showQuote(storage, segments['quoteId'] ?? '');
  if (quote === undefined) return undefined;
  const { handoffUrl: _handoffUrl, ...rows } = quote;
  return { rows };
}
