/** The sandbox as a backend of the partner listener. */
import type { Backend } from '../http/partner/partner-exchange.ts';
import type { SandboxBackend } from '../http/partner/sandbox-hook.ts';
import { createQuote, type QuoteDeps } from '../quotes/create-quote.ts';
import type { Sandbox, SandboxDay } from '../sandbox/sandbox.ts';

/** The quote of this property ends as it begins. */
const EXPIRED_ID = 'test-expired';

/** Its quotes are stored by the same rules as live ones, with a mark; only the property comes from the sandbox. */
export function wireSandbox(sandbox: Sandbox, live: QuoteDeps): SandboxBackend {
  const toBackend = (day: SandboxDay): Backend => backendOf(day, live);
  return {
    today: () => sandbox.today().then(toBackend),
    on: (day) => sandbox.on(day)?.then(toBackend),
  };
}

function backendOf({ catalogue, clock, findProperty }: SandboxDay, live: QuoteDeps): Backend {
  const deps: QuoteDeps = {
    ...live,
    storage: {
      findProperty: async (propertyId) => findProperty(propertyId),
      insertQuote: (quote) => live.storage.insertQuote(quote),
    },
    isVisible: (propertyId, partnerId) => catalogue.isVisible(propertyId, partnerId),
    isTest: true,
    clock,
  };
  return {
    readModel: catalogue,
    createQuote: (request) =>
      createQuote(request.propertyId === EXPIRED_ID ? { ...deps, quoteTtlSeconds: 0 } : deps, request),
  };
}
