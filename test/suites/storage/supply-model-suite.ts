import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { type CalendarEntry } from '../../../src/domain/calendar.ts';
import { CALENDAR_FIELDS } from '../../../src/domain/calendar-fields.ts';
import { buildLowestRates } from '../../../src/domain/lowest-rates.ts';
import { valueAt } from '../../../src/domain/night-runs.ts';
import type { SupplyWork } from '../../../src/domain/ledger/message.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type NaiveChange, type NaiveDocument, NaiveSupply } from '../../kit/naive-supply.ts';
import { RUN_SEED } from '../../kit/seeds.ts';
import { performEach, storyOf } from '../../kit/story.ts';
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
  perform,
  SOURCES,
  tellChanges,
  tellDocument,
  tellStep,
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

const anySteps = storyOf(anyStep, 30, tellStep);
const anyWords = storyOf(
  anyWord,
  30,
  ({ source, said }) => `${source} says ${'types' in said ? tellDocument(said) : tellChanges(said)}`,
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
        fc.asyncProperty(anySteps, (steps) =>
          withStorage(open, async (storage) => {
            const model = await writeSilentDocuments(storage);
            await performEach(steps, tellStep, async (step, index) => {
              await perform(step, { storage, model });
              if (index % 4 > 0) return;
              const revision = await storage.readRevision();
              await perform(step, { storage, model }, true);
              assert.equal(await storage.readRevision(), revision, 'the same again changed something');
              await assertIsModel(storage, model);
            });
            await assertIsModel(storage, model);
          }),
        ),
        { ...RUN_SEED, numRuns: 18 },
      ));

    it('do so however the sources are interleaved, batched and repeated by key', () =>
      fc.assert(
        fc.asyncProperty(anyWords, (words) =>
          withStorage(open, async (storage, { openAnother }) => {
            const model = await writeSilentDocuments(storage);
            await sendInterleaved([storage, await openAnother()], takenBy(model, words));
            await assertIsModel(storage, model);
            const listed = await storage.listSupplyMessages({ limit: 1_000 });
            assert.equal(listed.length, words.length, 'each message was applied once');
          }),
        ),
        { ...RUN_SEED, numRuns: 6 },
      ));
  });
}

interface SourceWork {
  readonly source: string;
  readonly work: SupplyWork;
}

/** What of the words is good, as messages; the model takes it. */
function takenBy(model: NaiveSupply, words: readonly Word[]): SourceWork[] {
  return words.map(({ source, said }) => {
    if ('types' in said) {
      model.write(said);
      return { source, work: { kind: 'document', write: writeOf(said) } };
    }
    const good = model.goodOf(source, said);
    model.change(source, good);
    return { source, work: calendarWork(good) };
  });
}

/** Each source sends one message after the other, each twice at once under one key; sources don't wait. */
async function sendInterleaved(storages: readonly Storage[], works: readonly SourceWork[]): Promise<void> {
  const sendAll = async (source: string, index: number): Promise<void> => {
    const own = works.filter((one) => one.source === source);
    for (const [place, { work }] of own.entries()) {
      const idempotency = { key: `${place}`, bodyHash: `${place}` };
      const through = storages[(place + index) % storages.length]!;
      const sendOnce = () => through.applySupply(supplyMessage(source, work, { idempotency }));
      await Promise.all([sendOnce(), sendOnce()]);
    }
  };
  await Promise.all(SOURCES.map(sendAll));
}
