/**
 * Calendar fields and terms of prices that not every running process reads yet. While one serves that does not, a write that sets such a
 * field is refused as a whole, so that its sender sends it again: the older process would lose the property or sell
 * against a restriction that it does not know. The row of the field names the first migration of its release.
 *
 * Rounding in currencies without cents does not wait: each process rounds by its own release.
 */
import { visitNights } from '../domain/calendar-codec.ts';
import { type AnyField, FIELDS, rowOf } from '../domain/calendar-fields.ts';
import type { Property } from '../domain/property.ts';
import type { Clock } from '../runtime/clock.ts';
import type { PropertyWrite } from '../domain/ledger/stored-write.ts';
import { StorageUnavailable } from './engine/errors.ts';
import type { Storage } from './storage.ts';
import type { SupplyWork } from '../domain/ledger/message.ts';

/** A term of prices in the property document that came later. */
const TERMS = ['tiers', 'capPerGuestNight'] as const;
/** The migration that came with them. */
export const TERMS_SINCE = 22;

export type NewField = AnyField | (typeof TERMS)[number];

/** The migration that a process must know to read the field; 0: all releases read it. */
export type ReadSince = (field: NewField) => number;

function migrationOf(field: NewField): number {
  return isTerm(field) ? TERMS_SINCE : (rowOf(field).since ?? 0);
}

function isTerm(field: NewField): field is (typeof TERMS)[number] {
  return TERMS.some((term) => term === field);
}

type HeldStorage = Pick<Storage, 'applySupply' | 'writeProperties' | 'readProcesses'>;

export function holdNewFields<Held extends HeldStorage>(
  storage: Held,
  clock: Clock,
  readSince: ReadSince = migrationOf,
): Held {
  const newFields = [...FIELDS, ...TERMS].filter((field) => readSince(field) > 0);
  if (newFields.length === 0) return storage;

  async function checkReaders(fields: readonly NewField[]): Promise<void> {
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

function fieldsOfWork(newFields: readonly NewField[], work: SupplyWork): readonly NewField[] {
  if (work.kind === 'document') return fieldsOfWrites(newFields, [work.write]);
  if (work.kind !== 'calendars') return [];
  // JSON; the name of a field stands in it as a key only, because a text has its quotes escaped.
  const texts = work.changes.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return newFields.filter((field) => texts.some((text) => text.includes(`"${field}":`)));
}

function fieldsOfWrites(
  newFields: readonly NewField[],
  writes: readonly PropertyWrite[],
): readonly NewField[] {
  const found = new Set<NewField>(writes.flatMap(({ property }) => termsOf(property)));
  // Most releases have no new calendar field: their calendars are not read.
  const columns = newFields.every(isTerm) ? [] : writes.flatMap(({ calendars }) => calendars);
  for (const { nights, rates } of columns)
    for (const bytes of [nights, rates])
      visitNights(
        bytes,
        (field) => found.add(field),
        () => found.add('ratesByGuests'),
      );
  return newFields.filter((field) => found.has(field));
}

function termsOf({ taxes }: Property): readonly NewField[] {
  return TERMS.filter((term) => taxes.some((rule) => rule[term] !== undefined));
}
