/**
 * Receives messages: reads and checks each, and passes it to the storage, whose transaction plans, settles and saves it
 * (`domain/ledger/settle-messages.ts`). Independent of the transport; resolves with the verdict after the commit.
 */
import type { SupplyMessage, SupplyOutcome, SupplyWork } from '../../domain/ledger/message.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { UNMAPPED_CODE } from './ari-message.ts';
import type { ReadMessage } from './calendar-message.ts';
import { type Mistakes, NO_MISTAKES } from './message-body.ts';
import type { MessageParser, SentBody } from './message-parser.ts';
import type { Hashed } from './parse-thread.ts';
import { MESSAGE_ERRORS_MAX } from './message-limits.ts';
import {
  byPlace,
  presentHidden,
  presentRefusals,
  presentSetByHand,
  formatNote,
  kindOfRefusal,
  type ErrorsOf,
  type NotedError,
  parseNote,
  placeIn,
  type RefusalPointer,
  type SupplyResult,
} from './supply-result.ts';
import type { Clock } from '../../runtime/clock.ts';

export interface SupplyDeps extends MessageDeps {
  readonly storage: Pick<SupplyStore, 'applySupply' | 'findSupplyKey' | 'findSupplyMappings'>;
  readonly parser: MessageParser;
  readonly horizonNights: number;
  /** BOOKING_ORIGINS */
  readonly bookingOrigins: readonly string[];
}

export interface SupplyRequest {
  readonly source: string;
  readonly idempotencyKey: string | null;
  /** The rest of the key's identity, beside the body: method, path and query. */
  readonly target: string;
  readonly body: Uint8Array;
}

/** A request whose body has been read, or is no longer needed. */
type ReadRequest = Omit<SupplyRequest, 'body'> & Hashed;

export interface EntriesRequest extends SupplyRequest {
  /** Applies the valid entries; otherwise one error rejects the whole message. */
  readonly isPartial: boolean;
  /**
   * Only for calendars: for each type, the message replaces everything that its source set between the first and the
   * last night that it names.
   */
  readonly replaces?: boolean;
}

export interface PropertyRequest extends SupplyRequest {
  readonly propertyId: string;
}

/** The kinds of the messages that a system sends, `import` included. */
export const SENT_KINDS = ['calendars', 'ari', 'property', 'withdrawal', 'import'] as const;
export type SentKind = (typeof SENT_KINDS)[number];

/** `PATCH /supply/v1/calendars` */
export async function receiveCalendars(deps: SupplyDeps, request: EntriesRequest): Promise<SupplyResult> {
  const { replaces = false } = request;
  const read = await deps.parser.readCalendars(bodyOf(request), { replaces });
  return receiveEntries(deps, request, 'calendars', read);
}

/** `POST /supply/v1/ari`: unmapped names are warnings, unless all are unmapped. */
export async function receiveAri(deps: SupplyDeps, request: EntriesRequest): Promise<SupplyResult> {
  const read = await deps.parser.readAri(bodyOf(request), (keys) =>
    deps.storage.findSupplyMappings(request.source, keys),
  );
  const { unmappedCount, entryCount, errors, warnings, kept, bodyHash } = read;
  if (unmappedCount > 0 && unmappedCount + errors.count === entryCount && errors.count === 0) {
    const refused = { kind: 'mapping-unknown', errors: warnings, kept } as const;
    return refuse(deps, { ...request, bodyHash }, 'ari', refused);
  }
  if (errors.count === 0 || request.isPartial) return receiveEntries(deps, request, 'ari', read);
  // A refused message lists every error.
  const unmapped = {
    count: unmappedCount,
    named: warnings.named.filter(({ code }) => code === UNMAPPED_CODE),
  };
  return receiveEntries(deps, request, 'ari', { ...read, errors: join(errors, unmapped) });
}

/** `PUT /supply/v1/properties/{propertyId}` */
export async function receiveProperty(deps: SupplyDeps, request: PropertyRequest): Promise<SupplyResult> {
  const { propertyId, source } = request;
  const { horizonNights, bookingOrigins } = deps;
  const options = { propertyId, source, horizonNights, bookingOrigins };
  const { write, errors, warnings, bodyHash } = await deps.parser.readProperty(bodyOf(request), options);
  const read = { ...request, bodyHash };
  if (write === undefined) return refuse(deps, read, 'property', { kind: 'invalid', errors });
  return apply(deps, read, {
    kind: 'property',
    work: { kind: 'document', write },
    warnings,
    place: placeIn('property'),
  });
}

/** `DELETE /supply/v1/properties/{propertyId}` */
export async function receiveWithdrawal(deps: SupplyDeps, request: PropertyRequest): Promise<SupplyResult> {
  const { bodyHash } = await deps.parser.readEmpty(bodyOf(request));
  const work = { kind: 'withdrawal', propertyId: request.propertyId } as const;
  return apply(deps, { ...request, bodyHash }, { kind: 'withdrawal', work });
}

/** Skips the hash for requests without a key. */
function bodyOf({ body, idempotencyKey }: SupplyRequest): SentBody {
  return { body, isHashed: idempotencyKey !== null };
}

async function receiveEntries(
  deps: SupplyDeps,
  request: EntriesRequest,
  kind: 'calendars' | 'ari',
  {
    changes,
    propertyIds,
    entryCount,
    errors,
    warnings,
    kept,
    bodyHash,
    pointers,
  }: ReadMessage & Hashed & { readonly pointers?: readonly string[] },
): Promise<SupplyResult> {
  const { isPartial } = request;
  const read = { ...request, bodyHash };
  const hasBody = entryCount > 0 || errors.count === 0;
  const isRefused = errors.count > 0 && (!isPartial || !hasBody);
  if (isRefused && changes.length === 0) return refuse(deps, read, kind, { kind: 'invalid', errors, kept });
  const { horizonNights } = deps;
  const work: SupplyWork =
    entryCount === 0
      ? { kind: 'confirmation' }
      : { kind: 'calendars', changes, propertyIds, isPartial, isRefused, horizonNights };
  return apply(deps, read, { kind, work, warnings, errors, kept, place: placeIn(kind, pointers) });
}

interface Application {
  readonly kind: SentKind;
  readonly work: SupplyWork;
  readonly warnings?: Mistakes;
  readonly errors?: Mistakes;
  readonly kept?: string | undefined;
  readonly place?: RefusalPointer;
}

async function apply(
  deps: SupplyDeps,
  request: ReadRequest,
  { kind, work, warnings = NO_MISTAKES, errors = NO_MISTAKES, kept, place = () => '' }: Application,
): Promise<SupplyResult> {
  const note = formatNote({ warnings, errors });
  const message = messageOf(deps, request, { kind, work, note, entries: kept });
  const answer = await deps.storage.applySupply(message);
  if (answer.kind === 'key-reused') return { kind: 'key-reused' };
  const { outcome, isReplayed } = answer;
  const refusals = presentRefusals(outcome, place);
  if (outcome.verdict === 'refused') {
    const refusedAs = errors.count > 0 ? 'invalid' : kindOfRefusal(outcome);
    return { kind: refusedAs, messageId: outcome.messageId, errors: join(errors, refusals) };
  }
  // For a repeated message, the warnings of the first time.
  const first = parseNote(outcome.note);
  return {
    kind: 'done',
    outcome,
    isReplayed,
    warnings: join(join(presentSetByHand(outcome), first.warnings), presentHidden(outcome, place)),
    errors: join(first.errors, refusals),
  };
}

/** Stores an invalid message too: its sender looks for it in the list of messages. */
async function refuse(
  deps: SupplyDeps,
  request: ReadRequest,
  kind: string,
  refused: {
    readonly kind: 'invalid' | 'mapping-unknown';
    readonly errors: Mistakes;
    readonly kept?: string | undefined;
  },
): Promise<SupplyResult> {
  const work: SupplyWork = { kind: 'record', verdict: 'refused', changed: 0, unchanged: 0 };
  const note = formatNote({ errors: refused.errors });
  const message = messageOf(deps, request, { kind, work, note, entries: refused.kept });
  const answer = await deps.storage.applySupply(message);
  if (answer.kind === 'key-reused' || answer.isReplayed) return { kind: 'key-reused' };
  return { kind: refused.kind, messageId: message.messageId, errors: refused.errors };
}

/** The message of a request whose body is already hashed. */
export function messageOf(
  deps: MessageDeps,
  { source, idempotencyKey, target, bodyHash }: ReadRequest,
  of: Pick<SupplyMessage, 'kind' | 'work' | 'note' | 'entries'>,
): SupplyMessage {
  const idempotency =
    idempotencyKey === null ? null : { key: idempotencyKey, bodyHash: `${target} ${bodyHash}` };
  return makeMessage(deps, { source, idempotency, ...of });
}

function join<E extends NotedError>(one: ErrorsOf<E>, other: ErrorsOf<E>): ErrorsOf<E> {
  return {
    count: one.count + other.count,
    named: [...one.named, ...other.named].toSorted(byPlace).slice(0, MESSAGE_ERRORS_MAX),
  };
}

// Messages in the form that storage accepts.

export interface MessageDeps {
  readonly clock: Clock;
  /** `createMessageIds` */
  readonly newMessageId: (receivedAtMs: number) => string;
}

/** Dependencies for writing a source's nights from within the service. */
export interface NightsDeps extends MessageDeps {
  readonly storage: Pick<SupplyStore, 'applySupply' | 'findLayers'>;
  readonly horizonNights: number;
}

/** A message received now. */
function makeMessage(
  { clock, newMessageId }: MessageDeps,
  of: Omit<SupplyMessage, 'messageId' | 'receivedAtMs'>,
): SupplyMessage {
  const receivedAtMs = clock();
  return { messageId: newMessageId(receivedAtMs), receivedAtMs, ...of };
}

/** A message of our own: it has no key and no errors. */
export function makeOwnMessage(
  deps: MessageDeps,
  of: {
    readonly source: string;
    readonly kind: string;
    readonly work: SupplyWork;
    /** `keepEntries` */
    readonly entries?: string | undefined;
  },
): SupplyMessage {
  return makeMessage(deps, { ...of, idempotency: null, note: formatNote({}) });
}

/** Resolves after the commit. */
export async function applyOwnMessage(
  storage: Pick<SupplyStore, 'applySupply'>,
  message: SupplyMessage,
): Promise<SupplyOutcome> {
  const answer = await storage.applySupply(message);
  if (answer.kind !== 'done') throw new Error('only a message with a key can repeat another');
  return answer.outcome;
}
