/**
 * What a checker knows of the truth, by revision: whose properties there are, at what price. It only follows what was
 * committed, by rules of its own, and answers what partners should see.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  connectionOf,
  FEED_SOURCE_PREFIX,
  MANUAL_SOURCE,
  SUPPLY_AGE_SOURCE,
} from '../../src/domain/layers.ts';
import type { SupplyAnswer, SupplyMessage, TypeChange } from '../../src/domain/ledger/message.ts';
import { parsePropertyChange } from '../../src/domain/ledger/property-change.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import type { CredentialRow, PartnerChanges, PartnerRow } from '../../src/storage/access/store.ts';
import type { ConversionOutcome, ConversionReport } from '../../src/storage/conversions/store.ts';
import type { HandoffVisit } from '../../src/storage/attribution/store.ts';
import type { QuoteRow } from '../../src/storage/quotes/store.ts';
import { SHAPES } from './shapes.ts';
import type { DoneCall } from './truth.ts';

/** One property in one state. */
export interface KnownProperty {
  readonly propertyId: string;
  /** The revision that made it so. */
  readonly revision: number;
  readonly isWithdrawn: boolean;
  readonly name: string;
  readonly visibleTo: readonly string[];
  readonly isForAll: boolean;
  /** Units by source, and the rate; of all nights alike. */
  readonly units: Readonly<Record<string, number>>;
  readonly rate: number;
  /** Prices that people set, by inventory type; they outlive the document. */
  readonly byHand: Readonly<Record<string, number | undefined>>;
  /** Closed because its sources are silent: all types of it. */
  readonly isAged: boolean;
  readonly terms: Terms;
}

/** What else a document says. */
export interface Terms {
  /** A tenth off. */
  readonly hasDiscount: boolean;
  /** Index of `SHAPES`. */
  readonly shape: number;
  /** Of the type whose calendar the sources send; undefined: as the shape has it. */
  readonly maxAdvanceDays?: number | undefined;
  /** Undefined: euros. */
  readonly currency?: string | undefined;
  /** Undefined: its sources may be silent for ever. */
  readonly maxSupplyAgeHours?: number | undefined;
}

export const NO_TERMS: Terms = { hasDiscount: false, shape: 0 };

export type State = ReadonlyMap<string, KnownProperty>;

/** The source of all documents and prices. */
export const OWNER = 'pms';

export interface DocumentIntent {
  readonly kind: 'document';
  readonly propertyId: string;
  readonly name: string;
  readonly visibleTo: readonly string[];
  /** All partners see it, named or not. */
  readonly isForAll: boolean;
  readonly terms: Terms;
  /** Absent: its calendar stays. */
  readonly open?: { readonly units: number; readonly rate: number | undefined } | undefined;
}

/** The meaning of a message that a source sends. */
export type SentIntent =
  | DocumentIntent
  | {
      readonly kind: 'calendars';
      /** As ARI, by the names of a mapping. */
      readonly isAri?: boolean;
      readonly source: string;
      readonly entries: readonly {
        readonly propertyId: string;
        readonly units: number;
        readonly rate?: number;
      }[];
    }
  | { readonly kind: 'withdrawal'; readonly propertyId: string };

/** The meaning of a write. */
export type Intent =
  | SentIntent
  /** A calendar without units closes all nights, or none. */
  | {
      readonly kind: 'closing';
      readonly source: string;
      readonly propertyId: string;
      readonly closes: boolean;
    }
  /** Of a connection. */
  | {
      readonly kind: 'reading';
      readonly source: string;
      readonly entries: readonly ({ readonly propertyId: string } & ReadUnits)[];
    }
  /** Null takes the price back. */
  | {
      readonly kind: 'price';
      readonly source: string;
      readonly propertyId: string;
      readonly inventoryTypeId: string;
      readonly rate: number | null;
    }
  | { readonly kind: 'retirement'; readonly source: string; readonly propertyIds: readonly string[] };

/** Of all nights alike. */
interface ReadUnits {
  /** 0 where they are held back; undefined: the connection says nothing of the property any more. */
  readonly units: number | undefined;
  /** The units that are held back. */
  readonly held: number | undefined;
}

/** Key of an imported document: no two have the same name. */
export function importKeyOf(name: string): string {
  return `import ${name}`;
}

/** Key of what a command says for a source: its messages have none. */
export function commandKeyOf(command: string, source: string): string {
  return `${command} of ${source}`;
}

interface Revoked {
  readonly atMs: number;
}

interface Stopped {
  readonly isStopped: boolean;
  readonly atMs: number;
}

export interface Knowledge {
  readonly states: State[];
  /** The true time of each commit. */
  readonly timesMs: number[];
  readonly appliedKeys: Set<string>;
  readonly quotes: Set<string>;
  /** Quotes that were opened. */
  readonly visited: Set<string>;
  /** References of bookings. */
  readonly booked: Set<string>;
  /** By credential, with the true time of the commit. */
  readonly revoked: Map<string, Revoked>;
  /** By credential, until when it is good, by whatever clock, with the true time of the commit. */
  readonly ending: Map<string, { readonly untilMs: number; readonly atMs: number }>;
  /** As they were stored last. */
  readonly credentials: Map<string, CredentialRow>;
  /** By partner, whether it is stopped, with the true time of the last change of that. */
  readonly stopped: Map<string, Stopped>;
  /** Partners that there are. */
  readonly born: Set<string>;
  /** By credential, the true time at which it was first stored. */
  readonly issued: Map<string, number>;
}

export class KnownTruth {
  #now: Knowledge;
  /** States that the database has lost, with the true time of the loss. */
  readonly lost: { readonly states: readonly State[]; readonly atMs: number }[] = [];
  /** By partner, the properties that it could ever see, in whatever history. */
  readonly everSeen = new Map<string, Set<string>>();
  /** By idempotency key, or what stands for one. */
  readonly intents = new Map<string, Intent>();

  constructor(now: Knowledge = emptyKnowledge()) {
    this.#now = copyOf(now);
    for (const state of now.states) this.#noteSeen(state);
  }

  get now(): Knowledge {
    return this.#now;
  }

  get revision(): number {
    return this.#now.states.length - 1;
  }

  get newest(): State {
    return this.#now.states.at(-1)!;
  }

  /** A copy, for a backup. */
  keep(): Knowledge {
    return copyOf(this.#now);
  }

  goBack(kept: Knowledge, atMs: number): void {
    this.lost.push({ states: this.#now.states, atMs });
    this.#now = copyOf(kept);
  }

  /** Follows one committed call; returns what was wrong about it. */
  follow({ process, name, args, result }: DoneCall, revision: number, atMs: number): string | undefined {
    const state = this.#next({ name, args, result, process });
    let wrong: string | undefined;
    if (name === 'applySupply') wrong = this.#noteKey(args[0] as SupplyMessage, result as SupplyAnswer);
    if (name === 'writeProperties')
      for (const key of keysOf(args[0] as readonly PropertyWrite[])) this.#now.appliedKeys.add(key);
    if (name === 'insertQuote') this.#now.quotes.add((args[0] as QuoteRow).quoteId);
    if (name === 'recordVisits')
      for (const { quoteId } of args[0] as readonly HandoffVisit[])
        if (this.#now.quotes.has(quoteId)) this.#now.visited.add(quoteId);
    if (name === 'recordConversion' && (result as ConversionOutcome).kind === 'recorded')
      this.#now.booked.add((args[0] as ConversionReport).reference);
    const { disabled } = (name === 'updatePartner' ? args[1] : {}) as PartnerChanges;
    if (disabled !== undefined && result !== undefined)
      this.#now.stopped.set(String(args[0]), { isStopped: disabled, atMs });
    if (name === 'putCredentials') this.#noteCredentials(args[0] as readonly CredentialRow[], atMs);
    // Otherwise the credential was there already.
    if (name === 'putCredentialOnce' && result === undefined)
      this.#noteCredentials(args.slice(0, 2).filter(Boolean) as readonly CredentialRow[], atMs);
    const isNew = this.revision < revision;
    while (this.revision < revision) {
      this.#now.states.push(this.newest);
      this.#now.timesMs.push(atMs);
    }
    // Several messages may share a revision; one that says what is so already makes none.
    if (state !== undefined) this.#replaceNewest(state, revision, isNew ? isOther : saysOther);
    if (name === 'putPartner') this.#noteBorn(args[0] as PartnerRow);
    return wrong;
  }

  #noteBorn({ partnerId }: PartnerRow): void {
    this.#now.born.add(partnerId);
    this.#noteSeen(this.newest);
  }

  #noteCredentials(rows: readonly CredentialRow[], atMs: number): void {
    const { issued, revoked, ending } = this.#now;
    for (const row of rows) {
      const { credentialId, revokedAtMs, expiresAtMs } = row;
      this.#now.credentials.set(credentialId, row);
      if (!issued.has(credentialId)) issued.set(credentialId, atMs);
      // An end comes no later.
      const untilMs = ending.get(credentialId)?.untilMs ?? Number.POSITIVE_INFINITY;
      if (expiresAtMs !== null && expiresAtMs < untilMs)
        ending.set(credentialId, { untilMs: expiresAtMs, atMs });
      if (revokedAtMs !== null && !revoked.has(credentialId)) revoked.set(credentialId, { atMs });
    }
  }

  #noteKey(message: SupplyMessage, answer: SupplyAnswer): string | undefined {
    const key = keyOf(message);
    if (key === '' || answer.kind !== 'done') return undefined;
    if (answer.isReplayed || answer.outcome.verdict === 'refused') return undefined;
    if (this.#now.appliedKeys.has(key)) return `the message ${key} was applied twice`;
    this.#now.appliedKeys.add(key);
    return undefined;
  }

  /** The state that a message makes; undefined if it makes none. */
  #next({ process, name, args, result }: DoneCall): Map<string, KnownProperty> | undefined {
    const [first] = args;
    if (name === 'writeProperties')
      return this.#applyAll(keysOf(first as readonly PropertyWrite[]).map((key) => this.intents.get(key)!));
    if (name === 'withdrawProperties')
      return this.#applyAll(
        (first as readonly string[]).map((propertyId) => ({ kind: 'withdrawal', propertyId })),
      );
    if (name !== 'applySupply') return undefined;
    const answer = result as SupplyAnswer;
    const message = first as SupplyMessage;
    if (message.source === SUPPLY_AGE_SOURCE) return ageAll(this.newest, message, answer);
    const intent =
      closingOf(message) ?? readingOf(message, answer) ?? intentOf(message, process.name, this.intents);
    if (intent === undefined || answer.kind !== 'done' || answer.isReplayed) return undefined;
    if (answer.outcome.verdict === 'refused') return undefined;
    return applyIntent(this.newest, intent);
  }

  #applyAll(intents: readonly Intent[]): Map<string, KnownProperty> {
    return intents.reduce(applyIntent, new Map(this.newest));
  }

  #replaceNewest(state: Map<string, KnownProperty>, revision: number, isChanged: typeof isOther): void {
    const before = this.newest;
    for (const [id, property] of state) {
      const old = before.get(id);
      state.set(id, isChanged(property, old) ? { ...property, revision } : old!);
    }
    this.#now.states[revision] = state;
    this.#noteSeen(state);
  }

  #noteSeen(state: State): void {
    for (const partnerId of this.#now.born) {
      const seen = this.everSeen.get(partnerId) ?? new Set();
      this.everSeen.set(partnerId, seen);
      for (const [id, known] of state) if (isSeenBy(partnerId, known)) seen.add(id);
    }
  }
}

function isOther(property: KnownProperty, before: KnownProperty | undefined): boolean {
  return property !== before;
}

function saysOther(property: KnownProperty, before: KnownProperty | undefined): boolean {
  return before === undefined || !isDeepStrictEqual(plainOf(property), plainOf(before));
}

/** The same for all that make the same document. */
function plainOf({ terms, ...property }: KnownProperty): object {
  const { maxAdvanceDays = SHAPES[terms.shape]!.double['maxAdvanceDays'], currency = 'EUR' } = terms;
  return {
    ...property,
    revision: 0,
    terms: [terms.hasDiscount, terms.shape, maxAdvanceDays, currency, terms.maxSupplyAgeHours],
  };
}

/** Unix ms; infinite where there is none. */
export function endOf({ expiresAtMs }: CredentialRow): number {
  return expiresAtMs ?? Number.POSITIVE_INFINITY;
}

export function lifetimeOf(row: CredentialRow): number {
  return endOf(row) - row.createdAtMs;
}

function copyOf({
  states,
  timesMs,
  appliedKeys,
  quotes,
  visited,
  booked,
  revoked,
  ending,
  credentials,
  stopped,
  born,
  issued,
}: Knowledge): Knowledge {
  return {
    states: [...states],
    timesMs: [...timesMs],
    appliedKeys: new Set(appliedKeys),
    quotes: new Set(quotes),
    visited: new Set(visited),
    booked: new Set(booked),
    revoked: new Map(revoked),
    ending: new Map(ending),
    credentials: new Map(credentials),
    stopped: new Map(stopped),
    born: new Set(born),
    issued: new Map(issued),
  };
}

function emptyKnowledge(): Knowledge {
  return {
    states: [new Map()],
    timesMs: [0],
    appliedKeys: new Set(),
    quotes: new Set(),
    visited: new Set(),
    booked: new Set(),
    revoked: new Map(),
    ending: new Map(),
    credentials: new Map(),
    stopped: new Map(),
    born: new Set(),
    issued: new Map(),
  };
}

/** What a poll, or a person's act on a feed, says; undefined: another message, or one that only confirms. */
export function closingOf({ source, work }: SupplyMessage): Extract<Intent, { kind: 'closing' }> | undefined {
  if (!source.startsWith(FEED_SOURCE_PREFIX) || work.kind !== 'calendars') return undefined;
  const [change] = work.changes.map(parsePropertyChange);
  const [type] = change?.types ?? [];
  if (change === undefined || type === undefined) return undefined;
  return { kind: 'closing', source, propertyId: change.propertyId, closes: type.entries.length > 0 };
}

/** What a connection says of its rooms; undefined: another message, or one that only confirms. */
export function readingOf(
  { source, work }: SupplyMessage,
  answer: SupplyAnswer,
): Extract<Intent, { kind: 'reading' }> | undefined {
  if (connectionOf(source) === undefined || work.kind !== 'calendars' || answer.kind !== 'done')
    return undefined;
  const refused = new Set(answer.outcome.refusals.map(({ propertyId }) => propertyId));
  const entries = work.changes
    .map(parsePropertyChange)
    .filter(({ propertyId }) => !refused.has(propertyId))
    .flatMap(({ propertyId, types: [type] }) =>
      type === undefined ? [] : [{ propertyId, ...unitsOf(type) }],
    );
  return { kind: 'reading', source, entries };
}

function unitsOf({ entries }: TypeChange): ReadUnits {
  const said = entries[0]?.set.availability ?? undefined;
  const isHeld = entries.some(({ set }) => set.stopSell === 1);
  return isHeld ? { units: 0, held: said } : { units: said, held: undefined };
}

function intentOf(
  message: SupplyMessage,
  command: string,
  intents: ReadonlyMap<string, Intent>,
): Intent | undefined {
  const { source, work } = message;
  if (work.kind === 'retirement') return { kind: 'retirement', source, propertyIds: work.propertyIds };
  return intents.get(keyOf(message) || commandKeyOf(command, source));
}

/** As its source sent it: the target of the request says it too. */
function keyOf({ idempotency }: SupplyMessage): string {
  const said = idempotency?.bodyHash ?? '';
  return said.slice(0, Math.max(0, said.lastIndexOf(' ')));
}

function keysOf(writes: readonly PropertyWrite[]): readonly string[] {
  return writes.map(({ property }) => importKeyOf(property.name as string));
}

/** The state after a message that was applied. */
export function applyIntent(before: State, intent: Intent): Map<string, KnownProperty> {
  const after = new Map(before);
  const put = (id: string, change: (known: KnownProperty) => KnownProperty): void => {
    const known = before.get(id) ?? { ...NOTHING, propertyId: id };
    const changed = change(after.get(id) ?? known);
    if (!isSame(known, changed)) after.set(id, changed);
  };
  if (intent.kind === 'document') {
    const { propertyId, name, visibleTo, isForAll, terms, open } = intent;
    put(propertyId, (known) => ({
      ...known,
      ...(open === undefined ? {} : { units: { ...known.units, [OWNER]: open.units }, rate: open.rate ?? 0 }),
      isWithdrawn: false,
      isAged: false,
      name,
      visibleTo: isForAll ? [] : visibleTo,
      isForAll,
      terms,
    }));
  } else if (intent.kind === 'withdrawal') {
    // The calendars of other sources apply again when the property returns.
    put(intent.propertyId, ({ units: { [OWNER]: _own, ...units }, ...known }) => ({
      ...known,
      units,
      rate: 0,
      isAged: known.isAged,
      isWithdrawn: true,
      visibleTo: [],
      isForAll: false,
      terms: NO_TERMS,
    }));
  } else if (intent.kind === 'price') {
    put(intent.propertyId, (known) => withPrice(known, intent));
  } else if (intent.kind === 'retirement') {
    for (const id of intent.propertyIds) put(id, (known) => withoutUnits(known, intent.source));
  } else if (intent.kind === 'reading') {
    const { source } = intent;
    for (const { propertyId, units, held } of intent.entries)
      put(propertyId, (known) => {
        const said = Object.entries({ ...known.units, [source]: units, [heldOf(source)]: held });
        const kept = said.filter((one): one is [string, number] => one[1] !== undefined);
        return { ...known, isAged: false, units: Object.fromEntries(kept) };
      });
  } else if (intent.kind === 'closing') {
    const { propertyId, source, closes } = intent;
    put(propertyId, (before) => {
      const known = source === MANUAL_SOURCE ? before : { ...before, isAged: false };
      return closes ? { ...known, units: { ...known.units, [source]: 0 } } : withoutUnits(known, source);
    });
  } else {
    for (const { propertyId, units, rate } of intent.entries)
      put(propertyId, (known) => ({
        ...known,
        isAged: false,
        units: { ...known.units, [intent.source]: units },
        rate: rate ?? known.rate,
      }));
  }
  return after;
}

function withPrice(
  known: KnownProperty,
  { source, inventoryTypeId, rate }: Extract<Intent, { kind: 'price' }>,
): KnownProperty {
  if (source === OWNER) return { ...known, rate: rate ?? 0 };
  // JSON leaves undefined ones out.
  return { ...known, byHand: { ...known.byHand, [inventoryTypeId]: rate ?? undefined } };
}

/** What the sweep closes and opens, but for those that were confirmed meanwhile. */
function ageAll(before: State, { work }: SupplyMessage, answer: SupplyAnswer): Map<string, KnownProperty> {
  const after = new Map(before);
  if (work.kind !== 'calendars' || answer.kind !== 'done') return after;
  const refused = new Set(answer.outcome.refusals.map(({ propertyId }) => propertyId));
  for (const bytes of work.changes) {
    const { propertyId, types } = parsePropertyChange(bytes);
    if (refused.has(propertyId)) continue;
    const isAged = types.some(({ entries }) => entries.length > 0);
    after.set(propertyId, { ...after.get(propertyId)!, isAged });
  }
  return after;
}

/** Units that a connection read and that are held back, as if another source had them. */
function heldOf(source: string): string {
  return `${source}, held back`;
}

function withoutUnits(known: KnownProperty, source: string): KnownProperty {
  const { [source]: _before, [heldOf(source)]: _held, ...units } = known.units;
  return { ...known, units };
}

const NOTHING: KnownProperty = {
  propertyId: '',
  revision: 0,
  isWithdrawn: true,
  name: '',
  visibleTo: [],
  isForAll: false,
  units: {},
  rate: 0,
  byHand: {},
  isAged: false,
  terms: NO_TERMS,
};

function isSame(one: KnownProperty, other: KnownProperty): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function isSeenBy(partnerId: string, { isWithdrawn, isForAll, visibleTo }: KnownProperty): boolean {
  return !isWithdrawn && (isForAll || visibleTo.includes(partnerId));
}
