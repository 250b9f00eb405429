/** Counts what became of quotes and handoffs, for the metrics. */
import type { HandoffResolution } from '../../quotes/resolve-handoff.ts';
import type { CreatedQuote } from '../../quotes/create-quote.ts';

export interface OutcomeMeter {
  quotesStored: number;
  readonly handoffs: Record<'unchanged' | 'price_changed' | 'unavailable' | 'expired' | 'invalid', number>;
}

export function createOutcomeMeter(): OutcomeMeter {
  return {
    quotesStored: 0,
    handoffs: { unchanged: 0, price_changed: 0, unavailable: 0, expired: 0, invalid: 0 },
  };
}

/** Passes the quote on. */
export function countQuote(meter: OutcomeMeter, created: CreatedQuote): CreatedQuote {
  if (created.refusal === undefined) meter.quotesStored += 1;
  return created;
}

/** Passes the resolution on; one of the sandbox is not counted. */
export function countHandoff(meter: OutcomeMeter, resolution: HandoffResolution): HandoffResolution {
  if (resolution.refusal !== undefined) meter.handoffs.invalid += 1;
  else if (!resolution.test) meter.handoffs[resolution.outcome] += 1;
  return resolution;
}
