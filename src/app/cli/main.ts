/**
 * The command line: builds the program, runs one command, and turns every end into an exit code and at most one
 * line: 0 success, 1 failure, 2 bad usage.
 */
import { CommanderError } from 'commander';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { type Random, systemRandom } from '../../runtime/random.ts';
import { DatabaseUrlInvalid } from '../../storage/open.ts';
import { SchemaMismatch, StorageUnavailable } from '../../storage/storage.ts';
import { escapeControls } from './terminal/printable.ts';
import { CommandFailure } from './terminal/failure.ts';
import { buildProgram } from './program.ts';

/** Their messages are written for the person who typed the command. */
const EXPECTED = [CommandFailure, SchemaMismatch];
const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Runs the arguments of this process; never rejects. The exit code is set, and the process ends by itself. */
export async function main(): Promise<void> {
  endQuietlyOnClosedPipe();
  process.on('uncaughtException', (error) => {
    process.stderr.write(`stayport: ${formatFailure(error)}\n`);
    process.exit(EXIT_FAILURE);
  });
  process.exitCode = await run(process.argv.slice(2));
}

/** Runs a command in the process that calls; its exit code, after everything is printed. Never rejects. */
export async function run(
  args: readonly string[],
  clock: Clock = systemClock,
  random: Random = systemRandom,
): Promise<number> {
  try {
    const program = await buildProgram(args, { clock, random });
    await program.parseAsync(args, { from: 'user' });
    // A command that was interrupted sets its own.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    process.stderr.write(`stayport: ${formatFailure(error)}\n`);
    return EXIT_FAILURE;
  }
}

/** One line. An unexpected failure is a bug, and says so; its stack would help nobody at a prompt. */
function formatFailure(error: unknown): string {
  const line = escapeControls(
    formatWithCause(error)
      .replaceAll(/(?<!\s)\s*[\r\n]\s*/g, ' ')
      .trim(),
  );
  if (EXPECTED.some((kind) => error instanceof kind)) return line;
  if (error instanceof DatabaseUrlInvalid) return `DATABASE_URL: ${line}`;
  if (error instanceof StorageUnavailable) return `the database can't be used now: ${line}`;
  return `unexpected error, please report it: ${line}`;
}

/** `fetch` says only "fetch failed"; what failed is its cause. */
function formatWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === 'fetch failed' ? `${error.message}: ${String(error.cause)}` : error.message;
}

/**
 * `stayport partner list | head -1` closes our standard output: nobody reads on, which is not a failure. A command that
 * failed has set its exit code by then, and it stays. One whose complaints nobody reads goes on: an import would stand
 * half done.
 */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE')
      throw new CommandFailure(`standard output can't be written: ${error.message}`);
    process.exit();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
