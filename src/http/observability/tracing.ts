/** The port of traces. Without it nothing is traced or loaded, and requests pay nothing. */
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { QuoteStore } from '../../storage/quotes/store.ts';

/** Attributes of a request's span at its end, without content of the request. */
export interface TracedAnswer {
  readonly correlationId: string;
  readonly operation: string;
  readonly method: string | undefined;
  readonly status: number;
  readonly code: string;
}

/** The span of one request. */
export interface RequestTrace {
  /** Spans that begin in `work`, however late, become children of the request's span. */
  run<T>(work: () => T): T;
  end(answer: TracedAnswer): void;
}

export interface Tracing {
  /** `traceparent` as the client sent it (W3C Trace Context); an invalid one begins a new trace. */
  startRequest(traceparent: string | undefined): RequestTrace;
  /** A span around `work`, below the request's span if there is one; a rejection marks it as failed. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Delivers waiting spans, if that is possible soon. */
  close(): Promise<void>;
}

type TracedStore = Pick<CatalogueStore, 'findProperty'> & Pick<QuoteStore, 'insertQuote' | 'findQuote'>;

/** The storage calls of a quote and of a handoff, each in a span. */
export function traceStorage(storage: TracedStore, tracing: Tracing): TracedStore {
  return {
    findProperty: (propertyId) =>
      tracing.span('storage.findProperty', () => storage.findProperty(propertyId)),
    insertQuote: (quote) => tracing.span('storage.insertQuote', () => storage.insertQuote(quote)),
    findQuote: (quoteId) => tracing.span('storage.findQuote', () => storage.findQuote(quoteId)),
  };
}
