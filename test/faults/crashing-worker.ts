/** Preloaded into every process of a service: a worker dies shortly after its start, as one with a bug would. */
import cluster from 'node:cluster';

const DIES_AFTER_MS = 200;

if (cluster.isWorker) setTimeout(() => process.exit(7), DIES_AFTER_MS);
