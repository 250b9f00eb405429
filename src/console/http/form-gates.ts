/** Where the console may be asked, and which forms it accepts: host, origin, form token, role, age of the sign-in. */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { findKeptToken, isFormOfPerson, mayAct, type Role } from '../../access/console-sessions.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import { hasMorePairs } from '../../contract/reading/sent-pairs.ts';
import { bodyHook, mediaTypeHook } from '../../http/listener/request-body.ts';
import { hostnameOf } from '../../http/listener/request-head.ts';
import { isLoopback } from '../../http/listener/source-address.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { presentReturnedForm, presentNoSession, presentRefusal } from './console-answers.ts';
import type { ConsoleDeps, ConsoleExchange, ConsoleHook } from './console-exchange.ts';
import { formOf, isSecure } from './console-exchange.ts';

const FORM_BYTES_MAX = 16_384;
/** Fields of a form that is not large. */
const FIELDS_MAX = 500;
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** On plain HTTP a session may not cross the network: only a host of loopback is answered. */
export function hostHook(deps: ConsoleDeps): ConsoleHook {
  if (isSecure(deps)) return () => undefined;
  const detail =
    'Without TLS the console answers hosts of loopback alone: set CONSOLE_URL to its https:// address.';
  return ({ request, response }) => {
    const name = hostnameOf(request.headers.host ?? '');
    if (name === 'localhost' || isLoopback(name)) return;
    presentProblem(response, 'OPERATOR_HOST_NOT_ALLOWED', { detail });
  };
}

/** Lets forms pass that a page of ours sent. */
export function ownPageHook({ consoleUrl }: Pick<ConsoleDeps, 'consoleUrl'>): ConsoleHook {
  return (exchange) => {
    if (!isFromOwnPage(exchange.request, consoleUrl)) presentRefusal(exchange, 'form');
  };
}

/** A form of ours, with its body. */
export function formHooks(deps: ConsoleDeps): readonly ConsoleHook[] {
  return [
    ownPageHook(deps),
    mediaTypeHook([FORM_TYPE]),
    textBodyHook(deps, FORM_BYTES_MAX, 'form'),
    fieldCountHook,
  ];
}

/** The body of a form without files. */
export function textBodyHook(
  { requestTimeoutMs }: Pick<ConsoleDeps, 'requestTimeoutMs'>,
  limitBytes: number,
  refusal: 'form' | 'tooLarge',
): ConsoleHook {
  return bodyHook<ConsoleExchange>({
    limitBytes,
    onTooLarge: (exchange) => presentRefusal(exchange, refusal),
    timeoutMs: requestTimeoutMs,
  });
}

const fieldCountHook: ConsoleHook = (exchange) => {
  if (hasMorePairs(exchange.body, FIELDS_MAX)) presentRefusal(exchange, 'form');
};

/**
 * `Sec-Fetch-Site: same-origin`; from browsers that don't send it an `Origin` that is ours: CONSOLE_URL, or the host that
 * was asked, which the listener has checked. Neither: refused.
 */
export function isFromOwnPage({ headers }: IncomingMessage, consoleUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { protocol } = new URL(consoleUrl);
  return origin === consoleUrl || (host !== undefined && origin === `${protocol}//${host.toLowerCase()}`);
}

/**
 * Behind the body: whether there is a session, the token of the form, then what the session may do. What was typed is
 * answered as a form to be sent again, whatever is missing but the role.
 */
export function rightsHook(deps: ConsoleDeps, needed: Role): ConsoleHook {
  return async (exchange) => {
    const token = formOf(exchange).get('form') ?? '';
    const { session } = exchange;
    if (session !== undefined) {
      const refused = await findRightsRefusal(deps, session, token, needed);
      if (refused === 'role') presentRefusal(exchange, refused);
      else if (refused !== undefined) await presentReturnedForm(deps, exchange, refused, session.formToken);
      return;
    }
    const sent = { cookie: exchange.endedCookie, formToken: token };
    const kept = await withinDeadline(findKeptToken(deps.ports, sent));
    if (kept === undefined) presentNoSession(exchange);
    else await presentReturnedForm(deps, exchange, 'signedOut', kept);
  };
}

/**
 * `formToken` is the one that was sent. That of an ended session of the same person is as good: a person who had to
 * sign in again sends the form that was open meanwhile.
 */
export async function findRightsRefusal(
  { ports }: ConsoleDeps,
  session: NonNullable<ConsoleExchange['session']>,
  formToken: string,
  needed: Role,
): Promise<'form' | 'role' | 'stale' | undefined> {
  const isOwn =
    isSameText(formToken, session.formToken) ||
    (await withinDeadline(isFormOfPerson(ports, formToken, session)));
  if (!isOwn) return 'form';
  if (!mayAct(session.role, needed)) return 'role';
  return needed === 'admin' && session.freshMs === 0 ? 'stale' : undefined;
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
