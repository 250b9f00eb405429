import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, makeProperty } from '../../test/kit/property-fixtures.ts';
import type { CalendarEntry, EntryFields } from '../domain/calendar.ts';
import { type AnyField, FIELDS, rowOf } from '../domain/calendar-fields.ts';
import { encodeProperty } from '../supply/run/encode-property.ts';
import type { PropertyWrite } from '../domain/ledger/stored-write.ts';
import { latestOf } from './engine/migrations.ts';
import { POSTGRES_SCHEMA } from './engine/postgres/migrate.ts';
import { SQLITE_SCHEMA } from './engine/sqlite/migrate.ts';
import type { SeenProcess } from './engine/state.ts';
import { holdNewFields } from './new-fields.ts';
import { StorageUnavailable } from './storage.ts';
import { formatPropertyChange } from '../domain/ledger/property-change.ts';
import type { SupplyMessage, SupplyWork } from '../domain/ledger/message.ts';

const SINCE = 15;
const FIRST_RELEASE_CODE_MAX = 8;
const readSince = (field: AnyField) => (field === 'maxStay' || field === 'ratesByGuests' ? SINCE : 0);
const NIGHT = dayOf('2026-12-10');
const entry = (set: EntryFields): CalendarEntry => ({ from: NIGHT, to: NIGHT, set });

const processThat = (knows: number): SeenProcess => ({
  release: '1.0.0',
  where: `process ${knows} on b`,
  machine: 'b',
  knows,
  seenAtMs: 0,
});

function writeOf(set: EntryFields): PropertyWrite {
  const options = { source: 'catalogue', horizonNights: 730 };
  return encodeProperty(makeProperty(), [[entry(set)]], options);
}

function calendarsOf(set: EntryFields): SupplyWork {
  const types = [{ inventoryTypeId: 'double', replaces: false, entries: [entry(set)], positions: [0] }];
  const changes = [formatPropertyChange({ propertyId: 'a "maxStay":', types })];
  return { kind: 'calendars', changes, propertyIds: ['a'], isPartial: false, horizonNights: 730 };
}

type HeldStorage = Parameters<typeof holdNewFields>[0];

/** How many writes came through. */
async function write(set: EntryFields, knows: readonly number[]): Promise<number> {
  let written = 0;
  const applied: HeldStorage = {
    readProcesses: async () => knows.map(processThat),
    async applySupply() {
      written++;
      return undefined as never;
    },
    async writeProperties() {
      written++;
      return [];
    },
  };
  const storage = holdNewFields(applied, () => 0, readSince);
  const messageOf = (work: SupplyWork) => ({ work }) as SupplyMessage;
  const writes = [
    () => storage.writeProperties([writeOf({}), writeOf(set)]),
    () => storage.applySupply(messageOf({ kind: 'document', write: writeOf(set) })),
    () => storage.applySupply(messageOf(calendarsOf(set))),
  ];
  for (const one of writes)
    await one().catch((error: unknown) => {
      assert.ok(error instanceof StorageUnavailable);
      assert.match(error.message, /^(maxStay|ratesByGuests) must wait .*\(process 14 on b\)$/);
    });
  return written;
}

describe('A write that sets a new calendar field', () => {
  it('waits while one process does not read it', async () => {
    assert.equal(await write({ maxStay: 3 }, [SINCE - 1, SINCE]), 0);
    assert.equal(await write({ ratesByGuests: [{ guests: 1, rate: 1 }] }, [SINCE - 1, SINCE]), 0);
  });

  it('comes through when all processes read it, and when none runs', async () => {
    assert.equal(await write({ maxStay: 3 }, [SINCE, SINCE + 1]), 3);
    assert.equal(await write({ maxStay: 3 }, []), 3);
  });

  it('is no other field, though an older process runs', async () => {
    assert.equal(await write({ minStayArrival: 3, rate: 1 }, [SINCE - 1]), 3);
  });

  it('asks for no processes where no field is new', async () => {
    const storage: HeldStorage = {
      applySupply: async () => assert.fail(),
      writeProperties: async () => assert.fail(),
      readProcesses: async () => assert.fail(),
    };
    const held = holdNewFields(
      storage,
      () => 0,
      () => 0,
    );
    assert.equal(held, storage);
  });
});

describe('The row of a field that the first release does not read', () => {
  it('names a migration of this release, which every process of it knows', () => {
    const known = Math.min(...[SQLITE_SCHEMA, POSTGRES_SCHEMA].map(latestOf));
    for (const { code, since } of FIELDS.map(rowOf)) {
      if (code <= FIRST_RELEASE_CODE_MAX) continue;
      assert.ok(since !== undefined, `field ${code} has no \`since\``);
      assert.ok(since <= known, `field ${code} waits for migration ${since}, and the last one is ${known}`);
    }
  });
});
