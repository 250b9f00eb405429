/** Property documents as an operator writes them, small and valid; a test overrides what it is about. */

const DAY_MS = 86_400_000;

/** One line of a catalogue file, before it is text. */
export type Line = Readonly<Record<string, unknown>>;

/** A hotel in Venice with one double room at 120.00 for all of December 2026. */
export function hotel(propertyId: string, overrides: Line = {}): Line {
  return {
    propertyId,
    name: `Hotel ${propertyId}`,
    propertyType: 'hotel',
    location: { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT' },
    bathrooms: 1,
    currency: 'EUR',
    timezone: 'Europe/Rome',
    inventoryTypes: [double()],
    ...overrides,
  };
}

/** For two, three units a night at 120.00, all of December 2026. */
export function double(overrides: Line = {}): Line {
  return { inventoryTypeId: 'double', name: 'Double', guestsMax: 2, calendar: [december()], ...overrides };
}

export function december(set: Line = {}): Line {
  return nights('2026-12-01', '2026-12-31', { availability: 3, rate: '120.00', ...set });
}

/** A calendar entry; both dates are nights of it. */
export function nights(dateFrom: string, dateTo: string, set: Line): Line {
  return { dateFrom, dateTo, ...set };
}

/** `YYYY-MM-DD` of the day so many days after today, UTC. */
export function daysAhead(dayCount: number): string {
  return new Date(Date.now() + dayCount * DAY_MS).toISOString().slice(0, 10);
}

/** A hotel with one inventory type whose calendar is exactly these entries. */
export function hotelWith(propertyId: string, calendar: readonly Line[], overrides: Line = {}): Line {
  return hotel(propertyId, { inventoryTypes: [double({ calendar })], ...overrides });
}

/** A hotel that is open for the next month, whenever that is: child processes go by the clock of the machine. */
export function openNow(propertyId: string, overrides: Line = {}): Line {
  const set = { availability: 3, rate: '120.00' };
  return hotelWith(propertyId, [nights(daysAhead(-1), daysAhead(30), set)], overrides);
}

/** In a city of its own, so that searches find it and nothing else. */
export function inCity(city: unknown, country = 'IT'): Line {
  return { location: { city, country } };
}

/** The hotel of the operator's manual: two taxes, a cleaning fee, restrictions, both languages. */
export const HOTEL_PONTE: Line = {
  propertyId: 'hotel-ponte',
  name: { 'it-IT': 'Hotel Ponte', 'en-GB': 'Bridge Hotel' },
  description: { 'it-IT': 'Sul canale.' },
  propertyType: 'hotel',
  location: {
    city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' },
    country: 'IT',
    area: { 'it-IT': 'Cannaregio' },
  },
  cityAliases: ['Venise'],
  bathrooms: 1.5,
  amenities: ['wifi', 'lift'],
  rating: { score: 4.6, count: 212 },
  currency: 'EUR',
  timezone: 'Europe/Rome',
  visibleTo: 'all',
  quoting: true,
  cleaningFee: '40.00',
  taxes: [
    { code: 'city-tax', kind: 'city_tax', logic: 'per_person_per_night', amount: '4.00', maxNights: 5 },
    { code: 'vat', kind: 'tax', logic: 'percent', percent: '10', base: ['accommodation', 'cleaningFee'] },
  ],
  inventoryTypes: [
    {
      inventoryTypeId: 'double',
      name: 'Double',
      guestsMax: 2,
      includedGuests: 2,
      extraGuestRate: '0.00',
      calendar: [
        nights('2026-12-01', '2026-12-24', { availability: 3, rate: '120.00' }),
        nights('2026-12-20', '2026-12-31', { minStayArrival: 3, rate: '210.00' }),
      ],
    },
  ],
};

/** A city tax by person and night: nothing up to 9 years, half of it up to 15. */
export const FAMILY_TAX = {
  code: 'city-tax',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  amount: '3.50',
  due: 'arrival',
  exemptUntilAge: 9,
  ages: [{ untilAge: 15, amount: '1.75' }],
};
