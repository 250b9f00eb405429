/**
 * Runs the real command line as a child process on a database of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMITTED_SETTINGS } from '../../src/contract/openapi/openapi.ts';
import { CHECKING } from './checking.ts';

export const BIN = join(import.meta.dirname, '..', '..', 'bin', 'stayport');
export const SAMPLE = join(import.meta.dirname, '..', '..', 'sample');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly printed: Readonly<Pick<Ended, 'stdout' | 'stderr'>>;
  readonly ended: Promise<Ended>;
}

export type Environment = Readonly<Record<string, string>>;

/** Another user to run a command as; only root may choose one. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

interface StartOptions {
  readonly env?: Environment;
  readonly input?: string;
  readonly user?: User;
  /** Limit of open files of the process; not on Windows. */
  readonly descriptorsMax?: number;
}

/**
 * No web listener unless a test sets WEB_PORT, since two can't have the port by default. With the address a listener
 * speaks plain HTTP, as behind a proxy.
 */
export const NO_WEB = { WEB_PORT: 'off', HANDOFF_BASE_URL: 'https://localhost:8443/handoff' };

/** Commands that work without a database, or make one. */
const NEED_NO_SCHEMA = new Set([
  '',
  'serve',
  'demo',
  'migrate',
  'import',
  'database',
  'doctor',
  'template',
  'mcp',
  '--help',
  '--version',
]);

/** A directory to run commands in; whatever they leave there is removed with it. */
export class Workplace {
  readonly directory = mkdtempSync(join(tmpdir(), 'stayport-'));
  readonly databasePath = join(this.directory, 'stayport.db');
  /** Environment of its commands, beside the base. */
  readonly environment: Environment;
  readonly #running = new Set<ChildProcess>();
  #isPrepared = false;

  /** The program of its commands; another release may replace it. */
  protected readonly bin: string = BIN;

  constructor(environment: Environment = {}) {
    this.environment = { DATABASE_URL: `sqlite:${this.databasePath}`, ...NO_WEB, ...environment };
  }

  start(args: readonly string[], options: StartOptions = {}): Started {
    const command = [process.execPath, this.bin, ...args];
    if (options.descriptorsMax !== undefined) {
      command.unshift('sh', '-c', `ulimit -n ${options.descriptorsMax}; exec "$0" "$@"`);
    }
    const [program = '', ...rest] = command;
    const child = spawn(program, rest, {
      ...options.user,
      cwd: this.directory,
      env: { ...baseEnvironment(), ...this.environment, ...options.env },
      stdio: 'pipe',
    });
    this.#running.add(child);
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
    const ended = once(child, 'close').then((): Ended => {
      this.#running.delete(child);
      return { code: child.exitCode, signal: child.signalCode, ...printed };
    });
    return { child, printed, ended };
  }

  /** The command's end, whatever it is. */
  async run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    await this.prepareFor(args, options.env);
    return await this.start(args, options).ended;
  }

  /** Most commands refuse a database without a schema; a test that names another database makes it itself. */
  protected async prepareFor([command = '']: readonly string[], env: Environment = {}): Promise<void> {
    if (this.#isPrepared || NEED_NO_SCHEMA.has(command) || 'DATABASE_URL' in env) return;
    // Settings that are wrong on purpose make it fail: then the next command tries again.
    this.#isPrepared = (await this.run(['migrate'], { env })).code === 0;
  }

  /** The JSON document that a command prints; a command that fails is an error here. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the command prints; the assertions judge it
  async json(args: readonly string[], options: { readonly input?: string } = {}): Promise<any> {
    const ended = await this.run([...args, '--json'], options);
    if (ended.code !== 0)
      throw new Error(`stayport ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
    return JSON.parse(ended.stdout);
  }

  async remove(): Promise<void> {
    const ends = [...this.#running].map(async (child) => {
      const end = once(child, 'close');
      child.kill('SIGKILL');
      await end;
    });
    await Promise.all(ends);
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * The variables that a process needs to start, without the settings of the person who runs the tests. Coverage is not
 * among them: tests kill such processes, and one that dies while it writes its part makes the whole report unreadable.
 */
export function baseEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];
  const inherited = names.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  return { ...Object.fromEntries(inherited), ...CHECKING };
}

export interface RunningServer extends Started {
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  /** With WEB_PORT. */
  readonly webUrl?: string;
  /** Signs an administrator in, once; on the first start. */
  readonly consoleUrl?: string;
}

/** `serve` on free ports, ready to answer. */
export async function startServer(
  workplace: Workplace,
  env: Environment = {},
  options: Pick<StartOptions, 'user' | 'descriptorsMax'> = {},
): Promise<RunningServer> {
  const started = workplace.start(['serve', '--json'], {
    ...options,
    // Problems have the types that the checks of answers expect, whichever port it gets.
    env: { PORT: '0', OPERATOR_PORT: '0', PUBLIC_URL: COMMITTED_SETTINGS.publicUrl, ...env },
  });
  const urls = JSON.parse(await firstLine(started)) as Omit<RunningServer, keyof Started>;
  await until(async () => {
    const response = await fetch(`${urls.operatorUrl}/readyz`);
    await response.body?.cancel();
    return response.status === 200;
  });
  return { ...started, ...urls };
}

/** The first line on standard output; rejects when the process ends before it. */
export async function firstLine({ child, printed, ended }: Started): Promise<string> {
  const lines = (async () => {
    while (!printed.stdout.includes('\n')) await once(child.stdout!, 'data');
    return printed.stdout.slice(0, printed.stdout.indexOf('\n'));
  })();
  const failed = ended.then(({ code, stderr }) => {
    throw new Error(`the process ended with ${code} before it printed a line: ${stderr}`);
  });
  return await Promise.race([lines, failed]);
}

/** Asks repeatedly until the answer is true; returns the milliseconds. */
export async function until(isTrue: () => Promise<boolean>, limitMs = 150_000): Promise<number> {
  const startedAtMs = performance.now();
  for (;;) {
    if (await isTrue()) return performance.now() - startedAtMs;
    if (performance.now() - startedAtMs > limitMs) throw new Error(`not true within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
