/** Who may open the console, and who changed what. */
import { type Command, InvalidArgumentError } from 'commander';
import { AUDIT_ROWS_MAX, AUDIT_SINCE_MS, type AuditRow, reportAudit } from '../../access/audit-trail.ts';
import {
  endSessions,
  LINK_TTL_MS,
  listSessions,
  makeLink,
  type Role,
  ROLES,
} from '../../access/console-sessions.ts';
import { formatInstant } from '../../access/parse-duration.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { duration, notBlank, oneOf } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface LinkOptions {
  readonly name: string;
  readonly role: Role;
  readonly ttl: number;
}

const SESSION_COLUMNS = ['sessionId', 'name', 'role', 'createdAt', 'lastSeenAt'] as const;
const AUDIT_COLUMNS = ['at', 'person', 'role', 'act', 'on', 'from', 'to'] as const;

export function addConsoleCommands(command: Command, session: Session): void {
  command
    .command('link')
    .description('make a link that signs in to the console once')
    .requiredOption('--name <name>', 'who signs in; the audit trail names them so', notBlank)
    .option('--role <role>', `what they may do: ${ROLES.join(', ')}`, oneOf(ROLES), 'viewer')
    .option(
      '--ttl <duration>',
      'how long the link works, 1s to 1h; a minute unless given',
      duration,
      LINK_TTL_MS,
    )
    .addHelpText('after', example('console link --name Ada', 'console link --name Ada --role admin --ttl 5m'))
    .action(async ({ name, role, ttl: ttlMs }: LinkOptions) => {
      const made = await session.withStorage((storage) =>
        makeLink({ ...session, storage }, { name, role, ttlMs }),
      );
      const { secret, expiresAtMs } = unwrap(made);
      const view = {
        url: signInUrl(session.settings().consoleUrl, secret),
        expiresAt: formatInstant(expiresAtMs),
      };
      session.answer(view, () => `${formatFields(view)}\n\nOpen it in a browser: it works once.`);
    });
  command
    .command('sessions')
    .description('list who is signed in to the console, newest first')
    .addHelpText('after', example('console sessions'))
    .action(async () => {
      const sessions = await session.withStorage((storage) => listSessions({ ...session, storage }));
      session.answer(sessions, () =>
        formatTable(
          SESSION_COLUMNS,
          sessions.map((view) => ({ ...view })),
          'Nobody is signed in; "stayport console link" makes a link.',
        ),
      );
    });
  command
    .command('end')
    .argument('[session-id]', 'id of the session, as "console sessions" shows it')
    .option('--all', 'every session')
    .description('end a session of the console, in every process at once')
    .addHelpText('after', example('console end cs_5nWkD0XJ2yqLmT8v', 'console end --all'))
    .action(async (sessionId: string | undefined, { all }: { readonly all?: true }, self: Command) => {
      if ((sessionId === undefined) === (all === undefined)) self.error('give a session id, or --all');
      const ended = await session.withStorage((storage) => endSessions({ storage }, sessionId ?? null));
      const sessions = unwrap(ended);
      session.answer(sessions, () =>
        formatTable(
          SESSION_COLUMNS,
          sessions.map((view) => ({ ...view })),
          'Nobody was signed in.',
        ),
      );
    });
}

/** Where the link leads: a page with a button. */
export function signInUrl(consoleUrl: string, secret: string): string {
  return `${consoleUrl}/console/sign-in?link=${secret}`;
}

export function configureAudit(audit: Command, session: Session): void {
  audit
    .option('--since <duration>', 'not older, such as 24h; 7d unless given', sinceDuration, AUDIT_SINCE_MS)
    .addHelpText(
      'after',
      `\nNewest first: what commands and the console changed, and who signed in. At most ${AUDIT_ROWS_MAX} rows.\n${example('audit --since 30d')}`,
    )
    .action(async ({ since }: { readonly since: number }) => {
      const rows = await session.withStorage((storage) => reportAudit(storage, session.clock() - since));
      session.answer(rows, () => formatTable(AUDIT_COLUMNS, rows.map(readableRow), 'nothing was changed'));
      if (rows.length === AUDIT_ROWS_MAX) session.note(`Older rows are left out: ask for less with --since.`);
    });
}

function sinceDuration(text: string): number {
  const ms = duration(text);
  if (ms === 0) throw new InvalidArgumentError('It must be longer than nothing.');
  return ms;
}

function readableRow({ from, to, ...row }: AuditRow) {
  const text = (state: AuditRow['from']): string | null =>
    state === null || typeof state === 'string' ? state : JSON.stringify(state);
  return { ...row, from: text(from), to: text(to) };
}
