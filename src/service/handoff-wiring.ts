/** What handoff values are checked with, the same for the traveller's page and for the operator's own systems. */
import type { CheckDeps } from '../quotes/check-handoff.ts';
import type { ServiceContext } from './service-context.ts';

export type HandoffInputs = Pick<
  ServiceContext,
  'access' | 'clock' | 'quoteStorage' | 'sandbox' | 'settings'
>;

export function wireHandoffCheck(inputs: HandoffInputs): CheckDeps {
  const { access, clock, quoteStorage, sandbox, settings } = inputs;
  return {
    storage: quoteStorage,
    findTestProperty: (propertyId) => sandbox.findAtHandoff(propertyId),
    handoffKeys: access.handoffKeys,
    findNewHandoffKeys: access.findNewHandoffKeys,
    horizonNights: settings.horizonNights,
    clock,
  };
}
