/**
 * The list of all commands. Each has a file of its own, which is loaded only when the command runs: nobody
 * waits for the code of an import in order to list partners.
 */
import { Command, type CommanderError, type OutputConfiguration } from 'commander';
import type { Clock } from '../../runtime/clock.ts';
import { RELEASE } from '../../runtime/release.ts';
import type { Random } from '../../runtime/random.ts';
import { addActs, configureAct } from './commands/act-commands.ts';
import { findCommandAct } from './command-acts.ts';
import { type CommandAct, openSession, type Session } from './terminal/session.ts';

interface CommandFile {
  readonly name: string;
  readonly description: string;
  /** Adds options, subcommands and the action. */
  readonly load: () => Promise<(command: Command, session: Session) => void>;
}

/** In the order of the help. */
export const COMMANDS: readonly CommandFile[] = [
  {
    name: 'serve',
    description: 'start the service; SIGTERM or SIGINT stops it after the requests in flight',
    load: async () => (await import('./server-commands.ts')).configureServe,
  },
  {
    name: 'demo',
    description: 'fill an empty database with sample data, then start the service and print calls to try',
    load: async () => (await import('./server-commands.ts')).configureDemo,
  },
  {
    name: 'doctor',
    description: 'check this installation, and say what to do; changes nothing',
    load: async () => (await import('./commands/doctor-command.ts')).configureDoctor,
  },
  {
    name: 'settings',
    description: 'list all settings, and change those of the site',
    load: async () => addActs((await import('../../operator/acts/site-acts.ts')).SITE_ACTS),
  },
  {
    name: 'migrate',
    description: 'create or upgrade the database schema',
    load: async () => (await import('./commands/database-commands.ts')).configureMigrate,
  },
  {
    name: 'database',
    description: 'copy everything to another database',
    load: async () => (await import('./commands/database-commands.ts')).addDatabaseCommands,
  },
  {
    name: 'partner',
    description: 'who may call the API',
    load: async () => addActs((await import('../../operator/acts/partner-acts.ts')).PARTNER_ACTS),
  },
  {
    name: 'credential',
    description: "partners' credentials and their tokens",
    load: async () => addActs((await import('../../operator/acts/credential-acts.ts')).CREDENTIAL_ACTS),
  },
  {
    name: 'import',
    description: 'import properties and calendars',
    load: async () => (await import('./commands/import-commands.ts')).addImportCommands,
  },
  {
    name: 'export',
    description: 'print properties as a file, also for a spreadsheet',
    load: async () => (await import('./commands/export-commands.ts')).addExportCommands,
  },
  {
    name: 'template',
    description: 'print an empty file to fill in',
    load: async () => (await import('./commands/export-commands.ts')).addTemplateCommands,
  },
  {
    name: 'close',
    description: 'close nights manually, whatever other systems send',
    load: async () => configureAct((await import('../../operator/acts/nights-acts.ts')).closeAct),
  },
  {
    name: 'open',
    description: 'open the nights that "close" closed',
    load: async () => configureAct((await import('../../operator/acts/nights-acts.ts')).openAct),
  },
  {
    name: 'nights',
    description: 'set rate, units and minimum stay of nights manually',
    load: async () => addActs((await import('../../operator/acts/nights-acts.ts')).NIGHTS_ACTS),
  },
  {
    name: 'connection',
    description: 'accounts at property management systems, read for calendars and prices',
    load: async () => addActs((await import('../../operator/acts/connection-acts.ts')).CONNECTION_ACTS),
  },
  {
    name: 'freshness',
    description: 'when each source last confirmed each property',
    load: async () => (await import('./commands/freshness-command.ts')).configureFreshness,
  },
  {
    name: 'source',
    description: 'list the sources of supply, or retire one',
    load: async () => addActs((await import('../../operator/acts/source-acts.ts')).SOURCE_ACTS),
  },
  {
    name: 'property',
    description: 'stored properties',
    load: async () => addActs((await import('../../operator/acts/property-acts.ts')).PROPERTY_ACTS),
  },
  {
    name: 'quote',
    description: 'stored quotes, and why a stay can be quoted or not',
    load: async () => (await import('./commands/quote-commands.ts')).addQuoteCommands,
  },
  {
    name: 'handoff',
    description: 'handoff links and their keys',
    load: async () => addActs((await import('../../operator/acts/handoff-acts.ts')).HANDOFF_ACTS),
  },
  {
    name: 'attribution',
    description: 'quotes by partner and day, and what became of them',
    load: async () => (await import('./commands/attribution-command.ts')).configureAttribution,
  },
  {
    name: 'requests',
    description: 'requests that were refused, quotes, and a sample of the rest, newest first',
    load: async () => (await import('./commands/requests-command.ts')).configureRequests,
  },
  {
    name: 'traffic',
    description: 'answers to partners by minute and day, and how long they took',
    load: async () => (await import('./commands/activity-commands.ts')).configureTraffic,
  },
  {
    name: 'demand',
    description: 'what partners searched for: where, when, for how many, and what found nothing',
    load: async () => (await import('./commands/activity-commands.ts')).configureDemand,
  },
  {
    name: 'operator-token',
    description: "tokens of the operator's own systems",
    load: async () =>
      addActs((await import('../../operator/acts/operator-token-acts.ts')).OPERATOR_TOKEN_ACTS),
  },
  {
    name: 'ical',
    description: 'iCal: subscribe to calendars of other platforms, publish your own',
    load: async () => addActs((await import('../../operator/acts/ical-acts.ts')).ICAL_ACTS),
  },
  {
    name: 'mapping',
    description: 'map names of other systems to inventory types',
    load: async () => addActs((await import('../../operator/acts/mapping-acts.ts')).MAPPING_ACTS),
  },
  {
    name: 'webhook',
    description: 'tell partners what happens, at their endpoints',
    load: async () => addActs((await import('../../operator/acts/webhook-acts.ts')).WEBHOOK_ACTS),
  },
  {
    name: 'console',
    description: 'who may open the console in a browser: links, sessions',
    load: async () => addActs((await import('../../operator/acts/console-acts.ts')).CONSOLE_ACTS),
  },
  {
    name: 'audit',
    description: 'who changed what, newest first',
    load: async () => (await import('./commands/audit-command.ts')).configureAudit,
  },
  {
    name: 'mcp',
    description: 'let assistants use a partner API (Model Context Protocol)',
    load: async () => (await import('./commands/mcp-command.ts')).configureMcp,
  },
];

/** The program for these arguments: all commands by name, the one that is called complete. */
export async function buildProgram(
  args: readonly string[],
  deps: { readonly clock: Clock; readonly random: Random },
): Promise<Command> {
  const program = new Command('stayport')
    .description('Partner API for lodging: search, availability, indicative quotes and handoff links.')
    .version(RELEASE, '--version', 'print the version')
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .option('--env-file <file>', 'read settings from this file of NAME=value lines; also STAYPORT_ENV_FILE')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(ONE_LINE_ERRORS)
    .exitOverride(rethrow)
    .helpCommand(false)
    .showSuggestionAfterError();
  let act: CommandAct | undefined;
  let isDryRun = false;
  let createsSchema = false;
  program.hook('preAction', (_, command) => {
    act = findCommandAct(command);
    createsSchema = command.parent?.name() === 'import';
    isDryRun = command.opts<{ dryRun?: true }>().dryRun === true;
  });
  const isJson = () => program.opts<{ json?: true }>().json === true;
  const session = openSession({
    ...deps,
    isJson,
    act: () => act,
    isDryRun: () => isDryRun,
    createsSchema: () => createsSchema,
    environmentFile: () => program.opts<{ envFile?: string }>().envFile,
  });
  const asked = args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--env-file');
  for (const { name, description, load } of COMMANDS) {
    const command = program.command(name).description(description).helpCommand(false);
    if (name !== asked) continue;
    const configure = await load();
    configure(command, session);
  }
  return program;
}

/** Commander's complaint on one line: `stayport: unknown option '--jsn' (Did you mean --json?)`. */
const ONE_LINE_ERRORS: OutputConfiguration = {
  outputError: (text, write) => {
    const line = text
      .replace(/^error: /, '')
      .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
      .trim();
    write(`stayport: ${line}\n`);
  },
};

function rethrow(error: CommanderError): never {
  throw error;
}
