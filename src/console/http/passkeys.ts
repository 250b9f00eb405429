/**
 * Passkeys in the console: signing in, signing in again in place, registering, ending. Each ceremony is two POSTs of
 * the same form: `NAME-options` returns the options for the browser, `NAME` accepts the browser's answer as
 * `credential`.
 */
import { mayAct } from '../../access/console-sessions.ts';
import * as passkeys from '../../access/passkeys.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import * as answers from './console-answers.ts';
import { presentRefusal } from './console-answers.ts';
import { type ConsoleDeps, type ConsoleExchange, type ConsoleHook, formOf } from './console-exchange.ts';
import { enter, isWrongTooOften } from './sessions.ts';

const PASSKEYS_PATH = '/console/passkeys';

const NO_DOMAIN =
  'Passkeys need a host name, and none works at an address: open the console at http://localhost with the port of CONSOLE_URL, or set CONSOLE_URL to a name.';
const BY_PASSKEY =
  'A passkey is registered in a session that a link opened: "stayport console link" makes a link.';
const NONE_YET = 'This person has no passkey yet.';

type Party = passkeys.RelyingParty;
type Work = (exchange: ConsoleExchange, party: Party) => Promise<void>;

/** Runs `work` if passkeys are available. */
function withParty(deps: ConsoleDeps, work: Work): ConsoleHook {
  return async (exchange) => {
    const { headers, socket } = exchange.request;
    const party = passkeys.relyingPartyOf(deps.consoleUrl, headers.host ?? '', socket.localPort);
    if (party === undefined) presentRefused(exchange, NO_DOMAIN);
    else await withinDeadline(work(exchange, party));
  };
}

function presentRefused({ response }: ConsoleExchange, detail: string): void {
  presentProblem(response, 'CONSOLE_ACT_REFUSED', { detail });
}

/** The same answer whatever is wrong, counted like a wrong link. */
async function presentWrong(deps: ConsoleDeps, exchange: ConsoleExchange): Promise<void> {
  if (!(await isWrongTooOften(deps, exchange))) presentRefusal(exchange, 'linkInvalid');
}

function asAuthor({ ports }: ConsoleDeps, { session }: ConsoleExchange, act: string): passkeys.PasskeyDeps {
  const { name: person = '', role = null } = session ?? {};
  return { ...ports, storage: ports.storage.asAuthor({ person, role, act }) };
}

/** The browser's answer: any value, or undefined if it isn't JSON. */
function credentialOf(exchange: ConsoleExchange): unknown {
  try {
    return JSON.parse(formOf(exchange).get('credential') ?? '');
  } catch {
    return undefined;
  }
}

export function signInOptionsHook(deps: ConsoleDeps): ConsoleHook {
  return withParty(deps, async (exchange, party) => {
    answers.presentJson(exchange, await passkeys.signInOptions(deps.ports, party));
  });
}

export function signInHook(deps: ConsoleDeps): ConsoleHook {
  return withParty(deps, async (exchange, party) => {
    const signed = asAuthor(deps, exchange, 'sign-in');
    const begun = await passkeys.signInByPasskey(signed, party, credentialOf(exchange));
    if (begun === undefined) return presentWrong(deps, exchange);
    const headers = await enter(deps, exchange, begun.token);
    answers.presentJson(exchange, { done: true }, { headers });
  });
}

export function renewOptionsHook(deps: ConsoleDeps): ConsoleHook {
  return withParty(deps, async (exchange, party) => {
    const session = exchange.session!;
    const known = await passkeys.listPasskeys(deps.ports);
    if (!known.some((passkey) => passkeys.isOwn(passkey, session))) return presentRefused(exchange, NONE_YET);
    const options = await passkeys.signInOptions(deps.ports, party, session);
    // Signed in again elsewhere: the page need not ask.
    answers.presentJson(exchange, session.freshMs > 0 ? { ...options, isFresh: true } : options);
  });
}

export function renewHook(deps: ConsoleDeps): ConsoleHook {
  return withParty(deps, async (exchange, party) => {
    const signed = asAuthor(deps, exchange, 'sign-in again');
    const isRenewed = await passkeys.renewByPasskey(signed, party, exchange.session!, credentialOf(exchange));
    if (isRenewed) answers.presentJson(exchange, { done: true });
    else await presentWrong(deps, exchange);
  });
}

/** Requires a recent sign-in by link: a person who finds an open session must not gain lasting access. */
function whereMayRegister(deps: ConsoleDeps, work: Work): ConsoleHook {
  return withParty(deps, async (exchange, party) => {
    const { freshMs, isByLink } = exchange.session!;
    if (!isByLink) presentRefused(exchange, BY_PASSKEY);
    else if (freshMs === 0) presentRefusal(exchange, 'stale');
    else await work(exchange, party);
  });
}

export function registerOptionsHook(deps: ConsoleDeps): ConsoleHook {
  return whereMayRegister(deps, async (exchange, party) => {
    answers.presentJson(exchange, await passkeys.registrationOptions(deps.ports, party, exchange.session!));
  });
}

export function registerHook(deps: ConsoleDeps): ConsoleHook {
  return whereMayRegister(deps, async (exchange, party) => {
    const signed = asAuthor(deps, exchange, 'passkey register');
    const made = await passkeys.registerPasskey(signed, party, exchange.session!, credentialOf(exchange));
    if (made === undefined) await presentWrong(deps, exchange);
    else answers.presentJson(exchange, made);
  });
}

/** Ends one's own passkeys; administrators also those of others. */
export function endHook(deps: ConsoleDeps): ConsoleHook {
  return async (exchange) => {
    const session = exchange.session!;
    const passkeyId = formOf(exchange).get('passkeyId') ?? '';
    const known = await withinDeadline(passkeys.listPasskeys(deps.ports));
    const passkey = known.find((row) => row.passkeyId === passkeyId);
    const isOthers = passkey === undefined || !passkeys.isOwn(passkey, session);
    if (isOthers && !mayAct(session.role, 'admin')) return presentRefusal(exchange, 'role');
    if (isOthers && session.freshMs === 0) return presentRefusal(exchange, 'stale');
    if (passkey === undefined) return presentRefusal(exchange, 'notFound');
    await withinDeadline(passkeys.endPasskey(asAuthor(deps, exchange, 'console passkeys end'), passkeyId));
    answers.goTo(exchange, PASSKEYS_PATH);
  };
}
