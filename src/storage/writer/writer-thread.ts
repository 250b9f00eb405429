/**
 * The writer thread's own file. A lock or a slow disk stops this thread and no other.
 */
import { workerData } from 'node:worker_threads';
import { serveJobs } from '../../runtime/job-thread.ts';
import type { FileOptions } from '../engine/sqlite/connection.ts';
import type { OperationRequest } from '../engine/sqlite/writer-link.ts';
import { replyWithError } from '../engine/errors.ts';
import { openWriterOperations } from './writer-operations.ts';

const operations = openWriterOperations(workerData as FileOptions);

serveJobs<OperationRequest>({
  answer({ operation, args }) {
    const run = operations[operation as keyof typeof operations] as (...args: readonly unknown[]) => unknown;
    return { result: run(...args) };
  },
  packError: replyWithError,
});
