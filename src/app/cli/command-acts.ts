/**
 * The commands that change something, for the audit trail, where their author is `command line`. Commands that are
 * `signed` note their changes in the transaction of the write. The others are recorded around their writes, with a text
 * that this table makes from their arguments.
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
 * Every command without a row in `operator/acts/`. `serve`, `demo`, `migrate` and `database copy` open their databases
 * themselves: `demo` and `migrate` sign their writes. A copy is not recorded, because it equals its original.
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
  audit: 'reads',
  mcp: 'reads',
};

/** The act that the command is about to perform; undefined if it changes nothing. */
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

/** Without the name of the program. */
function nameOfCommand(command: Command): string {
  const { parent } = command;
  if (parent === null) return '';
  const before = nameOfCommand(parent);
  return before === '' ? command.name() : `${before} ${command.name()}`;
}
