/** Which backend answers: the credential alone decides, here and nowhere else. */
import type { Backend } from './backend.ts';
import { getCredential, type PartnerHook } from './partner-exchange.ts';

/** `forTests` sets the backend of test tokens; what it reads of the request, live tokens can't reach. */
export function backendHook(live: Backend, forTests: PartnerHook): PartnerHook {
  return (exchange) => {
    if (getCredential(exchange).isTest) return forTests(exchange);
    exchange.backend = live;
  };
}
