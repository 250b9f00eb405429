import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { CALENDAR_FIELDS, type CalendarEntry } from '../../../src/domain/calendar.ts';
import { buildLowestRates } from '../../../src/domain/lowest-rates.ts';
import { valueAt } from '../../../src/domain/night-runs.ts';
import type { SupplyWork } from '../../../src/storage/port/supply-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type NaiveChange, type NaiveDocument, NaiveSupply } from '../../kit/naive-supply.ts';
import { FIXED_SEED } from '../../kit/property-arbitraries.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { calendarWork, FIRST_NIGHT, HORIZON_NIGHTS, supplyMessage } from './supply-samples.ts';
import {
  anyChanges,
  anyEntries,
  anyId,
  anySource,
  anyStep,
  EXTRA_NIGHTS_MAX,
  IDS,
  NIGHT_COUNT,
  SOURCES,
  withoutForeignPrices,
  writeOf,
} from './supply-steps.ts';

/** What one source says in its turn, however the others speak meanwhile. */
interface Word {
  readonly source: string;
  readonly said: readonly NaiveChange[] | NaiveDocument;
}

const anyWord: fc.Arbitrary<Word> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ source: anySource, said: anyChanges }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyId, anyEntries, fc.option(anyEntries, { nil: undefined }))
      .map(([id, ...entries]) => ({ source: 'pms', said: withoutForeignPrices(documentOf(id, ...entries)) })),
  },
);

/** Of `single` the prices come from the channel. */
function documentOf(
  propertyId: string,
  ...[double, single]: readonly (readonly CalendarEntry[] | undefined)[]
): NaiveDocument {
  const types = [
    { inventoryTypeId: 'double', entries: double },
    { inventoryTypeId: 'single', priceSource: 'channel', entries: single },
  ];
  return { propertyId, source: 'pms', types };
}

async function writeSilentDocuments(storage: Storage): Promise<NaiveSupply> {
  const model = new NaiveSupply();
  for (const document of IDS.map((id) => documentOf(id))) {
    await storage.writeProperties([writeOf(document)]);
    model.write(document);
  }
  return model;
}

async function assertIsModel(storage: Storage, model: NaiveSupply): Promise<void> {
  for (const propertyId of IDS) {
    const stored = await storage.findProperty(propertyId);
    const { types = [] } = model.documents.get(propertyId) ?? {};
    const calendars = (stored?.calendars ?? []).map(({ nights, rates }) => decodeCalendar(nights, rates));
    assert.equal(calendars.length, types.length);
    if (stored !== undefined)
      assert.deepEqual(stored.lowestRates, buildLowestRates(calendars, HORIZON_NIGHTS));
    for (const [position, { inventoryTypeId }] of types.entries()) {
      for (let night = FIRST_NIGHT - 1; night <= FIRST_NIGHT + NIGHT_COUNT + EXTRA_NIGHTS_MAX; night++) {
        for (const field of [...CALENDAR_FIELDS, 'ratesByGuests'] as const) {
          const expected = model.valueOf(propertyId, inventoryTypeId, night, field);
          const place = [propertyId, inventoryTypeId, night - FIRST_NIGHT, field].join(' ');
          assert.deepEqual(valueAt<unknown>(calendars[position]![field], night), expected, place);
        }
      }
    }
  }
  const listed = await storage.listConfirmations({ propertyId: '', source: '' }, 100);
  const pairs = listed.map(({ propertyId, source }) => `${propertyId}/${source}`);
  assert.deepEqual(pairs, [...model.confirmed].toSorted());
}

export function describeSupplyModel(open: OpenFixture): void {
  describe('any messages of any sources', () => {
    it('end in the calendar of the naive model, and the same again changes nothing', () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 30 }), (steps) =>
          withStorage(open, async (storage) => {
            const model = await writeSilentDocuments(storage);
            for (const [index, run] of steps.entries()) {
              await run(storage, model);
              if (index % 4 > 0) continue;
              const revision = await storage.readRevision();
              await run(storage, model, true);
              assert.equal(await storage.readRevision(), revision);
              await assertIsModel(storage, model);
            }
            await assertIsModel(storage, model);
          }),
        ),
        { ...FIXED_SEED, numRuns: 12 },
      ));

    it('do so however the sources are interleaved, batched and repeated by key', () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyWord, { minLength: 5, maxLength: 30 }), (words) =>
          withStorage(open, async (storage, { openAnother }) => {
            const model = await writeSilentDocuments(storage);
            const storages = [storage, await openAnother()];
            const works = words.map(({ source, said }): { source: string; work: SupplyWork } => {
              if ('types' in said) {
                model.write(said);
                return { source, work: { kind: 'document', write: writeOf(said) } };
              }
              const good = model.goodOf(source, said);
              model.change(source, good);
              return { source, work: calendarWork(good) };
            });
            // Each source sends one message after the other, each twice at once under one key; sources don't wait.
            await Promise.all(
              SOURCES.map(async (source, index) => {
                const own = works.filter((one) => one.source === source);
                for (const [place, { work }] of own.entries()) {
                  const idempotency = { key: `${place}`, bodyHash: `${place}` };
                  const through = storages[(place + index) % 2]!;
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
            assert.equal(listed.length, words.length, 'each message was applied once');
          }),
        ),
        { ...FIXED_SEED, numRuns: 6 },
      ));
  });
}
