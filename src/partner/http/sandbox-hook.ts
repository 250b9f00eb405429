/**
 * The sandbox of test tokens: that of today, unless the header `Stayport-Test` moves the day or forces an answer for
 * clients' tests.
 */
import { type EpochDay, parseLocalDate, utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type Backend,
  INVALID_TOKEN_CHALLENGE,
  type PartnerExchange,
  type PartnerHook,
} from './partner-exchange.ts';
import {
  presentIssues,
  presentLimitExceeded,
  presentProblem,
  type ProblemOptions,
} from '../../http/answers/present-problem.ts';
import type { ProblemCode } from '../../contract/partner/problems.ts';

export interface SandboxBackend {
  today(): Promise<Backend>;
  /** Undefined while too many days are waiting to be generated. */
  on(day: EpochDay): Promise<Backend> | undefined;
}

/** Concurrent `slow=` answers of one thread (`WORKERS`); further ones are refused. */
export const SLOW_AT_ONCE_MAX = 20;
export const SLOW_SECONDS_MAX = 20;
/** Largest number of days for `today=`. */
export const DAYS_MOVED_MAX = 366;

const SLOW = /^slow=(\d{1,2})$/;
const TODAY = /^today=(\d{4}-\d{2}-\d{2})$/;
const MS_PER_SECOND = 1_000;
/** Separate in the metrics: test traffic is not live traffic. */
const OPERATION_NAME = 'sandbox';
const FORCED = { reason: 'asked for with Stayport-Test', isForced: true } as const;
const RETRY_AFTER = ['Retry-After', '1'] as const;
/** Half of its Content-Length. */
const CUT_BODY = '{"items":[';

/** By value of the header. Each answers, or ends the connection. */
const FORCED_ANSWERS: ReadonlyMap<string, (exchange: PartnerExchange) => void | Promise<void>> = new Map([
  ['rate-limited', refuseByQuota],
  ['internal-error', (exchange) => force(exchange, 'INTERNAL_ERROR')],
  ['unavailable', refuseForAWhile],
  ['revoked', refuseAsRevoked],
  ['close', closeConnection],
  ['truncate', cutAnswer],
]);

const ANSWERS = [...FORCED_ANSWERS.keys(), 'slow=SECONDS', 'today=YYYY-MM-DD'].join(', ');

/** Only for sandbox credentials; sets their backend. */
export function sandboxHook(sandbox: SandboxBackend, clock: Clock): PartnerHook {
  let slowCount = 0;

  function wait(exchange: PartnerExchange, seconds: number): void | Promise<void> {
    if (seconds > SLOW_SECONDS_MAX)
      return refuseOption(exchange, `slow= takes 0 to ${SLOW_SECONDS_MAX} seconds.`);
    if (slowCount >= SLOW_AT_ONCE_MAX) {
      return refuseForAWhile(exchange, `${SLOW_AT_ONCE_MAX} slow answers are under way already.`);
    }
    slowCount += 1;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        exchange.response.off('close', end);
        slowCount -= 1;
        resolve();
      };
      const timer = setTimeout(end, seconds * MS_PER_SECOND);
      exchange.response.once('close', end);
    });
  }

  async function moveDay(exchange: PartnerExchange, day: EpochDay | undefined): Promise<void> {
    const today = utcDay(clock());
    if (day === undefined || Math.abs(day - today) > DAYS_MOVED_MAX) {
      return refuseOption(exchange, `today= takes a date at most ${DAYS_MOVED_MAX} days away.`);
    }
    const backend = sandbox.on(day);
    if (backend === undefined) return refuseForAWhile(exchange, 'Many other days are being generated.');
    exchange.backend = await backend;
  }

  return async (exchange) => {
    exchange.response.operationName = OPERATION_NAME;
    const text = String(exchange.request.headers['stayport-test'] ?? '');
    const date = TODAY.exec(text)?.[1];
    if (date !== undefined) return moveDay(exchange, parseLocalDate(date));
    exchange.backend = await sandbox.today();
    if (exchange.request.headers['stayport-test'] === undefined) return;
    const forced = FORCED_ANSWERS.get(text);
    if (forced !== undefined) return forced(exchange);
    const seconds = SLOW.exec(text)?.[1];
    if (seconds !== undefined) return wait(exchange, Number(seconds));
    refuseOption(exchange, `The header takes one of: ${ANSWERS}.`);
  };
}

function refuseForAWhile(exchange: PartnerExchange, detail?: string): void {
  force(exchange, 'PARTNER_API_UNAVAILABLE', { detail, headers: RETRY_AFTER });
}

function refuseOption(exchange: PartnerExchange, detail: string): void {
  presentIssues(exchange.response, [{ field: 'header.stayport-test', code: 'NOT_ALLOWED', detail }]);
}

/** Neither a logged failure nor a counted refusal. */
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
