/** The partner listener, put together. */
import type { ListeningServer } from '../http/listener/listener.ts';
import { buildPartnerServer, type PartnerServerSettings } from '../http/partner/partner-server.ts';
import { countQuote } from '../observability/metrics/outcome-meter.ts';
import { createQuote, type QuoteDeps } from '../quotes/create-quote.ts';
import { listenerSettings } from './listen.ts';
import { wireSandbox } from './sandbox-wiring.ts';
import type { ServiceContext } from './service-context.ts';

type PartnerInputs = QuoteInputs &
  Pick<
    ServiceContext,
    'activity' | 'budget' | 'connections' | 'eventLoop' | 'limits' | 'logger' | 'meter' | 'tracing'
  > &
  Pick<ServiceContext, 'outcomes' | 'readiness' | 'sandbox'>;

type QuoteInputs = Pick<
  ServiceContext,
  'access' | 'catalogue' | 'clock' | 'dailyQuotes' | 'quoteStorage' | 'random' | 'settings'
>;

/** Named one by one: neither the whole storage nor a secret of the settings comes near the listener. */
export function wirePartnerServer(inputs: PartnerInputs): ListeningServer {
  const { access, activity, budget, catalogue, clock, dailyQuotes, eventLoop, limits, logger } = inputs;
  const { meter, outcomes, readiness, sandbox, tracing } = inputs;
  const quoteDeps = wireQuotes(inputs);
  return buildPartnerServer({
    ...{ activity, budget, clock, logger, meter, readiness, tracing },
    ...limits.limits,
    readModel: catalogue,
    createQuote: async (request) => countQuote(outcomes, await createQuote(quoteDeps, request)),
    sandbox: wireSandbox(sandbox, quoteDeps),
    access: access.directory,
    quotesOf: dailyQuotes.quotesOf,
    isOverloaded: eventLoop.isOverloaded,
    settings: partnerSettings(inputs),
  });
}

function wireQuotes(inputs: QuoteInputs): QuoteDeps {
  const { access, catalogue, clock, dailyQuotes, quoteStorage, random, settings } = inputs;
  return {
    storage: {
      findProperty: (propertyId) => quoteStorage.findProperty(propertyId),
      async insertQuote(quote) {
        await quoteStorage.insertQuote(quote);
        dailyQuotes.note(quote.credentialId);
      },
    },
    isVisible: (propertyId, partnerId) => catalogue.isVisible(propertyId, partnerId),
    handoffKeys: access.handoffKeys,
    handoffBaseUrl: settings.handoffBaseUrl,
    quoteTtlSeconds: settings.quoteTtlSeconds,
    horizonNights: settings.horizonNights,
    isTest: false,
    clock,
    random,
  };
}

function partnerSettings(inputs: PartnerInputs): PartnerServerSettings {
  const { settings, connections } = inputs;
  return {
    ...listenerSettings(inputs, connections.partner),
    publicUrl: settings.publicUrl,
    supportContact: settings.supportContact,
    ingressLimit: settings.ingressLimit,
    partnerQuota: settings.partnerQuota,
    quoteTtlSeconds: settings.quoteTtlSeconds,
    quotesPerDay: settings.quotesPerDay,
    horizonNights: settings.horizonNights,
  };
}
