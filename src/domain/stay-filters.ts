/** Conditions on the properties and the price of a search for stays. A property without the value does not pass. */
export interface StayFilters {
  /** Texts, compared as names of places are (`foldPlaceName`). One of these is its type. */
  readonly propertyTypes?: readonly string[] | undefined;
  /** It has all of these. */
  readonly amenities?: readonly string[] | undefined;
  /** One of these is its area, in any locale. */
  readonly areas?: readonly string[] | undefined;
  readonly minRating?: number | undefined;
  readonly minBathrooms?: number | undefined;
  readonly maxTotal?: PriceLimit | undefined;
}

/** Stays in another currency, or without a price, do not pass. */
export interface PriceLimit {
  /** Three letters. */
  readonly currency: string;
  /** Minor units, included. */
  readonly total: bigint;
}

/** Values of one list of the counts of a search. */
export const COUNTED_VALUES_MAX = 100;
