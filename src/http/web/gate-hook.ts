/** What comes before every page: the end of the process, an overloaded process, and the limit per address. */
import type { WindowHit } from '../../limits/window-counter.ts';
import { retryAfterHeader } from '../answers/rate-limit-headers.ts';
import type { AppReply, AppRequest, Hook } from '../listener/app.ts';
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

  function refuse(request: AppRequest, reply: AppReply, hit: WindowHit): boolean {
    if (hit.count <= limit) return false;
    traveller.meter.limited += 1;
    presentPlain(pages, 'tooMany', request, reply, { headers: retryAfterHeader(hit) });
    return true;
  }

  return (request, reply, done) => {
    if (isClosing() || isOverloaded()) {
      const reason = isClosing() ? 'the service is being stopped' : 'the event loop is late';
      presentPlain(pages, 'tryLater', request, reply, { headers: RETRY_AFTER, cause: { reason } });
      return undefined;
    }
    if (limit === 0) return done();
    const hit = ingress.hit(`${KEY_PREFIX}${sourceAddress(request.raw)}`);
    if (hit instanceof Promise) return hit.then((late) => void refuse(request, reply, late));
    if (!refuse(request, reply, hit)) done();
    return undefined;
  };
}
