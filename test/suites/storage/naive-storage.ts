/**
 * The port as a few maps: obviously right, and the measure of every adapter. Values are compared as text.
 */
import type { ChangeCursor, FollowedProperty } from '../../../src/storage/catalogue/store.ts';
import type { PropertyWrite, WriteOutcome } from '../../../src/domain/ledger/stored-write.ts';
import type { Revision } from '../../../src/storage/history/revision.ts';

interface NaiveRow {
  /** Undefined: withdrawn. */
  write: PropertyWrite | undefined;
  revision: Revision;
}

export interface NaiveStorage {
  revision: Revision;
  readonly rows: ReadonlyMap<string, NaiveRow>;
  write(writes: readonly PropertyWrite[]): WriteOutcome[];
  compare(writes: readonly PropertyWrite[]): WriteOutcome[];
  withdraw(propertyIds: readonly string[]): number;
  listIds(source: string, afterId: string, limit: number): string[];
  /** All of them, in order. */
  changesAfter(cursor: ChangeCursor): { propertyId: string; revision: Revision; withdrawn: boolean }[];
  snapshot(): FollowedProperty[];
}

export function createNaiveStorage(): NaiveStorage {
  let rows = new Map<string, NaiveRow>();

  function write(writes: readonly PropertyWrite[]): WriteOutcome[] {
    const revision = model.revision + 1;
    const outcomes = writes.map((written) => {
      const { propertyId } = written.property;
      const stored = rows.get(propertyId)?.write;
      const outcome = stored === undefined ? 'created' : isSame(stored, written) ? 'unchanged' : 'changed';
      if (outcome !== 'unchanged') rows.set(propertyId, { write: written, revision });
      return outcome;
    });
    if (outcomes.some((outcome) => outcome !== 'unchanged')) model.revision = revision;
    return outcomes;
  }

  const model: NaiveStorage = {
    revision: 0,
    get rows() {
      return rows;
    },
    write,
    compare(writes) {
      const kept = { rows: new Map(rows), revision: model.revision };
      const outcomes = write(writes);
      rows = kept.rows;
      model.revision = kept.revision;
      return outcomes;
    },
    withdraw(propertyIds) {
      const present = new Set(propertyIds.filter((propertyId) => rows.get(propertyId)?.write !== undefined));
      if (present.size > 0) model.revision++;
      for (const propertyId of present) rows.set(propertyId, { write: undefined, revision: model.revision });
      return present.size;
    },
    listIds: (source, afterId, limit) =>
      [...rows]
        .filter(([propertyId, row]) => row.write?.source === source && propertyId > afterId)
        .map(([propertyId]) => propertyId)
        .toSorted()
        .slice(0, limit),
    changesAfter: (cursor) =>
      [...rows]
        .map(([propertyId, row]) => ({
          propertyId,
          revision: row.revision,
          withdrawn: row.write === undefined,
        }))
        .filter((change) => inOrder(cursor, change) < 0)
        .toSorted(inOrder),
    snapshot: () =>
      [...rows]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, row]) => (row.write === undefined ? [] : [toFollowed(row.write, row.revision)])),
  };
  return model;
}

type Place = Pick<ChangeCursor, 'revision' | 'propertyId'>;

function inOrder(a: Place, b: Place): number {
  return a.revision - b.revision || (a.propertyId < b.propertyId ? -1 : a.propertyId > b.propertyId ? 1 : 0);
}

function toFollowed(
  { property, lowestRates, calendars }: PropertyWrite,
  revision: Revision,
): FollowedProperty {
  const nights = calendars.map((calendar) => calendar.nights);
  return { property, revision, lowestRates, nights, rates: calendars.map((calendar) => calendar.rates) };
}

function isSame(a: PropertyWrite, b: PropertyWrite): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
