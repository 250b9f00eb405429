/** Who may open the console in a browser. */
import { Wrong } from '../../domain/wrong.ts';
import { endSessions, LINK_TTL_MS, listSessions, makeLink, ROLES } from '../../access/console-sessions.ts';
import { endPasskey, listPasskeys } from '../../access/passkeys.ts';
import { formatInstant } from '../../access/parse-duration.ts';
import { done } from '../../domain/outcome.ts';
import { act, flag, optional, required, withFallback } from './act.ts';
import { anyText, duration, notBlank, oneOf } from './values.ts';

const PASSKEY_COLUMNS = ['passkeyId', 'name', 'role', 'createdAt', 'lastUsedAt'];
const SESSION_COLUMNS = ['sessionId', 'name', 'role', 'createdAt', 'lastSeenAt'];

const linkAct = act({
  name: 'console link',
  right: 'admin',
  about: 'make a link that signs in to the console once',
  input: {
    name: required(notBlank, '--name <name>', 'who signs in; the audit trail names them so'),
    role: withFallback(oneOf(ROLES), '--role <role>', `what they may do: ${ROLES.join(', ')}`, 'viewer'),
    ttlMs: withFallback(
      duration,
      '--ttl <duration>',
      'how long the link works, 1s to 1h; a minute unless given',
      LINK_TTL_MS,
    ),
  },
  examples: ['console link --name Ada', 'console link --name Ada --role admin --ttl 5m'],
  audit: 'signed',
  async run(ports, input) {
    const made = await makeLink(ports, input);
    if (!made.ok) return made;
    const { secret, expiresAtMs } = made.value;
    return done({ url: signInUrl(ports.consoleUrl, secret), expiresAt: formatInstant(expiresAtMs) });
  },
  print: { below: 'Open it in a browser: it works once.' },
});

const sessionsAct = act({
  name: 'console sessions',
  right: 'admin',
  about: 'list who is signed in to the console, newest first',
  input: {},
  examples: ['console sessions'],
  audit: 'reads',
  run: async (ports) => done(await listSessions(ports)),
  print: { columns: SESSION_COLUMNS, empty: 'Nobody is signed in; "stayport console link" makes a link.' },
});

const endAct = act({
  name: 'console end',
  right: 'admin',
  about: 'end a session of the console, in every process at once',
  input: {
    sessionId: optional(anyText, '[session-id]', 'id of the session, as "console sessions" shows it'),
    all: flag('--all', 'every session'),
  },
  examples: ['console end cs_5nWkD0XJ2yqLmT8v', 'console end --all'],
  audit: 'signed',
  check: ({ sessionId, all }) =>
    (sessionId === undefined) === (all === undefined) ? new Wrong('sessionOrAll') : undefined,
  run: (ports, { sessionId = null }) => endSessions(ports, sessionId),
  print: { columns: SESSION_COLUMNS, empty: 'Nobody was signed in.' },
});

const passkeysAct = act({
  name: 'console passkeys',
  right: 'admin',
  about: 'list the passkeys that sign in to the console, newest first',
  input: {},
  examples: ['console passkeys'],
  audit: 'reads',
  run: async (ports) => done(await listPasskeys(ports)),
  print: {
    columns: PASSKEY_COLUMNS,
    empty: 'There is none; one is registered in the console, at /console/passkeys.',
  },
});

const endPasskeyAct = act({
  name: 'console passkeys end',
  right: 'admin',
  about: 'end a passkey and its sessions, in every process at once',
  input: {
    passkeyId: required(anyText, '<passkey-id>', 'id of the passkey, as "console passkeys" shows it'),
  },
  examples: ['console passkeys end pk_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { passkeyId }) => endPasskey(ports, passkeyId),
  print: 'fields',
});

export const CONSOLE_ACTS = [linkAct, sessionsAct, endAct, passkeysAct, endPasskeyAct];

/** Where the link leads: a page with a button. */
export function signInUrl(consoleUrl: string, secret: string): string {
  return `${consoleUrl}/console/sign-in?link=${secret}`;
}
