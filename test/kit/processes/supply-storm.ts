/**
 * Sends supply messages to the database of the URL in argv[2] until it is killed. Message n of the source argv[3] says
 * one thing of its night n, for each property of `STORM_BATCH_IDS`; n starts at argv[4]. Prints n once it has been
 * acknowledged.
 */
import { systemClock } from '../../../src/runtime/clock.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { calendarWork, nightEntry, send } from '../../suites/storage/supply-samples.ts';
import { STORM_BATCH_IDS } from './storm-shape.ts';

const SENDERS = 4;

const storage = await openStorage(String(process.argv[2]), { clock: systemClock });
const source = String(process.argv[3]);
let next = Number(process.argv[4]);

async function sendMessages(): Promise<never> {
  for (;;) {
    const night = next++;
    const entries = [nightEntry(night, night, { availability: 1 + (night % 9) })];
    const work = calendarWork(STORM_BATCH_IDS.map((propertyId) => ({ propertyId, entries })));
    await send(storage, source, work, { receivedAtMs: systemClock(), messageId: `sm_${source}-${night}` });
    process.stdout.write(`${night}\n`);
  }
}

await Promise.all(Array.from({ length: SENDERS }, sendMessages));
