/** One listing as a property with one inventory type of one unit. */
import { Wrong } from '../../domain/wrong.ts';
import { compile } from 'html-to-text';
import { formatMoney } from '../../domain/money.ts';
import { notGiven, type JsonObject } from '../../domain/document/document-fields.ts';
import { parsePropertyDocument, type ReadDocument } from '../native/property-document.ts';
import { parseAmenities } from './amenities.ts';
import { parseNightCount, parsePrice } from './amounts.ts';
import { LISTING_ID, NOT_NIGHTS, NOT_PRICE, type RejectedRow } from './calendar-row.ts';
import { parseScore, type Listing, type ScoreScale } from './listings-file.ts';

/** Facts about the city that the files lack or state unreliably. */
export interface CityOptions {
  readonly city: string;
  readonly cityAliases: readonly string[];
  readonly country: string;
  readonly timezone: string;
  readonly currency: string;
  /** Prefix of each listing's id. */
  readonly idPrefix: string;
}

export interface ListedProperty extends Pick<ReadDocument, 'property'> {
  readonly listingId: string;
  /** Approximate length of its texts, in characters. */
  readonly textLength: number;
  /** Default for nights whose row has none. */
  readonly minStay: number | null;
  readonly maxStay: number | null;
}

const INVENTORY_TYPE_ID = 'listing';
const FALLBACK_TYPE = 'Accommodation';
const WHOLE = /^\d{1,9}(?:\.0*)?$/;

/** Never reads street, coordinates or the free-text `neighbourhood`. */
export function readListing(
  listing: Listing,
  city: CityOptions,
  scale: ScoreScale,
): ListedProperty | RejectedRow {
  const columns = new ListingColumns(listing);
  const listingId = columns.listingId();
  const minStay = columns.nights('minimum_nights');
  const maxStay = columns.nights('maximum_nights');
  const document = makeDocument(columns, city, scale);
  if (columns.rejected !== undefined) return columns.rejected;
  const read = parsePropertyDocument(document);
  if (!read.ok) return { field: read.field, reason: read.reason };
  const textLength = columns.text('description').length + columns.text('amenities').length;
  return { listingId, property: read.property, textLength, minStay, maxStay };
}

function makeDocument(columns: ListingColumns, city: CityOptions, scale: ScoreScale): JsonObject {
  const propertyType = columns.text('property_type') || columns.text('room_type') || FALLBACK_TYPE;
  return {
    propertyId: city.idPrefix + columns.listingId(),
    name: columns.text('name') || propertyType,
    description: toPlainText(columns.text('description')) || null,
    propertyType,
    location: {
      city: city.city,
      country: city.country,
      area: columns.text('neighbourhood_cleansed') || null,
    },
    cityAliases: city.cityAliases,
    bathrooms: readBathrooms(columns.text('bathrooms'), columns.text('bathrooms_text')),
    amenities: columns.amenities(),
    rating: columns.rating(scale),
    currency: city.currency,
    timezone: city.timezone,
    cleaningFee: columns.price('cleaning_fee'),
    inventoryTypes: [makeInventoryType(columns, propertyType)],
  };
}

function makeInventoryType(columns: ListingColumns, propertyType: string): JsonObject {
  const guestsMax = columns.guestsMax();
  const includedGuests = columns.count('guests_included') ?? guestsMax;
  return {
    inventoryTypeId: INVENTORY_TYPE_ID,
    name: columns.text('room_type') || propertyType,
    guestsMax,
    // 0 was never set by the host: the first guest is never an extra one.
    includedGuests: Math.max(1, includedGuests),
    extraGuestRate: columns.price('extra_people') ?? '0.00',
  };
}

/** `1.5`, else the number in `1.5 shared baths` (`Half-bath` is 0.5), to the nearest 0.5; 0 when nothing is known. */
export function readBathrooms(bathrooms: string, bathroomsText: string): number {
  const written = /\d+(?:\.\d+)?/.exec(bathrooms) ?? /\d+(?:\.\d+)?/.exec(bathroomsText);
  if (written !== null) return Math.round(Number(written[0]) * 2) / 2;
  return /half/i.test(bathroomsText) ? 0.5 : 0;
}

/** The columns of one listing; remembers the first field that can't be read. */
class ListingColumns {
  rejected: RejectedRow | undefined;
  readonly #listing: Listing;

  constructor(listing: Listing) {
    this.#listing = listing;
  }

  text(column: string): string {
    return this.#listing.field(column) ?? '';
  }

  listingId(): string {
    const id = this.text('id');
    if (!LISTING_ID.test(id)) this.#reject('id', new Wrong('notListingId'), id);
    return id;
  }

  guestsMax(): number {
    const guestsMax = this.count('accommodates');
    if (guestsMax === null || guestsMax < 1) {
      this.#reject('accommodates', new Wrong('notGuests'), this.text('accommodates'));
    }
    return guestsMax ?? 1;
  }

  count(column: string): number | null {
    const text = this.text(column);
    if (text === '') return null;
    if (!WHOLE.test(text)) this.#reject(column, new Wrong('notWholeNumber'), text);
    return Number(text);
  }

  nights(column: string): number | null {
    const nights = parseNightCount(this.text(column));
    if (nights === undefined) this.#reject(column, NOT_NIGHTS, this.text(column));
    return nights ?? null;
  }

  price(column: string): string | null {
    const minorUnits = parsePrice(this.text(column));
    if (minorUnits === undefined) this.#reject(column, NOT_PRICE, this.text(column));
    return minorUnits === undefined || minorUnits === null ? null : formatMoney(minorUnits);
  }

  amenities(): readonly string[] {
    const amenities = parseAmenities(this.text('amenities'));
    if (amenities === undefined) {
      this.#reject(
        'amenities',
        new Wrong('notListOfTexts', { one: '["TV", "Wifi"]', other: '{TV,Wifi}' }),
        this.text('amenities'),
      );
    }
    return amenities ?? [];
  }

  rating(scale: ScoreScale): { score: number; count: number } | null {
    const text = this.text('review_scores_rating');
    const score = parseScore(text, scale);
    if (score === undefined) this.#reject('review_scores_rating', new Wrong('notScore'), text);
    return score === undefined || score === null
      ? null
      : { score, count: this.count('number_of_reviews') ?? 0 };
  }

  #reject(field: string, wrong: Wrong, text: string): void {
    this.rejected ??= { field, reason: notGiven(wrong, text) };
  }
}

/** HTML to plain text, for the descriptions. */
const convert = compile({
  wordwrap: false,
  preserveNewlines: true,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Tags go, `<br>` and paragraphs become line breaks, entities become characters; `a < b` and emoji stay. */
export function toPlainText(html: string): string {
  return (/[<&]/.test(html) ? convert(html) : html).trim();
}
