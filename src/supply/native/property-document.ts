/**
 * The native property document: one JSON object per property, read strictly. A document is accepted whole or not at
 * all; an error is a field and a reason. Its grammar is in `domain/document/`.
 */
import { Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { DETAILS } from '../../domain/document/details-grammar.ts';
import type { DocumentWarning, Finding } from '../../domain/document/document-fields.ts';
import { TAXED_TYPES_MAX } from '../../domain/document/document-limits.ts';
import { pick, Reader, type ValueOf } from '../../domain/document/grammar.ts';
import {
  PROPERTY_DOCUMENT,
  STORED_PROPERTY,
  STORED_TYPE,
  withCanonicalBase,
  type WrittenType,
} from '../../domain/document/property-grammar.ts';
import { ID_PATTERN, type InventoryType, type Property } from '../../domain/property.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';

export interface ReadDocument {
  readonly ok: true;
  readonly property: Property;
  /** The calendar of each inventory type as written, in the order of `property.inventoryTypes`. */
  readonly entries: readonly (readonly CalendarEntry[])[];
  /** Inventory types without a calendar in the document. */
  readonly keptTypeIds: readonly string[];
  /** Details that only the traveller's page shows. */
  readonly details: PropertyDetails;
  /** Values that are taken, and may not be meant. */
  readonly warnings: readonly DocumentWarning[];
}

export interface RejectedDocument extends Finding {
  readonly ok: false;
  /** The propertyId, if the document has a valid one. */
  readonly propertyId: string | undefined;
  /** Further mistakes. */
  readonly others: readonly Finding[];
}

/**
 * Marks a printed document whose calendars are not those of its own source. Importing it would turn other sources'
 * closings into closings of that source, which no other could open.
 */
export const CALENDARS_OF = 'calendarsOf';

const CALENDARS_OF_REASON = new Wrong('calendarsOf');

type Written = ValueOf<typeof PROPERTY_DOCUMENT>;

/** Reads a parsed JSON value; never throws. */
export function parsePropertyDocument(value: unknown): ReadDocument | RejectedDocument {
  const reader = new Reader();
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && Object.hasOwn(value, CALENDARS_OF)) {
    const propertyId = findId(value);
    return { ok: false, propertyId, field: CALENDARS_OF, reason: CALENDARS_OF_REASON, others: [] };
  }
  const written = PROPERTY_DOCUMENT.read(value, '', reader, {});
  if (!reader.isWrong) checkTaxedTypes(written, reader);
  const { mistakes, warnings } = reader.findings;
  const [first, ...others] = mistakes;
  return first === undefined
    ? makeDocument(written, warnings)
    : { ok: false, propertyId: findId(value), ...first, others };
}

function checkTaxedTypes({ taxes, inventoryTypes }: Written, reader: Reader): void {
  if (inventoryTypes.length * taxes.length <= TAXED_TYPES_MAX) return;
  const counts = { rules: taxes.length, types: inventoryTypes.length, max: TAXED_TYPES_MAX };
  reader.findings.report('taxes', new Wrong('taxedTypes', counts));
}

function findId(value: unknown): string | undefined {
  const { propertyId } = (value ?? {}) as { readonly propertyId?: unknown };
  return typeof propertyId === 'string' && ID_PATTERN.test(propertyId) ? propertyId : undefined;
}

/** Turns the written form into the domain's types. */
function makeDocument(written: Written, warnings: readonly DocumentWarning[]): ReadDocument {
  const { discounts = [], inventoryTypes } = written;
  return {
    ok: true,
    property: pick(STORED_PROPERTY, {
      ...written,
      taxes: written.taxes.map(withCanonicalBase),
      discounts: discounts.length === 0 ? undefined : discounts,
      ageBands: written.ageBands?.length === 0 ? undefined : written.ageBands,
      inventoryTypes: inventoryTypes.map(makeType),
    }),
    entries: inventoryTypes.map(({ calendar }) => calendar ?? []),
    keptTypeIds: inventoryTypes
      .filter(({ calendar }) => calendar === undefined)
      .map(({ inventoryTypeId }) => inventoryTypeId),
    details: pick(DETAILS, written),
    warnings,
  };
}

function makeType(written: WrittenType): InventoryType {
  const { includedGuests = written.guestsMax } = written;
  return pick(STORED_TYPE, { ...written, includedGuests });
}
