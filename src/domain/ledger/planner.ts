/**
 * Plans a batch of supply messages step by step, from the rows that a transaction has read; the same transaction writes
 * the result. Knows no engine.
 */
import { MANUAL_SOURCE, SUPPLY_AGE_SOURCE } from '../layers.ts';
import { makeStoredWrite, type StoredWrite, type WriteOutcome } from './stored-write.ts';
import type {
  PropertyChange,
  SupplyAnswer,
  SupplyMessage,
  SupplyOutcome,
  SupplyRefusal,
  SupplyWork,
} from './message.ts';
import {
  checkType,
  hideAll,
  outcomeOf,
  positionsOf,
  Refusals,
  refuseForeign,
  refuseOwned,
  refuseUnknown,
  noteRepriced,
} from './outcome.ts';
import { type Laid, LayeredProperty, type SettledProperty } from './layered-property.ts';
import {
  type ConfirmedRow,
  IDEMPOTENCY_KEY_MS,
  type KeyName,
  type SourceHistoryRow,
  type StoredKey,
  type SupplyRows,
} from './rows.ts';
import { ChangeHistory } from './kept-changes.ts';
import { formatPropertyChange, parsePropertyChange } from './property-change.ts';

type CalendarWork = Extract<SupplyWork, { kind: 'calendars' }>;
type RetirementWork = Extract<SupplyWork, { kind: 'retirement' }>;

/** The resulting rows, in the order of writing. */
export interface Settlement {
  /** Layers of retired sources on withdrawn properties: to be deleted. */
  readonly abandoned: readonly Omit<ConfirmedRow, 'atMs'>[];
  /** Changed properties, by id. */
  readonly settled: readonly SettledProperty[];
  readonly withdrawnIds: readonly string[];
  /**
   * Confirmations that no longer count, because another source took over the document or the source is retired. Deleted
   * before `confirmed` is written.
   */
  readonly unconfirmed: readonly Omit<ConfirmedRow, 'atMs'>[];
  /** Ascending by property. */
  readonly confirmed: readonly ConfirmedRow[];
}

/** Records of the messages, besides the nights that they changed. */
export interface Remembered {
  readonly messages: readonly { readonly message: SupplyMessage; readonly outcome: SupplyOutcome }[];
  readonly keys: readonly (KeyName & StoredKey)[];
  readonly history: readonly SourceHistoryRow[];
}

interface Answered {
  readonly message: SupplyMessage;
  readonly answer: SupplyAnswer;
}

export class SupplyPlanner {
  readonly #withdrawnIds: string[] = [];
  readonly #kept = new ChangeHistory();
  readonly #abandoned: Omit<ConfirmedRow, 'atMs'>[] = [];
  readonly #unconfirmed: Omit<ConfirmedRow, 'atMs'>[] = [];
  /** The answer to each message, in order; the revision is 0 until `seal`. */
  #answers: Answered[] = [];
  readonly #rows: SupplyRows;
  readonly #properties = new Map<string, LayeredProperty>();
  readonly #confirmed = new Confirmations();

  constructor(rows: SupplyRows) {
    this.#rows = rows;
  }

  /** Plans one message, in steps of about one property each, so that the caller can pause in between. */
  *take(message: SupplyMessage): Generator<undefined, void> {
    const answer = this.#known(message) ?? {
      kind: 'done',
      outcome: yield* this.#work(message),
      isReplayed: false,
    };
    this.#answers.push({ message, answer });
  }

  /** Plans a document of an import, which belongs to no message. */
  write(write: StoredWrite, nowMs: number): WriteOutcome {
    const property = this.#property(write.propertyId);
    if (write.replaces !== undefined && write.replaces !== property.mark) return 'foreign';
    const former = property.source;
    if (former !== undefined && former !== write.source) {
      if (write.isOwnOnly) return 'foreign';
      this.#unconfirmed.push({ propertyId: write.propertyId, source: former });
    }
    const before = property.fingerprint();
    property.setDocument(write, nowMs);
    this.#confirmProperty(property, write.source, nowMs);
    if (before === undefined) return 'created';
    return property.fingerprint() === before ? 'unchanged' : 'changed';
  }

  /** In steps of one property each. */
  *settle(): Generator<undefined, Settlement> {
    const settled: SettledProperty[] = [];
    for (const property of ascending(this.#properties.values())) {
      const rows = property.settle();
      if (rows !== undefined) settled.push(rows);
      yield;
    }
    return {
      abandoned: this.#abandoned,
      settled,
      withdrawnIds: this.#withdrawnIds,
      unconfirmed: this.#unconfirmed,
      confirmed: this.#confirmed.rows(),
    };
  }

  /** The records of the messages, once the revision is known. */
  seal(revision: number): Remembered {
    this.#answers = this.#answers.map(({ message, answer }) =>
      isNew(answer)
        ? { message, answer: { ...answer, outcome: { ...answer.outcome, revision } } }
        : { message, answer },
    );
    const messages = this.#answers.flatMap(({ message, answer }) =>
      isNew(answer) ? { message, outcome: answer.outcome } : [],
    );
    const keys = messages.flatMap(({ message: { source, receivedAtMs, idempotency }, outcome }) => {
      if (idempotency === null || outcome.verdict === 'refused') return [];
      return { source, ...idempotency, usedAtMs: receivedAtMs, outcome };
    });
    return { messages, keys, history: this.#kept.rows };
  }

  /** The answer to each message, in order. */
  answers(): SupplyAnswer[] {
    return this.#answers.map(({ answer }) => answer);
  }

  /** For a known key: the first answer, or a refusal if the body differs. */
  #known({ source, idempotency, receivedAtMs }: SupplyMessage): SupplyAnswer | undefined {
    if (idempotency === null) return undefined;
    const known = this.#takenKey(source, idempotency.key) ?? this.#rows.findKey(source, idempotency.key);
    if (known === undefined || known.usedAtMs <= receivedAtMs - IDEMPOTENCY_KEY_MS) return undefined;
    if (known.bodyHash !== idempotency.bodyHash) return { kind: 'key-reused' };
    return { kind: 'done', outcome: known.outcome, isReplayed: true };
  }

  #takenKey(source: string, key: string): StoredKey | undefined {
    for (const { message, answer } of this.#answers) {
      const { idempotency, receivedAtMs: usedAtMs } = message;
      if (message.source !== source || idempotency?.key !== key) continue;
      if (answer.kind === 'done' && answer.outcome.verdict !== 'refused') {
        return { usedAtMs, bodyHash: idempotency.bodyHash, outcome: answer.outcome };
      }
    }
    return undefined;
  }

  *#work(message: SupplyMessage): Generator<undefined, SupplyOutcome> {
    const { work, source, receivedAtMs } = message;
    switch (work.kind) {
      case 'calendars':
        return yield* this.#takeCalendars(message, work);
      case 'document':
        return this.#takeDocument(message, makeStoredWrite(work.write));
      case 'withdrawal':
        return this.#takeWithdrawal(message, work.propertyId);
      case 'retirement':
        return this.#takeRetirement(message, work);
      case 'confirmation':
        this.#confirmed.addAll(source, receivedAtMs);
        return outcomeOf(message, {});
      case 'record':
        return outcomeOf(message, work);
    }
  }

  /** Checks everything before it applies anything: a message is all or nothing. */
  *#takeCalendars(message: SupplyMessage, work: CalendarWork): Generator<undefined, SupplyOutcome> {
    const refusals = new Refusals(message.note);
    const good: Uint8Array[] = [];
    for (const [index, bytes] of work.changes.entries()) {
      const change = parsePropertyChange(bytes);
      const checked = this.#check(message.source, change, refusals, work.ifConfirmedAtMs?.[index]);
      if (checked !== undefined) good.push(checked === change ? bytes : formatPropertyChange(checked));
      yield;
    }
    if (work.isRefused === true || (refusals.count > 0 && !work.isPartial))
      return outcomeOf(message, { verdict: 'refused', refusals });
    let changed = 0;
    let unchanged = 0;
    for (const bytes of good) {
      const change = parsePropertyChange(bytes);
      const entryCount = positionsOf(change).length;
      const laid = this.#overlay(message, change, work, refusals);
      changed += laid.changed;
      // A layer that loses nights may change although no entry covers them.
      unchanged += Math.max(0, entryCount - laid.changed);
      if (laid.isChanged) this.#kept.add(message.messageId, change.propertyId, change);
      yield;
    }
    const verdict = refusals.count > 0 ? 'partial' : 'applied';
    return outcomeOf(message, { verdict, changed, unchanged, refusals });
  }

  /** The valid part of the change: the change itself if all of it is valid, undefined if none is. */
  #check(
    source: string,
    change: PropertyChange,
    refusals: Refusals,
    ifConfirmedAtMs: number | undefined,
  ): PropertyChange | undefined {
    const { propertyId } = change;
    const property = this.#property(propertyId);
    const reason = this.#findReason(property, ifConfirmedAtMs);
    if (reason !== undefined) {
      const positions = positionsOf(change);
      refusals.add({ reason, propertyId, inventoryTypeId: null, owner: null, positions });
      return undefined;
    }
    const types = change.types.map((type) => checkType(source, property, type, refusals));
    if (types.every((type, index) => type === change.types[index])) return change;
    const good = types.filter((type) => type !== undefined);
    // A property whose entries are all refused is not confirmed either.
    return good.length === 0 ? undefined : { propertyId, types: good };
  }

  /** Why the whole change is refused. */
  #findReason(
    { propertyId, source }: LayeredProperty,
    ifConfirmedAtMs: number | undefined,
  ): SupplyRefusal['reason'] | undefined {
    if (source === undefined) return 'property-unknown';
    if (ifConfirmedAtMs === undefined) return undefined;
    const isSame = this.#rows.findConfirmedAtMs(propertyId) === ifConfirmedAtMs;
    return isSame && !this.#confirmed.mayConcern(propertyId) ? undefined : 'confirmed-meanwhile';
  }

  #overlay(
    { source, receivedAtMs }: SupplyMessage,
    change: PropertyChange,
    { horizonNights, isConfirming = true }: CalendarWork,
    refusals: Refusals,
  ): Pick<Laid, 'changed' | 'isChanged'> {
    const property = this.#property(change.propertyId);
    let changed = 0;
    let isChanged = false;
    for (const type of change.types) {
      const overlay = (): Laid => property.overlay(source, type, receivedAtMs, horizonNights);
      const isByHand = source === MANUAL_SOURCE;
      const laid = isByHand ? overlay() : noteRepriced(refusals, property, [type.inventoryTypeId], overlay);
      changed += laid.changed;
      isChanged ||= laid.isChanged;
      const { propertyId } = change;
      hideAll(refusals, { propertyId, ...type }, laid.hidden);
    }
    if (isConfirming) this.#confirmProperty(property, source, receivedAtMs);
    return { changed, isChanged };
  }

  #takeDocument(message: SupplyMessage, write: StoredWrite): SupplyOutcome {
    const { propertyId } = write;
    const property = this.#property(propertyId);
    const owner = property.source;
    if (owner !== undefined && owner !== message.source) return refuseForeign(message, propertyId, owner);
    const refusals = new Refusals(message.note);
    const written = noteRepriced(refusals, property, property.typeIds, () =>
      this.write(write, message.receivedAtMs),
    );
    this.#kept.add(message.messageId, propertyId);
    const isChanged = written !== 'unchanged';
    const types = property.hiddenOfDocument();
    for (const [place, { inventoryTypeId, hidden }] of types.entries())
      hideAll(refusals, { propertyId, inventoryTypeId, positions: [place] }, [hidden]);
    return outcomeOf(message, {
      refusals,
      changed: isChanged ? 1 : 0,
      unchanged: isChanged ? 0 : 1,
      isCreated: written === 'created',
    });
  }

  #takeWithdrawal(message: SupplyMessage, propertyId: string): SupplyOutcome {
    const owner = this.#property(propertyId).source;
    if (owner === undefined) return refuseUnknown(message, propertyId);
    if (owner !== message.source) return refuseForeign(message, propertyId, owner);
    this.#withdrawnIds.push(propertyId);
    this.#kept.add(message.messageId, propertyId);
    return outcomeOf(message, { changed: 1 });
  }

  /** A source that owns a document must withdraw it first. That ends the property, which a retirement must not. */
  #takeRetirement(message: SupplyMessage, { propertyIds, isLast }: RetirementWork): SupplyOutcome {
    const { source } = message;
    const owned = propertyIds.filter((propertyId) => this.#property(propertyId).source === source);
    if (owned.length > 0) return refuseOwned(message, owned);
    let changed = 0;
    for (const propertyId of propertyIds) {
      const property = this.#property(propertyId);
      if (property.dropLayers(source)) changed += 1;
      if (property.source === undefined) this.#abandoned.push({ propertyId, source });
      this.#forget(propertyId, source);
      // As for a document: older messages no longer explain a night.
      this.#kept.add(message.messageId, propertyId);
    }
    if (isLast) this.#forget(ALL_PROPERTIES, source);
    return outcomeOf(message, { changed, unchanged: propertyIds.length - changed });
  }

  #forget(propertyId: string, source: string): void {
    this.#confirmed.remove(propertyId, source);
    this.#unconfirmed.push({ propertyId, source });
  }

  #property(propertyId: string): LayeredProperty {
    // Rare; the caller then applies each message separately.
    if (this.#withdrawnIds.includes(propertyId)) throw new Error(`${propertyId} was withdrawn in this batch`);
    let property = this.#properties.get(propertyId);
    if (property === undefined) {
      property = new LayeredProperty(propertyId, this.#rows.findState(propertyId));
      this.#properties.set(propertyId, property);
    }
    return property;
  }

  /** Reopens the property if it was closed because its sources were silent. */
  #confirmProperty(property: LayeredProperty, source: string, atMs: number): void {
    if (source === SUPPLY_AGE_SOURCE) return;
    if (source !== MANUAL_SOURCE) property.dropLayers(SUPPLY_AGE_SOURCE);
    this.#confirmed.add(property.propertyId, source, atMs);
  }
}

function isNew(answer: SupplyAnswer): answer is Extract<SupplyAnswer, { kind: 'done' }> {
  return answer.kind === 'done' && !answer.isReplayed;
}

function ascending<T extends { readonly propertyId: string }>(rows: Iterable<T>): T[] {
  return [...rows].toSorted((a, b) => (a.propertyId < b.propertyId ? -1 : 1));
}

// Confirmations of a batch, until they are written.

/** The key for everything that the source confirmed before. */
const ALL_PROPERTIES = '';

class Confirmations {
  readonly #rows = new Map<string, ConfirmedRow>();

  add(propertyId: string, source: string, atMs: number): void {
    this.#rows.set(`${propertyId}\n${source}`, { propertyId, source, atMs });
  }

  addAll(source: string, atMs: number): void {
    this.add(ALL_PROPERTIES, source, atMs);
  }

  /** Removes the source's confirmation of the property. */
  remove(propertyId: string, source: string): void {
    this.#rows.delete(`${propertyId}\n${source}`);
  }

  /** A source's confirmation of everything counts for this property too, even if that source never confirmed it. */
  mayConcern(propertyId: string): boolean {
    return this.#rows
      .values()
      .some((row) => row.source !== MANUAL_SOURCE && [propertyId, ALL_PROPERTIES].includes(row.propertyId));
  }

  /** Ascending by property. */
  rows(): ConfirmedRow[] {
    return ascending(this.#rows.values());
  }
}
