/** What a test token meets: the sandbox of today, unless its header `Stayport-Test` asks for something else. */
import { type EpochDay, parseLocalDate, utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Backend } from './backend.ts';
import { FORCED_ANSWERS, refuseForAWhile, refuseWish } from './forced-answers.ts';
import type { PartnerExchange, PartnerHook } from './partner-exchange.ts';

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
const WISHES = [...FORCED_ANSWERS.keys(), 'slow=SECONDS', 'today=YYYY-MM-DD'].join(', ');

/** For credentials of the sandbox alone; sets their backend. */
export function sandboxHook(sandbox: SandboxBackend, clock: Clock): PartnerHook {
  let slowCount = 0;

  function wait(exchange: PartnerExchange, seconds: number): void | Promise<void> {
    if (seconds > SLOW_SECONDS_MAX)
      return refuseWish(exchange, `slow= takes 0 to ${SLOW_SECONDS_MAX} seconds.`);
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
      return refuseWish(exchange, `today= takes a date at most ${DAYS_MOVED_MAX} days away.`);
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
    refuseWish(exchange, `The header takes one of: ${WISHES}.`);
  };
}
