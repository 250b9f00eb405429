/** The body of `PUT /supply/v1/properties/{propertyId}`: one native property document. */
import type { PropertyWrite } from '../../storage/catalogue/store.ts';
import { parsePropertyDocument } from '../native/property-document.ts';
import { encodeProperty } from '../run/encode-property.ts';
import { findForeignPrice } from '../run/foreign-price.ts';
import { asSentence, MessageErrors, toPointer } from './message-errors.ts';
import { readJson } from './read-json.ts';

export interface PropertyReadOptions {
  readonly propertyId: string;
  readonly source: string;
  readonly horizonNights: number;
}

export interface ReadProperty {
  readonly write: PropertyWrite | undefined;
  readonly errors: MessageErrors;
}

/** Never throws, whatever the bytes are. */
export function readPropertyMessage(
  body: Uint8Array,
  { propertyId, source, horizonNights }: PropertyReadOptions,
): ReadProperty {
  const errors = new MessageErrors();
  const json = readJson(body, errors);
  if (json === undefined) return { write: undefined, errors };
  const document = parsePropertyDocument(json.value);
  if (!document.ok) {
    errors.add(toPointer(document.field), 'FIELD_INVALID', asSentence(document.reason));
    return { write: undefined, errors };
  }
  const { property, entries, keptTypeIds, details } = document;
  if (property.propertyId !== propertyId) {
    errors.add('/propertyId', 'FIELD_INVALID', 'Must be the id of the path.');
  }
  const foreign = findForeignPrice(property, entries, source);
  if (foreign !== undefined) {
    errors.add(toPointer(foreign.field), 'PRICE_SOURCE_MISMATCH', asSentence(foreign.reason));
  }
  const write = encodeProperty(property, entries, { source, horizonNights, keptTypeIds, details });
  return { write: errors.count === 0 ? write : undefined, errors };
}
