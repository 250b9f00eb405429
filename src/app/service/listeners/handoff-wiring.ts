/** Dependencies for checking handoff values, shared by the traveller's page and the operator's own systems. */
import type { CheckDeps } from '../../../partner/quotes/check-handoff.ts';
import type { ServiceContext } from '../context/service-context.ts';

export function wireHandoffCheck(context: ServiceContext): CheckDeps {
  const { access, clock, quoteStorage, sandbox, settings } = context;
  return {
    storage: quoteStorage,
    findTestProperty: (propertyId) => sandbox.findAtHandoff(propertyId),
    handoffKeys: access.handoffKeys,
    findNewHandoffKeys: access.findNewHandoffKeys,
    horizonNights: settings.horizonNights,
    clock,
  };
}
