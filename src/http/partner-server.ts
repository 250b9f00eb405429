/**
 * The partner listener: what it needs and how it is put together.
 */
import type { Logger } from 'pino';
import type { ReadModel } from '../catalogue/read-model.ts';
import type { Clock } from '../clock.ts';
import type { WindowCounter } from '../limits/window-counter.ts';
import type { AccessDirectory, Credential } from '../partners/access-directory.ts';
import type { ListeningServer } from './listener.ts';

/** `ready`, or why not, in words for the operator (`readyz`); partners get 503 meanwhile. */
export type Readiness = 'ready' | { readonly reason: string };

export interface PartnerServerSettings {
  /** Where partners reach the API, without a trailing slash. */
  readonly publicUrl: string;
  /** Base of the problems' `type`, without a trailing slash. */
  readonly problemsBaseUrl: string;
  /** Requests per source address and window; 0 turns the ingress limit off. */
  readonly ingressLimit: number;
  /** What a credential gets unless it was issued with another quota; told in the documentation. */
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  /** A body of exactly this size is accepted. */
  readonly bodyLimitBytes: number;
  /** CIDRs (or addresses) whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

/** What `createQuote` is asked; the validated body of POST /v1/quotes comes with the credential beside it. */
export interface PartnerServerDeps {
  readonly readModel: ReadModel;
  readonly access: () => AccessDirectory;
  /** Rejects with StorageUnavailable when it can't be stored (503); other rejections are bugs (500). */
  readonly createQuote: (request: QuoteRequest, credential: Credential) => Promise<QuoteAnswer>;
  readonly ingress: WindowCounter;
  readonly quota: WindowCounter;
  readonly clock: Clock;
  readonly readiness: () => Readiness;
  readonly logger: Logger;
  readonly settings: PartnerServerSettings;
}

// The two types below become the contract's and the quotes' own as soon as those exist.
export type QuoteRequest = unknown;
export type QuoteAnswer =
  | { readonly handoffUrl: string }
  | { readonly refusal: 'PROPERTY_NOT_FOUND' | 'STAY_UNAVAILABLE' | 'QUOTE_UNAVAILABLE' };

/** The partner listener, not yet listening. */
export function buildPartnerServer(_deps: PartnerServerDeps): ListeningServer {
  throw new Error('not built yet');
}
