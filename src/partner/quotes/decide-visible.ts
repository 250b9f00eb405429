/** The stay of a partner's request, decided on what the database holds now: the first half of quotes and of offers. */
import type { OfferedNights, StayRequest } from '../../domain/eligibility.ts';
import { isVisibleTo } from '../../domain/property.ts';
import { decideStored, type StoredDecision } from '../../domain/quote-decision.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CatalogueStore, StoredProperty } from '../../storage/catalogue/store.ts';

export interface DecideDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty'>;
  /** As the GET operations answer now; storage is checked again. */
  readonly isVisible: (propertyId: string, partnerId: string) => boolean;
  readonly horizonNights: number;
  readonly clock: Clock;
}

export interface AskedStay extends StayRequest {
  readonly propertyId: string;
  readonly partnerId: string;
}

export interface VisibleDecision extends StoredDecision {
  readonly stored: StoredProperty;
  /** When it was decided, Unix ms. */
  readonly nowMs: number;
}

/** Undefined where the partner sees no such property. Rejects with `StorageUnavailable`. */
export async function decideVisible(
  { storage, isVisible, horizonNights, clock }: DecideDeps,
  asked: AskedStay,
): Promise<VisibleDecision | undefined> {
  // Before anything is read: the time of the answer must not distinguish a hidden property from an unknown one.
  if (!isVisible(asked.propertyId, asked.partnerId)) return undefined;
  const stored = await storage.findProperty(asked.propertyId);
  if (stored === undefined || !isVisibleTo(stored.property, asked.partnerId)) return undefined;
  const nowMs = clock();
  return { stored, nowMs, ...decideStored(stored, asked, { nowMs, horizonNights }) };
}

/** Why no property can host the stay; reveals no setting of the operator. */
export type OutOfRangeReason = 'past' | 'beyond-horizon';

export const OUT_OF_RANGE_DETAILS: Readonly<Record<OutOfRangeReason, string>> = {
  past: 'The stay begins in the past, in the timezone of the property.',
  'beyond-horizon': 'The stay ends after the last night that is offered.',
};

export function findOutOfRange(
  stay: StayRequest,
  offered: OfferedNights,
): { readonly reason?: OutOfRangeReason } {
  if (stay.checkIn < offered.first) return { reason: 'past' };
  return stay.checkOut > offered.end ? { reason: 'beyond-horizon' } : {};
}
