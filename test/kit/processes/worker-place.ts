import type { WorkerStart } from '../../../src/app/workers/joined-machine.ts';

/** Tells the worker threads of a service from its other threads, which are started with other data. */
export function isWorker(data: unknown): data is WorkerStart {
  return typeof data === 'object' && data !== null && 'joinsWhenReady' in data;
}

export function isReaderThread(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'segments' in data;
}

export function isCatalogueThread(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'readsFile' in data;
}
