/** What was thrown becomes a problem here. A thrown value is never asked for its status, message or headers. */
import { StorageUnavailable } from '../../storage/storage.ts';
import { presentProblem, presentUnavailable } from '../answers/present-problem.ts';
import type { Exchange } from './exchange.ts';

export function presentFailure({ response }: Exchange, error: unknown): void {
  if (error instanceof StorageUnavailable) return presentUnavailable(response, error.message);
  response.failureCause = { err: error };
  presentProblem(response, 'INTERNAL_ERROR');
}
