import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { type Service, startService, StartRefused } from '../service.ts';
import type { Settings } from '../settings.ts';
import { example } from './example.ts';
import { openLog } from './logger.ts';
import type { Session } from './session.ts';
import { awaitStopSignal } from './stop-signal.ts';

export function addServeCommand(program: Command, session: Session): void {
  program
    .command('serve')
    .description('start the service; SIGTERM or SIGINT finishes what is in flight and ends it')
    .addHelpText('after', example('serve'))
    .action(async () => {
      await serve(session, async ({ partnerUrl, operatorUrl }) => {
        // For people the log says it; with --json a script that asked for port 0 learns the ports.
        session.answer({ partnerUrl, operatorUrl });
      });
    });
}

/** Runs the service until it is told to stop. `onStarted` runs when both listeners accept connections. */
export async function serve(session: Session, onStarted: (service: Service) => Promise<void>): Promise<void> {
  const settings = session.settings();
  refuseWhatIsNotBuilt(settings);
  const log = openLog(settings.logLevel, process.stderr.isTTY);
  const stopSignal = awaitStopSignal(() => log.flush());
  const service = await startService(settings, { ...session, logger: log.logger });
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

function refuseWhatIsNotBuilt({ workers, redisUrl }: Settings): void {
  const workerCount = workers === 'auto' ? availableParallelism() : workers;
  if (workerCount > 1) {
    throw new StartRefused(
      `WORKERS: ${workers} is more than one process, which this version can't run; set WORKERS=1`,
    );
  }
  if (redisUrl !== undefined) {
    throw new StartRefused('REDIS_URL: this version keeps its limits in memory; remove REDIS_URL');
  }
}
