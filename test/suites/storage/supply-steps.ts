/**
 * Random steps of supply, as data: any source, any message, right or wrong. `perform` does one to a storage and to the
 * naive model, and expects of the storage what the model says.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CalendarEntry } from '../../../src/domain/calendar.ts';
import { formatLocalDate } from '../../../src/domain/local-date.ts';
import type { PropertyWrite } from '../../../src/domain/ledger/stored-write.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { hasPrice, type NaiveChange, type NaiveDocument, type NaiveSupply } from '../../kit/naive-supply.ts';
import { entryArbitrary, entryFieldsArbitrary } from '../../kit/property-arbitraries.ts';
import { sampleType } from './sample-rows.ts';
import { calendarWork, FIRST_NIGHT, send, suppliedWrite } from './supply-samples.ts';

export const NIGHT_COUNT = 6;
export const EXTRA_NIGHTS_MAX = 4;
export const IDS = ['a', 'b'] as const;
const TYPE_IDS = ['double', 'single'] as const;
export const SOURCES = ['pms', 'channel', 'manual'] as const;

export const anyId = fc.constantFrom(...IDS);
export const anySource = fc.constantFrom(...SOURCES);
const SPAN = {
  first: FIRST_NIGHT,
  last: FIRST_NIGHT + NIGHT_COUNT - 1,
  extraNights: fc.nat(EXTRA_NIGHTS_MAX),
};
const anyEntry = entryArbitrary(SPAN, entryFieldsArbitrary);
/** Whatever the entries name: what a source clears and what it says are two things. */
const anyNights = entryArbitrary(SPAN, fc.constant({})).map(({ from, to }) => ({ from, to }));
export const anyEntries = fc.array(anyEntry, { minLength: 1, maxLength: 4 });

/** Anything may be wrong: names that nobody knows, prices of a source that has none to set. */
export const anyChanges: fc.Arbitrary<NaiveChange[]> = fc.array(
  fc.record({
    propertyId: fc.constantFrom(...IDS, ...IDS, ...IDS, 'none'),
    inventoryTypeId: fc.constantFrom(...TYPE_IDS, ...TYPE_IDS, ...TYPE_IDS, 'suite'),
    replaces: fc.constantFrom(false, false, false, true),
    clears: fc.option(anyNights, { nil: undefined, freq: 3 }),
    entries: anyEntries,
  }),
  { maxLength: 3 },
);

/** In any order, with or without a calendar. */
const anyTypes = fc.shuffledSubarray([...TYPE_IDS], { minLength: 1 }).chain((typeIds) =>
  fc.tuple(
    ...typeIds.map((inventoryTypeId) =>
      fc.record({
        inventoryTypeId: fc.constant(inventoryTypeId),
        priceSource: fc.constantFrom(undefined, 'pms', 'channel'),
        entries: fc.oneof(anyEntries, fc.constant(undefined)),
      }),
    ),
  ),
);
const anyDocument = fc
  .record({ propertyId: anyId, source: fc.constantFrom('pms', 'pms', 'channel'), types: anyTypes })
  .map(withoutForeignPrices);

interface Send {
  readonly kind: 'send';
  readonly source: string;
  readonly changes: readonly NaiveChange[];
  /** The good ones are applied though others are refused. */
  readonly isPartial: boolean;
}

/** Of the changes those that are good: all at once, entry by entry, or that nothing is set any more. */
interface SendGood {
  readonly kind: 'send good';
  readonly source: string;
  readonly changes: readonly NaiveChange[];
  readonly way: 'whole' | 'split' | 'emptied';
}

interface Write {
  readonly kind: 'write';
  readonly document: NaiveDocument;
  readonly way: 'message' | 'import' | 'import of the owner';
}

interface Withdraw {
  readonly kind: 'withdraw';
  readonly propertyId: string;
  readonly by: 'pms' | 'channel' | 'file';
}

/** In slices, as the command does it. */
interface Retire {
  readonly kind: 'retire';
  readonly source: string;
}

export type SupplyStep = Send | SendGood | Write | Withdraw | Retire;

export const anyStep: fc.Arbitrary<SupplyStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      source: anySource,
      changes: anyChanges,
      isPartial: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send good' as const),
      source: anySource,
      changes: anyChanges,
      way: fc.constantFrom('whole', 'whole', 'split', 'emptied'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      document: anyDocument,
      way: fc.constantFrom('message', 'import', 'import of the owner'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      propertyId: anyId,
      by: fc.constantFrom('pms', 'channel', 'file'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire' as const), source: anySource }) },
);

/** What a step is done to. */
export interface SupplyWorld {
  readonly storage: Storage;
  readonly model: NaiveSupply;
}

/** Does the step, to both. `isAgain`: right after itself, in one piece. */
export async function perform(step: SupplyStep, world: SupplyWorld, isAgain = false): Promise<void> {
  switch (step.kind) {
    case 'send':
      return performSend(step, world);
    case 'send good':
      return performSendGood(step, world, isAgain);
    case 'write':
      return performWrite(step, world);
    case 'withdraw':
      return performWithdraw(step, world);
    case 'retire':
      return performRetire(step, world);
  }
}

async function performSend({ source, changes, isPartial }: Send, { storage, model }: SupplyWorld) {
  const good = model.goodOf(source, changes);
  const refused = countOf(changes) - countOf(good);
  const outcome = await send(storage, source, calendarWork(changes, { isPartial }));
  assert.equal(outcome.refused, refused);
  assert.equal(outcome.verdict, refused === 0 ? 'applied' : isPartial ? 'partial' : 'refused');
  if (outcome.verdict !== 'refused') model.change(source, good);
}

async function performSendGood(
  { source, changes, way }: SendGood,
  { storage, model }: SupplyWorld,
  isAgain: boolean,
) {
  const good = model.goodOf(source, changes);
  const taken = way === 'emptied' ? good.map(emptied) : good;
  for (const sent of way === 'split' && !isAgain ? splitOf(good) : [taken]) {
    assert.equal((await send(storage, source, calendarWork(sent))).verdict, 'applied');
  }
  model.change(source, taken);
}

async function performWrite({ document, way }: Write, { storage, model }: SupplyWorld) {
  const { propertyId, source } = document;
  const owner = model.documents.get(propertyId)?.source ?? source;
  const isRefused = owner !== source && way !== 'import';
  const write = { ...writeOf(document), isOwnOnly: way === 'import of the owner' };
  if (way === 'message') {
    const { verdict } = await send(storage, source, { kind: 'document', write });
    assert.equal(verdict, isRefused ? 'refused' : 'applied');
  } else assert.equal((await storage.writeProperties([write]))[0] === 'foreign', isRefused);
  if (!isRefused) model.write(document);
}

async function performWithdraw({ propertyId, by }: Withdraw, { storage, model }: SupplyWorld) {
  const owner = model.documents.get(propertyId)?.source;
  const isDone = owner !== undefined && (by === owner || by === 'file');
  if (by === 'file') assert.equal(await storage.withdrawProperties([propertyId]), isDone ? 1 : 0);
  else {
    const { verdict } = await send(storage, by, { kind: 'withdrawal', propertyId });
    assert.equal(verdict, isDone ? 'applied' : 'refused');
  }
  if (isDone) model.withdraw(propertyId);
}

async function performRetire({ source }: Retire, { storage, model }: SupplyWorld) {
  const isRefused = model.ownsAny(source);
  const spokenOf = await storage.listSourceProperties(source, '', 100);
  const propertyIds = spokenOf.map(({ propertyId }) => propertyId);
  const outcome = await send(storage, source, { kind: 'retirement', propertyIds, isLast: true });
  assert.equal(outcome.verdict, isRefused ? 'refused' : 'applied');
  if (isRefused) return;
  model.retire(source);
  assert.deepEqual(await storage.listSourceProperties(source, '', 100), []);
  assert.ok(!(await storage.listLayerSources()).includes(source));
}

/** The step as a sentence: what a failed test prints. */
export function tellStep(step: SupplyStep): string {
  switch (step.kind) {
    case 'send':
      return `${step.source} sends ${step.isPartial ? 'what can be applied' : 'all or nothing'} of ${tellChanges(step.changes)}`;
    case 'send good':
      return `${step.source} sends what is good (${step.way}) of ${tellChanges(step.changes)}`;
    case 'write':
      return `${step.document.source} writes ${tellDocument(step.document)} by ${step.way}`;
    case 'withdraw':
      return `${step.by} withdraws ${step.propertyId}`;
    case 'retire':
      return `${step.source} is retired`;
  }
}

export function tellChanges(changes: readonly NaiveChange[]): string {
  if (changes.length === 0) return 'nothing';
  return changes
    .map(({ propertyId, inventoryTypeId, replaces, clears, entries }) =>
      [
        `${propertyId}/${inventoryTypeId}:`,
        ...(replaces ? ['in place of its layer'] : []),
        ...(clears === undefined ? [] : [`clears ${formatNights(clears)}`]),
        tellEntries(entries),
      ].join(' '),
    )
    .join('; ');
}

export function tellDocument({ propertyId, types }: NaiveDocument): string {
  const told = types.map(({ inventoryTypeId, priceSource, entries }) => {
    const prices = priceSource === undefined ? '' : ` (prices of ${priceSource})`;
    return `${inventoryTypeId}${prices}: ${entries === undefined ? 'no calendar' : tellEntries(entries)}`;
  });
  return `${propertyId} with ${told.join('; ')}`;
}

function tellEntries(entries: readonly CalendarEntry[]): string {
  if (entries.length === 0) return 'no entries';
  return entries.map((entry) => `${formatNights(entry)} ${fc.stringify(entry.set)}`).join(', ');
}

function formatNights({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? formatLocalDate(from) : `${formatLocalDate(from)}..${formatLocalDate(to)}`;
}

/** No reader of documents lets them pass: `findForeignPrice`. */
export function withoutForeignPrices(document: NaiveDocument): NaiveDocument {
  const { source } = document;
  const types = document.types.map((type) => {
    const isOwn = (type.priceSource ?? source) === source;
    return { ...type, entries: type.entries?.filter((entry) => isOwn || !hasPrice(entry)) };
  });
  return { ...document, types };
}

export function writeOf({ propertyId, source, types }: NaiveDocument): PropertyWrite {
  const inventoryTypes = types.map(({ inventoryTypeId, priceSource }) => ({
    ...sampleType(inventoryTypeId),
    ...(priceSource === undefined ? {} : { priceSource }),
  }));
  const entries = types.map((type) => type.entries);
  return suppliedWrite(propertyId, entries, { source, inventoryTypes });
}

function countOf(changes: readonly NaiveChange[]): number {
  return changes.flatMap(({ entries }) => entries).length;
}

function emptied(change: NaiveChange): NaiveChange {
  return { ...change, replaces: true, clears: undefined, entries: [] };
}

/** A message for each entry; the first of those that replace a layer does so. */
function splitOf(changes: readonly NaiveChange[]): NaiveChange[][] {
  return changes.flatMap((change) =>
    change.entries.map((entry, index) => [
      {
        ...change,
        replaces: change.replaces && index === 0,
        clears: index === 0 ? change.clears : undefined,
        entries: [entry],
      },
    ]),
  );
}
