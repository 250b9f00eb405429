/**
 * Threads that read as fast as they can what another one changes as fast as it can: each answer is of one version.
 * `TORN_READS` sets how many pages are read, in all; each has 20 items or less.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CatalogueWriter } from '../src/read-model/catalogue/catalogue-writer.ts';
import { Heap } from '../src/read-model/catalogue/memory/heap.ts';
import type { Segment } from '../src/read-model/catalogue/memory/memory.ts';
import {
  allocatePublication,
  Publishing,
  releaseReader,
} from '../src/read-model/catalogue/memory/publication.ts';
import { HORIZON_NIGHTS, NOW_MS } from './kit/catalogue-samples.ts';
import type { ReadingData, ReadingReport } from './kit/processes/reading-thread.ts';
import { changesTo } from './kit/torn-world.ts';

const READS = Number(process.env['TORN_READS'] ?? 12_000);
const THREAD = new URL('kit/processes/reading-thread.ts', import.meta.url);

interface Shared {
  readonly publication: SharedArrayBuffer;
  readonly segments: Segment[];
  readonly heap: Heap;
  /** Shows the next generation. */
  readonly change: () => void;
}

function share(readerCount: number): Shared {
  const publication = allocatePublication(readerCount);
  const segments: Segment[] = [];
  const publishing = new Publishing(publication);
  const heap = new Heap({ publishing, onSegment: (segment) => segments.push(segment) });
  const writer = new CatalogueWriter({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS }, heap);
  let generation = 0;
  const change = (): void => {
    generation += 1;
    for (const one of changesTo(generation)) writer.apply(one);
    writer.publish();
  };
  change();
  return { publication, segments, heap, change };
}

/** Rejects with what was wrong. */
async function read(data: ReadingData): Promise<ReadingReport> {
  const worker = new Worker(THREAD, { workerData: data });
  const [report] = (await once(worker, 'message')) as [ReadingReport];
  return report;
}

/** Changes until the work is done. */
async function whileChanging<T>(change: () => void, work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => (isDone = true));
  while (!isDone) {
    change();
    await nextTurn();
  }
  return settled;
}

describe('Answers while everything changes', () => {
  for (const { threads, collectsEvery } of [
    { threads: 1, collectsEvery: 0 },
    { threads: 2, collectsEvery: 100 },
    { threads: 4, collectsEvery: 0 },
  ]) {
    it(`are each of one version, in ${threads} threads${collectsEvery > 0 ? ' that collect garbage' : ''}`, async (test) => {
      const { publication, segments, heap, change } = share(threads);
      const reads = Math.ceil(READS / 3 / threads);
      const readers = Array.from({ length: threads }, (_, reader) =>
        read({ publication, reader, segments, reads, collectsEvery }),
      );
      const seen = await whileChanging(change, Promise.all(readers));
      for (const { generations } of seen) assert.ok(generations > 10, `${generations} generations were seen`);
      assert.equal(segments.length, 1, 'what was freed is used again');
      assert.ok(heap.use.freeBytes > 0);
      const items = seen.reduce((sum, report) => sum + report.items, 0);
      test.diagnostic(
        `${items} items were judged, of ${seen.map(({ generations }) => generations).join(', ')} generations`,
      );
    });
  }

  it('free what a thread held that ended within one', async () => {
    const { publication, segments, change } = share(2);
    const data = { publication, segments, collectsEvery: 0 };
    const surviving = read({ ...data, reader: 0, reads: Math.ceil(READS / 4) });
    const ending = async (): Promise<void> => {
      for (let round = 0; round < 4; round++) {
        const worker = new Worker(THREAD, { workerData: { ...data, reader: 1, reads: Infinity } });
        await once(worker, 'online');
        for (let turn = 0; turn < 100 + round * 7; turn++) await nextTurn();
        await worker.terminate();
        releaseReader(publication, 1);
      }
    };
    await whileChanging(change, Promise.all([surviving, ending()]));
    for (let generation = 0; generation < 50; generation++) change();
    assert.equal(segments.length, 1, 'what the ended ones held was used again');
  });
});
