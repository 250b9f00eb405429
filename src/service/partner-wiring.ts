/** The partner listener, put together: with the catalogue behind it, and with the sandbox for test tokens. */
import type { ListeningServer } from '../http/listener/listener.ts';
import { buildPartnerServer, type PartnerServerSettings } from '../http/partner/partner-server.ts';
import { sandboxFeed } from '../changes/sandbox-feed.ts';
import { ContentCache } from '../content/content-cache.ts';
import { makeReadContent, type ReadContent } from '../content/property-content.ts';
import { buildFindAddresses } from '../http/web/pictures.ts';
import { createQuote, type QuoteDeps } from '../quotes/create-quote.ts';
import { listenerSettings } from './listen.ts';
import type { ServiceContext } from './service-context.ts';
import type { Backend } from '../http/partner/partner-exchange.ts';
import type { SandboxBackend } from '../http/partner/sandbox-hook.ts';
import type { SandboxDay } from '../sandbox/sandbox.ts';
import { testContent } from '../sandbox/test-content.ts';
import { TEST_PICTURE_HEIGHT, TEST_PICTURE_WIDTH, testPicture } from '../web/traveller/test-picture.ts';
import type { Settings } from '../settings/settings.ts';

type PartnerInputs = QuoteInputs &
  Pick<
    ServiceContext,
    'activity' | 'budget' | 'connections' | 'eventLoop' | 'limits' | 'logger' | 'meter' | 'tracing'
  > &
  Pick<
    ServiceContext,
    'changes' | 'hasDiscounts' | 'longPolls' | 'outcomes' | 'pictures' | 'readiness' | 'sandbox' | 'storage'
  >;

type QuoteInputs = Pick<
  ServiceContext,
  'access' | 'catalogue' | 'clock' | 'dailyQuotes' | 'quoteStorage' | 'random' | 'settings'
>;

/** Named one by one: neither the whole storage nor a secret of the settings comes near the listener. */
export function wirePartnerServer(inputs: PartnerInputs): ListeningServer {
  const { access, activity, budget, catalogue, clock, dailyQuotes, eventLoop, limits, logger } = inputs;
  const { meter, outcomes, readiness, tracing } = inputs;
  const quoteDeps = wireQuotes(inputs);
  const liveDeps: QuoteDeps = {
    ...quoteDeps,
    noteStored(credentialId) {
      outcomes.quotesStored += 1;
      quoteDeps.noteStored(credentialId);
    },
  };
  return buildPartnerServer({
    activity,
    budget,
    clock,
    logger,
    meter,
    readiness,
    tracing,
    ...limits.limits,
    readModel: catalogue,
    prices: catalogue.prices,
    createQuote: (request) => createQuote(liveDeps, request),
    readContent: wireContent(inputs),
    changes: inputs.changes,
    longPolls: inputs.longPolls,
    hasDiscounts: inputs.hasDiscounts,
    sandbox: wireSandbox(inputs, quoteDeps),
    access: access.directory,
    quotesOf: dailyQuotes.quotesOf,
    isOverloaded: eventLoop.isOverloaded,
    settings: partnerSettings(inputs),
  });
}

function wireContent({ catalogue, pictures, settings, storage }: PartnerInputs): ReadContent {
  const revisionOf = (propertyId: string) => catalogue.revisionOf(propertyId);
  const cache = new ContentCache({ storage, revisionOf });
  return makeReadContent({
    find: (propertyIds) => cache.find(propertyIds),
    findAddresses: buildFindAddresses({
      folder: pictures,
      origins: settings.webImageOrigins,
      pageUrl: settings.handoffBaseUrl,
    }),
    seller: settings.webName,
  });
}

function wireQuotes(inputs: QuoteInputs): QuoteDeps {
  const { access, catalogue, clock, dailyQuotes, quoteStorage, random, settings } = inputs;
  return {
    storage: quoteStorage,
    isVisible: (propertyId, partnerId) => catalogue.isVisible(propertyId, partnerId),
    handoffKeys: access.handoffKeys,
    handoffBaseUrl: settings.handoffBaseUrl,
    quoteTtlSeconds: settings.quoteTtlSeconds,
    horizonNights: settings.horizonNights,
    isTest: false,
    noteStored: dailyQuotes.note,
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
    maxConnectionsPerAddress: settings.maxConnectionsPerAddress,
    horizonNights: settings.horizonNights,
  };
}

// The sandbox as a backend of the partner listener.

/** The quote of this property ends as it begins. */
const EXPIRED_ID = 'test-expired';

/** Its quotes are stored by the same rules as live ones, with a mark; only the property comes from the sandbox. */
function wireSandbox(inputs: PartnerInputs, live: QuoteDeps): SandboxBackend {
  const { access, random, sandbox, settings } = inputs;
  const keys = access.handoffKeys;
  const toBackend = (day: SandboxDay): Backend => ({
    ...backendOf(day, live, settings),
    changes: sandboxFeed({ clock: day.clock, keys, random }),
  });
  return {
    today: () => sandbox.today().then(toBackend),
    on: (day) => sandbox.on(day)?.then(toBackend),
  };
}

function backendOf(
  { catalogue, clock, findProperty }: SandboxDay,
  live: QuoteDeps,
  { webName, handoffBaseUrl }: Pick<Settings, 'webName' | 'handoffBaseUrl'>,
): Omit<Backend, 'changes'> {
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
  const picture = {
    url: new URL(testPicture().path.slice(1), handoffBaseUrl).href,
    width: TEST_PICTURE_WIDTH,
    height: TEST_PICTURE_HEIGHT,
  };
  return {
    readModel: catalogue,
    prices: catalogue.prices,
    hasDiscounts: () => true,
    readContent: makeReadContent({
      find: async (propertyIds) => propertyIds.flatMap((id) => testContent(findProperty(id), picture) ?? []),
      findAddresses: async (images) => images.map((image) => ({ ...image, url: image.src })),
      seller: webName,
    }),
    createQuote: (request) =>
      createQuote(request.propertyId === EXPIRED_ID ? { ...deps, quoteTtlSeconds: 0 } : deps, request),
  };
}
