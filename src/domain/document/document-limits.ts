/**
 * Limits of a property document, far above real catalogues. They keep one wrong document from filling the memory of
 * every process.
 */

export const CITY_ALIASES_MAX = 200;
export const NAME_LENGTH_MAX = 1_000;
export const DESCRIPTION_LENGTH_MAX = 100_000;
export const PROPERTY_TYPE_LENGTH_MAX = 200;
export const AREA_LENGTH_MAX = 500;
export const AMENITIES_MAX = 1_000;
export const AMENITY_LENGTH_MAX = 500;
export const BATHROOMS_MAX = 10_000;
export const RATING_SCORE_MAX = 5;
export const VISIBLE_TO_MAX = 10_000;
export const TAXES_MAX = 100;
export const TAX_TIERS_MAX = 50;
export const TAX_AGES_MAX = 6;
export const AGE_BANDS_MAX = 6;
export const TAX_CODE_LENGTH_MAX = 200;
/** Far above the longest stay, as ends that are never met are written. */
export const TAX_STAY_NIGHTS_MAX = 999;
export const DISCOUNT_CODE_LENGTH_MAX = 200;
export const PRICE_SOURCE_LENGTH_MAX = 200;
/** A year. */
export const SUPPLY_AGE_HOURS_MAX = 8_760;
export const INVENTORY_TYPES_MAX = 1_000;
/** A quote prices each eligible type with each rule; 1,000 types with 100 rules held the service up for 1.5 s. */
export const TAXED_TYPES_MAX = 3_000;
/** Guests in one inventory type; a stay is for at most STAY_GUESTS_MAX of them. */
export const TYPE_GUESTS_MAX = 10_000;
/** One entry per night and field for thirty years. */
export const CALENDAR_ENTRIES_MAX = 100_000;
/** Entries of all calendars together, counting stretches of weekdays: more than a line of 8 MiB can hold. */
export const DOCUMENT_ENTRIES_MAX = 200_000;
export const IMAGE_SRC_LENGTH_MAX = 2_000;
export const IMAGE_ALT_LENGTH_MAX = 500;
export const IMAGE_PIXELS_MAX = 20_000;
export const CANCELLATION_STEPS_MAX = 20;
export const PAYMENT_STEPS_MAX = 20;
/** Two years: the horizon of sales. */
export const DAYS_BEFORE_MAX = 730;
export const HOUSE_RULES_LENGTH_MAX = 4_000;
export const REGISTRATION_NUMBER_LENGTH_MAX = 64;
export const SELLER_LENGTH_MAX = 200;
