/** What the two limits have in common: count, and answer 429 when it is one too many (SPEC 8). */
import type { WindowHit } from '../../limits/window-counter.ts';
import type { PartnerExchange, PartnerHook } from './partner-exchange.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import type { LimitTally } from '../../observability/metrics/request-meter.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { retryAfterHeader } from '../answers/rate-limit-headers.ts';

/** Judges one hit: answers when it is over the limit, and tells whether the request may go on. */
type Judge = (hit: WindowHit, exchange: PartnerExchange) => boolean;

/** A counter that answers at once costs no promise; one that asks another machine does. */
export function limitHook(
  count: (exchange: PartnerExchange) => WindowHit | Promise<WindowHit>,
  judge: Judge,
  tally: LimitTally,
): PartnerHook {
  function decide(hit: WindowHit, exchange: PartnerExchange): void {
    if (judge(hit, exchange)) tally.passed += 1;
    else tally.refused += 1;
  }
  return (exchange) => {
    const hit = count(exchange);
    if (hit instanceof Promise) return hit.then((late) => decide(late, exchange));
    decide(hit, exchange);
  };
}

/** 429. X-RateLimit-* describe the limit that refused. */
export function presentLimitExceeded(
  response: GuardedResponse,
  limit: number,
  hit: WindowHit,
  whose: string,
): void {
  response.rateLimit = { limit, hit };
  presentProblem(response, 'RATE_LIMIT_EXCEEDED', {
    detail: `More than ${limit} requests ${whose} in the current window.`,
    headers: retryAfterHeader(hit),
  });
}
