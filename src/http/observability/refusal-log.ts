/**
 * Logs refused credentials, one line for each, and one for all unknown tokens: at once, then at most once a minute with
 * the number since. A client that keeps using a revoked token is seen without filling the log.
 */
import type { Logger } from 'pino';
import type { Clock } from '../../runtime/clock.ts';
import { type Caller, idsOf } from './caller.ts';

const LINE_INTERVAL_MS = 60_000;
/** Credentials with lines of their own; the others share one. */
const CALLERS_MAX = 1_000;
const UNKNOWN = 'an unknown token';
const OTHER = 'another credential';

interface Refused {
  nextLineMs: number;
  /** Since the last line. */
  count: number;
}

export interface RefusalLog {
  /** `code` is the problem's; `caller` is undefined for an unknown token. */
  note(code: string, caller: Caller | undefined): void;
}

export function createRefusalLog(
  logger: Pick<Logger, 'warn'>,
  uptimeMs: Clock = () => performance.now(),
): RefusalLog {
  const byCaller = new Map<string, Refused>();

  return {
    note(code, caller) {
      const nowMs = uptimeMs();
      const key = keyOf(caller);
      const isTold = byCaller.has(key) || byCaller.size < CALLERS_MAX || caller === undefined;
      const refused = find(isTold ? key : OTHER);
      refused.count += 1;
      if (nowMs < refused.nextLineMs) return;
      const ids = isTold && caller !== undefined ? idsOf(caller) : {};
      const message = caller === undefined ? 'unknown token refused' : 'credential refused';
      logger.warn({ ...ids, code, count: refused.count }, message);
      refused.nextLineMs = nowMs + LINE_INTERVAL_MS;
      refused.count = 0;
    },
  };

  function find(key: string): Refused {
    let refused = byCaller.get(key);
    if (refused === undefined) byCaller.set(key, (refused = { nextLineMs: 0, count: 0 }));
    return refused;
  }
}

function keyOf(caller: Caller | undefined): string {
  return caller?.credentialId ?? caller?.operatorTokenId ?? UNKNOWN;
}
