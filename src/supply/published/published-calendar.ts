/** The calendar of one inventory type, as other systems fetch it. */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { DEFAULT_LOCALE, textFor } from '../../domain/property.ts';
import { localToday } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { DatedCalendar } from './calendar-cache.ts';
import { writeCalendar } from './write-calendar.ts';

export interface PublishDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty'>;
  readonly clock: Clock;
  readonly horizonNights: number;
  readonly publicUrl: string;
}

/** Uses the newest committed state; undefined if the property or type is unknown. */
export async function publishCalendar(
  { storage, clock, horizonNights, publicUrl }: PublishDeps,
  propertyId: string,
  inventoryTypeId: string,
): Promise<DatedCalendar | undefined> {
  const stored = await storage.findProperty(propertyId);
  const calendar = stored?.calendars.find((one) => one.inventoryTypeId === inventoryTypeId);
  if (stored === undefined || calendar === undefined) return undefined;
  const { property, changedAtMs } = stored;
  const type = property.inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
  const names = [property.name, type?.name ?? inventoryTypeId].map((name) => textFor(name, DEFAULT_LOCALE));
  const title = names.join(', ');
  const today = localToday(property.timezone, clock());
  const written = writeCalendar(
    { publicUrl, propertyId, inventoryTypeId, title, changedAtMs },
    decodeCalendar(calendar.nights, calendar.rates),
    { today, until: today + horizonNights },
  );
  return { ...written, revision: stored.revision, timezone: property.timezone, today };
}
