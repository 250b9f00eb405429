/** What the hooks of the partner listener know of a request. */
import type { Credential } from '../../access/access-directory.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import type { WindowHit } from '../../limits/window-counter.ts';
import type { Exchange, Hook } from '../listener/exchange.ts';
import type { Backend } from './backend.ts';

/** A page as a row of the listener's table. */
export interface PageRow {
  readonly method: 'GET';
  readonly path: string;
}

export type PartnerRow = Operation | PageRow;

export interface PartnerExchange extends Exchange {
  readonly route: RouteMatch<PartnerRow>;
  /** Set by `authenticateHook`; null before it ran. */
  credential: Credential | null;
  /** Set by `backendHook`; null before it ran. */
  backend: Backend | null;
  /** What `ingressHook` counted for the quota in one step with its own; null when it did not. */
  quotaHit: { readonly credentialId: string; readonly hit: WindowHit } | null;
}

export type PartnerHook = Hook<PartnerExchange>;

export function isOperation(row: PartnerRow): row is Operation {
  return 'operationId' in row;
}

/** The credential behind `authenticateHook`; an operation without that hook is a mistake in the wiring and throws. */
export function getCredential({ credential }: PartnerExchange): Credential {
  if (credential === null) throw new Error('the operation is not behind authenticateHook');
  return credential;
}

/** The backend behind `backendHook`; an operation without that hook is a mistake in the wiring and throws. */
export function getBackend({ backend }: PartnerExchange): Backend {
  if (backend === null) throw new Error('the operation is not behind backendHook');
  return backend;
}

/** Undecoded path segments of the operation. */
export function rawSegmentsOf({ route }: PartnerExchange): Readonly<Record<string, string>> {
  return route.found === 'operation' ? route.rawSegments : {};
}
