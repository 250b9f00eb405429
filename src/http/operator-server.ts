/**
 * The operator listener: health, metrics and handoff resolution. Binds to loopback unless told otherwise.
 */
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { AccessDirectory } from '../partners/access-directory.ts';
import type { ListeningServer } from './listener.ts';
import type { Readiness } from './partner-server.ts';

export interface OperatorServerSettings {
  readonly problemsBaseUrl: string;
  readonly bodyLimitBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

export interface OperatorServerDeps {
  readonly access: () => AccessDirectory;
  /** The JSON answer of POST /handoff/resolve, or undefined when the value is not ours (400 HANDOFF_INVALID). */
  readonly resolveHandoff: (value: string) => Promise<object | undefined>;
  readonly clock: Clock;
  readonly readiness: () => Readiness;
  readonly logger: Logger;
  readonly settings: OperatorServerSettings;
}

/** The operator listener, not yet listening. */
export function buildOperatorServer(_deps: OperatorServerDeps): ListeningServer {
  throw new Error('not built yet');
}
