/** Finds the operation of a request line in the table of operations. */
import { buildRouter } from './router.ts';
import { OPERATIONS } from '../partner/operations.ts';

export const matchOperation = buildRouter(OPERATIONS);
