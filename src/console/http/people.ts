/** Ending a session of the console: one's own, and for administrators those of others. */
import { endSessions, listSessions, mayAct } from '../../access/console-sessions.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { asksForJson } from '../../http/pages/page-handler.ts';
import { isOfPerson } from '../pages/people/read.ts';
import * as answers from './console-answers.ts';
import { presentRefusal } from './console-answers.ts';
import { type ConsoleDeps, type ConsoleHook, formOf } from './console-exchange.ts';
import { forgetCookie } from './sessions.ts';

const PEOPLE_PATH = '/console/people';

export function endSessionHook(deps: ConsoleDeps): ConsoleHook {
  return async (exchange) => {
    const session = exchange.session!;
    const { name: person, role } = session;
    const sessionId = formOf(exchange).get('sessionId') ?? '';
    const known = await withinDeadline(listSessions(deps.ports));
    const found = known.find((row) => row.sessionId === sessionId);
    const isOthers = found === undefined || !isOfPerson(found, session);
    if (isOthers && !mayAct(role, 'admin')) return presentRefusal(exchange, 'role');
    if (isOthers && session.freshMs === 0) return presentRefusal(exchange, 'stale');
    if (found === undefined) return presentRefusal(exchange, 'notFound');
    const storage = deps.ports.storage.asAuthor({ person, role, act: 'console end' });
    const ended = await withinDeadline(endSessions({ storage }, sessionId));
    // Somebody else was faster.
    if (!ended.ok) return presentRefusal(exchange, 'notFound');
    const isThisOne = sessionId === session.sessionId;
    const headers = isThisOne ? forgetCookie(deps) : [];
    if (asksForJson(exchange.request.headers.accept))
      return answers.presentJson(exchange, ended.value, { headers });
    answers.goTo(exchange, isThisOne ? answers.SIGN_IN_PATH : PEOPLE_PATH, headers);
  };
}
