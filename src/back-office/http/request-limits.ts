/** How often the console may be asked: decided before a session is looked up or a page is made. */
import type { IncomingMessage } from 'node:http';
import { allocateWindows, createWindowTable } from '../../limits/window-table.ts';
import { retryAfterHeader } from '../../http/answers/answer-headers.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import type { ConsoleDeps, ConsoleHook } from './console-exchange.ts';

const LIMIT_SECONDS = 1;
/** Pages and forms of one session in a second: far more than a person opens. */
export const SESSION_REQUESTS_MAX = 120;
/** The same of one address, also without a session: colleagues behind one proxy share it. */
export const ADDRESS_REQUESTS_MAX = 480;
/** Pages and forms of one session that are under way at a time; the thread takes PAGES_WAITING_MAX of all. */
export const SESSION_WAITING_MAX = 8;
const BUCKETS = 64;

/** `cookieOf` reads what the browser sent as its session; it need not be one. */
export function pageLimitHook(
  { sourceAddress }: Pick<ConsoleDeps, 'sourceAddress'>,
  cookieOf: (request: IncomingMessage) => string | undefined,
): ConsoleHook {
  const windows = createWindowTable(allocateWindows({ bucketCount: BUCKETS }), {
    windowSeconds: LIMIT_SECONDS,
  });
  /** By what was sent as a session; as many as connections at most. */
  const waiting = new Map<string, number>();
  const refuse = ({ response }: Parameters<ConsoleHook>[0], detail: string, retryAfter: readonly string[]) =>
    presentProblem(response, 'OPERATOR_API_UNAVAILABLE', { detail, headers: retryAfter });
  return (exchange) => {
    const { request, response } = exchange;
    const ofAddress = windows.hit(`address:${sourceAddress(request)}`);
    if (ofAddress.count > ADDRESS_REQUESTS_MAX)
      return refuse(
        exchange,
        `More than ${ADDRESS_REQUESTS_MAX} requests came from this address in a second.`,
        retryAfterHeader(ofAddress),
      );
    const token = cookieOf(request);
    if (token === undefined) return;
    const ofSession = windows.hit(`session:${token}`);
    if (ofSession.count > SESSION_REQUESTS_MAX)
      return refuse(
        exchange,
        `More than ${SESSION_REQUESTS_MAX} requests came from this session in a second.`,
        retryAfterHeader(ofSession),
      );
    const count = waiting.get(token) ?? 0;
    if (count >= SESSION_WAITING_MAX)
      return refuse(
        exchange,
        `${SESSION_WAITING_MAX} requests of this session are under way.`,
        retryAfterHeader(ofSession),
      );
    waiting.set(token, count + 1);
    response.once('close', () => {
      const left = waiting.get(token)! - 1;
      if (left === 0) waiting.delete(token);
      else waiting.set(token, left);
    });
  };
}
