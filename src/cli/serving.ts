/**
 * Running the service until it is told to stop. Only `serve` and `demo` load this file: everything behind it is half
 * the program, and no other command waits for that.
 */
import { availableParallelism } from 'node:os';
import { type Service, startService, StartRefused } from '../service.ts';
import type { Settings } from '../settings.ts';
import { openLog, type ServerLog } from './logger.ts';
import { CommandFailure } from './failure.ts';
import type { Session } from './session.ts';
import { awaitStopSignal } from './stop-signal.ts';

/** `onStarted` runs when both listeners accept connections. */
export async function serve(session: Session, onStarted: (service: Service) => Promise<void>): Promise<void> {
  const settings = session.settings();
  refuseWhatIsNotBuilt(settings);
  const log = openLog(settings.logLevel, process.stderr.isTTY);
  // `main` ends the process with one line; whoever looks for the bug needs the stack.
  process.on('uncaughtExceptionMonitor', (error) => {
    log.logger.fatal({ err: error }, 'crashed');
    log.flush();
  });
  const stopSignal = awaitStopSignal(() => log.flush());
  const service = await start(settings, session, log.logger);
  try {
    await onStarted(service);
    // A catalogue that can't be read, for a reason that waiting does not mend, ends the service.
    const signal = await Promise.race([stopSignal, service.ready.then(() => stopSignal)]);
    log.logger.info({ signal }, 'stopping');
  } finally {
    await service.close();
  }
  log.logger.info('stopped');
}

async function start(settings: Settings, session: Session, logger: ServerLog['logger']): Promise<Service> {
  try {
    return await startService(settings, { ...session, logger });
  } catch (error) {
    throw error instanceof StartRefused ? new CommandFailure(error.message) : error;
  }
}

function refuseWhatIsNotBuilt({ workers, redisUrl }: Settings): void {
  const workerCount = workers === 'auto' ? availableParallelism() : workers;
  if (workerCount > 1) {
    throw new CommandFailure(
      `WORKERS: ${workers} is more than one process, which this version can't run; set WORKERS=1`,
    );
  }
  if (redisUrl !== undefined) {
    throw new CommandFailure('REDIS_URL: this version keeps its limits in memory; remove REDIS_URL');
  }
}
