/** The answers that a test token forces with `Stayport-Test`, so that clients can be tested against each of them. */
import { presentIssues, presentProblem, type ProblemOptions } from '../answers/present-problem.ts';
import type { ProblemCode } from '../../contract/partner/problems.ts';
import { INVALID_TOKEN_CHALLENGE } from './authenticate-hook.ts';
import { presentLimitExceeded } from './ingress-limit.ts';
import type { PartnerExchange } from './partner-exchange.ts';

const FORCED = { reason: 'asked for with Stayport-Test', isForced: true } as const;
const RETRY_AFTER = ['Retry-After', '1'] as const;
/** Half of what its Content-Length promises. */
const CUT_BODY = '{"items":[';

/** By their values of the header. Each answers, or ends the connection. */
export const FORCED_ANSWERS: ReadonlyMap<string, (exchange: PartnerExchange) => void | Promise<void>> =
  new Map([
    ['rate-limited', refuseByQuota],
    ['internal-error', (exchange) => force(exchange, 'INTERNAL_ERROR')],
    ['unavailable', refuseForAWhile],
    ['revoked', refuseAsRevoked],
    ['close', closeConnection],
    ['truncate', cutAnswer],
  ]);

export function refuseForAWhile(exchange: PartnerExchange, detail?: string): void {
  force(exchange, 'PARTNER_API_UNAVAILABLE', { detail, headers: RETRY_AFTER });
}

export function refuseOption(exchange: PartnerExchange, detail: string): void {
  presentIssues(exchange.response, [{ field: 'header.stayport-test', code: 'NOT_ALLOWED', detail }]);
}

/** Neither a failure for the log nor a refusal for the counters. */
function force({ response }: PartnerExchange, code: ProblemCode, options: ProblemOptions = {}): void {
  response.failureCause = FORCED;
  presentProblem(response, code, options);
}

function refuseByQuota({ response }: PartnerExchange): void {
  const { limit, hit } = response.rateLimit!;
  presentLimitExceeded(response, limit, { ...hit, count: limit + 1 }, 'with this credential');
}

function refuseAsRevoked(exchange: PartnerExchange): void {
  exchange.response.caller = undefined;
  force(exchange, 'PARTNER_ACCESS_REVOKED', { headers: INVALID_TOKEN_CHALLENGE });
}

function closeConnection(exchange: PartnerExchange): Promise<void> {
  const closed = untilClosed(exchange);
  exchange.request.socket.destroy();
  return closed;
}

function cutAnswer(exchange: PartnerExchange): Promise<void> {
  const { request, response } = exchange;
  const head = [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json',
    `Content-Length: ${CUT_BODY.length * 2}`,
    `X-Correlation-ID: ${response.correlationId}`,
    'Connection: close',
  ];
  const closed = untilClosed(exchange);
  request.socket.end(`${head.join('\r\n')}\r\n\r\n${CUT_BODY}`, () => request.socket.destroy());
  return closed;
}

function untilClosed({ response }: PartnerExchange): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve);
  });
}
