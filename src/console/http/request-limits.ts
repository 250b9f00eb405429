/** How often the console may be asked: decided before a session is looked up or a page is made. */
import type { IncomingMessage } from 'node:http';
import { allocateWindows, createWindowTable } from '../../limits/window-table.ts';
import { retryAfterHeader } from '../../http/answers/answer-headers.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import type { ConsoleDeps, ConsoleHook } from './console-exchange.ts';

const LIMIT_SECONDS = 1;
const BUCKETS = 64;

interface RequestLimits {
  /** A second, of one session. */
  readonly ofSession: number;
  /** The same of one address, also without a session: colleagues behind one proxy share it. */
  readonly ofAddress: number;
  /** At a time, of one session. */
  readonly underWay: number;
}

/** Pages and forms: far more than a person opens. The thread takes PAGES_WAITING_MAX of all at a time. */
export const PAGE_LIMITS: RequestLimits = { ofSession: 120, ofAddress: 480, underWay: 8 };
/** A browser that speaks HTTP/2 to a proxy asks for all pictures of a page at once. */
export const PICTURE_LIMITS: RequestLimits = { ofSession: 480, ofAddress: 1_920, underWay: 64 };

/** `cookieOf` reads what the browser sent as its session; it need not be one. */
export function requestLimitHook(
  { sourceAddress }: Pick<ConsoleDeps, 'sourceAddress'>,
  cookieOf: (request: IncomingMessage) => string | undefined,
  { ofSession: sessionMax, ofAddress: addressMax, underWay: underWayMax }: RequestLimits,
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
    if (ofAddress.count > addressMax)
      return refuse(
        exchange,
        `More than ${addressMax} requests came from this address in a second.`,
        retryAfterHeader(ofAddress),
      );
    const token = cookieOf(request);
    if (token === undefined) return;
    const ofSession = windows.hit(`session:${token}`);
    if (ofSession.count > sessionMax)
      return refuse(
        exchange,
        `More than ${sessionMax} requests came from this session in a second.`,
        retryAfterHeader(ofSession),
      );
    const count = waiting.get(token) ?? 0;
    if (count >= underWayMax)
      return refuse(
        exchange,
        `${underWayMax} requests of this session are under way.`,
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
