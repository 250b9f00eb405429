/**
 * Processes of the benchmark: started here, pinned, asked over a channel, and ended by the handle that started them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Ask, openChannel } from './channel.ts';
import { pinned, type Role } from './pinning.ts';

/** A large catalogue is saved at a stop. */
const STOP_GRACE_MS = 40_000;

export interface ChildOptions {
  readonly role: Role;
  /** What messages call it. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Child {
  readonly pid: number;
  readonly ask: Ask;
  /** The next line of its standard output. */
  readLine(): Promise<string>;
  /** Asks it to end, insists after a while, resolves when it is gone. */
  stop(): Promise<void>;
}

/** Starts this Node with `args` on the core of its role. */
export function startChild({ role, name, args, cwd, environment }: ChildOptions): Child {
  const [command, allArgs] = pinned(role, process.execPath, args);
  const child = spawn(command, allArgs, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    pid: child.pid!,
    ask: openChannel(child, name),
    async readLine() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${name} ended before it said anything`);
      return value;
    },
    stop: () => stopChild(child),
  };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
  await gone;
  clearTimeout(timer);
}
