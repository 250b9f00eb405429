/** What the four operations ask: the read model and the quotes of the catalogue, or those of the sandbox. */
import type { ReadModel } from '../../catalogue/bodies/read-model.ts';
import type { CreatedQuote, QuoteRequest } from '../../quotes/create-quote.ts';

/** Rejects with StorageUnavailable when the quote can't be stored; any other rejection is a bug. */
export type CreateQuote = (request: QuoteRequest) => Promise<CreatedQuote>;

export interface Backend {
  readonly readModel: ReadModel;
  readonly createQuote: CreateQuote;
}
