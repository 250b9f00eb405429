/** The partner listener, put together from the parts of the service. */
import { buildPartnerServer } from '../http/partner/partner-server.ts';
import type { ListeningServer } from '../http/listener/listener.ts';
import { countQuote } from '../observability/metrics/outcome-meter.ts';
import { createQuote, type QuoteDeps } from '../quotes/create-quote.ts';
import { listenerSettings, type Parts, tracedStorage } from './parts.ts';
import { wireSandbox } from './sandbox-wiring.ts';

/** Names what the listener gets, so that neither the whole storage nor a secret of the settings comes near it. */
export function wirePartnerServer(parts: Parts): ListeningServer {
  const { settings, access, catalogue, limits, outcomes, clock, random } = parts;
  const quoteDeps: QuoteDeps = {
    storage: tracedStorage(parts),
    isVisible: (propertyId: string, partnerId: string) => catalogue.isVisible(propertyId, partnerId),
    handoffKeys: access.handoffKeys,
    handoffBaseUrl: settings.handoffBaseUrl,
    quoteTtlSeconds: settings.quoteTtlSeconds,
    horizonNights: settings.horizonNights,
    isTest: false,
    clock,
    random,
  };
  return buildPartnerServer({
    ...parts,
    ...limits.limits,
    readModel: catalogue,
    sandbox: wireSandbox(parts.sandbox, quoteDeps),
    access: access.directory,
    createQuote: async (request) => countQuote(outcomes, await createQuote(quoteDeps, request)),
    isOverloaded: parts.eventLoop.isOverloaded,
    // Field by field: no secret of the settings has any business in a listener.
    settings: {
      ...listenerSettings(settings, parts.connections.partner),
      publicUrl: settings.publicUrl,
      supportContact: settings.supportContact,
      ingressLimit: settings.ingressLimit,
      partnerQuota: settings.partnerQuota,
      quoteTtlSeconds: settings.quoteTtlSeconds,
      horizonNights: settings.horizonNights,
      trustedProxies: settings.trustedProxies,
    },
  });
}
