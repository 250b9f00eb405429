/**
 * Supply messages and properties with real calendars, for the contract suite and the processes that are killed.
 */
import { decodeCalendar, encodeNights, encodeRates } from '../../../src/domain/calendar-codec.ts';
import { buildCalendar, type Calendar, type CalendarEntry } from '../../../src/domain/calendar.ts';
import { buildLowestRates } from '../../../src/domain/lowest-rates.ts';
import { valueAt } from '../../../src/domain/night-runs.ts';
import type { Property } from '../../../src/domain/property.ts';
import { formatPropertyChange } from '../../../src/domain/ledger/property-change.ts';
import { formatMessageId } from '../../../src/storage/supply/message-id.ts';
import type { PropertyWrite } from '../../../src/domain/ledger/stored-write.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type {
  SupplyMessage,
  SupplyOutcome,
  SupplyWork,
  TypeChange,
} from '../../../src/domain/ledger/message.ts';
import { NOW_MS } from './fixture.ts';
import { sampleProperty } from './sample-rows.ts';

/** 2026-12-01. */
export const FIRST_NIGHT = 20_788;
export const HORIZON_NIGHTS = 730;
export const HOUR_MS = 3_600_000;

export function nightEntry(from: number, to: number, set: CalendarEntry['set']): CalendarEntry {
  return { from: FIRST_NIGHT + from, to: FIRST_NIGHT + to, set };
}

/** Ten nights of five units each, 100.00 a night. */
export const OPEN = nightEntry(0, 9, { availability: 5, rate: 10_000 });

/** A document with a calendar for each of its types; without entries it says nothing of it. */
export function suppliedWrite(
  propertyId: string,
  entriesOfTypes: readonly (readonly CalendarEntry[] | undefined)[],
  { source = 'pms', ...override }: Partial<Property> & { readonly source?: string } = {},
): PropertyWrite {
  const property = sampleProperty(propertyId, override);
  const calendars = property.inventoryTypes.map((_, index) => buildCalendar(entriesOfTypes[index] ?? []));
  return {
    property,
    source,
    lowestRates: buildLowestRates(calendars, HORIZON_NIGHTS),
    calendars: property.inventoryTypes.map(({ inventoryTypeId }, index) => ({
      inventoryTypeId,
      nights: encodeNights(calendars[index]!),
      rates: encodeRates(calendars[index]!),
    })),
    keptTypeIds: property.inventoryTypes
      .filter((_, index) => entriesOfTypes[index] === undefined)
      .map(({ inventoryTypeId }) => inventoryTypeId),
  };
}

let messageCount = 0;

export function supplyMessage(
  source: string,
  work: SupplyWork,
  override: Partial<SupplyMessage> = {},
): SupplyMessage {
  messageCount++;
  return {
    messageId: formatMessageId(NOW_MS, `${process.pid}-${String(messageCount).padStart(9, '0')}`),
    source,
    kind: work.kind,
    receivedAtMs: NOW_MS,
    idempotency: null,
    note: '[]',
    work,
    ...override,
  };
}

export interface Change {
  readonly propertyId: string;
  readonly inventoryTypeId?: string;
  readonly replaces?: boolean;
  readonly clears?: TypeChange['clears'] | undefined;
  readonly entries: readonly CalendarEntry[];
}

/** Entries count through the whole message. */
export function calendarWork(changes: readonly Change[], { isPartial = false } = {}): SupplyWork {
  let position = 0;
  const types = new Map<string, TypeChange[]>();
  for (const { propertyId, inventoryTypeId = 'double', replaces = false, clears, entries } of changes) {
    const positions = entries.map(() => position++);
    const type = { inventoryTypeId, replaces, ...(clears && { clears }), entries, positions };
    types.set(propertyId, [...(types.get(propertyId) ?? []), type]);
  }
  return {
    kind: 'calendars',
    changes: Array.from(types, ([propertyId, of]) => formatPropertyChange({ propertyId, types: of })),
    propertyIds: [...types.keys()],
    isPartial,
    horizonNights: HORIZON_NIGHTS,
  };
}

/** Sends it and expects it to be done. */
export async function send(
  storage: Storage,
  source: string,
  work: SupplyWork,
  override?: Partial<SupplyMessage>,
): Promise<SupplyOutcome> {
  const answer = await storage.applySupply(supplyMessage(source, work, override));
  if (answer.kind !== 'done') throw new Error(`the message was answered with ${answer.kind}`);
  return answer.outcome;
}

/** What partners see of a type. */
export async function effectiveCalendar(
  storage: Storage,
  propertyId: string,
  position = 0,
): Promise<Calendar> {
  const stored = await storage.findProperty(propertyId);
  const calendar = stored?.calendars[position];
  if (calendar === undefined) throw new Error(`no calendar ${position} of ${propertyId}`);
  return decodeCalendar(calendar.nights, calendar.rates);
}

/** Whether the sale of its first type is stopped on the first night. */
export async function isClosed(storage: Storage, propertyId: string): Promise<boolean> {
  return valueAt((await effectiveCalendar(storage, propertyId)).stopSell, FIRST_NIGHT) === 1;
}

/** Units that partners see of its first type, for the ten nights of `OPEN`. */
export async function unitsOf(storage: Storage, propertyId: string): Promise<(number | undefined)[]> {
  const { availability } = await effectiveCalendar(storage, propertyId);
  return Array.from({ length: 10 }, (_, night) => valueAt(availability, FIRST_NIGHT + night));
}
