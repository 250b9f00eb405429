/**
 * What passes between the main thread and the writer thread: one operation at a time, then its result.
 */
import type { ThreadError } from '../../thread-errors.ts';
import type { WriterOperations } from './writer-operations.ts';

export type OperationName = keyof WriterOperations;

export interface OperationRequest {
  readonly operation: OperationName;
  readonly args: readonly unknown[];
}

export type OperationReply = { readonly result: unknown } | ThreadError;
