/** Calls of the console to the listeners of its own service, as a partner or a traveller would make them. */
import type { Wrong } from '../../domain/wrong.ts';

export interface OwnCall {
  readonly method: 'GET' | 'POST';
  /** From the root of the listener, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface OwnAnswer {
  readonly status: number;
  /** Until the whole answer was there. */
  readonly durationMs: number;
  /** Its beginning, where it is longer than is shown. */
  readonly body: string;
  readonly isCut: boolean;
  readonly correlationId: string | null;
}

/** Or why there is no answer. */
export interface OwnCalls {
  readonly toPartnerListener: (call: OwnCall) => Promise<OwnAnswer | Wrong>;
  readonly toWebListener: (call: OwnCall) => Promise<OwnAnswer | Wrong>;
}
