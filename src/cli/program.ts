/**
 * The list of all commands. One file per group; each adds its own and says with an example how it is used.
 */
import { Command, type CommanderError, type OutputConfiguration } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import type { Clock } from '../clock.ts';
import type { Random } from '../partners/random-text.ts';
import { addCredentialCommands } from './credential-commands.ts';
import { addDemoCommand } from './demo-command.ts';
import { addHandoffCommands } from './handoff-commands.ts';
import { addImportCommands } from './import-commands.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addOperatorTokenCommands } from './operator-token-commands.ts';
import { addPartnerCommands } from './partner-commands.ts';
import { addPropertyCommands } from './property-commands.ts';
import { addQuoteCommands } from './quote-commands.ts';
import { addServeCommand } from './serve-command.ts';
import { openSession } from './session.ts';

export function buildProgram(deps: { readonly clock: Clock; readonly random: Random }): Command {
  const program = new Command('stayport')
    .description('Partner API for lodging: search, availability, indicative quotes and handoff links.')
    .version(packageJson.version, '--version', 'print the version')
    .option('--json', 'print one JSON document on standard output, and nothing else there')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(ONE_LINE_ERRORS)
    .exitOverride(rethrow)
    .helpCommand(false)
    .showSuggestionAfterError();
  const session = openSession({ ...deps, isJson: () => program.opts<{ json?: true }>().json === true });

  addServeCommand(program, session);
  addDemoCommand(program, session);
  addMigrateCommand(program, session);
  addPartnerCommands(program, session);
  addCredentialCommands(program, session);
  addImportCommands(program, session);
  addPropertyCommands(program, session);
  addQuoteCommands(program, session);
  addHandoffCommands(program, session);
  addOperatorTokenCommands(program, session);
  return program;
}

/** Commander's complaint on one line: `stayport: unknown option '--jsn' (Did you mean --json?)`. */
const ONE_LINE_ERRORS: OutputConfiguration = {
  outputError: (text, write) => {
    const line = text
      .replace(/^error: /, '')
      .replaceAll(/\s*\n\s*/g, ' ')
      .trim();
    write(`stayport: ${line}\n`);
  },
};

function rethrow(error: CommanderError): never {
  throw error;
}
