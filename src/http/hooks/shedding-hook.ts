/**
 * When there is more to do than can be done, new requests are sent away at once, before anything is counted or asked:
 * a late answer helps nobody, and the ones under way get the time to finish.
 */
import type { Hook } from '../listener/exchange.ts';
import { presentUnavailable } from '../answers/present-problem.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';

const OVERLOADED = 'the event loop is late';

export function sheddingHook(isOverloaded: () => boolean, meter: Pick<RequestMeter, 'shedCount'>): Hook {
  return ({ response }) => {
    if (!isOverloaded()) return;
    meter.shedCount += 1;
    presentUnavailable(response, OVERLOADED, 'The service has more requests than it can answer.');
  };
}
