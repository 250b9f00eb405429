/** Preloaded into every thread of a service: a worker ends shortly after its start, as one with a bug would. */
import { workerData } from 'node:worker_threads';
import { isWorker } from './worker-place.ts';

const ENDS_AFTER_MS = 200;

if (isWorker(workerData)) setTimeout(() => process.exit(7), ENDS_AFTER_MS);
