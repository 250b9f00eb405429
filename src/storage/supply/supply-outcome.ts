/**
 * Outcomes of messages; the revision is 0 until the transaction has one.
 */
import type { SupplyMessage, SupplyOutcome, SupplyRefusal } from './store.ts';
import { Refusals } from './refusals.ts';

/** The property's document belongs to another source. */
export function refuseForeign(message: SupplyMessage, propertyId: string, owner: string): SupplyOutcome {
  return refuseWhole(message, { reason: 'source-mismatch', propertyId, owner });
}

/** There is no such property. */
export function refuseUnknown(message: SupplyMessage, propertyId: string): SupplyOutcome {
  return refuseWhole(message, { reason: 'property-unknown', propertyId, owner: null });
}

/** The source owns the documents of these properties. */
export function refuseOwned(message: SupplyMessage, propertyIds: readonly string[]): SupplyOutcome {
  const refusals = new Refusals(message.note);
  for (const propertyId of propertyIds) {
    const owner = message.source;
    refusals.add({ reason: 'owns-document', propertyId, inventoryTypeId: null, owner, positions: [] });
  }
  return outcomeOf(message, { verdict: 'refused', refusals });
}

function refuseWhole(
  message: SupplyMessage,
  why: Pick<SupplyRefusal, 'reason' | 'propertyId' | 'owner'>,
): SupplyOutcome {
  const refusals = new Refusals(message.note);
  refusals.add({ ...why, inventoryTypeId: null, positions: [] });
  return outcomeOf(message, { verdict: 'refused', refusals });
}

export interface Done extends Partial<
  Pick<SupplyOutcome, 'verdict' | 'changed' | 'unchanged' | 'isCreated'>
> {
  readonly refusals?: Refusals;
}

export function outcomeOf({ messageId, note }: SupplyMessage, done: Done): SupplyOutcome {
  return {
    messageId,
    verdict: done.verdict ?? 'applied',
    revision: 0,
    changed: done.changed ?? 0,
    unchanged: done.unchanged ?? 0,
    isCreated: done.isCreated ?? false,
    refused: done.refusals?.count ?? 0,
    refusals: done.refusals?.named ?? [],
    note,
  };
}
