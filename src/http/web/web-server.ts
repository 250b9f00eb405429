/**
 * The web listener, wired: pages for travellers and nothing else. Nothing of the partner or the operator listener is
 * registered here, and no credential is ever looked at.
 */
import type { Logger } from 'pino';
import { createRequestMeter } from '../../observability/metrics/request-meter.ts';
import type { RequestLimits } from '../../limits/request-limits.ts';
import type { App } from '../listener/app.ts';
import { bodyParser } from '../partner/body-parsing.ts';
import {
  buildListener,
  type ListenerSettings,
  type ListeningServer,
  type TlsPair,
} from '../listener/listener.ts';
import { assetHandler } from './asset-route.ts';
import { continueHandler } from './continue-handoff.ts';
import { gateHook } from './gate-hook.ts';
import { handoffHandler } from './open-handoff.ts';
import { handleWebError, unknownPathHandler } from './plain-answers.ts';
import type { TravellerPages } from './traveller-pages.ts';
import type { Traveller } from './traveller.ts';

export interface WebServerSettings extends ListenerSettings {
  /** Requests per source address and window; 0 turns the limit off. */
  readonly webLimit: number;
  readonly trustedProxies: readonly string[];
}

export interface WebServerDeps extends Pick<RequestLimits, 'ingress'> {
  readonly pages: TravellerPages;
  readonly traveller: Traveller;
  readonly isOverloaded: () => boolean;
  /** Undefined: plain HTTP, for a proxy in front. */
  readonly tls: TlsPair | undefined;
  readonly logger: Logger;
  readonly settings: WebServerSettings;
}

/** A handoff value has at most 1,000 characters; a form around it is not much longer. */
const FORM_BYTES_MAX = 4_096;

/** The web listener, not yet listening. */
export function buildWebServer(deps: WebServerDeps): ListeningServer {
  const { pages, traveller } = deps;
  // Its requests are counted apart: the metrics of the partner listener are about partners.
  const listener = buildListener({ ...deps, meter: createRequestMeter(), isKnownOrigin: () => false });

  listener.app.register((scope, _options, done) => {
    const web = scope as unknown as App;
    web.setErrorHandler(handleWebError(pages));
    web.setNotFoundHandler(unknownPathHandler(pages));
    web.addHook('onRequest', gateHook(deps, listener.isClosing));
    web.removeAllContentTypeParsers();
    web.addContentTypeParser('*', bodyParser(FORM_BYTES_MAX));
    web.route({ method: ['GET', 'HEAD'], url: '/handoff', handler: handoffHandler(pages, traveller) });
    web.post('/handoff/continue', continueHandler(pages, traveller));
    for (const asset of pages.assets) {
      web.route({ method: ['GET', 'HEAD'], url: asset.path, handler: assetHandler(asset) });
    }
    done();
  });
  return listener;
}
