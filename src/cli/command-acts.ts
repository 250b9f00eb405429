/**
 * Which commands change something, and what: each is in the audit trail, by the person `command line`. Those that are
 * `signed` note their changes themselves, in the transaction of the write; the others are recorded around their writes,
 * with what this table makes of their arguments.
 */
import type { Command } from 'commander';
import { formatLocalDate } from '../domain/local-date.ts';
import type { CommandAct } from './terminal/session.ts';

/** As commander parsed them: nights are days. */
type Options = Readonly<Record<string, string | number | boolean | undefined>>;
type CommandKind = 'reads' | 'signed' | ((argument: string, options: Options) => string);

const argument = (text: string): string => text;
const typeOf = (_: string, { property, type }: Options): string =>
  type === undefined ? String(property) : `${String(property)}/${String(type)}`;
const nights = (_: string, options: Options): string =>
  `${typeOf('', options)} ${formatLocalDate(Number(options['from']))}..${formatLocalDate(Number(options['to']))}`;
const mappingOf = (_: string, { source, external }: Options): string =>
  `${String(source)} ${String(external)}`;

/**
 * Every command. `serve`, `demo`, `migrate` and `database copy` open their databases themselves: `demo` and `migrate` sign
 * what they do, and a copy is not recorded, because it is equal to what was copied.
 */
export const COMMAND_KINDS: Readonly<Record<string, CommandKind>> = {
  serve: 'reads',
  demo: 'reads',
  migrate: 'reads',
  'database copy': 'reads',
  doctor: 'reads',
  'partner create': 'signed',
  'partner update': 'signed',
  'partner list': 'reads',
  'credential issue': 'signed',
  'credential list': 'reads',
  'credential revoke': 'signed',
  'credential rotate': 'signed',
  'import catalogue': argument,
  'import inside-airbnb': (_, { listings }) => String(listings),
  'import rates': argument,
  'import ical': typeOf,
  close: nights,
  open: nights,
  freshness: 'reads',
  'source list': 'reads',
  'source retire': argument,
  'property show': 'reads',
  'property withdraw': argument,
  'quote show': 'reads',
  'quote explain': 'reads',
  'handoff inspect': 'reads',
  'handoff rotate-key': 'signed',
  'handoff keys': 'reads',
  'handoff retire-key': 'signed',
  attribution: 'reads',
  requests: 'reads',
  traffic: 'reads',
  demand: 'reads',
  'operator-token issue': 'signed',
  'operator-token list': 'reads',
  'operator-token revoke': 'signed',
  'ical subscribe': typeOf,
  'ical list': 'reads',
  'ical poll': argument,
  'ical accept': argument,
  'ical unsubscribe': argument,
  'ical publish': typeOf,
  'ical published': 'reads',
  'ical unpublish': typeOf,
  'mapping set': mappingOf,
  'mapping delete': mappingOf,
  'mapping list': 'reads',
  'mapping import': argument,
  'webhook create': 'signed',
  'webhook list': 'reads',
  'webhook test': 'signed',
  'webhook rotate': 'signed',
  'webhook disable': 'signed',
  'webhook enable': 'signed',
  'webhook deliveries': 'reads',
  'webhook replay': 'signed',
  'console link': 'signed',
  'console sessions': 'reads',
  'console end': 'signed',
  audit: 'reads',
  mcp: 'reads',
};

/** What the command is about to do; undefined when it changes nothing. */
export function findCommandAct(command: Command): CommandAct | undefined {
  const name = nameOfCommand(command);
  const kind = COMMAND_KINDS[name] ?? 'reads';
  const options: Options = command.opts();
  if (kind === 'reads' || options['dryRun'] === true) return undefined;
  const author = { person: 'command line', role: null, act: name };
  return kind === 'signed'
    ? { author }
    : { author, on: kind(String(command.processedArgs[0] ?? ''), options) };
}

/** Without the program's own. */
function nameOfCommand(command: Command): string {
  const { parent } = command;
  if (parent === null) return '';
  const before = nameOfCommand(parent);
  return before === '' ? command.name() : `${before} ${command.name()}`;
}
