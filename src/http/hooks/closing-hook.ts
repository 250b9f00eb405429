/** Requests that arrive on kept-alive connections while the process stops: another process can take them. */
import type { Hook } from '../listener/exchange.ts';
import { presentUnavailable } from '../answers/present-problem.ts';

const CLOSING = 'the service is being stopped';

export function closingHook(isClosing: () => boolean): Hook {
  return ({ response }) => {
    if (isClosing()) presentUnavailable(response, CLOSING, 'The service is being stopped.');
  };
}
