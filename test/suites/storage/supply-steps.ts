/** Random steps of supply, each done to a storage and to the naive model: any source, any message, right or wrong. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CalendarEntry } from '../../../src/domain/calendar.ts';
import type { PropertyWrite } from '../../../src/storage/port/catalogue-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { hasPrice, type NaiveChange, type NaiveDocument, type NaiveSupply } from '../../kit/naive-supply.ts';
import { entryFieldsArbitrary } from '../../kit/property-arbitraries.ts';
import { sampleType } from './sample-rows.ts';
import { calendarWork, FIRST_NIGHT, send, suppliedWrite } from './supply-samples.ts';

export const NIGHT_COUNT = 6;
export const EXTRA_NIGHTS_MAX = 4;
export const IDS = ['a', 'b'] as const;
const TYPE_IDS = ['double', 'single'] as const;
export const SOURCES = ['pms', 'channel', 'manual'] as const;

export const anyId = fc.constantFrom(...IDS);
export const anySource = fc.constantFrom(...SOURCES);
const anyEntry: fc.Arbitrary<CalendarEntry> = fc
  .tuple(fc.nat(NIGHT_COUNT - 1), fc.nat(EXTRA_NIGHTS_MAX), entryFieldsArbitrary)
  .map(([from, extra, set]) => ({ from: FIRST_NIGHT + from, to: FIRST_NIGHT + from + extra, set }));
export const anyEntries = fc.array(anyEntry, { minLength: 1, maxLength: 4 });

/** Anything may be wrong: names that nobody knows, prices of a source that has none to set. */
export const anyChanges: fc.Arbitrary<NaiveChange[]> = fc.array(
  fc.record({
    propertyId: fc.constantFrom(...IDS, ...IDS, ...IDS, 'none'),
    inventoryTypeId: fc.constantFrom(...TYPE_IDS, ...TYPE_IDS, ...TYPE_IDS, 'suite'),
    replaces: fc.constantFrom(false, false, false, true),
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

/** Does it, to both; what is expected of the storage is what the model says. Again: the same, in one piece. */
type Step = (storage: Storage, model: NaiveSupply, isAgain?: boolean) => Promise<void>;

const anyMessage: fc.Arbitrary<Step> = fc
  .tuple(anySource, anyChanges, fc.boolean())
  .map(([source, changes, isPartial]) => async (storage, model) => {
    const good = model.goodOf(source, changes);
    const refused = countOf(changes) - countOf(good);
    const outcome = await send(storage, source, calendarWork(changes, { isPartial }));
    assert.equal(outcome.refused, refused);
    assert.equal(outcome.verdict, refused === 0 ? 'applied' : isPartial ? 'partial' : 'refused');
    if (outcome.verdict !== 'refused') model.change(source, good);
  });

/** Of what is good: all at once, entry by entry, or that nothing is set any more. */
const anyGoodMessages: fc.Arbitrary<Step> = fc
  .tuple(anySource, anyChanges, fc.constantFrom('whole', 'whole', 'split', 'emptied'))
  .map(([source, changes, way]) => async (storage, model, isAgain = false) => {
    const good = model.goodOf(source, changes);
    const taken = way === 'emptied' ? good.map(emptied) : good;
    for (const sent of way === 'split' && !isAgain ? splitOf(good) : [taken]) {
      assert.equal((await send(storage, source, calendarWork(sent))).verdict, 'applied');
    }
    model.change(source, taken);
  });

const anyWrite: fc.Arbitrary<Step> = fc
  .tuple(anyDocument, fc.constantFrom('message', 'import', 'import of the owner'))
  .map(([document, way]) => async (storage, model) => {
    const { propertyId, source } = document;
    const owner = model.documents.get(propertyId)?.source ?? source;
    const isRefused = owner !== source && way !== 'import';
    const write = { ...writeOf(document), isOwnOnly: way === 'import of the owner' };
    if (way === 'message') {
      const { verdict } = await send(storage, source, { kind: 'document', write });
      assert.equal(verdict, isRefused ? 'refused' : 'applied');
    } else assert.equal((await storage.writeProperties([write]))[0] === 'foreign', isRefused);
    if (!isRefused) model.write(document);
  });

const anyWithdrawal: fc.Arbitrary<Step> = fc
  .tuple(anyId, fc.constantFrom('pms', 'channel', 'file'))
  .map(([propertyId, by]) => async (storage, model) => {
    const owner = model.documents.get(propertyId)?.source;
    const isDone = owner !== undefined && (by === owner || by === 'file');
    if (by === 'file') assert.equal(await storage.withdrawProperties([propertyId]), isDone ? 1 : 0);
    else {
      const { verdict } = await send(storage, by, { kind: 'withdrawal', propertyId });
      assert.equal(verdict, isDone ? 'applied' : 'refused');
    }
    if (isDone) model.withdraw(propertyId);
  });

export const anyStep = fc.oneof(
  { weight: 3, arbitrary: anyMessage },
  { weight: 5, arbitrary: anyGoodMessages },
  { weight: 3, arbitrary: anyWrite },
  { weight: 1, arbitrary: anyWithdrawal },
);

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
  return { ...change, replaces: true, entries: [] };
}

/** A message for each entry; the first of those that replace a layer does so. */
function splitOf(changes: readonly NaiveChange[]): NaiveChange[][] {
  return changes.flatMap((change) =>
    change.entries.map((entry, index) => [
      { ...change, replaces: change.replaces && index === 0, entries: [entry] },
    ]),
  );
}
