/**
 * Which backend answers: the credential alone decides, here and nowhere else. A test token meets the sandbox of today,
 * unless its header `Stayport-Test` forces another answer.
 */
import { type EpochDay, parseLocalDate, utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import { FORCED_ANSWERS, refuseForAWhile, refuseOption } from './forced-answers.ts';
import { type Backend, getCredential, type PartnerExchange, type PartnerHook } from './partner-exchange.ts';

export interface SandboxBackend {
  today(): Promise<Backend>;
  /** Undefined while too many days are waiting to be generated. */
  on(day: EpochDay): Promise<Backend> | undefined;
}

/** Answers of one thread (`WORKERS`) that may wait because of `slow=`; one more is refused. */
export const SLOW_AT_ONCE_MAX = 20;
export const SLOW_SECONDS_MAX = 20;
/** `today=` moves the day by so many days at most. */
export const DAYS_MOVED_MAX = 366;

const SLOW = /^slow=(\d{1,2})$/;
const TODAY = /^today=(\d{4}-\d{2}-\d{2})$/;
const MS_PER_SECOND = 1_000;
/** As its own in the metrics: test traffic is not live traffic. */
const OPERATION_NAME = 'sandbox';
const ANSWERS = [...FORCED_ANSWERS.keys(), 'slow=SECONDS', 'today=YYYY-MM-DD'].join(', ');

/** Sets the backend. What the sandbox reads of the request, live tokens can't reach. */
export function backendHook(live: Backend, sandbox: SandboxBackend, clock: Clock): PartnerHook {
  const forTests = sandboxHook(sandbox, clock);
  return (exchange) => {
    if (getCredential(exchange).isTest) return forTests(exchange);
    exchange.backend = live;
  };
}

/** For credentials of the sandbox alone; sets their backend. */
function sandboxHook(sandbox: SandboxBackend, clock: Clock): PartnerHook {
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
