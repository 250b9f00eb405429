/** Parts of every sandbox property. */
import type { CalendarEntry, EntryFields } from '../../domain/calendar.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { InventoryType, Property } from '../../domain/property.ts';

export const TEST_CITY = 'Testville';
const TEST_CITY_ALIAS = 'Cittadiprova';
export const TEST_TIMEZONE = 'Europe/Rome';

/** A property with one calendar per inventory type, as in a catalogue file. */
export interface TestProperty {
  readonly property: Property;
  /** In the order of `property.inventoryTypes`. */
  readonly entries: readonly (readonly CalendarEntry[])[];
}

/** The nights of a calendar, both included: every night that can be offered from `today`. */
export interface TestNights {
  readonly first: EpochDay;
  readonly last: EpochDay;
}

/** A hotel with one double room type, unless overridden. */
export function makeTestProperty(propertyId: string, overrides: Partial<Property> = {}): Property {
  return {
    propertyId,
    name: propertyId,
    description: { 'it-IT': 'Una struttura di prova.', 'en-GB': 'A property for tests.' },
    propertyType: 'hotel',
    location: {
      city: TEST_CITY,
      country: 'IT',
      area: { 'it-IT': 'Centro storico', 'en-GB': 'Old town' },
    },
    cityAliases: [TEST_CITY_ALIAS],
    bathrooms: 1,
    amenities: ['wifi'],
    rating: { score: 4.5, count: 100 },
    currency: 'EUR',
    timezone: TEST_TIMEZONE,
    visibleTo: 'all',
    quoting: true,
    cleaningFee: null,
    taxes: [],
    inventoryTypes: [makeTestType()],
    ...overrides,
  };
}

export function makeTestType(overrides: Partial<InventoryType> = {}): InventoryType {
  return {
    inventoryTypeId: 'double',
    name: { 'it-IT': 'Camera doppia', 'en-GB': 'Double room' },
    guestsMax: 4,
    includedGuests: 2,
    extraGuestRate: '15.00',
    ...overrides,
  };
}

/** Five units at this rate (minor units) each night, plus the fields of `set`. */
export function openNights({ first, last }: TestNights, rate: number, set: EntryFields = {}): CalendarEntry {
  return { from: first, to: last, set: { availability: 5, rate, ...set } };
}
