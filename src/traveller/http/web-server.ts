/**
 * The web listener, wired: pages for travellers, and published calendars. Nothing of the other listeners is registered
 * here, and no credential is read.
 */
import type { RequestMeter } from '../../http/observability/metrics/request-meter.ts';
import type { RequestLimits, WindowHit } from '../../limits/request-limits.ts';
import { IMAGES_MAX } from '../../domain/property-details.ts';
import { buildRouter, type Routed, type RouteMatch } from '../../contract/reading/router.ts';
import { retryAfterHeader } from '../../http/answers/answer-headers.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { bodyHook } from '../../http/listener/request-body.ts';
import { type Exchange, type Hook, NO_BODY } from '../../http/listener/exchange.ts';
import {
  buildListener,
  type ListenerDeps,
  type ListenerSettings,
  type ListeningServer,
  PARTNER_CODES,
  runHooks,
  type TlsPair,
} from '../../http/listener/listener.ts';
import { makeSourceAddress } from '../../http/listener/source-address.ts';
import { assetHandler, faviconHandler } from './asset-route.ts';
import { continueHandler, type ExtrasDeps, handoffHandler, type Traveller } from './traveller.ts';
import { presentPlain, presentWebFailure, unknownPathHandler } from './plain-answers.ts';
import { type PictureFolder, PICTURES_PATH } from '../../http/pages/pictures.ts';
import { pictureHandler } from './picture-handler.ts';
import { type PublishedCalendars, publishedHandler } from './published-route.ts';
import type { TravellerPages } from '../web/handoff-page.ts';

export interface WebServerSettings extends ListenerSettings {
  /** Requests per source address and window; 0 turns the limit off. */
  readonly webLimit: number;
  /** The same for published calendars. */
  readonly calendarsLimit: number;
}

export interface WebServerDeps
  extends Pick<RequestLimits, 'ingress'>, Pick<ListenerDeps, 'logger' | 'budget'> {
  readonly pages: TravellerPages;
  readonly traveller: Traveller;
  readonly extras: ExtrasDeps;
  readonly calendars: PublishedCalendars;
  readonly pictures: PictureFolder | undefined;
  readonly isOverloaded: () => boolean;
  /** Undefined: plain HTTP, for a proxy in front. */
  readonly tls: TlsPair | undefined;
  /** Separate from the partners' metrics. */
  readonly meter: RequestMeter;
  readonly settings: WebServerSettings;
}

interface WebRow extends Routed {
  readonly hooks: readonly Hook[];
}

/** A handoff value has at most 1,000 characters; a form around it is not much longer. */
const FORM_BYTES_MAX = 4_096;

/** The web listener; it does not listen yet. */
export function buildWebServer(deps: WebServerDeps): ListeningServer {
  const { pages, traveller, calendars, settings } = deps;
  const isClosing = (): boolean => listener.isClosing();
  const gate = gateHook(deps, isClosing, { keyPrefix: 'web:', limit: settings.webLimit });
  // One platform fetches the calendars of many properties from few addresses.
  const calendarGate = gateHook(deps, isClosing, {
    keyPrefix: 'calendars:',
    limit: settings.calendarsLimit,
  });
  const form = bodyHook({
    limitBytes: FORM_BYTES_MAX,
    onTooLarge: () => undefined,
    timeoutMs: settings.requestTimeoutMs,
    rules: { budget: deps.budget, meter: deps.meter.connections },
  });
  const routePictures = buildPictureRoute(deps, isClosing);
  const findRoute = buildRouter<WebRow>([
    { method: 'GET', path: '/handoff', hooks: [gate, handoffHandler(pages, traveller, deps.extras)] },
    {
      method: 'GET',
      path: '/calendars/{file}',
      hooks: [calendarGate, publishedHandler(pages, calendars)],
    },
    { method: 'POST', path: '/handoff/continue', hooks: [gate, form, continueHandler(pages, traveller)] },
    { method: 'GET', path: '/favicon.ico', hooks: [gate, faviconHandler(pages)] },
    { method: 'GET', path: '/assets/{file}', hooks: [gate, assetHandler(pages)] },
  ]);
  const presentFailure = presentWebFailure(pages);

  const listener = buildListener(
    // Invalid HTTP gets a problem: nobody would read a page.
    { ...deps, isKnownOrigin: () => false, codes: PARTNER_CODES },
    (request, response) => {
      const path = rawPathOf(request.url ?? '');
      const route = routePictures(request.method ?? '', path) ?? findRoute(request.method ?? '', path);
      const hooks =
        route.found === 'operation' ? route.operation.hooks : [gate, unknownPathHandler(pages, route)];
      runHooks(hooks, { request, response, body: NO_BODY, presentFailure });
    },
  );
  return listener;
}

/** Undefined for other paths: the path of a picture is as long as its folder is deep. */
function buildPictureRoute(
  deps: WebServerDeps,
  isClosing: () => boolean,
): (method: string, path: string) => RouteMatch<WebRow> | undefined {
  const { pages, pictures, settings } = deps;
  if (pictures === undefined) return () => undefined;
  // As many as the pages show that the same address may open.
  const gate = gateHook(deps, isClosing, { keyPrefix: 'images:', limit: settings.webLimit * IMAGES_MAX });
  const hooks = [gate, pictureHandler(pages, pictures)];
  const findRoute = buildRouter<WebRow>([{ method: 'GET', path: PICTURES_PATH, hooks }]);
  return (method, path) => (path.startsWith(PICTURES_PATH) ? findRoute(method, PICTURES_PATH) : undefined);
}

const RETRY_AFTER = ['Retry-After', '1'];

/** The key and number of a limit; 0 turns it off. */
interface GateLimit {
  /** Each kind is counted separately, even for one address. */
  readonly keyPrefix: string;
  readonly limit: number;
}

/** Checks before every page: end of the process, overload, and the limit per address. */
function gateHook(
  { pages, traveller, ingress, isOverloaded, settings }: WebServerDeps,
  isClosing: () => boolean,
  { keyPrefix, limit }: GateLimit,
): Hook {
  const sourceAddress = makeSourceAddress(settings.trustedProxies);

  function judge(exchange: Exchange, hit: WindowHit): void {
    if (hit.count <= limit) return;
    traveller.meter.limited += 1;
    presentPlain(pages, 'tooMany', exchange, { headers: retryAfterHeader(hit) });
  }

  return (exchange) => {
    if (isClosing() || isOverloaded()) {
      const reason = isClosing() ? 'the service is being stopped' : 'the event loop is late';
      presentPlain(pages, 'tryLater', exchange, { headers: RETRY_AFTER, cause: { reason } });
      return;
    }
    if (limit === 0) return;
    const hit = ingress.hit(`${keyPrefix}${sourceAddress(exchange.request)}`);
    if (hit instanceof Promise) return hit.then((late) => judge(exchange, late));
    judge(exchange, hit);
  };
}
