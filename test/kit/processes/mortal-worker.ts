/**
 * Preloaded into every thread of a service: with SIGUSR2 to the process, worker 1 throws what nobody catches; where the
 * test wants that, it takes memory until it has no more, it hangs, or another thread throws in its place: that of the
 * catalogue, or of long questions.
 */
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';
import { isCatalogueThread, isReaderThread, isWorker } from './worker-place.ts';

const orders = new BroadcastChannel('mortal worker');
// Neither thread lives for this.
orders.unref();

if (isMainThread) process.on('SIGUSR2', () => orders.postMessage('end'));
const endsBy = process.env['WORKER_ENDS_BY'];
if (isCatalogueThread(workerData) && endsBy === 'catalogue')
  orders.addEventListener('message', () => void setImmediate(fail));
if (isReaderThread(workerData) && endsBy === 'reader')
  orders.addEventListener('message', () => void setImmediate(fail));
if (isWorker(workerData) && workerData.number === 1 && endsBy !== 'catalogue' && endsBy !== 'reader') {
  orders.addEventListener('message', () => {
    setImmediate(endsBy === 'memory' ? takeMemory : endsBy === 'hanging' ? hang : fail);
  });
}

function fail(): never {
  throw new Error('a bug in a worker');
}

function takeMemory(): void {
  const taken: unknown[] = [];
  for (;;) taken.push(Array.from({ length: 1_000 }, (_, index) => ({ index })));
}

function hang(): void {
  for (;;);
}
