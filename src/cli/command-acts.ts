/**
 * Which commands change something, and what: each is in the audit trail, by the person `command line`. Those that are
 * `signed` note their changes themselves, in the transaction of the write; the others are recorded around their writes,
 * with what this table makes of their arguments.
 */
import type { Command } from 'commander';
import { auditOf } from './commands/act-commands.ts';
import type { CommandAct } from './terminal/session.ts';

type Options = Readonly<Record<string, string | number | boolean | undefined>>;
type CommandKind = 'reads' | 'signed' | ((argument: string, options: Options) => string);

const argument = (text: string): string => text;
const typeOf = (_: string, { property, type }: Options): string =>
  type === undefined ? String(property) : `${String(property)}/${String(type)}`;

/**
 * Every command that is not a row of `acts/`. `serve`, `demo`, `migrate` and `database copy` open their databases
 * themselves: `demo` and `migrate` sign what they do, and a copy is not recorded, because it is equal to its original.
 */
export const COMMAND_KINDS: Readonly<Record<string, CommandKind>> = {
  serve: 'reads',
  demo: 'reads',
  migrate: 'reads',
  'database copy': 'reads',
  doctor: 'reads',
  'import catalogue': argument,
  'import inside-airbnb': (_, { listings }) => String(listings),
  'import rates': argument,
  'import ical': typeOf,
  'export catalogue': 'reads',
  'template catalogue': 'reads',
  freshness: 'reads',
  'quote show': 'reads',
  'quote explain': 'reads',
  attribution: 'reads',
  requests: 'reads',
  traffic: 'reads',
  demand: 'reads',
  'webhook create': 'signed',
  'webhook list': 'reads',
  'webhook test': 'signed',
  'webhook rotate': 'signed',
  'webhook disable': 'signed',
  'webhook enable': 'signed',
  'webhook deliveries': 'reads',
  'webhook replay': 'signed',
  audit: 'reads',
  mcp: 'reads',
};

/** What the command is about to do; undefined when it changes nothing. */
export function findCommandAct(command: Command): CommandAct | undefined {
  const name = nameOfCommand(command);
  const kind = auditOf(command) ?? COMMAND_KINDS[name] ?? 'reads';
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
