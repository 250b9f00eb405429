/**
 * The primary thread of several workers: it handles no requests. It prepares the database, claims the ports, starts the
 * workers, replaces those that end, and reports for all of them.
 */
import type { Worker } from 'node:worker_threads';
import { allocateLimits, releaseLimits } from '../../limits/own-limits.ts';
import {
  type ListenerAddress,
  listenerAddresses,
  StartRefused,
  warnOfNoWeb,
} from '../service/listeners/listen.ts';
import { loadAccessCache } from '../service/context/access-cache.ts';
import type { ServiceDeps } from '../service/context/service-context.ts';
import type { Service, ServiceUrls } from '../service/service.ts';
import { withSite } from '../settings/site-settings.ts';
import type { Environment, Settings } from '../settings/settings.ts';
import type { RequestFilter } from '../../storage/activity/store.ts';
import { messageOf } from '../../runtime/message-of.ts';
import { databasePlace, openStorage } from '../../storage/open.ts';
import { CatalogueKeeper } from './catalogue-keeper.ts';
import { openPlace, readerAt } from './catalogue-place.ts';
import { openChannel } from './channel.ts';
import { type ClaimedPort, claimPort } from './claimed-ports.ts';
import type { WorkerStart } from './joined-machine.ts';
import { forwardQuestions } from './forwarded-questions.ts';
import { createMachineMetrics } from './machine-metrics.ts';
import { askReadiness, askRequests, type Member } from './members.ts';
import { ReaderKeeper, type ReaderKeeperOptions } from './reader-keeper.ts';
import { createRestarts, DEATHS_MAX, DEATHS_WINDOW_MS, type Restarts, startThread } from './threads.ts';

/** Longer than a worker's listeners need for answers under way; then it is ended. */
const STOP_MS_MAX = 9_500;
const MS_PER_SECOND = 1_000;

export interface WorkerPossibilities {
  /** Cores of this process. */
  readonly cores: number;
  readonly canSharePorts: boolean;
}

/** The number of workers: `auto` is one per core, where several are possible. */
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

export interface ThreadOptions {
  /** Program of the thread that follows the catalogue. */
  readonly catalogueProgram: URL;
  /** Program of the thread that answers long questions. */
  readonly readerProgram: URL;
  /** The settings as variables, equal for every worker. */
  readonly environment: Environment;
  /** Standard error is a terminal. */
  readonly isTerminal: boolean;
}

export interface WorkersOptions extends ThreadOptions {
  readonly count: number;
  readonly program: URL;
}

/** Resolves once all workers accept connections; from outside, the service looks like one thread. */
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
    await copyLog(settings, deps);
    for (const port of ports) port.release();
  };
  try {
    const { partner, operator, web } = listenerAddresses(settings);
    const isWebGiven = settings.given.has('webPort');
    for (const address of web !== undefined && isWebGiven ? [partner, operator, web] : [partner, operator]) {
      const claimed = await claimPort(address);
      ports.push(claimed);
      environment[address.setting] = String(claimed.port);
    }
    if (web !== undefined && !isWebGiven) ports.push(...(await claimDefault(web, environment, deps.logger)));
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

/** Claims a default port; one that another program has is a warning. To workers, too, a free one stays a default. */
async function claimDefault(
  web: ListenerAddress,
  environment: Record<string, string | undefined>,
  logger: ServiceDeps['logger'],
): Promise<ClaimedPort[]> {
  try {
    return [await claimPort(web)];
  } catch (error) {
    if (!(error instanceof StartRefused)) throw error;
    warnOfNoWeb(logger, error);
    environment[web.setting] = 'off';
    return [];
  }
}

/** This thread serves, and another one follows the catalogue. */
export async function startAlone(
  settings: Settings,
  deps: ServiceDeps,
  threads: ThreadOptions,
): Promise<Service> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const keeper = new CatalogueKeeper({
    ...threads,
    program: threads.catalogueProgram,
    readerCount: 2,
    logger: deps.logger,
    onFailed: (problem) => failed.reject(new StartRefused(problem)),
  });
  const reader = openReader(threads, { catalogue: keeper, reader: 1, logger: deps.logger });
  // The service stops it before it closes its writer of SQLite, which copies the log into the file as the last to close.
  const place = openPlace(keeper.place(0), { writer: keeper });
  keeper.join(place);
  reader.start();
  try {
    // Not by the thread that starts several workers: it serves nobody, and would load four times as much.
    const { startService } = await import('../service/service.ts');
    const service = await startService(settings, { ...deps, shared: { ...place, askReader: reader.ask } });
    const close = async (): Promise<void> => {
      await service.close();
      await reader.stop();
    };
    return { ...service, close, failed: failed.promise };
  } catch (error) {
    await reader.stop();
    await keeper.stop();
    throw error;
  }
}

function openReader(
  { readerProgram: program, environment }: ThreadOptions,
  place: Pick<ReaderKeeperOptions, 'catalogue' | 'reader' | 'logger'>,
): ReaderKeeper {
  return new ReaderKeeper({ program, environment, ...place });
}

interface PrimaryOptions extends WorkersOptions {
  /** Time for workers after the request to stop. */
  readonly drainMs: number;
}

class Primary {
  readonly listening: Promise<void>;
  readonly ready: Promise<void>;
  readonly failed: Promise<never>;
  readonly #deps: ServiceDeps;
  readonly #options: PrimaryOptions;
  readonly #members = new Map<number, Member & { readonly worker: Worker }>();
  /** Counts of all workers and their replacements. */
  readonly #limits = allocateLimits();
  readonly #metrics = createMachineMetrics({
    wanted: () => this.#options.count,
    restarts: () => this.#restartCount,
  });
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #listening = Promise.withResolvers<void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #catalogue: CatalogueKeeper;
  readonly #reader: ReaderKeeper;
  #restartCount = 0;
  #urls: ServiceUrls | undefined;
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
    this.#catalogue = new CatalogueKeeper({
      ...options,
      program: options.catalogueProgram,
      readerCount: options.count + 1,
      logger: deps.logger,
      onFailed: (problem) => this.#fail(problem),
    });
    this.#catalogue.start();
    const place = { catalogue: this.#catalogue, reader: options.count, logger: deps.logger };
    this.#reader = openReader(options, place);
    this.#reader.start();
    for (let number = 1; number <= options.count; number += 1) this.#start(number, createRestarts());
  }

  urls(): ServiceUrls {
    if (this.#urls === undefined) throw new Error('no worker is listening yet');
    return this.#urls;
  }

  async close(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const members = [...this.#members.values()];
    const ended = members.map(({ worker }) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const { channel } of members) channel.emit('stop');
    const killer = setTimeout(() => {
      for (const { worker } of this.#members.values()) void worker.terminate();
    }, STOP_MS_MAX + this.#options.drainMs);
    await Promise.all(ended);
    await Promise.all([this.#reader.stop(), this.#catalogue.stop()]);
    clearTimeout(killer);
  }

  #start(number: number, restarts: Restarts): void {
    const { logger } = this.#deps;
    const worker = this.#startThread(number);
    logger.info({ worker: number }, 'worker started');
    const channel = openChannel(worker);
    let problem: string | undefined;
    const reader = readerAt(channel, (why) => {
      problem = why;
      void worker.terminate();
    });
    channel.answer('join the catalogue', () => this.#catalogue.join(reader));
    const forgetQuestions = forwardQuestions(channel, this.#reader.ask);
    const member = { number, worker, channel, isListening: false, isReady: false, metrics: [] };
    this.#members.set(number, member);

    channel.answer('machine readiness', () => askReadiness(this.#members.values()));
    channel.answer('machine metrics', () => this.#metrics.render([...this.#members.values()]));
    channel.answer('machine requests', (filter) =>
      askRequests(this.#members.values(), filter as RequestFilter),
    );
    channel.on('listening', (urls) => {
      member.isListening = true;
      this.#urls ??= urls as ServiceUrls;
      if (this.#isEvery('isListening')) this.#listening.resolve();
    });
    channel.on('ready', () => {
      member.isReady = true;
      if (!this.#isEvery('isReady')) return;
      this.#isReady = true;
      this.#ready.resolve();
    });
    channel.on('refused', (why) => {
      // A fault that stops the first workers will stop their replacements too.
      if (!this.#isReady) this.#fail(String(why));
      else logger.error({ worker: number, problem: why }, 'worker could not start');
    });
    worker.once('error', (error) => (problem ??= (error as Error).message));
    // Afterwards, a worker has none.
    const { threadId } = worker;
    worker.once('exit', (code) => {
      releaseLimits(this.#limits, threadId);
      this.#catalogue.leave(reader, number - 1);
      forgetQuestions();
      channel.close();
      this.#members.delete(number);
      void this.#metrics.keep(member.metrics);
      if (!this.#isStopping) this.#replace(number, restarts, problem ?? `exit code ${code}`);
    });
  }

  #startThread(number: number): Worker {
    const { count, program, environment, isTerminal } = this.#options;
    // While others serve, nobody is sent to a worker that has nothing to say yet.
    const place: WorkerStart = {
      number,
      workerCount: count,
      joinsWhenReady: this.#isReady,
      limits: this.#limits,
      catalogue: this.#catalogue.place(number - 1),
      isTerminal,
    };
    return startThread(program, `stayport worker ${number}`, place, environment);
  }

  #replace(number: number, restarts: Restarts, how: string): void {
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

/**
 * Copies the log of SQLite into the file, so that the file alone is the database. Of the threads the catalogue's is the
 * last to close, and a connection that only reads can't.
 */
async function copyLog({ databaseUrl }: Settings, { clock, logger }: ServiceDeps): Promise<void> {
  if (databasePlace(databaseUrl).file === undefined) return;
  try {
    const storage = await openStorage(databaseUrl, { clock, writesHere: true });
    await storage.close();
  } catch (error) {
    logger.warn(
      { problem: messageOf(error) },
      'the write-ahead log stays beside the database: copy both, or neither',
    );
  }
}

/** Work for one thread only: the schema, and the first handoff key. */
async function prepareDatabase(settings: Settings, deps: ServiceDeps): Promise<void> {
  const { clock, logger } = deps;
  const onWarning = (message: string): void => logger.warn(message);
  const storage = await openStorage(settings.databaseUrl, { clock, onWarning, writesHere: true });
  try {
    const { version } = await storage.migrate();
    logger.info({ version }, 'database schema is in place');
    const { handoffKeys, quoteTtlSeconds } = withSite(settings, await storage.readSiteSettings()).settings;
    await loadAccessCache(storage, { handoffKeys, quoteTtlSeconds: () => quoteTtlSeconds }, deps);
  } finally {
    await storage.close();
  }
}
