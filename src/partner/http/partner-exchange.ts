/** The state of a request for the hooks of the partner listener. */
import type { Credential } from '../../access/access-directory.ts';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import type { Validated } from '../../contract/reading/validation.ts';
import type { RouteMatch } from '../../contract/reading/router.ts';
import type { WindowHit } from '../../limits/request-limits.ts';
import type { Exchange, Hook } from '../../http/listener/exchange.ts';
import type { ReadModel } from '../../read-model/catalogue/read-model.ts';
import type { Ask } from '../../read-model/catalogue/questions/questions.ts';
import type { StayPrices } from '../../read-model/catalogue/prices/stay-prices.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { ReadContent } from '../content/property-content.ts';
import type { CreatedQuote, QuoteRequest } from '../quotes/create-quote.ts';
import type { FoundOffer, OfferRequest } from '../quotes/find-offer.ts';

/** Rejects with StorageUnavailable when the quote can't be stored; any other rejection is a bug. */
export type CreateQuote = (request: QuoteRequest) => Promise<CreatedQuote>;

/** Rejects with StorageUnavailable when the property can't be read. */
export type FindOffer = (request: OfferRequest) => Promise<FoundOffer>;

/** The data of the operations: the catalogue, or the sandbox. */
export interface Backend {
  readonly readModel: ReadModel;
  readonly prices: Pick<StayPrices, 'firstDay' | 'todayAt'>;
  readonly ask: Ask;
  readonly createQuote: CreateQuote;
  readonly findOffer: FindOffer;
  readonly readContent: ReadContent;
  readonly changes: ChangeFeed;
}

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
  /** The quota's count, if `ingressHook` counted both; else null. */
  quotaHit: { readonly credentialId: string; readonly hit: WindowHit } | null;
}

export type PartnerHook = Hook<PartnerExchange>;

/** Realm of the challenges for a refused token (RFC 6750 3). */
export const REALM = 'Bearer realm="stayport"';
/** RFC 6750 3.1. */
export const INVALID_TOKEN_CHALLENGE = ['WWW-Authenticate', `${REALM}, error="invalid_token"`] as const;

/** Undecoded path segments of the operation. */
export function rawSegmentsOf({ route }: PartnerExchange): Readonly<Record<string, string>> {
  return route.found === 'operation' ? route.rawSegments : {};
}

/** All issues of the parts of a request, in their order. */
export function issuesOf(...parts: readonly Validated<unknown>[]): readonly ValidationIssue[] {
  return parts.flatMap((part) => (part.ok ? [] : part.issues));
}
