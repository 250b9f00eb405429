/** Sessions: the cookie, the link that begins one, and its end. */
import type { IncomingMessage } from 'node:http';
import { findSession, formTokenOf, signIn, wasSession } from '../../access/console-sessions.ts';
import { viewOf } from '../web/elements.ts';
import { signInPage } from '../web/frame.ts';
import { retryAfterHeader } from '../../http/answers/answer-headers.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { asksForJson } from '../../http/pages/page-handler.ts';
import * as answers from './console-answers.ts';
import { goTo, presentNoSession, presentRefusal } from './console-answers.ts';
import type { ConsoleDeps, ConsoleExchange, ConsoleHook } from './console-exchange.ts';
import { formOf, isSecure, queryOf } from './console-exchange.ts';
import { isFromOwnPage } from './form-gates.ts';

/** Wrong links, passkeys and sessions per address and minute. */
export const WRONG_ATTEMPTS_MAX = 20;

/** Forms of ended sessions that one path reads at a time: they may be large. */
const ENDED_AT_ONCE_MAX = 2;

/**
 * Passes requests of a session; with `keepsTyped` also a few forms of ended sessions, for `rightsHook` to answer: those
 * with the cookie of one, and those without any cookie, which the form's own token may tell. Of a cookie that never was
 * a session nothing is read: anybody can make one up.
 */
export function sessionHook(deps: ConsoleDeps, keepsTyped = false): ConsoleHook {
  let endedCount = 0;
  return async (exchange) => {
    const { request, response } = exchange;
    const isKept = keepsTyped && !asksForJson(request.headers.accept);
    const keep = (): void => {
      endedCount += 1;
      response.once('close', () => (endedCount -= 1));
    };
    const token = cookieOf(request, deps);
    if (token === undefined) {
      const isRead = isKept && isFromOwnPage(request, deps.consoleUrl) && endedCount < ENDED_AT_ONCE_MAX;
      if (!isRead) return presentNoSession(exchange);
      if (!(await isWrongTooOften(deps, exchange))) keep();
      return;
    }
    const signedIn = await withinDeadline(findSession(deps.ports, token));
    if (signedIn !== undefined) {
      exchange.session = { ...signedIn, formToken: formTokenOf(token) };
      return;
    }
    if (await isWrongTooOften(deps, exchange)) return;
    if (isKept && (await withinDeadline(wasSession(deps.ports, token))) && endedCount < ENDED_AT_ONCE_MAX) {
      exchange.endedCookie = token;
      return keep();
    }
    presentNoSession(exchange, ['Set-Cookie', cookieHeader(deps, undefined)]);
  };
}

/** Counts a wrong link, passkey or session; answers the request if there were too many. */
export async function isWrongTooOften(deps: ConsoleDeps, exchange: ConsoleExchange): Promise<boolean> {
  const { wrongAttempts, sourceAddress, logger } = deps;
  const source = sourceAddress(exchange.request);
  const hit = await wrongAttempts.hit(keyOf(source));
  if (hit.count <= WRONG_ATTEMPTS_MAX) return false;
  if (hit.count === WRONG_ATTEMPTS_MAX + 1)
    logger.warn(
      { source },
      `console: more than ${WRONG_ATTEMPTS_MAX} wrong links, passkeys or sessions in a minute`,
    );
  presentRefusal(exchange, 'tooMany', { headers: retryAfterHeader(hit) });
  return true;
}

/** A right link or passkey is shorter. */
const RIGHT_BYTES_MAX = 4_096;

/**
 * Before a sign-in is read: answers those of an address that sent too many wrong ones in this minute, but for what may
 * be a right one of somebody else there.
 */
export function wrongBeforeHook({ wrongAttempts, sourceAddress }: ConsoleDeps): ConsoleHook {
  return (exchange) => {
    const { request } = exchange;
    if (Number(request.headers['content-length']) <= RIGHT_BYTES_MAX) return;
    const hit = wrongAttempts.findExceeded(keyOf(sourceAddress(request)));
    if (hit !== undefined) presentRefusal(exchange, 'tooMany', { headers: retryAfterHeader(hit) });
  };
}

const keyOf = (source: string): string => `console:${source}`;

export function signInPageHook({ ports }: ConsoleDeps): ConsoleHook {
  return (exchange) => {
    if (asksForJson(exchange.request.headers.accept)) return presentNoSession(exchange);
    const query = queryOf(exchange);
    const view = viewOf(answers.readerOf(exchange, ports.clock()));
    const parts = signInPage(view, query.get('link') ?? undefined, answers.nextOf(query));
    answers.presentPage(exchange, 'sign-in', view, parts);
  };
}

export function signInHook(deps: ConsoleDeps): ConsoleHook {
  const { ports } = deps;
  return async (exchange) => {
    const { storage } = ports;
    const signed = storage.asAuthor({ person: '', role: null, act: 'sign-in' });
    const link = formOf(exchange).get('link') ?? '';
    const begun = await withinDeadline(signIn({ ...ports, storage: signed }, link));
    if (begun === undefined) {
      if (!(await isWrongTooOften(deps, exchange))) presentRefusal(exchange, 'linkInvalid');
      return;
    }
    goTo(exchange, '/console', await enter(deps, exchange, begun.token));
  };
}

/** The header that gives the browser its new session; its previous one ends. */
export async function enter(
  deps: ConsoleDeps,
  { request }: ConsoleExchange,
  token: string,
): Promise<readonly string[]> {
  const { ports } = deps;
  const before = cookieOf(request, deps);
  const old = before === undefined ? undefined : await findSession(ports, before);
  if (old !== undefined) await ports.storage.endConsoleSessions(old.sessionId);
  return ['Set-Cookie', cookieHeader(deps, token)];
}

export function signOutHook(deps: ConsoleDeps): ConsoleHook {
  return async (exchange) => {
    const { name: person, role, sessionId } = exchange.session!;
    const signed = deps.ports.storage.asAuthor({ person, role, act: 'sign-out' });
    await withinDeadline(signed.endConsoleSessions(sessionId));
    goTo(exchange, answers.SIGN_IN_PATH, forgetCookie(deps));
  };
}

/** Headers that make the browser forget the session. */
export function forgetCookie(deps: ConsoleDeps): readonly string[] {
  return ['Set-Cookie', cookieHeader(deps, undefined)];
}

function cookieName(deps: ConsoleDeps): string {
  return isSecure(deps) ? '__Host-stayport' : 'stayport';
}

export function cookieOf({ headers }: IncomingMessage, deps: ConsoleDeps): string | undefined {
  const start = `${cookieName(deps)}=`;
  const cookies = (headers.cookie ?? '').split(';').map((part) => part.trim());
  return cookies.find((part) => part.startsWith(start))?.slice(start.length) || undefined;
}

/** Undefined clears the cookie. */
function cookieHeader(deps: ConsoleDeps, token: string | undefined): string {
  const secure = isSecure(deps) ? '; Secure' : '';
  const end = token === undefined ? '; Max-Age=0' : '';
  return `${cookieName(deps)}=${token ?? ''}; Path=/${secure}; HttpOnly; SameSite=Strict${end}`;
}
