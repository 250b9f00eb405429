/** Which backend answers: the credential alone decides, here and nowhere else. */
import type { Backend } from './backend.ts';
import { getCredential, type PartnerHook } from './partner-exchange.ts';

export function backendHook(live: Backend, sandbox: () => Backend): PartnerHook {
  return (exchange) => {
    exchange.backend = getCredential(exchange).isTest ? sandbox() : live;
  };
}
