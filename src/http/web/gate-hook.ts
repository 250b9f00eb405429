/** What comes before every page: the end of the process, an overloaded process, and the limit per address. */
import type { WindowHit } from '../../limits/window-counter.ts';
import { retryAfterHeader } from '../answers/rate-limit-headers.ts';
import type { Exchange, Hook } from '../listener/exchange.ts';
import { buildSourceAddress } from '../hooks/source-address.ts';
import { presentPlain } from './plain-answers.ts';
import type { WebServerDeps } from './web-server.ts';

/** Travellers are counted apart from partners, also where both come through one address. */
const KEY_PREFIX = 'web:';
const RETRY_AFTER = ['Retry-After', '1'];

export function gateHook(
  { pages, traveller, ingress, isOverloaded, settings }: WebServerDeps,
  isClosing: () => boolean,
): Hook {
  const limit = settings.webLimit;
  const sourceAddress = buildSourceAddress(settings.trustedProxies);

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
    const hit = ingress.hit(`${KEY_PREFIX}${sourceAddress(exchange.request)}`);
    if (hit instanceof Promise) return hit.then((late) => judge(exchange, late));
    judge(exchange, hit);
  };
}
