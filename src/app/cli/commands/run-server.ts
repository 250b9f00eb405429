/**
 * Running the service until it is told to stop. Only `serve` and `demo` load this file: everything behind it is half
 * the program, and no other command waits for that.
 */
import { availableParallelism } from 'node:os';
import { lowerBackgroundThreads } from '../../../runtime/v8.ts';
import { listenerAddresses, StartRefused } from '../../service/listeners/listen.ts';
import type { Service } from '../../service/service.ts';
import { formatEnvironmentFile, environmentForWorkers, type Settings } from '../../settings/settings.ts';
import { canSharePorts, claimPort } from '../../workers/claimed-ports.ts';
import { decideWorkerCount, startAlone, startWorkers } from '../../workers/primary.ts';
import { openLog, type ServerLog } from '../terminal/logger.ts';
import { CommandFailure } from '../terminal/failure.ts';
import type { Session } from '../terminal/session.ts';
import { awaitStopSignal } from '../terminal/stop-signal.ts';
import { warnOfNoWeb } from '../../service/listeners/listen.ts';
import { messageOf } from '../../../runtime/message-of.ts';

/** `onStarted` runs when both listeners accept connections. */
export async function serve(session: Session, onStarted: (service: Service) => Promise<void>): Promise<void> {
  const settings = session.settings();
  const log = openLog(settings.logLevel, process.stderr.isTTY);
  const environmentFile = formatEnvironmentFile(session.sources.file);
  if (environmentFile !== undefined) session.note(environmentFile);
  // `main` ends the process with one line; a developer who looks for the bug needs the stack.
  process.on('uncaughtExceptionMonitor', (error) => {
    log.logger.fatal({ err: error }, 'crashed');
    log.flush();
  });
  // Other commands end where nobody reads on; a service goes on.
  process.stdout.removeAllListeners('error').on('error', () => undefined);
  const stopSignal = awaitStopSignal(() => log.flush());
  try {
    const possible = await withPossibleWeb(await withKnownPort(session), log.logger);
    const service = await start(possible, log.logger);
    try {
      await onStarted(service);
      // A catalogue that can't be read, for a reason that waiting does not fix, ends the service.
      const ends = [stopSignal, service.ready.then(() => stopSignal), service.failed ?? stopSignal];
      const signal = await Promise.race(ends);
      log.logger.info({ signal }, 'stopping');
    } finally {
      endInTime(settings, log);
      await service.close();
    }
  } catch (error) {
    throw error instanceof StartRefused ? new CommandFailure(error.message) : error;
  }
  log.logger.info('stopped');
}

/** From the end of the drain on: what has not ended by then waits for somebody else. */
const STOP_MS_MAX = 20_000;

function endInTime({ drainSeconds }: Settings, log: ServerLog): void {
  const end = (): never => {
    log.logger.warn(`stopping took more than ${STOP_MS_MAX / 1000} s: what was under way is cut off`);
    log.flush();
    process.exit(1);
  };
  setTimeout(end, drainSeconds * 1_000 + STOP_MS_MAX).unref();
}

/** PORT=0 takes a free port, which PUBLIC_URL names where it is not set. */
async function withKnownPort(session: Session): Promise<Session> {
  const settings = session.settings();
  if (settings.port !== 0) return session;
  const claimed = await claimPort(listenerAddresses(settings).partner);
  claimed.release();
  return session.withFixed({ PORT: String(claimed.port) });
}

/** Makes a certificate where none is set. Where that fails, a web listener that nobody asked for does not run. */
async function withPossibleWeb(session: Session, logger: ServerLog['logger']): Promise<Session> {
  const settings = session.settings();
  const { web } = listenerAddresses(settings);
  if (web === undefined) return session;
  try {
    if (settings.isSelfSigned) await makeCertificate(settings, session);
    return session;
  } catch (error) {
    if (settings.given.has('webPort') || !(error instanceof StartRefused)) throw error;
    warnOfNoWeb(logger, error);
    return session.withDefaults({ WEB_PORT: 'off' });
  }
}

async function makeCertificate({ webTlsCert = '' }: Settings, { clock }: Session): Promise<void> {
  const { keepSelfSigned } = await import('../../service/listeners/self-signed.ts');
  try {
    await keepSelfSigned(webTlsCert, clock());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new StartRefused(`WEB_TLS_CERT: ${webTlsCert} can't be made: ${messageOf(error)}`);
  }
}

/** In this thread, or in several that this one starts and looks after. */
async function start(session: Session, logger: ServerLog['logger']): Promise<Service> {
  const settings = session.settings();
  const deps = { ...session, logger };
  const count = decideWorkerCount(settings.workers, {
    cores: availableParallelism(),
    canSharePorts: settings.workers !== 1 && (await canSharePorts()),
  });
  const threads = {
    catalogueProgram: new URL('catalogue-thread.ts', import.meta.url),
    readerProgram: new URL('reader-thread.ts', import.meta.url),
    environment: environmentForWorkers(session.sources),
    isTerminal: process.stderr.isTTY,
  };
  const program = new URL('worker-thread.ts', import.meta.url);
  const service =
    count === 1
      ? await startAlone(settings, deps, threads)
      : await startWorkers(settings, deps, { ...threads, count, program });
  // Not before: a catalogue that is loading makes much garbage, and keeps nobody waiting.
  service.ready.then(lowerBackgroundThreads, () => undefined);
  return service;
}
