/** The body of `PUT /supply/v1/properties/{propertyId}`: one native property document. */
import { Wrong } from '../../domain/wrong.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import { parsePropertyDocument } from '../native/property-document.ts';
import { encodeProperty } from '../run/encode-property.ts';
import { findForeignPrice, findForeignSite } from '../run/foreign-terms.ts';
import { MessageErrors, readJson, toPointer } from './message-body.ts';
import { readTextLine } from '../native/catalogue-file.ts';
import type { EncodedProperty, RejectedItem } from '../run/supply-item.ts';

export interface PropertyReadOptions {
  readonly propertyId: string;
  readonly source: string;
  readonly horizonNights: number;
  /** BOOKING_ORIGINS */
  readonly bookingOrigins: readonly string[];
}

export interface ReadProperty {
  readonly write: PropertyWrite | undefined;
  readonly errors: MessageErrors;
  readonly warnings: MessageErrors;
}

/** Never throws, whatever the bytes are. */
export function readPropertyMessage(
  body: Uint8Array,
  { propertyId, source, horizonNights, bookingOrigins }: PropertyReadOptions,
): ReadProperty {
  const errors = new MessageErrors();
  const warnings = new MessageErrors();
  const json = readJson(body, errors);
  if (json === undefined) return { write: undefined, errors, warnings };
  const document = parsePropertyDocument(json.value);
  if (!document.ok) {
    for (const { field, reason } of [document, ...document.others])
      errors.add(toPointer(field), 'FIELD_INVALID', reason);
    return { write: undefined, errors, warnings };
  }
  const { property, entries, keptTypeIds, details } = document;
  if (property.propertyId !== propertyId) {
    errors.add('/propertyId', 'FIELD_INVALID', new Wrong('notPathId'));
  }
  const foreign = findForeignPrice(property, entries, source);
  if (foreign !== undefined) {
    errors.add(toPointer(foreign.field), 'PRICE_SOURCE_MISMATCH', foreign.reason);
  }
  const site = findForeignSite(details, bookingOrigins);
  if (site !== undefined) errors.add(toPointer(site.field), 'FIELD_INVALID', site.reason);
  const write = encodeProperty(property, entries, { source, horizonNights, keptTypeIds, details });
  warnings.addWarnings(document.warnings);
  return { write: errors.count === 0 ? write : undefined, errors, warnings };
}

// A long line of `POST /supply/v1/import`, read as far as possible without any state.

export interface ImportLineOptions extends Omit<PropertyReadOptions, 'propertyId'> {
  /** Its name in rejections. */
  readonly file: string;
  /** Number of the line, counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** Never throws, whatever the line says. */
export function readImportLine({
  source,
  horizonNights,
  bookingOrigins,
  file,
  ...line
}: ImportLineOptions): EncodedProperty | RejectedItem {
  const item = readTextLine(file, line);
  if (item.kind === 'rejected') return item;
  const { property, entries, keptTypeIds, details, bytes, warnings = [] } = item;
  const refused = findForeignPrice(property, entries, source) ?? findForeignSite(details, bookingOrigins);
  if (refused !== undefined) {
    const propertyIds = [property.propertyId];
    return { kind: 'rejected', file, line: line.number, ...refused, isProperty: true, propertyIds };
  }
  const write = encodeProperty(property, entries, { source, horizonNights, keptTypeIds, details });
  return { kind: 'encoded', file, line: line.number, bytes, write, warnings };
}
