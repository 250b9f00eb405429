/** The partner listener, put together: with the catalogue behind it, and with the sandbox for test tokens. */
import type { ListeningServer } from '../../../http/listener/listener.ts';
import { buildPartnerServer, type PartnerServerSettings } from '../../../partner/http/partner-server.ts';
import { sandboxFeed } from '../../../partner/changes/sandbox-feed.ts';
import { ContentCache } from '../../../partner/content/content-cache.ts';
import { makeReadContent, type ReadContent } from '../../../partner/content/property-content.ts';
import { buildFindAddresses } from '../../../partner/content/picture-addresses.ts';
import { createQuote, type QuoteDeps } from '../../../partner/quotes/create-quote.ts';
import { findOffer } from '../../../partner/quotes/find-offer.ts';
import { listenerSettings } from './listen.ts';
import { perSettings } from '../context/live-settings.ts';
import type { ServiceContext } from '../context/service-context.ts';
import type { Backend, FindOffer } from '../../../partner/http/partner-exchange.ts';
import type { SandboxBackend } from '../../../partner/http/sandbox-hook.ts';
import type { SandboxDay } from '../../../partner/sandbox/sandbox.ts';
import { testContent } from '../../../partner/sandbox/test-content.ts';
import { TEST_PICTURE_HEIGHT, TEST_PICTURE_WIDTH, testPicture } from '../../../traveller/web/test-picture.ts';
import type { ContentStore } from '../../../storage/catalogue/content.ts';
import type { Settings } from '../../settings/settings.ts';

export function wirePartnerServer(context: ServiceContext): ListeningServer {
  const { access, catalogue, dailyQuotes, eventLoop, limits, outcomes, questions } = context;
  const quoteDeps = wireQuotes(context);
  const contents = wireContentCache(context);
  const noteStored = (credentialId: string): void => {
    outcomes.quotesStored += 1;
    dailyQuotes.note(credentialId);
  };
  return buildPartnerServer({
    ...context,
    ...limits.limits,
    readModel: catalogue,
    prices: catalogue.prices,
    ask: questions.ask,
    createQuote: (request) => createQuote({ ...quoteDeps(), noteStored }, request),
    findOffer: wireOffers(context, contents),
    readContent: wireContent(context, contents),
    sandbox: wireSandbox(context, quoteDeps),
    access: access.directory,
    quotesOf: dailyQuotes.quotesOf,
    isOverloaded: eventLoop.isOverloaded,
    settings: partnerSettings(context),
  });
}

function wireContentCache({ catalogue, follower, storage }: ServiceContext): ContentCache {
  const revisionOf = (propertyId: string) => catalogue.revisionOf(propertyId);
  return new ContentCache({ storage, revisionOf, lossCount: () => follower.losses.counts.catalogue });
}

function wireContent({ pictures, live }: ServiceContext, cache: ContentCache): ReadContent {
  const read = perSettings(live, (settings) =>
    makeReadContent({
      find: (propertyIds) => cache.find(propertyIds),
      findAddresses: buildFindAddresses({
        folder: pictures,
        origins: settings.webImageOrigins,
        pageUrl: settings.handoffBaseUrl,
      }),
      seller: settings.webName,
    }),
  );
  return (...asked) => read()(...asked);
}

/** By the settings of the moment. */
function wireQuotes(context: ServiceContext): () => QuoteDeps {
  const { access, catalogue, clock, dailyQuotes, live, quoteStorage, random, settings } = context;
  return perSettings(live, ({ handoffBaseUrl, quoteTtlSeconds }) => ({
    storage: quoteStorage,
    isVisible: (propertyId, partnerId) => catalogue.isVisible(propertyId, partnerId),
    handoffKeys: access.handoffKeys,
    handoffBaseUrl,
    quoteTtlSeconds,
    horizonNights: settings.horizonNights,
    isTest: false,
    noteStored: dailyQuotes.note,
    clock,
    random,
  }));
}

/** By the settings of the moment. */
function wireOffers(context: ServiceContext, cache: ContentCache): FindOffer {
  const { catalogue, clock, live, quoteStorage, storage, settings } = context;
  const deps = perSettings(live, ({ webName }) => ({
    storage: {
      findProperty: (propertyId: string) => quoteStorage.findProperty(propertyId),
      findContent: storage.findContent,
    },
    recallContent: (propertyIds: readonly string[]) => cache.find(propertyIds),
    isVisible: (propertyId: string, partnerId: string) => catalogue.isVisible(propertyId, partnerId),
    horizonNights: settings.horizonNights,
    seller: webName,
    clock,
  }));
  return (request) => findOffer(deps(), request);
}

/** Named one by one: no secret of the settings comes near the listener. */
function partnerSettings(context: ServiceContext): PartnerServerSettings {
  const { settings, connections, live } = context;
  return {
    ...listenerSettings(context, connections.partner),
    publicUrl: settings.publicUrl,
    get handoffBaseUrl() {
      return live.now().handoffBaseUrl;
    },
    supportContact: settings.supportContact,
    ingressLimit: settings.ingressLimit,
    partnerQuota: settings.partnerQuota,
    get quoteTtlSeconds() {
      return live.now().quoteTtlSeconds;
    },
    get partnerReasons() {
      return live.now().partnerReasons === 'on';
    },
    quotesPerDay: settings.quotesPerDay,
    maxConnectionsPerAddress: settings.maxConnectionsPerAddress,
    horizonNights: settings.horizonNights,
  };
}

// The sandbox as a backend of the partner listener.

/** The quote of this property ends as it begins. */
const EXPIRED_ID = 'test-expired';

/** Its quotes are stored by the same rules as live ones, with a mark; only the property comes from the sandbox. */
function wireSandbox(
  { access, random, sandbox, live }: ServiceContext,
  quoteDeps: () => QuoteDeps,
): SandboxBackend {
  const keys = access.handoffKeys;
  const toBackend = (day: SandboxDay): Backend => ({
    ...backendOf(day, quoteDeps(), live.now()),
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
  const findContent: ContentStore['findContent'] = async (propertyIds) =>
    propertyIds.flatMap((id) => testContent(findProperty(id), picture) ?? []);
  const offerDeps = {
    ...deps,
    storage: { ...deps.storage, findContent },
    recallContent: findContent,
    seller: webName,
  };
  return {
    readModel: catalogue,
    prices: catalogue.prices,
    ask: (kind, about) => catalogue.questions.answer(kind, about),
    findOffer: (request) => findOffer(offerDeps, request),
    readContent: makeReadContent({
      find: findContent,
      findAddresses: async (images) => images.map((image) => ({ ...image, url: image.src })),
      seller: webName,
    }),
    createQuote: (request) =>
      createQuote(request.propertyId === EXPIRED_ID ? { ...deps, quoteTtlSeconds: 0 } : deps, request),
  };
}
