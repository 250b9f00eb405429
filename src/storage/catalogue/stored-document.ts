/**
 * The property document as both adapters keep it: JSON text, written field by field in one fixed order.
 *
 * The order makes equal properties equal texts, whatever the order of keys they arrived with; naming each field
 * keeps out whatever an object may carry beside them, an address above all. `JSON.stringify` writes a NUL and a lone
 * surrogate as escapes, so the text is plain well-formed Unicode that every engine takes.
 */
import { hash } from 'node:crypto';
import {
  type Discount,
  DISCOUNT_FIELDS,
  type InventoryType,
  LOCALES,
  type LocalizedText,
  type Property,
  type TaxRule,
} from '../../domain/property.ts';
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';

/** The stored JSON text of a property; `detailsDigest` is of its details, where there are any. */
export function formatDocument(property: Property, detailsDigest?: string): string {
  const { location, rating } = property;
  const document: Property = {
    propertyId: property.propertyId,
    name: orderLocales(property.name),
    description: orderLocales(property.description),
    propertyType: property.propertyType,
    location: {
      city: orderLocales(location.city),
      country: location.country,
      area: orderLocales(location.area),
    },
    cityAliases: property.cityAliases,
    bathrooms: property.bathrooms,
    amenities: property.amenities,
    rating: rating === null ? null : { score: rating.score, count: rating.count },
    currency: property.currency,
    timezone: property.timezone,
    visibleTo: property.visibleTo,
    quoting: property.quoting,
    cleaningFee: property.cleaningFee,
    taxes: property.taxes.map(pickTaxRule),
    // Absent where there are none: the same text as of releases that did not know them.
    ...(property.discounts === undefined ? {} : { discounts: property.discounts.map(pickDiscount) }),
    ...(property.maxSupplyAgeHours === undefined ? {} : { maxSupplyAgeHours: property.maxSupplyAgeHours }),
    inventoryTypes: property.inventoryTypes.map(pickInventoryType),
    ...(detailsDigest === undefined ? {} : { detailsDigest }),
  };
  return JSON.stringify(document);
}

/** The property of a stored text. Only texts of `formatDocument` are stored, so nothing is checked again. */
export function parseDocument(document: string): Property {
  return JSON.parse(document) as Property;
}

/** The locales in one order, and no others. */
export function orderLocales<T extends LocalizedText | null>(text: T): T;
export function orderLocales(text: LocalizedText | null): LocalizedText | null {
  if (text === null || typeof text === 'string') return text;
  return Object.fromEntries(
    LOCALES.flatMap((locale) => (text[locale] === undefined ? [] : [[locale, text[locale]]])),
  );
}

function pickTaxRule(rule: TaxRule): TaxRule {
  return {
    code: rule.code,
    kind: rule.kind,
    logic: rule.logic,
    amount: rule.amount,
    percent: rule.percent,
    maxNights: rule.maxNights,
    skipNights: rule.skipNights,
    validFrom: rule.validFrom,
    validTo: rule.validTo,
    inclusive: rule.inclusive,
    base: rule.base,
    order: rule.order,
  };
}

function pickDiscount(discount: Discount): Discount {
  const { name } = discount;
  const ordered = name === undefined ? discount : { ...discount, name: orderLocales(name) };
  return Object.fromEntries(
    DISCOUNT_FIELDS.flatMap((field) => (ordered[field] === undefined ? [] : [[field, ordered[field]]])),
  ) as unknown as Discount;
}

function pickInventoryType(type: InventoryType): InventoryType {
  return {
    inventoryTypeId: type.inventoryTypeId,
    name: orderLocales(type.name),
    guestsMax: type.guestsMax,
    includedGuests: type.includedGuests,
    extraGuestRate: type.extraGuestRate,
    ...(type.minAdvanceDays === undefined ? {} : { minAdvanceDays: type.minAdvanceDays }),
    ...(type.maxAdvanceDays === undefined ? {} : { maxAdvanceDays: type.maxAdvanceDays }),
    ...(type.priceSource === undefined ? {} : { priceSource: type.priceSource }),
  };
}

// Property details: JSON text in a table of its own, written field by field in one order. The document holds their
// digest, so that they count as part of it: other details are another document.

export interface DetailsRow {
  readonly details: string;
}

/** The stored JSON text; undefined when nothing is said. */
export function formatDetails(details: PropertyDetails): string | undefined {
  const { images, checkIn, checkOut, cancellation, payment, houseRules, registrationNumber, seller } =
    details;
  const stored: PropertyDetails = {
    images: images.map(({ src, alt, width, height }) => ({ src, alt: orderLocales(alt), width, height })),
    checkIn: checkIn && { from: checkIn.from, until: checkIn.until },
    checkOut: checkOut && { until: checkOut.until },
    cancellation:
      cancellation && cancellation.map(({ daysBefore, refundPercent }) => ({ daysBefore, refundPercent })),
    payment: payment && payment.map(({ due, daysBefore, percent }) => ({ due, daysBefore, percent })),
    houseRules: orderLocales(houseRules),
    registrationNumber,
    seller,
  };
  const text = JSON.stringify(stored);
  return text === NOTHING_SAID ? undefined : text;
}

const NOTHING_SAID = JSON.stringify(NO_DETAILS);

/** Only texts of `formatDetails` are stored, so nothing is checked again. */
export function parseDetails(text: string): PropertyDetails {
  return JSON.parse(text) as PropertyDetails;
}

/** 132 bits: no two texts have the same. */
export function digestDetails(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
