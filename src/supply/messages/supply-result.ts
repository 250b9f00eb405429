/** The result of a message, independent of the transport. */
import type { HiddenValue } from '../../domain/hidden-values.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { NOTE_BYTES_MAX, type SupplyOutcome, type SupplyRefusal } from '../../domain/ledger/message.ts';
import { type MessageError, type Mistakes, NO_MISTAKES } from './message-body.ts';

export interface SupplyDone {
  readonly kind: 'done';
  readonly outcome: SupplyOutcome;
  readonly warnings: Mistakes;
  /** The errors of entries that a partial message left out. */
  readonly errors: Mistakes;
  readonly isReplayed: boolean;
}

export interface SupplyRefused {
  readonly kind: 'invalid' | 'mapping-unknown' | 'source-mismatch' | 'property-unknown';
  readonly messageId: string;
  readonly errors: Mistakes;
}

export type SupplyResult = SupplyDone | SupplyRefused | { readonly kind: 'key-reused' };

/** Size of a note that lists nothing. */
const NOTE_BARE_BYTES_MAX = 512;

/** The note stored with a message (`SupplyMessage.note`). */
export interface MessageNote {
  readonly warnings: Mistakes;
  readonly errors: Mistakes;
  /** For an import only. */
  readonly counts?: { readonly read: number; readonly created: number; readonly rejected: number };
}

/** Counts all errors and warnings; lists those that fit, errors first. */
export function formatNote({ warnings, errors, counts }: Partial<MessageNote>): string {
  const room = { bytes: NOTE_BYTES_MAX - NOTE_BARE_BYTES_MAX };
  const keptErrors = keep(errors, room);
  return JSON.stringify({ warnings: keep(warnings, room), errors: keptErrors, counts });
}

function keep({ count, named }: Mistakes = NO_MISTAKES, room: { bytes: number }): Mistakes {
  const end = named.findIndex((mistake) => {
    room.bytes -= Buffer.byteLength(JSON.stringify(JSON.stringify(mistake)));
    return room.bytes < 0;
  });
  return { count, named: end === -1 ? named : named.slice(0, end) };
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
  'currency-mismatch': ({ currency }) => ({
    code: 'FIELD_INVALID',
    detail: `Must be that of the property, ${currency}.`,
  }),
  'source-mismatch': ({ propertyId, owner }) => ({
    code: 'SOURCE_MISMATCH',
    detail: `The document of ${propertyId} belongs to the source "${owner}".`,
  }),
  'owns-document': ({ propertyId, owner }) => ({
    code: 'OWNS_DOCUMENT',
    detail: `The document of ${propertyId} belongs to "${owner}"; withdraw the property first.`,
  }),
  'confirmed-meanwhile': ({ propertyId }) => ({
    code: 'CONFIRMED_MEANWHILE',
    detail: `A source has confirmed ${propertyId} in the meantime.`,
  }),
};

/** The place of an entry in the body: its list, and the refused or hidden field. */
export type RefusalPlace = (
  position: number,
  about: SupplyRefusal['reason'] | HiddenValue['field'],
) => string;

/** The places for messages of this kind, or of one whose values stand at `pointers`. */
export function placeIn(kind: string, pointers: readonly string[] = []): RefusalPlace {
  if (kind === 'ari') return (position) => pointers[position] ?? `/values/${position}`;
  if (kind === 'property')
    return (position, about) => `/inventoryTypes/${position}${about === 'rate' ? '/calendar' : ''}`;
  return (position, reason) => {
    if (reason === 'property-unknown') return `/entries/${position}/propertyId`;
    if (reason === 'currency-mismatch') return `/entries/${position}/currency`;
    if (reason === 'type-unknown') return `/entries/${position}/inventoryTypeId`;
    return `/entries/${position}`;
  };
}

export function describeRefusals(
  { refused, refusals }: Pick<SupplyOutcome, 'refused' | 'refusals'>,
  place: RefusalPlace,
): Mistakes {
  const named = refusals.flatMap((refusal) => {
    const error = DETAILS[refusal.reason](refusal);
    if (refusal.positions.length === 0) return [{ pointer: '', ...error }];
    return refusal.positions.map((position) => ({ pointer: place(position, refusal.reason), ...error }));
  });
  return { count: refused, named: named.toSorted(byPlace) };
}

const HIDERS: Readonly<Partial<Record<HiddenValue['by'], string>>> = {
  ratesByGuests:
    'is stored, and does not count where ratesByGuests is set: clear that, or send the price by guests',
  stopSell: 'is stored, and nothing is sold where stopSell is set: clear that',
  closedManually: 'is stored, and nothing is sold on the nights that are closed manually: open them',
};

export function describeHidden(
  { hidden = [] }: Pick<SupplyOutcome, 'hidden'>,
  place: RefusalPlace,
): Mistakes {
  const named = hidden.flatMap(({ field, by, positions, propertyId, inventoryTypeId }) =>
    positions.map((position) => ({
      pointer: `${place(position, field)}/${field}`,
      code: 'VALUE_HIDDEN',
      detail: `${field} of ${inventoryTypeId} of ${propertyId} ${HIDERS[by] ?? `is hidden by ${by}`}.`,
    })),
  );
  return { count: named.length, named: named.toSorted(byPlace) };
}

/** Each stretch is a warning of the whole message. */
export function describeSetByHand({ setByHand = [] }: Pick<SupplyOutcome, 'setByHand'>): Mistakes {
  const named = setByHand.map((nights) => ({
    pointer: '',
    code: 'SET_BY_HAND',
    detail: `${describeRepriced({
      ...nights,
      dateFrom: formatLocalDate(nights.from),
      dateTo: formatLocalDate(nights.to),
    })}.`,
  }));
  return { count: named.length, named };
}

/** Continues a sentence, or is one. */
export function describeRepriced({
  propertyId,
  inventoryTypeId,
  dateFrom,
  dateTo,
}: Readonly<Record<'propertyId' | 'inventoryTypeId' | 'dateFrom' | 'dateTo', string>>): string {
  const nights = dateFrom === dateTo ? dateFrom : `${dateFrom} to ${dateTo}`;
  return `The price of ${inventoryTypeId} of ${propertyId} that was set by hand for ${nights} no longer counts`;
}

/** `/entries/9` before `/entries/10`. */
export function byPlace(a: MessageError, b: MessageError): number {
  return a.pointer.localeCompare(b.pointer, 'en', { numeric: true });
}

/** The main reason for refusing a message, in one word. */
export function kindOfRefusal({ refusals }: SupplyOutcome): SupplyRefused['kind'] {
  const reasons = new Set(refusals.map(({ reason }) => reason));
  if (refusals.every(({ reason }) => reason === 'price-refused' || reason === 'source-mismatch')) {
    return 'source-mismatch';
  }
  return reasons.has('property-unknown') && refusals[0]?.positions.length === 0
    ? 'property-unknown'
    : 'invalid';
}
