/**
 * Starts one of the programs in this folder as a process of its own.
 */
import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface TestProcess {
  /** Line by line. */
  readonly output: AsyncIterator<string>;
  send(line: string): void;
  /** Ends its standard input and waits until it has exited. */
  end(): Promise<number | null>;
  /** Like `kill -9`. */
  kill(): Promise<void>;
  /** A test that fails must not leave it behind: the file would never end. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Coverage would slow down what is killed at a moment, and what is killed, or may write nothing, leaves half a file: the
 * whole report is lost. A variable that is only left out is passed on by Node.
 */
export const NOT_COUNTED: NodeJS.ProcessEnv = { ...process.env, NODE_V8_COVERAGE: undefined };

export function startProcess(name: string, args: readonly string[], options: SpawnOptions = {}): TestProcess {
  const program = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
    env: NOT_COUNTED,
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a process with pipes');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    output: createInterface({ input: stdout })[Symbol.asyncIterator](),
    send: (line) => void stdin.write(`${line}\n`),
    async end() {
      stdin.end();
      return (await exited)[0];
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
