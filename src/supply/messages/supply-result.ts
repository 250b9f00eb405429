/** What became of a message, before it is put on the wire. */
import type { SupplyOutcome, SupplyRefusal } from '../../storage/port/supply-store.ts';
import type { MessageError, Mistakes } from './message-errors.ts';
import { NO_MISTAKES } from './message-errors.ts';

export interface SupplyDone {
  readonly kind: 'done';
  readonly outcome: SupplyOutcome;
  readonly warnings: Mistakes;
  /** Of a partial message: what was left out. */
  readonly errors: Mistakes;
  readonly isReplayed: boolean;
}

export interface SupplyRefused {
  readonly kind: 'invalid' | 'mapping-unknown' | 'source-mismatch' | 'property-unknown';
  readonly messageId: string;
  readonly errors: Mistakes;
}

export type SupplyResult = SupplyDone | SupplyRefused | { readonly kind: 'key-reused' };

/** What is kept with a message (`SupplyMessage.note`). */
export interface MessageNote {
  readonly warnings: Mistakes;
  readonly errors: Mistakes;
  /** Of an import. */
  readonly counts?: { readonly read: number; readonly created: number; readonly rejected: number };
}

export function formatNote({ warnings, errors, counts }: Partial<MessageNote>): string {
  return JSON.stringify({ warnings: bare(warnings), errors: bare(errors), counts });
}

function bare({ count, named }: Mistakes = NO_MISTAKES): Mistakes {
  return { count, named };
}

export function parseNote(note: string): MessageNote {
  return JSON.parse(note) as MessageNote;
}

const DETAILS: Readonly<
  Record<SupplyRefusal['reason'], (refusal: SupplyRefusal) => Omit<MessageError, 'pointer'>>
> = {
  'property-unknown': ({ propertyId }) => ({
    code: 'PROPERTY_UNKNOWN',
    detail: `There is no property ${propertyId}; send its document first.`,
  }),
  'type-unknown': ({ propertyId, inventoryTypeId }) => ({
    code: 'INVENTORY_TYPE_UNKNOWN',
    detail: `The property ${propertyId} has no inventory type ${inventoryTypeId}.`,
  }),
  'price-refused': ({ owner }) => ({
    code: 'PRICE_SOURCE_MISMATCH',
    detail: `Prices of this inventory type come from "${owner}" only; leave them out, or change its priceSource.`,
  }),
  'source-mismatch': ({ propertyId, owner }) => ({
    code: 'SOURCE_MISMATCH',
    detail: `The document of ${propertyId} belongs to the source "${owner}".`,
  }),
  'confirmed-meanwhile': ({ propertyId }) => ({
    code: 'CONFIRMED_MEANWHILE',
    detail: `A source has confirmed ${propertyId} in the meantime.`,
  }),
};

/** Where an entry stands in the body: its list, and the field that is refused. */
export type RefusalPlace = (position: number, reason: SupplyRefusal['reason']) => string;

export function describeRefusals(
  { refused, refusals }: Pick<SupplyOutcome, 'refused' | 'refusals'>,
  place: RefusalPlace,
): Mistakes {
  const named = refusals.flatMap((refusal) => {
    const error = DETAILS[refusal.reason](refusal);
    if (refusal.positions.length === 0) return [{ pointer: '', ...error }];
    return refusal.positions.map((position) => ({ pointer: place(position, refusal.reason), ...error }));
  });
  return { count: refused, named: named.toSorted((a, b) => byPointer(a.pointer, b.pointer)) };
}

/** `/entries/9` before `/entries/10`. */
function byPointer(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

/** Of a refused message: why, in one word. */
export function kindOfRefusal({ refusals }: SupplyOutcome): SupplyRefused['kind'] {
  const reasons = new Set(refusals.map(({ reason }) => reason));
  if (refusals.every(({ reason }) => reason === 'price-refused' || reason === 'source-mismatch')) {
    return 'source-mismatch';
  }
  return reasons.has('property-unknown') && refusals[0]?.positions.length === 0
    ? 'property-unknown'
    : 'invalid';
}
