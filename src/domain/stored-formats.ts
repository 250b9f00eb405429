/**
 * The formats that are stored, or handed out and come back: one row each. Codecs take versions and the order of fields
 * from here. All releases read all of them; a format that comes later names in its row the first that does.
 */
import { FIELDS, rowOf } from './calendar-fields.ts';

interface Format {
  /** The version that is written now; null: the bytes name none. */
  readonly version: number | null;
  /** Those that any release reads, in the order in which they are written. */
  readonly fields: readonly string[];
  /** A reader's way with an unknown field: keep it, read past it, or refuse the whole. */
  readonly unknown: 'kept' | 'passed over' | 'refused';
}

/** Later ones wait for the end of the releases that do not read them: `storage/new-fields.ts`. */
const FIRST_FIELDS = FIELDS.filter((field) => rowOf(field).since === undefined);

export const STORED_FORMATS = {
  /** `calendar-codec.ts`; 1 where no rates by guests are set. */
  calendar: { version: 2, fields: FIRST_FIELDS, unknown: 'kept' },
  /** A calendar for each source that sets one (`calendar_layers`). */
  layer: { version: 2, fields: ['source', 'nights', 'rates'], unknown: 'kept' },
  /**
   * `ledger/stored-document.ts`: JSON. A message that changes only a calendar leaves the text as it is. Fields that came
   * later are those of the grammar: no row of their own, because any release passes over them.
   */
  property: {
    version: null,
    fields: [
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
      'maxSupplyAgeHours',
      'inventoryTypes',
    ],
    unknown: 'passed over',
  },
  /** `partner/quotes/present-quote.ts`: JSON. */
  breakdown: {
    version: 2,
    fields: ['v', 'from', 'nights', 'taxes', 'discount', 'name'],
    unknown: 'passed over',
  },
  /** `handoff/handoff-value.ts`: a sealed JSON array, version first. The mark of a test quote, and ages of children, are one more field each. */
  handoff: {
    version: 1,
    fields: [
      'quoteId',
      'propertyId',
      'checkIn',
      'checkOut',
      'guests',
      'locale',
      'partnerId',
      'total',
      'currency',
      'expiresAtMs',
    ],
    unknown: 'refused',
  },
  /** Places in the lists of the operator: a JSON array of the last row's key, in base64url. */
  cursor: { version: null, fields: ['key'], unknown: 'refused' },
  /** `read-model/following/catalogue-file.ts`: of this code, this database and this HORIZON_NIGHTS, or it is written again. */
  catalogueFile: {
    version: 1,
    fields: ['format', 'layout', 'horizonNights', 'database', 'history', 'root', 'nightsFrom'],
    unknown: 'refused',
  },
  /** `access/console-sessions.ts`: 32 random bytes in base64url. What they are of is in the database. */
  sessionCookie: { version: null, fields: ['token'], unknown: 'refused' },
} as const satisfies Readonly<Record<string, Format>>;
