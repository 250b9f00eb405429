/** A snapshot that is read slowly under write load is the catalogue at its revision and nothing else. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeCalendar } from '../../src/domain/calendar-codec.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { sampleWrite } from '../suites/storage/sample-rows.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { openTemporaryStorage } from '../kit/temporary-storage.ts';

/** More than one batch, so that the writer comes between the parts of a snapshot. */
const HELD_COUNT = 1_200;
const WRITTEN_AT_ONCE = 40;
const SNAPSHOT_COUNT = 8;
const BATCH_PAUSE_MS = 15;

describe(
  'Snapshots of a PostgreSQL database that is written all the time',
  { skip: postgresMissing() },
  () => {
    let server: PostgresServer;
    before(async () => {
      server = await startPostgres();
    });
    after(() => server.close());

    it('are the catalogue at their revision', async () => {
      const url = await server.createDatabase();
      await assertSnapshotsUnderLoad(() => openStorage(url, { clock: systemClock }));
    });
  },
);

describe('Snapshots of a SQLite database that is written all the time', () => {
  it('are the catalogue at their revision', async () => {
    const temporary = await openTemporaryStorage();
    try {
      await assertSnapshotsUnderLoad(() => openStorage(temporary.databaseUrl, { clock: systemClock }));
    } finally {
      await temporary.close();
    }
  });
});

/** By id of each property that is not withdrawn. */
type Versions = ReadonlyMap<string, number>;

async function assertSnapshotsUnderLoad(open: () => Promise<Storage>): Promise<void> {
  const [writer, reader] = [await open(), await open()];
  try {
    await writer.migrate();
    const writing = await startWriting(writer);
    const taken = new Map<number, Versions>();
    for (let count = 0; count < SNAPSHOT_COUNT; count += 1) {
      const { revision, versions } = await readSlowly(reader);
      taken.set(revision, versions);
    }
    const noted = await writing.stop();
    assert.ok(taken.size > SNAPSHOT_COUNT / 2, `${taken.size} different revisions`);
    for (const [revision, versions] of taken) {
      const expected = noted.get(revision) ?? assert.fail(`nothing was noted for revision ${revision}`);
      assert.deepEqual([...versions].toSorted(), [...expected].toSorted());
    }
  } finally {
    await writer.close();
    await reader.close();
  }
}

async function readSlowly(reader: Storage) {
  const versions = new Map<string, number>();
  const snapshot = await reader.openSnapshot();
  for await (const batch of snapshot.readProperties()) {
    for (const { property, nights } of batch) {
      const [run] = decodeCalendar(nights[0]!).availability;
      versions.set(property.propertyId, run?.value ?? -1);
    }
    await sleep(BATCH_PAUSE_MS);
  }
  await snapshot.close();
  return { revision: snapshot.history.revision, versions };
}

/** The only writer: changes and withdraws until stopped, and notes what each revision left. */
async function startWriting(writer: Storage) {
  const noted = new Map<number, Versions>();
  const state = new Map<string, number>();
  const idOf = (index: number): string => `p${String(index % HELD_COUNT).padStart(5, '0')}`;
  let isStopped = false;

  async function write(ids: readonly string[], version: number): Promise<void> {
    await writer.writeProperties(ids.map((id) => sampleWrite(id, { version })));
    for (const id of ids) state.set(id, version);
  }

  async function withdraw(ids: readonly string[]): Promise<void> {
    await writer.withdrawProperties(ids);
    for (const id of ids) state.delete(id);
  }

  const note = async (): Promise<void> => void noted.set(await writer.readRevision(), new Map(state));

  async function writeUntilStopped(): Promise<void> {
    for (let round = 1; !isStopped; round += 1) {
      // All over the catalogue: a snapshot meets some of them in what it has still to read.
      const ids = Array.from({ length: WRITTEN_AT_ONCE }, (_, index) => idOf(round + index * 31));
      await (round % 5 === 0 ? withdraw(ids) : write(ids, round % 251));
      await note();
    }
  }

  await write(
    Array.from({ length: HELD_COUNT }, (_, index) => idOf(index)),
    0,
  );
  await note();
  const underway = writeUntilStopped();
  return {
    async stop() {
      isStopped = true;
      await underway;
      return noted;
    },
  };
}
