/**
 * A machine for a service in this thread, by the test's clock: memory that this thread writes and reads, and the real
 * thread that answers long questions from it.
 */
import type { Logger } from 'pino';
import { followForMachine } from '../../src/app/service/context/machine-catalogue.ts';
import type { SharedCatalogue } from '../../src/app/service/context/machine.ts';
import type { Settings } from '../../src/app/settings/settings.ts';
import {
  type CatalogueReaderThread,
  type GivenSegment,
  openPlace,
} from '../../src/app/workers/catalogue-place.ts';
import { ReaderKeeper } from '../../src/app/workers/reader-keeper.ts';
import { allocatePublication, releaseReader } from '../../src/read-model/catalogue/memory/publication.ts';
import type { Segment } from '../../src/read-model/catalogue/memory/memory.ts';
import { openStorage } from '../../src/storage/open.ts';

const READER_PROGRAM = new URL('../../src/app/cli/commands/reader-thread.ts', import.meta.url);

export async function openMachineHere(
  { databaseUrl, horizonNights }: Settings,
  { clock, logger }: { readonly clock: () => number; readonly logger: Logger },
): Promise<SharedCatalogue & { readonly stop: () => Promise<void> }> {
  const publication = allocatePublication(2);
  const generation = { number: 1, publication };
  const segments: GivenSegment[] = [];
  const threads = new Set<CatalogueReaderThread>();
  const place = openPlace({ generation, reader: 0 });
  threads.add(place);
  const keeper = new ReaderKeeper({
    program: READER_PROGRAM,
    environment: { ...process.env, HORIZON_NIGHTS: String(horizonNights) },
    reader: 1,
    logger,
    catalogue: {
      place: (reader) => ({ generation, reader }),
      join(thread) {
        threads.add(thread);
        return { segments: [...segments], serving: generation.number, state: undefined };
      },
      leave(thread, reader) {
        threads.delete(thread);
        releaseReader(publication, reader);
      },
    },
  });
  keeper.start();
  const storage = await openStorage(databaseUrl, { clock, onlyReads: true });
  const announce = async (segment: Segment): Promise<void> => {
    const given = { generation, segment };
    segments.push(given);
    for (const thread of threads) thread.take(given);
  };
  const options = { storage, clock, logger, horizonNights, publication, readsFile: false, file: undefined };
  return {
    ...place,
    askReader: keeper.ask,
    follow() {
      const source = followForMachine({ ...options, announce, emitState: (state) => place.receive(state) });
      const stop = async (): Promise<void> => {
        await source.stop();
        await storage.close();
      };
      return { ...place.follow(), stop };
    },
    stop: () => keeper.stop(),
  };
}
