/**
 * The primary thread of several workers: it handles no requests. It prepares the database, makes sure that the ports
 * are free, starts the workers and replaces those that end, and knows what is true of all of them together.
 */
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { allocateLimits, releaseLimits } from '../limits/own-limits.ts';
import { listenerAddresses, StartRefused } from '../service/listen.ts';
import { loadAccessCache } from '../service/access-cache.ts';
import type { ServiceDeps } from '../service/service-context.ts';
import type { Service } from '../service/service.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { openStorage } from '../storage/open.ts';
import { openChannel } from './channel.ts';
import { type ClaimedPort, claimPort } from './claimed-ports.ts';
import type { WorkerPlace } from './joined-machine.ts';
import { createMachineMetrics } from './machine-metrics.ts';
import { askReadiness, type Member } from './members.ts';

/** Longer than a worker's listeners take to finish what is under way; what is left then is ended. */
const STOP_MS_MAX = 9_500;
/** Deaths of one worker that count together. */
export const DEATHS_WINDOW_MS = 60_000;
/** More of them within that time are a crash loop. */
export const DEATHS_MAX = 8;
export const RESTART_DELAY_MS_MIN = 50;
export const RESTART_DELAY_MS_MAX = 5_000;
const BYTES_PER_MB = 2 ** 20;
const MS_PER_SECOND = 1_000;

export interface WorkerPossibilities {
  /** Cores that this process may use. */
  readonly cores: number;
  readonly canSharePorts: boolean;
}

/** How many workers there are: `auto` is one worker per core, where there can be several. */
export function decideWorkerCount(
  wanted: number | 'auto',
  { cores, canSharePorts }: WorkerPossibilities,
): number {
  if (canSharePorts) return wanted === 'auto' ? cores : wanted;
  if (wanted === 'auto' || wanted === 1) return 1;
  throw new StartRefused(
    `WORKERS: ${wanted} workers would listen on one port, which this system does not allow; set WORKERS=1, or use Linux`,
  );
}

export interface WorkersOptions {
  readonly count: number;
  /** The program of a worker. */
  readonly program: URL;
  /** The settings as variables, the same for every worker that is ever started. */
  readonly environment: Environment;
  /** Standard error is a terminal. */
  readonly isTerminal: boolean;
}

/** Resolves once all workers accept connections; from outside, the service is as one thread would be. */
export async function startWorkers(
  settings: Settings,
  deps: ServiceDeps,
  options: WorkersOptions,
): Promise<Service> {
  await prepareDatabase(settings, deps);
  const ports: ClaimedPort[] = [];
  const environment: Record<string, string | undefined> = { ...options.environment };
  let primary: Primary | undefined;
  const close = async (): Promise<void> => {
    await primary?.close();
    for (const port of ports) port.release();
  };
  try {
    const { partner, operator, web } = listenerAddresses(settings);
    for (const address of web === undefined ? [partner, operator] : [partner, operator, web]) {
      const claimed = await claimPort(address);
      ports.push(claimed);
      environment[address.setting] = String(claimed.port);
    }
    const drainMs = settings.drainSeconds * MS_PER_SECOND;
    primary = new Primary(deps, { ...options, environment, drainMs });
    await primary.listening;
  } catch (error) {
    await close();
    throw error;
  }
  const { ready, failed } = primary;
  const { partnerUrl, operatorUrl, webUrl } = primary.urls();
  deps.logger.info({ partnerUrl, operatorUrl, webUrl, workers: options.count }, 'all workers are listening');
  return { partnerUrl, operatorUrl, webUrl, ready, failed, close };
}

interface PrimaryOptions extends WorkersOptions {
  /** How long workers may run after the request to stop. */
  readonly drainMs: number;
}

interface Urls {
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  readonly webUrl: string | undefined;
}

class Primary {
  readonly listening: Promise<void>;
  readonly ready: Promise<void>;
  readonly failed: Promise<never>;
  readonly #deps: ServiceDeps;
  readonly #options: PrimaryOptions;
  readonly #members = new Map<number, Member & { readonly worker: Worker }>();
  /** All workers count in it, and so do their replacements. */
  readonly #limits = allocateLimits();
  readonly #metrics = createMachineMetrics({
    wanted: () => this.#options.count,
    restarts: () => this.#restartCount,
  });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  #restartCount = 0;
  #urls: Urls | undefined;
  #isReady = false;
  #isStopping = false;

  constructor(deps: ServiceDeps, options: PrimaryOptions) {
    this.#deps = deps;
    this.#options = options;
    this.listening = this.#listening.promise;
    this.ready = this.#ready.promise;
    this.failed = this.#failed.promise;
    // Who is interested awaits them; nobody is after a failure that was reported already.
    for (const promise of [this.listening, this.ready, this.failed]) promise.catch(() => undefined);
    for (let number = 1; number <= options.count; number += 1) this.#start(number, createRestarts());
  }

  urls(): Urls {
    if (this.#urls === undefined) throw new Error('no worker is listening yet');
    return this.#urls;
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const members = [...this.#members.values()];
    const ended = members.map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const { channel } of members) channel.tell('stop');
    const killer = setTimeout(() => {
      for (const { worker } of this.#members.values()) void worker.terminate();
    }, STOP_MS_MAX + this.#options.drainMs);
    await Promise.all(ended);
    clearTimeout(killer);
  }

  #start(number: number, restarts: ReturnType<typeof createRestarts>): void {
    const { logger } = this.#deps;
    const worker = this.#startThread(number);
    logger.info({ worker: number }, 'worker started');
    const channel = openChannel(worker);
    const member = { number, worker, channel, isListening: false, isReady: false, metrics: [] };
    this.#members.set(number, member);

    channel.answer('machine readiness', () => askReadiness(this.#members.values()));
    channel.answer('machine metrics', () => this.#metrics.render([...this.#members.values()]));
    channel.hear('listening', (urls) => {
      member.isListening = true;
      this.#urls ??= urls as Urls;
      if (this.#isEvery('isListening')) this.#listening.resolve();
    });
    channel.hear('ready', () => {
      member.isReady = true;
      if (!this.#isEvery('isReady')) return;
      this.#isReady = true;
      this.#ready.resolve();
    });
    channel.hear('refused', (problem) => {
      // What keeps the first workers from starting will keep their replacements from it too.
      if (!this.#isReady) this.#fail(String(problem));
      else logger.error({ worker: number, problem }, 'worker could not start');
    });
    let error: Error | undefined;
    worker.once('error', (thrown) => {
      error = thrown as Error;
    });
    // Afterwards, a worker has none.
    const { threadId } = worker;
    worker.once('exit', (code) => {
      releaseLimits(this.#limits, threadId);
      channel.close();
      this.#members.delete(number);
      void this.#metrics.keep(member.metrics);
      if (!this.#isStopping) this.#replace(number, restarts, error?.message ?? `exit code ${code}`);
    });
  }

  /** Bounded like a process of its own: one that needs more memory ends alone. */
  #startThread(number: number): Worker {
    const { count, program, environment, isTerminal } = this.#options;
    // While others serve, nobody is sent to a worker that has nothing to say yet.
    const place: WorkerPlace = {
      number,
      workerCount: count,
      joinsWhenReady: this.#isReady,
      limits: this.#limits,
      isTerminal,
    };
    return new Worker(program, {
      name: `stayport worker ${number}`,
      workerData: place,
      env: { ...environment, ...compileCache() },
      resourceLimits: {
        maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / BYTES_PER_MB),
      },
    });
  }

  #replace(number: number, restarts: ReturnType<typeof createRestarts>, how: string): void {
    const delayMs = restarts.delayAfterDeath(performance.now());
    if (delayMs === undefined) {
      this.#fail(
        `worker ${number} ended more than ${DEATHS_MAX} times within ${DEATHS_WINDOW_MS / 1000} seconds, ` +
          `the last time with ${how}: giving up`,
      );
      return;
    }
    this.#restartCount += 1;
    this.#deps.logger.error({ worker: number, how, delayMs }, 'worker ended: starting a replacement');
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(number, restarts);
    }, delayMs);
    this.#timers.add(timer);
  }

  #isEvery(state: 'isListening' | 'isReady'): boolean {
    return (
      this.#members.size === this.#options.count &&
      [...this.#members.values()].every((member) => member[state])
    );
  }

  #fail(problem: string): void {
    const error = new StartRefused(problem);
    for (const { reject } of [this.#listening, this.#ready, this.#failed]) reject(error);
  }
}

/** Workers read the modules that the primary thread has compiled. */
function compileCache(): Environment {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}

/** What only one thread may do: the schema, and the first handoff key. */
async function prepareDatabase(settings: Settings, deps: ServiceDeps): Promise<void> {
  const { clock, logger } = deps;
  const onWarning = (message: string): void => logger.warn(message);
  const storage = await openStorage(settings.databaseUrl, { clock, onWarning });
  try {
    const { version } = await storage.migrate();
    logger.info({ version }, 'database schema is in place');
    await loadAccessCache(storage, settings, deps);
  } finally {
    await storage.close();
  }
}

export interface Restarts {
  /** Ms to wait before the replacement is started; undefined when there is to be none. */
  delayAfterDeath(nowMs: number): number | undefined;
}

/**
 * When a worker that ended is replaced: at once the first time, ever later when it keeps ending, at last no more:
 * 50, 100, 200, ... 5,000 ms: eight replacements take 11 s.
 */
export function createRestarts(): Restarts {
  let deathsAtMs: readonly number[] = [];
  return {
    delayAfterDeath(nowMs) {
      deathsAtMs = [...deathsAtMs.filter((atMs) => nowMs - atMs < DEATHS_WINDOW_MS), nowMs];
      if (deathsAtMs.length > DEATHS_MAX) return undefined;
      return Math.min(RESTART_DELAY_MS_MIN * 2 ** (deathsAtMs.length - 1), RESTART_DELAY_MS_MAX);
    },
  };
}
