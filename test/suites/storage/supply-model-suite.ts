import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CALENDAR_FIELDS, type CalendarEntry, type CalendarField } from '../../../src/domain/calendar.ts';
import { valueAt } from '../../../src/domain/night-runs.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { FIXED_SEED } from '../../kit/property-arbitraries.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  calendarWork,
  type Change,
  effectiveCalendar,
  FIRST_NIGHT,
  send,
  suppliedWrite,
  supplyMessage,
} from './supply-samples.ts';

const NIGHT_COUNT = 12;
const IDS = ['a', 'b'] as const;
const TYPE_IDS = ['double', 'single'] as const;
const SOURCES = ['pms', 'channel', 'manual'] as const;
/** Of `single` the prices come from the channel. */
const INVENTORY = [sampleType('double'), { ...sampleType('single'), priceSource: 'channel' }];

const values: Partial<Record<CalendarField, fc.Arbitrary<number | null>>> = {
  availability: fc.constantFrom(0, 1, 2, 3, null),
  stopSell: fc.constantFrom(0, 1, null),
  closedToArrival: fc.constantFrom(0, 1, null),
  minStayArrival: fc.constantFrom(1, 2, 7, null),
  minStayThrough: fc.constantFrom(1, 2, null),
  maxStay: fc.constantFrom(3, 9, null),
};
const restrictions: fc.Arbitrary<CalendarEntry['set']> = fc.record(values, { requiredKeys: [] });
const prices: fc.Arbitrary<CalendarEntry['set']> = fc.record({
  rate: fc.constantFrom(9_000, 12_000, null),
});

function entryOf(set: fc.Arbitrary<CalendarEntry['set']>): fc.Arbitrary<CalendarEntry> {
  return fc
    .tuple(fc.nat(NIGHT_COUNT - 1), fc.nat(4), set)
    .map(([from, extra, of]) => ({ from: FIRST_NIGHT + from, to: FIRST_NIGHT + from + extra, set: of }));
}

/** A message of one source; prices only where they may come from it. */
interface Message {
  readonly source: (typeof SOURCES)[number];
  readonly changes: readonly Change[];
}

const message: fc.Arbitrary<Message> = fc.constantFrom(...SOURCES).chain((source) =>
  fc
    .array(
      fc
        .record({ propertyId: fc.constantFrom(...IDS), inventoryTypeId: fc.constantFrom(...TYPE_IDS) })
        .chain((place) => {
          const mayPrice = source === (place.inventoryTypeId === 'double' ? 'pms' : 'channel');
          const entry = entryOf(mayPrice ? fc.oneof(restrictions, prices) : restrictions);
          const entries = fc.array(entry, { minLength: 1, maxLength: 4 });
          return fc
            .record({ entries, replaces: fc.constantFrom(false, false, false, true) })
            .map((change) => ({
              ...place,
              ...change,
            }));
        }),
      { maxLength: 3 },
    )
    .map((changes) => ({ source, changes })),
);

/** A message in which anything may be wrong: names that nobody knows, prices of a source that has none to set. */
const anyMessage: fc.Arbitrary<Message & { readonly isPartial: boolean }> = fc.record({
  source: fc.constantFrom(...SOURCES),
  isPartial: fc.boolean(),
  changes: fc.array(
    fc.record({
      propertyId: fc.constantFrom(...IDS, ...IDS, 'none'),
      inventoryTypeId: fc.constantFrom(...TYPE_IDS, ...TYPE_IDS, 'suite'),
      entries: fc.array(entryOf(fc.oneof(restrictions, restrictions, prices)), {
        minLength: 1,
        maxLength: 3,
      }),
      replaces: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const IS_KNOWN: ReadonlySet<string | undefined> = new Set([...IDS, ...TYPE_IDS]);

/** What is good of it, said again in other words than those of the service. */
function goodOf({ source, changes }: Message): readonly Change[] {
  const known = changes.filter((one) => IS_KNOWN.has(one.propertyId) && IS_KNOWN.has(one.inventoryTypeId));
  return known
    .map((change) => {
      const mayPrice = source === (change.inventoryTypeId === 'double' ? 'pms' : 'channel');
      return { ...change, entries: change.entries.filter(({ set }) => mayPrice || !((set.rate ?? 0) > 0)) };
    })
    .filter(({ entries }) => entries.length > 0);
}

/** What each source last said of each night: by property, type, source, night and field. */
type Model = Map<string, number>;

function keyOf(...parts: readonly (string | number)[]): string {
  return parts.join('/');
}

function takeIn(model: Model, { source, changes }: Message): void {
  for (const { propertyId, inventoryTypeId = 'double', replaces = false, entries } of changes) {
    const layer = keyOf(propertyId, inventoryTypeId, source);
    if (replaces) for (const key of [...model.keys()]) if (key.startsWith(`${layer}/`)) model.delete(key);
    for (const { from, to, set } of entries) {
      for (let night = from; night <= to; night++) {
        for (const [field, value] of Object.entries(set)) {
          if (value === null) model.delete(keyOf(layer, night, field));
          else if (value !== undefined) model.set(keyOf(layer, night, field), value);
        }
      }
    }
  }
}

function expectedValue(
  model: Model,
  [propertyId, inventoryTypeId]: readonly [string, string],
  night: number,
  field: CalendarField,
): number | undefined {
  const said = SOURCES.map((source) => model.get(keyOf(propertyId, inventoryTypeId, source, night, field)));
  if (field === 'rate') return said[SOURCES.indexOf(inventoryTypeId === 'double' ? 'pms' : 'channel')];
  const set = said.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return field === 'availability' || field === 'maxStay' ? set[0] : set.at(-1);
}

async function assertIsModel(storage: Storage, model: Model): Promise<void> {
  for (const propertyId of IDS) {
    for (const [position, typeId] of TYPE_IDS.entries()) {
      const calendar = await effectiveCalendar(storage, propertyId, position);
      for (let night = FIRST_NIGHT - 1; night < FIRST_NIGHT + NIGHT_COUNT + 6; night++) {
        for (const field of CALENDAR_FIELDS) {
          const expected = expectedValue(model, [propertyId, typeId], night, field);
          assert.equal(valueAt(calendar[field], night), expected, keyOf(propertyId, typeId, night, field));
        }
      }
    }
  }
}

async function writeSilentDocuments(storage: Storage): Promise<void> {
  await storage.writeProperties(
    IDS.map((id) => suppliedWrite(id, [undefined, undefined], { inventoryTypes: INVENTORY })),
  );
}

export function describeSupplyModel(open: OpenFixture): void {
  describe('any messages of any sources', () => {
    it('end in the calendar of the naive model, and the same again changes nothing', () =>
      fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 5, maxLength: 25 }), (messages) =>
          withStorage(open, async (storage) => {
            await writeSilentDocuments(storage);
            const model: Model = new Map();
            for (const [index, one] of messages.entries()) {
              takeIn(model, one);
              await send(storage, one.source, calendarWork(one.changes));
              if (index % 5 === 0) {
                const revision = await storage.readRevision();
                // The same message once more, and a document that says nothing of calendars.
                await send(storage, one.source, calendarWork(one.changes));
                await writeSilentDocuments(storage);
                assert.equal(await storage.readRevision(), revision);
              }
            }
            await assertIsModel(storage, model);
          }),
        ),
        { ...FIXED_SEED, numRuns: 8 },
      ));

    it('apply what is good of them, or nothing, and confirm just that', () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyMessage, { minLength: 5, maxLength: 20 }), (messages) =>
          withStorage(open, async (storage) => {
            await writeSilentDocuments(storage);
            const model: Model = new Map();
            const confirmed = new Set(IDS.map((id) => keyOf(id, 'pms')));
            for (const one of messages) {
              const good = goodOf(one);
              const countOf = (changes: readonly Change[]) =>
                changes.flatMap(({ entries }) => entries).length;
              const refused = countOf(one.changes) - countOf(good);
              const outcome = await send(storage, one.source, calendarWork(one.changes, one));
              const isApplied = refused === 0 || one.isPartial;
              assert.equal(outcome.refused, refused);
              assert.equal(outcome.verdict, refused === 0 ? 'applied' : isApplied ? 'partial' : 'refused');
              if (!isApplied) continue;
              takeIn(model, { source: one.source, changes: good });
              for (const { propertyId } of good) confirmed.add(keyOf(propertyId, one.source));
            }
            await assertIsModel(storage, model);
            const listed = await storage.listConfirmations({ propertyId: '', source: '' }, 100);
            const pairs = listed.map(({ propertyId, source }) => keyOf(propertyId, source));
            assert.deepEqual(pairs, [...confirmed].toSorted());
          }),
        ),
        { ...FIXED_SEED, numRuns: 8 },
      ));

    it('do so however the sources are interleaved, batched and repeated by key', () =>
      fc.assert(
        fc.asyncProperty(fc.array(message, { minLength: 5, maxLength: 30 }), (messages) =>
          withStorage(open, async (storage, { openAnother }) => {
            await writeSilentDocuments(storage);
            const model: Model = new Map();
            for (const one of messages) takeIn(model, one);
            const storages = [storage, await openAnother()];
            // Each source sends one message after the other, each twice at once under one key; sources don't wait.
            await Promise.all(
              SOURCES.map(async (source, index) => {
                const own = messages.filter((one) => one.source === source);
                for (const [place, { changes }] of own.entries()) {
                  const idempotency = { key: `${place}`, bodyHash: `${place}` };
                  const through = storages[(place + index) % 2]!;
                  const work = calendarWork(changes);
                  await Promise.all(
                    [through, through].map((one) =>
                      one.applySupply(supplyMessage(source, work, { idempotency })),
                    ),
                  );
                }
              }),
            );
            await assertIsModel(storage, model);
            const listed = await storage.listSupplyMessages({ limit: 1_000 });
            assert.equal(listed.length, messages.length, 'each message was applied once');
          }),
        ),
        { ...FIXED_SEED, numRuns: 6 },
      ));
  });
}
