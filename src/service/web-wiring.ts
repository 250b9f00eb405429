/** The web listener, put together: the operator's look and files, the pages, and what travellers do. */
import { parseByteText } from '../catalogue/bodies/byte-text.ts';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { PartnerPropertySummary } from '../contract/partner/property-schemas.ts';
import type { Handoff } from '../handoff/handoff-value.ts';
import { startVisitLog } from '../attribution/visit-log.ts';
import type { TlsPair } from '../http/listener/listener.ts';
import { makeTravellerPages, type TravellerPages } from '../http/web/traveller-pages.ts';
import { makeTraveller } from '../http/web/traveller.ts';
import { buildWebServer } from '../http/web/web-server.ts';
import type { Settings } from '../settings/settings.ts';
import { type Logo, makeAssets } from '../web/traveller/assets.ts';
import { listen, listenerAddresses, StartRefused } from './listen.ts';
import { listenerSettings, type Parts, tracedStorage } from './parts.ts';

/** A logo is sent with the first page of every traveller. */
const LOGO_BYTES_MAX = 262_144;

export interface WebListener {
  readonly url: string;
  /** Finishes what is under way, then writes the visits that wait. */
  close(): Promise<void>;
}

/** Listening already; undefined where the settings want none. Rejects with `StartRefused`. */
export async function openWebListener(parts: Parts): Promise<WebListener | undefined> {
  const { settings, storage, access, clock, logger, webMeter: meter } = parts;
  const { bookingUrlTemplate, horizonNights } = settings;
  const address = listenerAddresses(settings).web;
  if (address === undefined) return undefined;
  const onLost = (count: number): void => void (meter.visitsLost += count);
  const visits = startVisitLog({ storage, onLost, logger });
  const tls = readTlsPair(settings);
  const server = buildWebServer({
    pages: makePages(settings),
    traveller: makeTraveller({
      storage: tracedStorage(parts),
      findTestProperty: (propertyId) => parts.sandbox.findAtHandoff(propertyId),
      handoffKeys: access.handoffKeys,
      findNewHandoffKeys: access.findNewHandoffKeys,
      horizonNights,
      clock,
      visits,
      bookingUrlTemplate,
      findName: (handoff) => findName(parts, handoff),
      meter,
    }),
    ingress: parts.limits.limits.ingress,
    isOverloaded: parts.eventLoop.isOverloaded,
    tls,
    logger,
    settings: {
      ...listenerSettings(settings, parts.connections.web),
      webLimit: settings.webLimit,
      trustedProxies: settings.trustedProxies,
    },
  });
  const url = await listen(server, address, parts.machine !== undefined);
  return {
    url: tls === undefined ? url : url.replace(/^http:/, 'https:'),
    async close() {
      await server.close();
      await visits.close();
    },
  };
}

/** As the partner of the quote sees it. */
function findName({ catalogue }: Parts, { propertyId, locale, partnerId }: Handoff): string | undefined {
  const summary = catalogue.findSummary(propertyId, locale, partnerId);
  if (summary === undefined) return undefined;
  return (parseByteText(summary) as PartnerPropertySummary).name;
}

function makePages(settings: Settings): TravellerPages {
  const logo = settings.webLogo === undefined ? undefined : readLogo(settings.webLogo);
  const assets = makeAssets({ name: settings.webName, accent: settings.webAccent, logo });
  const operator = {
    name: settings.webName,
    logoPath: logo === undefined ? undefined : assets.icon.path,
    contact: settings.webContact,
    canContinue: settings.bookingUrlTemplate !== undefined,
  };
  return makeTravellerPages(operator, assets);
}

function readTlsPair({ webTlsCert, webTlsKey }: Settings): TlsPair | undefined {
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

function readLogo(path: string): Logo {
  const bytes = readSettingFile('WEB_LOGO', path);
  if (bytes.length > LOGO_BYTES_MAX) {
    throw new StartRefused(`WEB_LOGO: ${path} has more than ${LOGO_BYTES_MAX / 1024} KB; make it smaller`);
  }
  const kind = /\.svg$/i.test(path) ? 'svg' : 'png';
  const isOfItsKind =
    kind === 'svg' ? bytes.includes('<svg') : bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a';
  if (!isOfItsKind) throw new StartRefused(`WEB_LOGO: ${path} is no ${kind.toUpperCase()} picture`);
  return { kind, bytes };
}

function readSettingFile(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StartRefused(`${name}: ${path} can't be read (${code}); name a file that this user may read`);
  }
}
