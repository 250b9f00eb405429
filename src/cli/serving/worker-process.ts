/** The program of a worker: one of several processes that `serve` runs with WORKERS above 1. */
import { systemClock } from '../../runtime/clock.ts';
import { systemRandom } from '../../runtime/random-text.ts';
import { lowerBackgroundThreads } from '../../runtime/background-threads.ts';
import { type Service, startService } from '../../service/service.ts';
import { loadSettings } from '../../settings/settings.ts';
import { openChannel, type Channel } from '../../workers/channel.ts';
import { joinMachine, type WorkerPlace } from '../../workers/joined-machine.ts';
import { wireToPrimary } from '../../workers/wire.ts';
import { openLog } from '../terminal/logger.ts';
import { awaitStopSignal } from '../terminal/stop-signal.ts';

await run(openChannel(wireToPrimary()));

async function run(channel: Channel): Promise<void> {
  let service: Service | undefined;
  let flush = (): void => {};
  const end = (exitCode: number): never => {
    flush();
    process.exit(exitCode);
  };
  const stop = async (): Promise<void> => {
    await service?.close();
    end(0);
  };
  channel.hear('stop', () => void stop());
  // A terminal sends its signals to every process; a signal to this one alone has it drained, and replaced.
  void awaitStopSignal(() => flush()).then(stop);

  const place = (await channel.ask('place')) as WorkerPlace;
  try {
    const loaded = loadSettings();
    // The primary started with these very settings.
    if (!loaded.ok) throw new Error(loaded.problem);
    const log = openLog(loaded.settings.logLevel, process.stderr.isTTY);
    flush = () => log.flush();
    const logger = log.logger.child({ worker: place.number });
    process.on('uncaughtExceptionMonitor', (error) => {
      logger.fatal({ err: error }, 'crashed');
      flush();
    });
    const machine = joinMachine(channel, place, logger);
    const deps = { clock: systemClock, random: systemRandom, logger, machine };
    service = await startService(loaded.settings, deps);
    const { partnerUrl, operatorUrl, webUrl } = service;
    channel.tell('listening', { partnerUrl, operatorUrl, webUrl });
    await service.ready;
    lowerBackgroundThreads();
    channel.tell('ready');
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    channel.tell('refused', problem, () => end(1));
  }
}
