/** The program of a worker: one of several threads that serve with WORKERS above 1. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../runtime/clock.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { type Service, startService } from '../../service/service.ts';
import { loadSettings } from '../../settings/settings.ts';
import { joinCatalogue } from '../../workers/catalogue-place.ts';
import { openChannel } from '../../workers/channel.ts';
import { askThrough } from '../../workers/forwarded-questions.ts';
import { joinMachine, type WorkerStart } from '../../workers/joined-machine.ts';
import { openLog } from '../terminal/logger.ts';
import { messageOf } from '../../../runtime/message-of.ts';

await run(workerData as WorkerStart);

async function run(place: WorkerStart): Promise<void> {
  if (parentPort === null) throw new Error('this is the program of a thread');
  const channel = openChannel(parentPort);
  const loaded = loadSettings();
  // The process started with these very settings.
  if (!loaded.ok) throw new Error(loaded.problem);
  const log = openLog(loaded.settings.logLevel, place.isTerminal);
  const logger = log.logger.child({ worker: place.number });
  process.on('uncaughtExceptionMonitor', (error) => {
    logger.fatal({ err: error }, 'crashed');
    log.flush();
  });
  const end = (exitCode: number): never => {
    log.flush();
    process.exit(exitCode);
  };
  const machine = joinMachine(channel, place);
  let service: Service | undefined;
  const stop = async (): Promise<void> => {
    await service?.close();
    end(0);
  };
  channel.on('stop', () => void stop());
  try {
    const shared = {
      ...(await joinCatalogue(channel, place.catalogue)),
      askReader: askThrough(channel),
    };
    service = await startService(loaded.settings, {
      clock: systemClock,
      random: systemRandom,
      logger,
      machine,
      shared,
    });
    const { partnerUrl, operatorUrl, webUrl } = service;
    channel.emit('listening', { partnerUrl, operatorUrl, webUrl });
    await service.ready;
    channel.emit('ready');
  } catch (error) {
    channel.emit('refused', messageOf(error));
    end(1);
  }
}
