/**
 * The native property document: one JSON object per property, strictly read. A document is taken whole or not at
 * all; what is wrong with it comes back as a field and a reason.
 */
import type { CalendarEntry } from '../../domain/calendar.ts';
import { CITY_LENGTH_MAX, ID_PATTERN, type Property } from '../../domain/property.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { isTimezone } from '../../domain/local-date.ts';
import { DETAIL_FIELDS, readDetails } from './details-document.ts';
import { readDiscounts } from './discount-document.ts';
import { Fields, type Finding, Findings, readText, shown } from './document-fields.ts';
import {
  AMENITIES_MAX,
  AMENITY_LENGTH_MAX,
  AREA_LENGTH_MAX,
  BATHROOMS_MAX,
  CITY_ALIASES_MAX,
  DESCRIPTION_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PROPERTY_TYPE_LENGTH_MAX,
  RATING_SCORE_MAX,
  SUPPLY_AGE_HOURS_MAX,
  TAXED_TYPES_MAX,
  VISIBLE_TO_MAX,
} from './document-limits.ts';
import { readInventoryTypes, readMoneyText } from './inventory-document.ts';
import { readLocalizedText, readOptionalLocalizedText } from './localized-document.ts';
import { readTaxes } from './tax-document.ts';

export interface ReadDocument {
  readonly ok: true;
  readonly property: Property;
  /** The calendar of each inventory type as it was written, in the order of `property.inventoryTypes`. */
  readonly entries: readonly (readonly CalendarEntry[])[];
  /** Inventory types without a calendar in the document. */
  readonly keptTypeIds: readonly string[];
  /** What only the traveller's page shows. */
  readonly details: PropertyDetails;
}

export interface RejectedDocument extends Finding {
  readonly ok: false;
  /** The propertyId, when the document has a valid one. */
  readonly propertyId: string | undefined;
}

/**
 * Marks a printed document whose calendars are not those of its own source: to import it would make what other
 * sources closed a closing of that one, which nobody else could open.
 */
export const CALENDARS_OF = 'calendarsOf';

const PROPERTY_FIELDS: ReadonlySet<string> = new Set([
  'propertyId',
  'name',
  'description',
  'propertyType',
  'location',
  'cityAliases',
  'bathrooms',
  'amenities',
  'rating',
  'currency',
  'timezone',
  'visibleTo',
  'quoting',
  'cleaningFee',
  'taxes',
  'discounts',
  'maxSupplyAgeHours',
  'inventoryTypes',
  ...DETAIL_FIELDS,
]);
const CALENDARS_OF_REASON =
  'marks calendars of other or several sources; import what "property show --source" prints for ' +
  "the property's own source";
const LOCATION_FIELDS: ReadonlySet<string> = new Set(['city', 'country', 'area']);
const RATING_FIELDS: ReadonlySet<string> = new Set(['score', 'count']);

/** Zones that were found to be real; there are some hundreds, and asking Intl again costs more than all the rest. */
const knownTimezones = new Set<string>();

/** Reads a parsed JSON value. Never throws, whatever the value is. */
export function parsePropertyDocument(value: unknown): ReadDocument | RejectedDocument {
  const findings = new Findings();
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, CALENDARS_OF)) {
    findings.report(CALENDARS_OF, CALENDARS_OF_REASON);
  }
  const fields = Fields.of(value, '', PROPERTY_FIELDS, findings);
  const propertyId = fields.id('propertyId', ID_PATTERN);
  const described = readDescribed(fields);
  const terms = readTerms(fields);
  const inventory = readInventoryTypes(fields);
  const details = readDetails(fields);
  const inventoryTypes = inventory.map(({ type }) => type);
  const typeIds = new Set(inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId));
  const discounts = readDiscounts(fields, typeIds);
  if (inventory.length * terms.taxes.length > TAXED_TYPES_MAX) {
    fields.report(
      'taxes',
      `${terms.taxes.length} rules for ${inventory.length} inventory types are more than ${TAXED_TYPES_MAX} together`,
    );
  }
  if (findings.first !== undefined) {
    return { ok: false, propertyId: propertyId === '' ? undefined : propertyId, ...findings.first };
  }
  return {
    ok: true,
    property: {
      propertyId,
      ...described,
      ...terms,
      ...(discounts.length === 0 ? {} : { discounts }),
      inventoryTypes,
    },
    entries: inventory.map(({ entries }) => entries),
    keptTypeIds: inventory.filter(({ hasCalendar }) => !hasCalendar).map(({ type }) => type.inventoryTypeId),
    details,
  };
}

type Described =
  | 'name'
  | 'description'
  | 'propertyType'
  | 'location'
  | 'cityAliases'
  | 'bathrooms'
  | 'amenities'
  | 'rating'
  | 'currency'
  | 'timezone';

/** What a partner sees of it. */
function readDescribed(fields: Fields): Pick<Property, Described> {
  return {
    name: readLocalizedText(fields, 'name', NAME_LENGTH_MAX),
    description: readOptionalLocalizedText(fields, 'description', DESCRIPTION_LENGTH_MAX),
    propertyType: fields.text('propertyType', PROPERTY_TYPE_LENGTH_MAX),
    location: readLocation(fields),
    cityAliases: readTexts(fields, 'cityAliases', CITY_ALIASES_MAX, CITY_LENGTH_MAX),
    bathrooms: readBathrooms(fields),
    amenities: readTexts(fields, 'amenities', AMENITIES_MAX, AMENITY_LENGTH_MAX),
    rating: readRating(fields),
    currency: fields.currency('currency'),
    timezone: readTimezone(fields),
  };
}

/** What decides who may see and quote it, and for how much. */
function readTerms(
  fields: Fields,
): Pick<Property, 'visibleTo' | 'quoting' | 'cleaningFee' | 'taxes' | 'maxSupplyAgeHours'> {
  return {
    visibleTo: readVisibleTo(fields),
    quoting: fields.boolean('quoting', true),
    cleaningFee: readMoneyText(fields, 'cleaningFee'),
    taxes: readTaxes(fields),
    ...(fields.isNull('maxSupplyAgeHours')
      ? {}
      : { maxSupplyAgeHours: fields.integer('maxSupplyAgeHours', 1, SUPPLY_AGE_HOURS_MAX) }),
  };
}

function readLocation(fields: Fields): Property['location'] {
  if (!fields.isPresent('location')) return { city: '', country: '', area: null };
  const location = Fields.of(fields.value('location'), 'location', LOCATION_FIELDS, fields.findings);
  return {
    city: readLocalizedText(location, 'city', CITY_LENGTH_MAX),
    country: location.country('country'),
    area: readOptionalLocalizedText(location, 'area', AREA_LENGTH_MAX),
  };
}

function readTexts(fields: Fields, name: string, countMax: number, lengthMax: number): string[] {
  return fields
    .list(name, countMax)
    .map(({ value, path }) => readText(value, path, { lengthMax }, fields.findings));
}

function readBathrooms(fields: Fields): number {
  if (!fields.isPresent('bathrooms')) return 0;
  const bathrooms = fields.number('bathrooms', 0, BATHROOMS_MAX);
  if (!Number.isInteger(bathrooms * 2)) {
    fields.report('bathrooms', `must be a multiple of 0.5, not ${shown(bathrooms)}`);
  }
  return bathrooms;
}

function readRating(fields: Fields): Property['rating'] {
  if (fields.isNull('rating')) return null;
  const rating = Fields.of(fields.value('rating'), 'rating', RATING_FIELDS, fields.findings);
  return {
    score: rating.isPresent('score') ? rating.number('score', 0, RATING_SCORE_MAX) : 0,
    count: rating.isPresent('count') ? rating.integer('count', 0, Number.MAX_SAFE_INTEGER) : 0,
  };
}

function readTimezone(fields: Fields): string {
  if (!fields.isPresent('timezone')) return '';
  const value = fields.value('timezone');
  if (typeof value === 'string') {
    if (knownTimezones.has(value)) return value;
    if (isTimezone(value)) {
      knownTimezones.add(value);
      return value;
    }
  }
  fields.report('timezone', `must be an IANA zone such as Europe/Rome (not an offset), not ${shown(value)}`);
  return '';
}

function readVisibleTo(fields: Fields): Property['visibleTo'] {
  if (!fields.has('visibleTo') || fields.value('visibleTo') === 'all') return 'all';
  if (!Array.isArray(fields.value('visibleTo'))) {
    fields.report(
      'visibleTo',
      `must be "all" or a list of partner ids, not ${shown(fields.value('visibleTo'))}`,
    );
    return [];
  }
  const partnerIds = fields.list('visibleTo', VISIBLE_TO_MAX).map(({ value, path }) => {
    if (typeof value === 'string' && ID_PATTERN.test(value)) return value;
    fields.findings.report(path, `must be a partner id, not ${shown(value)}`);
    return '';
  });
  return [...new Set(partnerIds)];
}
