/** A thread that reads a shared catalogue as fast as it can, and says how often, and what was wrong. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogueReader } from '../../../src/read-model/catalogue/catalogue-reader.ts';
import { Memory, type Segment } from '../../../src/read-model/catalogue/memory/memory.ts';
import { Reading } from '../../../src/read-model/catalogue/memory/publication.ts';
import { HORIZON_NIGHTS, NOW_MS } from '../catalogue-samples.ts';
import { readOnce } from '../torn-world.ts';

export interface ReadingData {
  readonly publication: SharedArrayBuffer;
  readonly reader: number;
  readonly segments: readonly Segment[];
  readonly reads: number;
  /** Collects garbage after every so many reads; never where it is 0. */
  readonly collectsEvery: number;
}

/** Its final findings. */
export interface ReadingReport {
  readonly generations: number;
  readonly items: number;
}

const { publication, reader, segments, reads, collectsEvery } = workerData as ReadingData;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const memory = new Memory();
for (const segment of segments) memory.add(segment);
const catalogue = new CatalogueReader(
  { clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS },
  memory,
  new Reading(publication, reader),
);
const generations = new Set<number>();
let last = 0;
let items = 0;
for (let turn = 0; turn < reads; turn++) {
  const { generation, itemCount } = readOnce(catalogue, turn);
  items += itemCount;
  if (generation < last) throw new Error(`generation ${generation} after ${last}`);
  last = generation;
  generations.add(generation);
  if (collectsEvery > 0 && turn % collectsEvery === 0) collect();
}
parentPort!.postMessage({ generations: generations.size, items } satisfies ReadingReport);
