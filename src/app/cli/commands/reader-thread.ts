/** The program of the thread that answers long questions of partners, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogueReader } from '../../../read-model/catalogue/catalogue-reader.ts';
import { type Question, withOwnBytes } from '../../../read-model/catalogue/questions/questions.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import { loadSettings } from '../../settings/settings.ts';
import { joinCatalogue } from '../../workers/catalogue-place.ts';
import { openChannel } from '../../workers/channel.ts';
import type { ReaderThreadData } from '../../workers/reader-keeper.ts';

/** Steps below the process: where cores are few, short answers do not wait for long ones. */
const NICENESS = 7;

await run(workerData as ReaderThreadData);

async function run({ catalogue: place, segments }: ReaderThreadData): Promise<void> {
  if (parentPort === null) throw new Error('this is the program of a thread');
  lowerThisThread(NICENESS);
  const channel = openChannel(parentPort);
  const loaded = loadSettings();
  // The process started with these very settings.
  if (!loaded.ok) throw new Error(loaded.problem);
  const { horizonNights } = loaded.settings;
  const shared = await joinCatalogue(channel, place, segments);
  /** The moment of the question that is answered. */
  let nowMs = 0;
  const { memory, reading } = shared.view();
  const catalogue = new CatalogueReader({ clock: () => nowMs, horizonNights }, memory, reading);
  shared.onReplaced((view) => catalogue.readFrom(view.memory, view.reading));
  channel.hand('question', (asked) => {
    const { kind, about, nowMs: askedAtMs } = asked as Question;
    nowMs = askedAtMs;
    return withOwnBytes(catalogue.questions.answer(kind, about));
  });
  channel.emit('ready');
}
