/**
 * Runs the real command line in this process, for tests of what a command does: a process of its own takes longer to
 * start than most commands run. What belongs to the process itself, such as signals, `.env` and the exit, is tested with
 * a `Workplace`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { run } from '../../src/app/cli/main.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import type { Random } from '../../src/runtime/random.ts';
import { baseEnvironment, type Ended, type Environment, Workplace } from './command-line.ts';

interface Streams {
  readonly stdin: Readable;
  readonly printed: { stdout: string; stderr: string };
}

/** Streams of the running command; the test runner keeps writing to the real ones. */
const streams = new AsyncLocalStorage<Streams>();

function redirectStreams(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name];
    const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
    stream.write = (...args: readonly unknown[]): boolean => {
      const own = streams.getStore();
      if (own === undefined) return write(...args);
      own.printed[name] += String(args[0]);
      const written = args.at(-1);
      if (typeof written === 'function') written();
      return true;
    };
  }
  const { stdin } = process;
  Object.defineProperty(process, 'stdin', { get: () => streams.getStore()?.stdin ?? stdin });
}

/** A `Workplace` whose commands run in this process, one after the other. `start` still starts a process. */
export class WorkplaceHere extends Workplace {
  static #isReady = false;
  static #last: Promise<unknown> = Promise.resolve();
  readonly #clock: Clock | undefined;
  readonly #random: Random | undefined;

  /** `clock` for tests of dates that will pass, `random` for ids that can be repeated; else those of the machine. */
  constructor(environment: Environment = {}, clock?: Clock, random?: Random) {
    super(environment);
    this.#clock = clock;
    this.#random = random;
  }

  override async run(
    args: readonly string[],
    { env = {}, input = '' }: { readonly env?: Environment; readonly input?: string } = {},
  ): Promise<Ended> {
    await this.prepareFor(args, env);
    if (!WorkplaceHere.#isReady) redirectStreams();
    WorkplaceHere.#isReady = true;
    // Environment and working directory are of the process.
    const ended = WorkplaceHere.#last.then(() => this.#runNow(args, env, input));
    WorkplaceHere.#last = ended.catch(() => undefined);
    return await ended;
  }

  async #runNow(args: readonly string[], env: Environment, input: string): Promise<Ended> {
    const { env: ownEnvironment, exitCode } = process;
    const ownDirectory = process.cwd();
    const cache = ownEnvironment['NODE_COMPILE_CACHE'];
    process.env = {
      ...baseEnvironment(),
      ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }),
      ...this.environment,
      ...env,
    };
    process.chdir(this.directory);
    process.exitCode = undefined;
    const own: Streams = { stdin: Readable.from([Buffer.from(input)]), printed: { stdout: '', stderr: '' } };
    try {
      const code = await streams.run(own, () => run(args, this.#clock, this.#random));
      return { code, signal: null, ...own.printed };
    } finally {
      process.env = ownEnvironment;
      process.chdir(ownDirectory);
      process.exitCode = exitCode;
    }
  }
}
