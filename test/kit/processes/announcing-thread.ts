/** A thread of the catalogue that has one segment, and is loaded once all readers have taken it. */
import { parentPort } from 'node:worker_threads';
import { SEGMENT_BYTES } from '../../../src/read-model/catalogue/memory/memory.ts';
import type { CatalogueState } from '../../../src/read-model/following/catalogue-follower.ts';
import { openChannel } from '../../../src/app/workers/channel.ts';

const LOADED: CatalogueState = {
  loadsFrom: undefined,
  progressAtMs: 0,
  levelAtMs: 0,
  problem: undefined,
  revision: 1,
  lagRevisions: 0,
  lossCount: 0,
  lostAtMs: undefined,
};

const channel = openChannel(parentPort!);
channel.on('stop', () => process.exit(0));
await channel.ask('segment', { number: 0, buffer: new SharedArrayBuffer(SEGMENT_BYTES) });
channel.emit('catalogue', LOADED);
