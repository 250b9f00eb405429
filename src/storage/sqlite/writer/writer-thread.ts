/**
 * The writer thread's own file. A lock or a slow disk stops this thread and no other.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FileOptions } from '../connection.ts';
import { replyWithError } from '../../thread-errors.ts';
import type { OperationReply, OperationRequest } from './writer-messages.ts';
import { makeWriterOperations } from './writer-operations.ts';

const operations = makeWriterOperations(workerData as FileOptions);

if (parentPort === null) throw new Error('this file is run as a thread');
const port: MessagePort = parentPort;
port.on('message', (request: OperationRequest) => port.postMessage(answer(request), []));

function answer({ operation, args }: OperationRequest): OperationReply {
  try {
    const run = operations[operation] as (...args: readonly unknown[]) => unknown;
    return { result: run(...args) };
  } catch (error) {
    return replyWithError(error);
  }
}
