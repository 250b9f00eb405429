/** One stay at one property, whole: what a quote of it would answer at this moment, with its terms; or why there is none. */
import type { StayOffer } from '../../contract/partner/offer-schemas.ts';
import type { StayConflictProblem } from '../../contract/partner/problem-schemas.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Locale } from '../../domain/property.ts';
import type { QuoteRefusal } from '../../domain/quote-decision.ts';
import { presentReason } from '../../domain/stay-reasons.ts';
import type { ContentStore } from '../../storage/catalogue/content.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import {
  type AskedStay,
  type DecideDeps,
  decideVisible,
  findOutOfRange,
  type OutOfRangeReason,
  type VisibleDecision,
} from './decide-visible.ts';
import { findOtherStays, findReasons, type PossibleStay } from './other-stays.ts';
import { presentOffer } from './present-offer.ts';

export interface OfferDeps extends DecideDeps {
  readonly storage: DecideDeps['storage'] & ContentStore;
  /** The same without the database, where it can: maybe of another revision than what is stored. */
  readonly recallContent: ContentStore['findContent'];
  /** The seller of properties that name none. */
  readonly seller: string;
}

export interface OfferRequest extends AskedStay {
  readonly locale: Locale;
  /** Whether the operator tells partners why a stay can't be had. */
  readonly tellsReasons: boolean;
}

export type FoundOffer =
  | { readonly offer: StayOffer }
  | { readonly refusal: 'PROPERTY_NOT_FOUND' }
  | {
      readonly refusal: QuoteRefusal;
      readonly reason?: OutOfRangeReason;
      readonly why: Pick<StayConflictProblem, 'reasons' | 'instead'>;
    };

/** A property that changes between two reads is read again, so often. */
const READS_MAX = 4;

/** Rejects with `StorageUnavailable`. */
export async function findOffer(deps: OfferDeps, request: OfferRequest): Promise<FoundOffer> {
  const { propertyId, locale } = request;
  for (let read = 0; read < READS_MAX; read += 1) {
    const decided = await decideVisible(deps, request);
    if (decided === undefined) return { refusal: 'PROPERTY_NOT_FOUND' };
    const { decision, offered, stored } = decided;
    if (decision.outcome !== 'priced') {
      const why = await explainRefusal(decided, request);
      return { refusal: decision.outcome, ...findOutOfRange(request, offered), why };
    }
    const find = read === 0 ? deps.recallContent : deps.storage.findContent;
    const [content] = await find([propertyId]);
    // The terms are those of the price: both are of one state of the property.
    if (content?.revision !== stored.revision) continue;
    const { price } = decision;
    const { details } = content;
    return { offer: presentOffer(decided, { price, details, stay: request, locale, seller: deps.seller }) };
  }
  throw new StorageUnavailable('the property changes faster than it can be read');
}

async function explainRefusal(
  { stored, calendars, offered }: VisibleDecision,
  request: OfferRequest,
): Promise<Pick<StayConflictProblem, 'reasons' | 'instead'>> {
  const decided = { priced: stored, calendars, offered };
  const reasons = request.tellsReasons ? await findReasons(decided, request) : null;
  // All that there are, as a list of ids tells them: each question counts against a quota.
  const instead = await findOtherStays(decided, request, Number.POSITIVE_INFINITY);
  return { reasons: reasons && reasons.map(presentReason), instead: instead.map(presentInstead) };
}

function presentInstead({ stay: { checkIn, checkOut }, offer }: PossibleStay) {
  return {
    checkIn: formatLocalDate(checkIn),
    checkOut: formatLocalDate(checkOut),
    nights: checkOut - checkIn,
    total: offer === undefined ? null : formatMoney(offer.price.total),
  };
}
