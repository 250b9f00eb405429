/**
 * Properties from a seed, as the storage takes them and as the read model follows them.
 */
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import type { InventoryType, Property } from '../../src/domain/property.ts';
import type { FollowedProperty } from '../../src/storage/catalogue/store.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import { drawIndex, runningSums, type SeededRandom } from '../measure/random.ts';
import type { PooledCalendar } from './calendar-pool.ts';
import type { Place } from './places.ts';
import type { Texts } from './texts.ts';

export interface PropertyProfile {
  readonly calendars: readonly PooledCalendar[];
  readonly horizonNights: number;
  readonly descriptionLength: readonly [least: number, most: number];
  readonly amenityCount: readonly [least: number, most: number];
  /** How many inventory types a property has; each entry is as likely as the others. */
  readonly typeCounts: readonly number[];
  /** Share of the properties that only some partners see; the others are for all. */
  readonly restrictedShare: number;
  readonly partnerIds: readonly string[];
  /** Whether inventory types may ask for notice, or be booked only so far ahead. */
  readonly hasAdvanceWindows: boolean;
}

export interface GeneratedProperty {
  readonly property: Property;
  /** One per inventory type. */
  readonly calendars: readonly PooledCalendar[];
}

const GUESTS_MAX = [2, 2, 2, 2, 3, 4, 4, 5, 6, 8];
const PROPERTY_TYPES = ['Entire rental unit', 'Hotel', 'Private room', 'House', 'Guesthouse'];

export function generateProperty(
  random: SeededRandom,
  texts: Texts,
  profile: PropertyProfile,
  { propertyId, place }: { readonly propertyId: string; readonly place: Place },
): GeneratedProperty {
  const typeCount = random.pick(profile.typeCounts);
  const inventoryTypes = Array.from({ length: typeCount }, (_, index) => makeType(random, profile, index));
  const { city, country, currency, timezone } = place;
  const property: Property = {
    propertyId,
    name: `${texts.word()} ${texts.word()} ${city}`,
    description: texts.prose(random.between(...profile.descriptionLength)),
    propertyType: random.pick(PROPERTY_TYPES),
    location: { city, country, area: random.chance(0.8) ? texts.word() : null },
    cityAliases: [],
    bathrooms: random.between(2, 5) / 2,
    amenities: texts.amenities(random.between(...profile.amenityCount)),
    rating: random.chance(0.8)
      ? { score: random.between(300, 500) / 100, count: random.between(1, 900) }
      : null,
    currency,
    timezone,
    visibleTo: random.chance(profile.restrictedShare) ? drawPartners(random, profile.partnerIds) : 'all',
    quoting: true,
    cleaningFee: random.chance(0.5) ? `${random.between(10, 90)}.00` : null,
    taxes: [],
    inventoryTypes,
  };
  return { property, calendars: inventoryTypes.map(() => random.pick(profile.calendars)) };
}

export function asWrite(
  generated: GeneratedProperty,
  profile: PropertyProfile,
  source: string,
): PropertyWrite {
  const { property, calendars } = generated;
  return {
    property,
    source,
    lowestRates: lowestRatesOf(generated, profile.horizonNights),
    calendars: calendars.map(({ nights, rates }, index) => ({
      inventoryTypeId: property.inventoryTypes[index]!.inventoryTypeId,
      nights,
      rates,
    })),
  };
}

export function asFollowed(generated: GeneratedProperty, profile: PropertyProfile): FollowedProperty {
  return {
    property: generated.property,
    revision: 1,
    lowestRates: lowestRatesOf(generated, profile.horizonNights),
    nights: generated.calendars.map(({ nights }) => nights),
    rates: generated.calendars.map(({ rates }) => rates),
  };
}

function lowestRatesOf({ calendars }: GeneratedProperty, horizonNights: number): Uint8Array {
  if (calendars.length === 1) return calendars[0]!.lowestRates;
  return buildLowestRates(
    calendars.map(({ calendar }) => calendar),
    horizonNights,
  );
}

function makeType(random: SeededRandom, profile: PropertyProfile, index: number): InventoryType {
  const guestsMax = random.pick(GUESTS_MAX);
  return {
    ...(profile.hasAdvanceWindows ? drawAdvanceWindow(random) : {}),
    inventoryTypeId: `type-${index}`,
    name: `Room ${index + 1}`,
    guestsMax,
    includedGuests: Math.min(2, guestsMax),
    extraGuestRate: '15.00',
  };
}

/** Nobody publishes them, so the shares are assumed: half of the types ask for notice, half are open for a year at most. */
const MIN_ADVANCE_DAYS = [0, 1, 2, 3, 7];
const MIN_ADVANCE_SHARES = runningSums([50, 30, 12, 5, 3]);
const MAX_ADVANCE_DAYS = [0, 365, 270, 180, 90];
const MAX_ADVANCE_SHARES = runningSums([50, 30, 5, 10, 5]);

/** 0 is no such limit. */
function drawAdvanceWindow(random: SeededRandom): Pick<InventoryType, 'minAdvanceDays' | 'maxAdvanceDays'> {
  const minAdvanceDays = MIN_ADVANCE_DAYS[drawIndex(random, MIN_ADVANCE_SHARES)]!;
  const maxAdvanceDays = MAX_ADVANCE_DAYS[drawIndex(random, MAX_ADVANCE_SHARES)]!;
  return {
    ...(minAdvanceDays === 0 ? {} : { minAdvanceDays }),
    ...(maxAdvanceDays === 0 ? {} : { maxAdvanceDays }),
  };
}

function drawPartners(random: SeededRandom, partnerIds: readonly string[]): string[] {
  return partnerIds.filter(() => random.chance(0.3));
}
