/** The result of a message, independent of the transport. */
import { Wrong } from '../../domain/wrong.ts';
import type { RefusalCode } from '../../domain/refusals/refusals.ts';
import type { HiddenValue } from '../../domain/hidden-values.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { NOTE_BYTES_MAX, type SupplyOutcome, type SupplyRefusal } from '../../domain/ledger/message.ts';
import {
  type MessageError,
  makeCodedError,
  type Mistakes,
  NO_MISTAKES,
  type CodedError,
} from './message-body.ts';

export interface SupplyDone {
  readonly kind: 'done';
  readonly outcome: SupplyOutcome;
  readonly warnings: NotedErrors;
  /** The errors of entries that a partial message left out. */
  readonly errors: NotedErrors;
  readonly isReplayed: boolean;
}

export interface SupplyRefused {
  readonly kind: 'invalid' | 'mapping-unknown' | 'source-mismatch' | 'property-unknown';
  readonly messageId: string;
  readonly errors: NotedErrors;
}

export type SupplyResult = SupplyDone | SupplyRefused | { readonly kind: 'key-reused' };

/** Size of a note that lists nothing. */
const NOTE_BARE_BYTES_MAX = 512;

/** As a note has it: without the code of its reason where there is no room for the codes of all. */
export type NotedError = MessageError & Partial<Pick<CodedError, 'wrong'>>;

/** All are counted, the first named. */
export interface ErrorsOf<E extends NotedError> {
  readonly count: number;
  readonly named: readonly E[];
}

export type NotedErrors = ErrorsOf<NotedError>;

/** The note stored with a message (`SupplyMessage.note`). */
export interface MessageNote {
  readonly warnings: NotedErrors;
  readonly errors: NotedErrors;
  /** For an import only. */
  readonly counts?: { readonly read: number; readonly created: number; readonly rejected: number };
}

/**
 * Counts all errors and warnings; lists those that fit, errors first. Where not all fit with the codes of their reasons,
 * each has its English alone.
 */
export function formatNote({
  warnings = NO_MISTAKES,
  errors = NO_MISTAKES,
  counts,
}: Partial<Pick<MessageNote, 'counts'> & Record<'warnings' | 'errors', Mistakes>>): string {
  const all: readonly NotedError[] = [...errors.named, ...warnings.named];
  const inEnglish = all.map(({ wrong: _wrong, ...mistake }) => mistake);
  const isFitting = countFitting(all) === all.length;
  const named = isFitting ? all : inEnglish.slice(0, countFitting(inEnglish));
  return JSON.stringify({
    warnings: { count: warnings.count, named: named.slice(errors.named.length) },
    errors: { count: errors.count, named: named.slice(0, errors.named.length) },
    counts,
  });
}

/** The note is stored as a JSON text within another one. */
function countFitting(mistakes: readonly NotedError[]): number {
  let bytes = NOTE_BARE_BYTES_MAX;
  const end = mistakes.findIndex((mistake) => {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(mistake)));
    return bytes > NOTE_BYTES_MAX;
  });
  return end === -1 ? mistakes.length : end;
}

export function parseNote(note: string): MessageNote {
  return JSON.parse(note) as MessageNote;
}

interface RefusalDetail {
  readonly code: string;
  readonly wrong: Wrong;
}

const DETAILS: Readonly<Record<SupplyRefusal['reason'], (refusal: SupplyRefusal) => RefusalDetail>> = {
  'property-unknown': ({ propertyId }) => ({
    code: 'PROPERTY_UNKNOWN',
    wrong: new Wrong('noProperty', { propertyId }),
  }),
  'type-unknown': ({ propertyId, inventoryTypeId }) => ({
    code: 'INVENTORY_TYPE_UNKNOWN',
    wrong: new Wrong('noType', { propertyId, typeId: String(inventoryTypeId) }),
  }),
  'price-refused': ({ owner }) => ({
    code: 'PRICE_SOURCE_MISMATCH',
    wrong: new Wrong('pricesOfOther', { source: String(owner) }),
  }),
  'currency-mismatch': ({ currency }) => ({
    code: 'FIELD_INVALID',
    wrong: new Wrong('otherCurrency', { currency: String(currency) }),
  }),
  'source-mismatch': ({ propertyId, owner }) => ({
    code: 'SOURCE_MISMATCH',
    wrong: new Wrong('documentOfOther', { propertyId, source: String(owner) }),
  }),
  'owns-document': ({ propertyId, owner }) => ({
    code: 'OWNS_DOCUMENT',
    wrong: new Wrong('documentOwned', { propertyId, source: String(owner) }),
  }),
  'confirmed-meanwhile': ({ propertyId }) => ({
    code: 'CONFIRMED_MEANWHILE',
    wrong: new Wrong('confirmedMeanwhile', { propertyId }),
  }),
};

/** The place of an entry in the body: its list, and the refused or hidden field. */
export type RefusalPointer = (
  position: number,
  about: SupplyRefusal['reason'] | HiddenValue['field'],
) => string;

/** The places for messages of this kind, or of one whose values stand at `pointers`. */
export function placeIn(kind: string, pointers: readonly string[] = []): RefusalPointer {
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

export function presentRefusals(
  { refused, refusals }: Pick<SupplyOutcome, 'refused' | 'refusals'>,
  place: RefusalPointer,
): Mistakes {
  const named = refusals.flatMap((refusal) => {
    const { code, wrong } = DETAILS[refusal.reason](refusal);
    if (refusal.positions.length === 0) return [makeCodedError('', code, wrong)];
    return refusal.positions.map((position) => makeCodedError(place(position, refusal.reason), code, wrong));
  });
  return { count: refused, named: named.toSorted(byPlace) };
}

const HIDERS = {
  ratesByGuests: 'hiddenByGuests',
  stopSell: 'hiddenByStop',
  closedManually: 'hiddenByHand',
} as const satisfies Partial<Record<HiddenValue['by'], RefusalCode>>;

type HiddenAt = NonNullable<SupplyOutcome['hidden']>[number];

function hiderReason({ field, by, propertyId, inventoryTypeId: typeId }: HiddenAt): Wrong {
  const what = { field, typeId, propertyId };
  return by in HIDERS
    ? new Wrong(HIDERS[by as keyof typeof HIDERS], what)
    : new Wrong('hiddenBy', { ...what, by });
}

export function presentHidden(
  { hidden = [] }: Pick<SupplyOutcome, 'hidden'>,
  place: RefusalPointer,
): Mistakes {
  const named = hidden.flatMap((value) =>
    value.positions.map((position) =>
      makeCodedError(`${place(position, value.field)}/${value.field}`, 'VALUE_HIDDEN', hiderReason(value)),
    ),
  );
  return { count: named.length, named: named.toSorted(byPlace) };
}

/** Each stretch is a warning of the whole message. */
export function presentSetByHand({ setByHand = [] }: Pick<SupplyOutcome, 'setByHand'>): Mistakes {
  const named = setByHand.map(({ from, to, ...type }) =>
    makeCodedError(
      '',
      'SET_BY_HAND',
      repricedReason({ ...type, dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to) }),
    ),
  );
  return { count: named.length, named };
}

export function repricedReason({
  propertyId,
  inventoryTypeId: typeId,
  dateFrom: from,
  dateTo: to,
}: Readonly<Record<'propertyId' | 'inventoryTypeId' | 'dateFrom' | 'dateTo', string>>): Wrong {
  return from === to
    ? new Wrong('repricedNight', { typeId, propertyId, from })
    : new Wrong('repricedNights', { typeId, propertyId, from, to });
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
