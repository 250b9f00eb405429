/** The program of the thread that follows the properties and writes the catalogue of the machine. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../../../runtime/clock.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import {
  catalogueFilePlace,
  followForMachine,
  tryCatalogueFile,
} from '../../service/context/machine-catalogue.ts';
import { loadSettings } from '../../settings/settings.ts';
import { openStorage } from '../../../storage/open.ts';
import { handOnFailures } from '../../../storage/tasks/repeat.ts';
import type { CatalogueThreadData } from '../../workers/catalogue-keeper.ts';
import { openChannel } from '../../workers/channel.ts';
import { openLog } from '../terminal/logger.ts';
import { messageOf } from '../../../runtime/message-of.ts';

/** Steps below the process: where cores are few, a change is shown a little later, and answers do not wait for it. */
const NICENESS = 3;

await run(workerData as CatalogueThreadData);

async function run({ isTerminal, isFirst, ...place }: CatalogueThreadData): Promise<void> {
  if (parentPort === null) throw new Error('this is the program of a thread');
  lowerThisThread(NICENESS);
  const channel = openChannel(parentPort);
  handOnFailures((name, by) => channel.emit('failed', { name, by }));
  const loaded = loadSettings();
  // The process started with these very settings.
  if (!loaded.ok) throw new Error(loaded.problem);
  const { databaseUrl, horizonNights, logLevel } = loaded.settings;
  const log = openLog(logLevel, isTerminal);
  const end = (exitCode: number): never => {
    log.flush();
    process.exit(exitCode);
  };
  let stop = async (): Promise<void> => undefined;
  channel.on('stop', () => void stop().then(() => end(0)));
  try {
    const storage = await openStorage(databaseUrl, { clock: systemClock, onlyReads: true });
    const logger = log.logger.child({ thread: 'catalogue' });
    const file = catalogueFilePlace(loaded.settings);
    const tried = file !== undefined && isFirst ? tryCatalogueFile(file, logger) : undefined;
    // A start that fails elsewhere ends this thread now: not before its file beside the catalogue is gone.
    stop = async () => {
      await tried?.catch(() => undefined);
      await storage.close();
    };
    await tried;
    const source = followForMachine({
      ...place,
      storage,
      clock: systemClock,
      horizonNights,
      file,
      logger,
      announce: (segment) => channel.ask('segment', segment),
      emitState: (state) => channel.emit('catalogue', state),
    });
    stop = async () => {
      await source.stop();
      await storage.close();
    };
    await source.ready;
  } catch (error) {
    channel.emit('refused', messageOf(error));
    end(1);
  }
}
