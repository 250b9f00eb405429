/**
 * `npm run bench:shared-reads`: what a reader of memory that another thread writes pays, in two ways: pieces that are
 * shown whole and never change (`catalogue/memory`), and pieces with a version that is looked at before and after. In
 * turn, in one thread; by its processor time, while a second one changes pieces at several rates. Half a minute.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Publishing, Reading, allocatePublication } from '../src/catalogue/memory/publication.ts';
import { median } from './measure/statistics.ts';
import { seedRandom } from './measure/random.ts';
import { SEED } from './seed.ts';
import {
  type Arena,
  BODY_BYTES,
  copyVersioned,
  makeArena,
  PIECES,
  placeOf,
  type WriterData,
} from './shared-reads-arena.ts';

const CHANGES_PER_SECOND = [0, 1_000, 100_000];
const ROUNDS = 9;
/** Pieces of one reading: a document, and a page of neighbours. */
const SIZES = [1, 20];
const READS = 100_000;

await main();

async function main(): Promise<void> {
  for (const changesPerSecond of CHANGES_PER_SECOND) {
    const arena = makeArena();
    const writer = await startWriter({ arena, changesPerSecond });
    for (const pieces of SIZES) print(changesPerSecond, pieces, measure(arena, pieces));
    await writer.terminate();
  }
}

interface Measured {
  readonly wholeNs: number;
  readonly versionedNs: number;
  readonly retriesPerMillion: number;
}

function measure(arena: Arena, pieces: number): Measured {
  const publication = allocatePublication(1);
  new Publishing(publication).showRoot(1);
  const reading = new Reading(publication, 0);
  const into = Buffer.alloc(BODY_BYTES * pieces);
  const starts = drawStarts(pieces);
  const bytes = Buffer.from(arena.bodies);
  const versions = new Int32Array(arena.versions);
  let retries = 0;
  const readWhole = (first: number): void => {
    reading.enter();
    for (let piece = 0; piece < pieces; piece++) {
      const place = placeOf(first + piece);
      bytes.copy(into, piece * BODY_BYTES, place, place + BODY_BYTES);
    }
    reading.leave();
  };
  const readVersioned = (first: number): void => {
    for (let piece = 0; piece < pieces; piece++)
      retries += copyVersioned({ bytes, versions }, first + piece, into, piece * BODY_BYTES);
  };
  const whole: number[] = [];
  const versioned: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const wholeNs = time(starts, readWhole);
    if (round < 0) retries = 0;
    const versionedNs = time(starts, readVersioned);
    // The first round is for the compiler.
    if (round < 0) continue;
    whole.push(wholeNs);
    versioned.push(versionedNs);
  }
  const reads = ROUNDS * starts.length * pieces;
  return {
    wholeNs: median(whole),
    versionedNs: median(versioned),
    retriesPerMillion: (retries / reads) * 1e6,
  };
}

function drawStarts(pieces: number): Int32Array {
  const random = seedRandom(SEED);
  return Int32Array.from({ length: READS / pieces }, () => random.below(PIECES - pieces));
}

/** Nanoseconds of processor time of this thread for one reading. */
function time(starts: Int32Array, read: (first: number) => void): number {
  const before = process.threadCpuUsage();
  for (const first of starts) read(first);
  const { user, system } = process.threadCpuUsage(before);
  return ((user + system) * 1_000) / starts.length;
}

async function startWriter(data: WriterData): Promise<Worker> {
  const worker = new Worker(new URL('shared-reads-writer.ts', import.meta.url), { workerData: data });
  await once(worker, 'online');
  await delay(500);
  return worker;
}

function print(
  changesPerSecond: number,
  pieces: number,
  { wholeNs, versionedNs, retriesPerMillion }: Measured,
): void {
  const what = pieces === 1 ? 'a document of 1 KB' : `a page of ${pieces}`;
  process.stdout.write(
    `${changesPerSecond} changes/s, ${what}: shown whole ${wholeNs.toFixed(0)} ns, ` +
      `looked at twice ${versionedNs.toFixed(0)} ns (${(versionedNs / wholeNs).toFixed(2)} x), ` +
      `${retriesPerMillion.toFixed(1)} tries again in a million pieces\n`,
  );
}
