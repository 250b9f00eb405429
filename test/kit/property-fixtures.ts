/** Small valid pieces of a catalogue; a test overrides the one thing that it is about. */
import { parseLocalDate, type EpochDay } from '../../src/domain/local-date.ts';
import { readPriceTerms } from '../../src/domain/price-terms.ts';
import type { PricedProperty } from '../../src/domain/quote-decision.ts';
import type { Discount, InventoryType, Property, TaxRule } from '../../src/domain/property.ts';

/** The day of a date that the test's author wrote; a typing error throws. */
export function dayOf(date: string): EpochDay {
  const day = parseLocalDate(date);
  if (day === undefined) throw new TypeError(`not a date: ${date}`);
  return day;
}

export function makeProperty(overrides: Partial<Property> = {}): Property {
  return {
    propertyId: 'hotel-ponte',
    name: 'Hotel Ponte',
    description: null,
    propertyType: 'hotel',
    location: { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT', area: null },
    cityAliases: [],
    bathrooms: 1,
    amenities: [],
    rating: null,
    currency: 'EUR',
    timezone: 'Europe/Rome',
    visibleTo: 'all',
    quoting: true,
    cleaningFee: null,
    taxes: [],
    inventoryTypes: [makeInventoryType()],
    ...overrides,
  };
}

export function makeInventoryType(overrides: Partial<InventoryType> = {}): InventoryType {
  return {
    inventoryTypeId: 'double',
    name: 'Double',
    guestsMax: 2,
    includedGuests: 2,
    extraGuestRate: '0.00',
    ...overrides,
  };
}

/** 4.00 per person and night, without limits, unless overridden. */
/** As storage hands it out, without its calendars. */
export function pricedProperty(property: Property): PricedProperty {
  return { property, terms: readPriceTerms(property) };
}

export function makeTaxRule(overrides: Partial<TaxRule> = {}): TaxRule {
  return {
    code: 'city-tax',
    kind: 'city_tax',
    logic: 'per_person_per_night',
    amount: '4.00',
    percent: null,
    maxNights: null,
    skipNights: 0,
    validFrom: null,
    validTo: null,
    inclusive: false,
    base: ['accommodation'],
    order: 0,
    ...overrides,
  };
}

/** 10 % off every stay, unless overridden. */
export function makeDiscount(overrides: Partial<Discount> = {}): Discount {
  return { code: 'weekly', percent: '10', ...overrides };
}
