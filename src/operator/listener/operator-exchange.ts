/** The state of a request that the operator listener's hooks share. */
import type { Operator } from '../../access/access-directory.ts';
import type { OperatorOperation } from '../../contract/operator/operation.ts';
import type { Exchange, Hook } from '../../http/listener/exchange.ts';

export interface OperatorExchange extends Exchange {
  readonly operation: OperatorOperation;
  /** Undecoded path segments by name of the path parameter. */
  readonly rawSegments: Readonly<Record<string, string>>;
  /** The token's owner; undefined if the operation needs no token. */
  operator: Operator | undefined;
}

/** The last hook of an operation, its handler, answers through `exchange.response`. */
export type OperatorHook = Hook<OperatorExchange>;
