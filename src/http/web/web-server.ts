/**
 * The web listener, wired: pages for travellers and nothing else. Nothing of the partner or the operator listener is
 * registered here, and no credential is ever looked at.
 */
import type { Logger } from 'pino';
import { createRequestMeter } from '../../observability/metrics/request-meter.ts';
import type { RequestLimits } from '../../limits/request-limits.ts';
import { buildRouter, type Routed } from '../../contract/reading/router.ts';
import { rawPathOf } from '../answers/request-target.ts';
import { bodyHook } from '../hooks/body-hook.ts';
import { type Hook, NO_BODY, runHooks } from '../listener/exchange.ts';
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
import { presentWebFailure, unknownPathHandler } from './plain-answers.ts';
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

/** What was not even HTTP gets a problem: there is nobody to read a page. */
const CODES = {
  operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
  unavailable: 'PARTNER_API_UNAVAILABLE',
} as const;

interface WebRow extends Routed {
  readonly hooks: readonly Hook[];
}

/** A handoff value has at most 1,000 characters; a form around it is not much longer. */
const FORM_BYTES_MAX = 4_096;

/** The web listener, not yet listening. */
export function buildWebServer(deps: WebServerDeps): ListeningServer {
  const { pages, traveller } = deps;
  const gate = gateHook(deps, () => listener.isClosing());
  const form = bodyHook({
    limitBytes: FORM_BYTES_MAX,
    onTooLarge: () => undefined,
    timeoutMs: deps.settings.requestTimeoutMs,
  });
  const findRoute = buildRouter<WebRow>([
    { method: 'GET', path: '/handoff', hooks: [gate, handoffHandler(pages, traveller)] },
    { method: 'POST', path: '/handoff/continue', hooks: [gate, form, continueHandler(pages, traveller)] },
    ...pages.assets.map((asset) => {
      return { method: 'GET', path: asset.path, hooks: [gate, assetHandler(asset)] };
    }),
  ]);
  const presentFailure = presentWebFailure(pages);

  // Its requests are counted apart: the metrics of the partner listener are about partners.
  const meter = createRequestMeter();
  const listener = buildListener(
    { ...deps, meter, isKnownOrigin: () => false, codes: CODES },
    (request, response) => {
      const route = findRoute(request.method ?? '', rawPathOf(request.url ?? ''));
      const hooks =
        route.found === 'operation' ? route.operation.hooks : [gate, unknownPathHandler(pages, route)];
      runHooks(hooks, { request, response, body: NO_BODY, presentFailure });
    },
  );
  return listener;
}
