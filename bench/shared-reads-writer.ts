/** Changes pieces at a constant rate, some at a time, until it is ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { seedRandom } from './measure/random.ts';
import { SEED } from './seed.ts';
import { changeVersioned, PIECES, type WriterData } from './shared-reads-arena.ts';

const EVERY_MS = 5;

const { arena, changesPerSecond } = workerData as WriterData;
const views = { bytes: Buffer.from(arena.bodies), versions: new Int32Array(arena.versions) };
const random = seedRandom(SEED + 1);
const startedAtMs = performance.now();
for (let changed = 0; ; await delay(EVERY_MS)) {
  const due = ((performance.now() - startedAtMs) / 1_000) * changesPerSecond;
  for (; changed < due; changed++) changeVersioned(views, random.below(PIECES), changed & 0xff);
}
