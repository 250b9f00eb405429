/**
 * The primary process of several workers: it serves nobody itself. It prepares the database, starts the workers and
 * replaces those that die, holds the windows of their limits, and knows what is true of all of them together.
 */
import cluster, { type Worker } from 'node:cluster';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createOwnLimits } from '../limits/own-limits.ts';
import { StartRefused } from '../service/listen.ts';
import type { ServiceDeps } from '../service/parts.ts';
import type { Service } from '../service/service.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import { openChannel } from './channel.ts';
import { closeConnectionsUnderWay } from './connections-under-way.ts';
import type { WorkerPlace } from './joined-machine.ts';
import { PrimaryCounts } from './primary-counts.ts';
import { createMachineMetrics } from './machine-metrics.ts';
import { askReadiness, type Member } from './members.ts';
import { prepareDatabase } from './prepare-database.ts';
import { createRestarts, DEATHS_MAX, DEATHS_WINDOW_MS } from './restarts.ts';
import { wireTo } from './wire.ts';

/** Longer than a worker's listeners take to finish what is under way; what is left then is killed. */
const STOP_MS_MAX = 9_500;

export interface WorkersOptions {
  readonly count: number;
  /** The program of a worker. */
  readonly program: URL;
  /** The settings as variables, the same for every worker that is ever started. */
  readonly environment: Environment;
}

/** Resolves once all workers accept connections; from outside, the service is as one process would be. */
export async function startWorkers(
  settings: Settings,
  deps: ServiceDeps,
  options: WorkersOptions,
): Promise<Service> {
  await prepareDatabase(settings, deps);
  const primary = new Primary(deps, options);
  try {
    await primary.listening;
  } catch (error) {
    await primary.close();
    throw error;
  }
  const { partnerUrl, operatorUrl, webUrl } = primary.urls();
  deps.logger.info({ partnerUrl, operatorUrl, webUrl, workers: options.count }, 'all workers are listening');
  return {
    partnerUrl,
    operatorUrl,
    webUrl,
    ready: primary.ready,
    failed: primary.failed,
    close: () => primary.close(),
  };
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
  readonly #environment: Environment;
  readonly #members = new Map<number, Member & { readonly worker: Worker }>();
  readonly #count: number;
  readonly #counts = new PrimaryCounts(createOwnLimits());
  readonly #metrics = createMachineMetrics({
    wanted: () => this.#count,
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

  constructor(deps: ServiceDeps, { count, program, environment }: WorkersOptions) {
    this.#deps = deps;
    this.#count = count;
    this.#environment = { ...environment, ...compileCache() };
    this.listening = this.#listening.promise;
    this.ready = this.#ready.promise;
    this.failed = this.#failed.promise;
    // Whoever is interested awaits them; nobody is after a failure that was told already.
    for (const promise of [this.listening, this.ready, this.failed]) promise.catch(() => undefined);
    cluster.setupPrimary({ exec: fileURLToPath(program), args: [] });
    for (let number = 1; number <= count; number += 1) this.#start(number, createRestarts());
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
      for (const { worker } of this.#members.values()) worker.process.kill('SIGKILL');
    }, STOP_MS_MAX);
    await Promise.all(ended);
    clearTimeout(killer);
  }

  #start(number: number, restarts: ReturnType<typeof createRestarts>): void {
    const { logger } = this.#deps;
    const worker = cluster.fork(this.#environment);
    closeConnectionsUnderWay(worker);
    logger.info({ worker: number, pid: worker.process.pid }, 'worker started');
    const channel = openChannel(wireTo(worker));
    const member = { number, worker, channel, isListening: false, isReady: false, metrics: [] };
    this.#members.set(number, member);
    // While others serve, nobody is sent to a worker that has nothing to say yet.
    const place: WorkerPlace = { number, joinsWhenReady: this.#isReady };

    channel.answer('place', () => place);
    this.#counts.serve(channel);
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
      else logger.error({ worker: number, problem }, 'a worker could not start');
    });
    worker.once('exit', (code, signal) => {
      this.#members.delete(number);
      this.#counts.forget(channel);
      void this.#metrics.keep(member.metrics);
      if (!this.#isStopping) this.#replace(number, restarts, signal ?? `exit code ${code}`);
    });
    // Sending to a worker that is just dying; its exit tells the rest.
    worker.on('error', (error) => logger.debug({ err: error, worker: number }, 'worker'));
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
    this.#deps.logger.error({ worker: number, how, delayMs }, 'a worker ended and is replaced');
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#start(number, restarts);
    }, delayMs);
    this.#timers.add(timer);
  }

  #isEvery(state: 'isListening' | 'isReady'): boolean {
    return this.#members.size === this.#count && [...this.#members.values()].every((member) => member[state]);
  }

  #fail(problem: string): void {
    const error = new StartRefused(problem);
    for (const { reject } of [this.#listening, this.#ready, this.#failed]) reject(error);
  }
}

/** Workers read the modules that this process has compiled. */
function compileCache(): Environment {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}
