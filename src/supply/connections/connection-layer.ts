/** A connection as a source of supply: the layers that it keeps, and the messages that change them. */
import { encode } from '../../domain/ledger/encoded-calendar.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { type Calendar, calendarRanges } from '../../domain/calendar.ts';
import { formatPropertyChange } from '../../domain/ledger/property-change.ts';
import type { SupplyOutcome, SupplyWork, TypeChange } from '../../domain/ledger/message.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { HeldReading } from '../../storage/connections/store.ts';
import { keepChanges } from '../messages/message-body.ts';
import { applyOwnMessage, makeOwnMessage, type NightsDeps } from '../messages/receive-message.ts';
import { RETIREMENT_KIND } from '../sources/retire-source.ts';

/** The kind in the list of messages. */
export const CONNECTION_KIND = 'connection';

/** The changes of one property; without types they only confirm. */
export interface PropertyReading {
  readonly propertyId: string;
  readonly types: readonly TypeChange[];
}

/** One message; a property that can't be changed, such as a withdrawn one, is left out. Undefined: nothing to send. */
export async function sendReadings(
  deps: NightsDeps,
  source: string,
  readings: readonly PropertyReading[],
  { isConfirming }: { readonly isConfirming: boolean },
): Promise<SupplyOutcome | undefined> {
  if (readings.length === 0) return undefined;
  const work: SupplyWork = {
    kind: 'calendars',
    changes: readings.map(formatPropertyChange),
    propertyIds: readings.map(({ propertyId }) => propertyId),
    isPartial: true,
    isConfirming,
    horizonNights: deps.horizonNights,
  };
  const [first] = readings;
  const entries = readings.length === 1 ? keepChanges(first!.propertyId, first!.types) : undefined;
  return applyOwnMessage(
    deps.storage,
    makeOwnMessage(deps, { source, kind: CONNECTION_KIND, work, entries }),
  );
}

/** The calendar as the whole layer of the type. */
export function replacing(inventoryTypeId: string, calendar: Calendar): TypeChange {
  const entries = calendarRanges(calendar);
  return { inventoryTypeId, replaces: true, entries, positions: entries.map((_entry, position) => position) };
}

/** Closes these nights in the layer, whatever the last reading said. */
export function closing(inventoryTypeId: string, from: EpochDay, until: EpochDay): TypeChange {
  const entries = [{ from, to: until - 1, set: { stopSell: 1 } }];
  return { inventoryTypeId, replaces: false, entries, positions: [0] };
}

/** The layer of the type is deleted: its nights are what other sources say, and so are its prices. */
export async function dropLayer(
  deps: NightsDeps,
  source: string,
  { propertyId, inventoryTypeId }: { readonly propertyId: string; readonly inventoryTypeId: string },
): Promise<void> {
  const emptied: TypeChange = { inventoryTypeId, replaces: true, entries: [], positions: [] };
  const sent = await sendReadings(deps, source, [{ propertyId, types: [emptied] }], { isConfirming: false });
  if (sent?.verdict === 'applied') return;
  // The property is withdrawn, or has the type no longer: whatever the source set there is gone for good.
  const work = { kind: 'retirement', propertyIds: [propertyId], isLast: false } as const;
  await applyOwnMessage(deps.storage, makeOwnMessage(deps, { source, kind: RETIREMENT_KIND, work }));
}

export function packHeld(calendar: Calendar): Pick<HeldReading, 'nights' | 'rates'> {
  const { nights, rates } = encode(calendar);
  return { nights: Buffer.from(nights).toString('base64'), rates: Buffer.from(rates).toString('base64') };
}

export function unpackHeld({ nights, rates }: Pick<HeldReading, 'nights' | 'rates'>): Calendar {
  return decodeCalendar(Buffer.from(nights, 'base64'), Buffer.from(rates, 'base64'));
}
