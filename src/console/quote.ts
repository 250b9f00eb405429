/** A stored quote: what `quote show` prints, without the link that is the partner's alone. */
import { type ShownQuote, showQuote } from '../quotes/show-quote.ts';
import type { PagePorts, PageQuestion } from './console-page.ts';

export interface QuoteShown {
  readonly rows: Omit<ShownQuote, 'handoffUrl'>;
}

export async function readQuote(
  { storage }: PagePorts,
  { segments }: PageQuestion,
): Promise<QuoteShown | undefined> {
  const quote = await showQuote(storage, segments['quoteId'] ?? '');
  if (quote === undefined) return undefined;
  const { handoffUrl: _handoffUrl, ...rows } = quote;
  return { rows };
}
