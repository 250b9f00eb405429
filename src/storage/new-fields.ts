/**
 * Calendar fields that not every running process reads yet. While one serves that does not, a write that sets such a
 * field is refused as a whole, so that its sender sends it again: the older process would sell against a restriction that
 * it does not know. The row of the field names the last migration of its release.
 */
import { visitNights } from '../domain/calendar-codec.ts';
import { type AnyField, FIELDS, rowOf } from '../domain/calendar-fields.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PropertyWrite } from '../domain/ledger/stored-write.ts';
import { StorageUnavailable } from './engine/errors.ts';
import type { Storage } from './storage.ts';
import type { SupplyWork } from '../domain/ledger/message.ts';

/** The migration that a process must know to read the field; 0: all releases read it. */
export type ReadSince = (field: AnyField) => number;

function migrationOf(field: AnyField): number {
  return rowOf(field).since ?? 0;
}

type HeldStorage = Pick<Storage, 'applySupply' | 'writeProperties' | 'readProcesses'>;

export function holdNewFields<Held extends HeldStorage>(
  storage: Held,
  clock: Clock,
  readSince: ReadSince = migrationOf,
): Held {
  const newFields = FIELDS.filter((field) => readSince(field) > 0);
  if (newFields.length === 0) return storage;

  async function checkReaders(fields: readonly AnyField[]): Promise<void> {
    if (fields.length === 0) return;
    const needed = Math.max(...fields.map(readSince));
    const older = (await storage.readProcesses(clock())).filter(({ knows }) => knows < needed);
    if (older.length === 0) return;
    const places = older.map(({ where }) => where).join(', ');
    throw new StorageUnavailable(
      `${fields.join(', ')} must wait for the end of an older release (${places})`,
    );
  }

  return {
    ...storage,
    async applySupply(message) {
      await checkReaders(fieldsOfWork(newFields, message.work));
      return storage.applySupply(message);
    },
    async writeProperties(writes) {
      await checkReaders(fieldsOfWrites(newFields, writes));
      return storage.writeProperties(writes);
    },
  };
}

function fieldsOfWork(newFields: readonly AnyField[], work: SupplyWork): readonly AnyField[] {
  if (work.kind === 'document') return fieldsOfWrites(newFields, [work.write]);
  if (work.kind !== 'calendars') return [];
  // JSON; the name of a field stands in it as a key only, because a text has its quotes escaped.
  const texts = work.changes.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return newFields.filter((field) => texts.some((text) => text.includes(`"${field}":`)));
}

function fieldsOfWrites(
  newFields: readonly AnyField[],
  writes: readonly PropertyWrite[],
): readonly AnyField[] {
  const found = new Set<AnyField>();
  for (const { nights, rates } of writes.flatMap(({ calendars }) => calendars))
    for (const bytes of [nights, rates])
      visitNights(
        bytes,
        (field) => found.add(field),
        () => found.add('ratesByGuests'),
      );
  return newFields.filter((field) => found.has(field));
}
