/** The web listener, put together: the operator's look and files, the pages, and what travellers do. */
import { inEnglish } from '../../../domain/wrong.ts';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { createSecureContext } from 'node:tls';
import { CalendarCache } from '../../../supply/published/calendar-cache.ts';
import { publishCalendar } from '../../../supply/published/published-calendar.ts';
import { type PublishedWatch, watchPublished } from '../../../supply/published/watch-published.ts';
import type { ListeningServer, TlsPair } from '../../../http/listener/listener.ts';
import { buildFindShown } from '../../../traveller/http/shown-pictures.ts';
import type { PublishedCalendars } from '../../../traveller/http/published-route.ts';
import { makeTraveller } from '../../../traveller/http/traveller.ts';
import { buildWebServer, type WebServerDeps } from '../../../traveller/http/web-server.ts';
import type { Operator } from '../../../traveller/web/frame.ts';
import type { Settings } from '../../settings/settings.ts';
import { findLogoProblem } from '../../settings/logo.ts';
import { type Logo, type Look, makeAssets, type TravellerAssets } from '../../../traveller/web/assets.ts';
import { makeTravellerPages, type TravellerPages } from '../../../traveller/web/handoff-page.ts';
import type { BookingSites } from '../../../handoff/booking-url.ts';
import { type FixedSettings, perSettings } from '../context/live-settings.ts';
import { wireHandoffCheck } from './handoff-wiring.ts';
import { listen, listenerAddresses, listenerSettings, StartRefused, warnOfNoWeb } from './listen.ts';
import { unreadable } from './pictures.ts';
import type { ServiceContext } from '../context/service-context.ts';

export interface WebListener {
  readonly url: string;
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/**
 * Listening already; undefined where the settings want none, or nobody asked for the port that another program has.
 * Rejects with `StartRefused`.
 */
export async function openWebListener(context: ServiceContext): Promise<WebListener | undefined> {
  const { settings, logger, storage } = context;
  const address = listenerAddresses(settings).web;
  if (address === undefined) return undefined;
  const tls = readTlsPair(settings);
  const stalenessMaxMs = settings.stalenessMaxSeconds * 1_000;
  const watch = watchPublished({ storage, logger, stalenessMaxMs });
  const server = wireWebServer(context, { tls, watch });
  let url: string;
  try {
    url = await listen(server, address, context.machine !== undefined);
  } catch (error) {
    await watch.stop();
    // Only the port may be missing: a wrong certificate or logo stops the start, whichever port it has.
    if (settings.given.has('webPort') || !(error instanceof StartRefused)) throw error;
    warnOfNoWeb(logger, error);
    return undefined;
  }
  return {
    url: tls === undefined ? url : url.replace(/^http:/, 'https:'),
    async close() {
      await server.close();
      await watch.stop();
    },
  };
}

interface WebParts extends Pick<WebServerDeps, 'tls'> {
  readonly watch: PublishedWatch;
}

function wireWebServer(context: ServiceContext, { tls, watch }: WebParts): ListeningServer {
  const { catalogue, connections, eventLoop, limits, live, pictures, settings, storage, webMeter } = context;
  const findShown = perSettings(live, ({ webImageOrigins: origins, handoffBaseUrl: pageUrl }) =>
    buildFindShown({ folder: pictures, origins, pageUrl, meter: webMeter }),
  );
  const sites: BookingSites = {
    get bookingUrlTemplate() {
      return live.now().bookingUrlTemplate;
    },
    get bookingOrigins() {
      return live.now().bookingOrigins;
    },
  };
  return buildWebServer({
    ...context,
    tls,
    pages: makeLivePages(live),
    extras: {
      findShown: (images) => findShown()(images),
      bookingSites: sites,
      access: context.access.directory,
    },
    traveller: makeTraveller({
      ...wireHandoffCheck(context),
      findDetails: storage.findDetails,
      visits: context.visits,
      sites,
      findName: ({ propertyId, locale, partnerId }) => catalogue.findName(propertyId, locale, partnerId),
      meter: webMeter,
    }),
    calendars: wireCalendars(context, watch),
    ingress: limits.limits.ingress,
    isOverloaded: eventLoop.isOverloaded,
    meter: context.webRequestMeter,
    settings: {
      ...listenerSettings(context, connections.web),
      webLimit: settings.webLimit,
      calendarsLimit: settings.calendarsLimit,
    },
  });
}

function wireCalendars(context: ServiceContext, watch: PublishedWatch): PublishedCalendars {
  const { catalogue, clock, follower, settings, storage } = context;
  const { horizonNights, publicUrl } = settings;
  const cache = new CalendarCache({
    publish: ({ propertyId, inventoryTypeId }) =>
      publishCalendar({ storage, clock, horizonNights, publicUrl }, propertyId, inventoryTypeId),
    revisionOf: (propertyId) => catalogue.revisionOf(propertyId),
    lossCount: () => follower.losses.counts.catalogue,
    clock,
  });
  return { find: (secret) => watch.find(secret), read: (key) => cache.find(key) };
}

/** The pages in the look of the moment. */
function makeLivePages(live: ServiceContext['live']): TravellerPages {
  const assetsOf = keptAssets();
  const pages = perSettings(live, (settings) => {
    const look = lookOf(settings);
    const assets = assetsOf(look);
    return makeTravellerPages(operatorOf(settings, look, assets.icon.path), assets, settings.webImageOrigins);
  });
  // A look that can't be shown stops the start.
  pages();
  return {
    get assets() {
      return pages().assets;
    },
    get icon() {
      return pages().icon;
    },
    get headers() {
      return pages().headers;
    },
    review: (...about) => pages().review(...about),
    unchecked: (...about) => pages().unchecked(...about),
    plain: (...about) => pages().plain(...about),
  };
}

/** Compressing takes time, so the files are made again only for another look. */
function keptAssets(): typeof makeAssets {
  let made: { readonly look: Look; readonly assets: TravellerAssets } | undefined;
  return (look) => {
    if (!isDeepStrictEqual(made?.look, look)) made = { look, assets: makeAssets(look) };
    return made!.assets;
  };
}

/** `iconPath`: where the logo is served. */
export function operatorOf(settings: Settings, look: Look, iconPath: string): Operator {
  return {
    name: settings.webName,
    logoPath: look.logo === undefined ? undefined : iconPath,
    contact: settings.webContact,
    legal: legalPages(settings),
    canContinue: settings.bookingUrlTemplate !== undefined,
    tellsReasons: settings.partnerReasons === 'on',
  };
}

/** Throws StartRefused for a logo that can't be shown. The file that WEB_LOGO names is read once. */
export function lookOf({ webName: name, webAccent: accent, webLogo, uploadedLogo }: Settings): Look {
  return { name, accent, logo: webLogo === undefined ? uploadedLogo : readLogo(webLogo) };
}

function legalPages(settings: Settings): Operator['legal'] {
  const { webImprintUrl, webPrivacyUrl, webTermsUrl, webAccessibilityUrl } = settings;
  return {
    ...(webImprintUrl === undefined ? {} : { imprint: webImprintUrl }),
    ...(webPrivacyUrl === undefined ? {} : { privacy: webPrivacyUrl }),
    ...(webTermsUrl === undefined ? {} : { terms: webTermsUrl }),
    ...(webAccessibilityUrl === undefined ? {} : { accessibility: webAccessibilityUrl }),
  };
}

function readTlsPair({ webTlsCert, webTlsKey }: FixedSettings): TlsPair | undefined {
  if (webTlsCert === undefined || webTlsKey === undefined) return undefined;
  const cert = readSettingFile('WEB_TLS_CERT', webTlsCert).toString('utf8');
  const key = readSettingFile('WEB_TLS_KEY', webTlsKey).toString('utf8');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = (error as Error).message.split('\n', 1)[0] ?? '';
    throw new StartRefused(
      `WEB_TLS_CERT and WEB_TLS_KEY: are not a certificate and its key in PEM (${reason})`,
    );
  }
  return { cert, key };
}

const logosRead = new Map<string, Logo>();

/** It is read at the start, not again whenever another setting changes. */
function readLogo(path: string): Logo {
  const known = logosRead.get(path);
  if (known !== undefined) return known;
  const logo: Logo = {
    kind: /\.svg$/i.test(path) ? 'svg' : 'png',
    bytes: readSettingFile('WEB_LOGO', path),
  };
  const problem = findLogoProblem(logo);
  if (problem !== undefined) throw new StartRefused(`WEB_LOGO: ${path} ${inEnglish(problem)}`);
  logosRead.set(path, logo);
  return logo;
}

function readSettingFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartRefused(unreadable(name, path, error, 'file'));
  }
}
