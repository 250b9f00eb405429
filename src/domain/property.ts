/**
 * The operator's listing: the property document, normalised (defaults filled in, without calendars).
 *
 * Money, percentages and dates stay texts here, exactly as the operator wrote them and as they are stored and shown;
 * `price-terms.ts` reads them as numbers where the document is read. There is no field for an address or coordinates, so none can be stored or shown.
 */

/** Characters of property ids (SPEC 2, PropertyId), inventory type ids and partner ids: safe in URLs and file names. */
export const ID_CHARACTERS = '[A-Za-z0-9._~-]';
export const ID_LENGTH_MAX = 160;
/** Not `.` or `..`: in a URL's path they mean folders. */
export const ID_PATTERN = new RegExp(`^(?!\\.{1,2}$)${ID_CHARACTERS}{1,${ID_LENGTH_MAX}}$`);

/** Code points of a trimmed city name in a search (SPEC 4.1), and so of a written one. */
export const CITY_LENGTH_MAX = 120;

export const LOCALES = ['it-IT', 'en-GB'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'it-IT';

/** One text for all locales, or one per locale with at least one entry. */
export type LocalizedText = string | Readonly<Partial<Record<Locale, string>>>;

export const TAX_LOGICS = [
  'percent',
  'cumulative_percent',
  'per_booking',
  'per_night',
  'per_room',
  'per_room_per_night',
  'per_person',
  'per_person_per_night',
] as const;
export type TaxLogic = (typeof TAX_LOGICS)[number];

export const TAX_KINDS = ['tax', 'fee', 'city_tax'] as const;
export type TaxKind = (typeof TAX_KINDS)[number];

export const TAX_BASES = ['accommodation', 'cleaningFee'] as const;

/** When the guest pays it: with the stay, or at the property. */
export const TAX_DUES = ['booking', 'arrival'] as const;
export type TaxDue = (typeof TAX_DUES)[number];

/** Due for each guest where the night costs each guest at least `from`, after discounts. */
export interface TaxTier {
  /** DecimalMoney. */
  readonly from: string;
  /** Non-negative decimal string. */
  readonly amount: string;
}

/** Due for each child up to and including this age, above the age of the amount before it. */
export interface TaxAge {
  readonly untilAge: number;
  /** Non-negative decimal string. */
  readonly amount: string;
}

export interface TaxRule {
  readonly code: string;
  readonly kind: TaxKind;
  readonly logic: TaxLogic;
  /** Non-negative decimal string; set for the logics that are not percentages and without tiers, null for the others. */
  readonly amount: string | null;
  /** Non-negative decimal string; set for the two percent logics, null for the others. */
  readonly percent: string | null;
  /** Amounts by the price of the night for each guest, the lowest first; only of `per_person_per_night`. */
  readonly tiers?: readonly TaxTier[];
  /** The most that a percentage takes of the accommodation, for each guest and night; only of `percent`. */
  readonly capPerGuestNight?: string;
  /** Children up to and including this age do not pay it; of the logics by person, and of a percentage with a cap. */
  readonly exemptUntilAge?: number;
  /** Amounts of children, by rising age; only of the logics by person, never beside tiers. */
  readonly ages?: readonly TaxAge[];
  readonly maxNights: number | null;
  readonly skipNights: number;
  /** Nights of the whole stay from and to which the rule applies at all, both included; absent is open. */
  readonly minStay?: number;
  readonly maxStay?: number;
  /** First and last stay night (LocalDate, both included) of the rule; null is open. */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly inclusive: boolean;
  /** Absent: at booking. Never of an inclusive rule. */
  readonly due?: TaxDue;
  /** The base of a percentage: TAX_BASES, and codes of earlier rules for their amounts. */
  readonly base: readonly string[];
  readonly order: number;
}

/**
 * A percentage off the nights of a stay: weekly and monthly rates, early birds, last minutes. It applies when all of
 * its bounds hold; they are included, and one that is absent is open. `pricing.ts` says which one counts.
 */
export interface Discount {
  readonly code: string;
  /** For travellers; they read the code without it. */
  readonly name?: LocalizedText;
  /** Decimal string above 0, at most 100, with at most two decimals. */
  readonly percent: string;
  readonly minNights?: number;
  readonly maxNights?: number;
  readonly minAdvanceDays?: number;
  readonly maxAdvanceDays?: number;
  /** LocalDates of the check-in night. */
  readonly stayFrom?: string;
  readonly stayTo?: string;
  /** LocalDates of the property's today. */
  readonly bookFrom?: string;
  readonly bookTo?: string;
  /** At least one; absent: all types. */
  readonly inventoryTypeIds?: readonly string[];
}

export const DISCOUNTS_MAX = 50;

/** Ages of children: the oldest, in whole years at check-in. */
export const CHILD_AGE_MAX = 17;

/** Children above the age of the band before it, up to and including `untilAge`. `child-ages.ts` has the rules. */
export interface AgeBand {
  readonly untilAge: number;
  /** False: in a cot, so that it takes no place of `guestsMax`. Absent: true. */
  readonly occupies?: boolean;
  /** Decimal string, per child and night. Absent: `0.00` in a cot, else the child pays as an adult does. */
  readonly rate?: string;
  /** Cots for one stay; absent: one. Only where `occupies` is false. */
  readonly max?: number;
}

export interface InventoryType {
  readonly inventoryTypeId: string;
  readonly name: LocalizedText;
  readonly guestsMax: number;
  readonly includedGuests: number;
  /** Decimal string, per extra guest and night. */
  readonly extraGuestRate: string;
  /** In place of the property's; empty: none. */
  readonly ageBands?: readonly AgeBand[];
  /** The check-in date is at least so many days after the property's today; absent: no limit. */
  readonly minAdvanceDays?: number;
  /** The check-in date is at most so many days after the property's today; absent: no limit. */
  readonly maxAdvanceDays?: number;
  /** The one source whose prices count; absent: the source that the document comes from. */
  readonly priceSource?: string;
}

export interface Property {
  readonly propertyId: string;
  readonly name: LocalizedText;
  readonly description: LocalizedText | null;
  readonly propertyType: string;
  readonly location: {
    readonly city: LocalizedText;
    readonly country: string;
    readonly area: LocalizedText | null;
  };
  readonly cityAliases: readonly string[];
  readonly bathrooms: number;
  readonly amenities: readonly string[];
  readonly rating: { readonly score: number; readonly count: number } | null;
  readonly currency: string;
  readonly timezone: string;
  /** Everybody, or exactly these partner ids. Read it only through `isVisibleTo`. */
  readonly visibleTo: 'all' | readonly string[];
  readonly quoting: boolean;
  readonly cleaningFee: string | null;
  readonly taxes: readonly TaxRule[];
  /** At least one, in the operator's order; absent: none. */
  readonly discounts?: readonly Discount[];
  /** At least one, by rising age; absent: none. Types may have their own. */
  readonly ageBands?: readonly AgeBand[];
  /** Its nights close after so long without a confirmation from any source. */
  readonly maxSupplyAgeHours?: number;
  /** At least one; in the operator's order. */
  readonly inventoryTypes: readonly InventoryType[];
  /** Digest of a stored property's details (`property-details.ts`), which are stored separately. */
  readonly detailsDigest?: string;
}

/** `capacity.guests`: guests of the largest inventory type. Types are never combined (SPEC 1). */
export function guestsMax(property: Property): number {
  return Math.max(...property.inventoryTypes.map((type) => type.guestsMax));
}

/** The types of a property with the bands that count for each: its own, else those of the property. */
export function typesOf({
  ageBands,
  inventoryTypes,
}: Pick<Property, 'ageBands' | 'inventoryTypes'>): readonly InventoryType[] {
  return ageBands === undefined ? inventoryTypes : inventoryTypes.map((type) => ({ ageBands, ...type }));
}

/** The text for `locale`, else the one for it-IT, else any other. */
export function textFor(text: LocalizedText, locale: Locale): string {
  if (typeof text === 'string') return text;
  const found = text[locale] ?? text[DEFAULT_LOCALE] ?? allTexts(text)[0];
  if (found === undefined) throw new TypeError('a localized text needs at least one locale');
  return found;
}

/** The language of `textFor` if it differs from the requested one. */
export function otherLanguageOf(text: LocalizedText, locale: Locale): Locale | undefined {
  if (typeof text === 'string' || text[locale] !== undefined) return undefined;
  return LOCALES.find((known) => text[known] !== undefined);
}

/** Every distinct text, the default locale's first. */
export function allTexts(text: LocalizedText): readonly string[] {
  if (typeof text === 'string') return [text];
  return [...new Set(LOCALES.map((locale) => text[locale]).filter((entry) => entry !== undefined))];
}

/** Whether the partner may see the property; a hidden one is as good as unknown (SPEC 4.2). */
export function isVisibleTo(property: Pick<Property, 'visibleTo'>, partnerId: string): boolean {
  return property.visibleTo === 'all' || property.visibleTo.includes(partnerId);
}
