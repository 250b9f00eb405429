/** What the hooks of the operator listener know of a request. */
import type { Operator } from '../../access/access-directory.ts';
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import type { Exchange, Hook } from '../listener/exchange.ts';

export interface OperatorExchange extends Exchange {
  readonly operation: OperatorOperation;
  /** Undecoded path segments by name of the path parameter. */
  readonly rawSegments: Readonly<Record<string, string>>;
  /** Whose token it is; undefined where the operation needs none. */
  operator: Operator | undefined;
}

/** The last one of an operation, its handler, answers through `exchange.response`. */
export type OperatorHook = Hook<OperatorExchange>;
