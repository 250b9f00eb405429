/**
 * A generated catalogue of many cities in which every property can be made by its number alone, again and with other
 * calendars: what is changed later need not be remembered, and a million properties are never held at once.
 */
import type { EpochDay } from '../../src/domain/local-date.ts';
import { drawIndex, seedRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';
import { makePlaces, type Place, placeShares } from './places.ts';
import { worldProfile } from './profiles.ts';
import { type GeneratedProperty, generateProperty, type PropertyProfile } from './property-generator.ts';
import { makeTexts } from './texts.ts';

export const WORLD_PARTNER_IDS = Array.from({ length: 10 }, (_, index) => `partner-${index + 1}`);

export interface World {
  readonly profile: PropertyProfile;
  readonly places: readonly Place[];
  /** Running sums of how many properties the places have, relatively. */
  readonly shares: Float64Array;
  propertyAt(index: number): GeneratedProperty;
  /** The same property with other calendars; the version chooses which. */
  changedAt(index: number, version: number): GeneratedProperty;
  /** A property of this place, whatever its number would have drawn. */
  propertyIn(place: Place, index: number): GeneratedProperty;
}

export function makeWorld(today: EpochDay, cityCount: number, makeProfile = worldProfile): World {
  const random = seedRandom(SEED);
  const texts = makeTexts(random);
  const profile = makeProfile(random, today, WORLD_PARTNER_IDS);
  const places = makePlaces(random, texts, cityCount);
  const shares = placeShares(cityCount);
  // Texts draw from a source of their own, which starts again with each property.
  let own = random;
  const ownTexts = makeTexts({
    fraction: () => own.fraction(),
    below: (limit) => own.below(limit),
    between: (low, high) => own.between(low, high),
    chance: (probability) => own.chance(probability),
    pick: (choices) => own.pick(choices),
  });
  const make = (index: number, placeOf: () => Place): GeneratedProperty => {
    own = seedRandom(SEED + 1 + index);
    const propertyId = `p${String(index).padStart(8, '0')}`;
    return generateProperty(own, ownTexts, profile, { propertyId, place: placeOf() });
  };
  const world: World = {
    profile,
    places,
    shares,
    propertyAt: (index) => make(index, () => places[drawIndex(own, shares)]!),
    changedAt(index, version) {
      const { property, calendars } = world.propertyAt(index);
      const draws = seedRandom(SEED - version * 1_000_003 - index);
      return { property, calendars: calendars.map(() => draws.pick(profile.calendars)) };
    },
    propertyIn: (place, index) => make(index, () => place),
  };
  return world;
}
