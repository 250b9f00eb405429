/**
 * The property document as both adapters store it: JSON text, written field by field in the order of its grammar.
 *
 * The order makes equal properties equal texts, whatever the order of their keys on arrival. Naming each field keeps
 * out anything else that an object may carry, above all an address. `JSON.stringify` escapes a NUL and a lone
 * surrogate, so the text is well-formed Unicode that every engine accepts.
 */
import { hash } from 'node:crypto';
import { DETAILS } from '../document/details-grammar.ts';
import { arrange } from '../document/grammar.ts';
import { STORED_PROPERTY } from '../document/property-grammar.ts';
import type { Property } from '../property.ts';
import { NO_DETAILS, type PropertyDetails } from '../property-details.ts';

/** The stored JSON text of a property; `detailsDigest` is the digest of its details, if it has any. */
export function formatDocument(property: Property, detailsDigest?: string): string {
  const document = arrange(STORED_PROPERTY, property) as Property;
  return JSON.stringify(detailsDigest === undefined ? document : { ...document, detailsDigest });
}

/** Changes with the document or its owner, not with calendars. */
export function documentMark(property: Property, source: string): string {
  return digestDetails(`${source}\n${JSON.stringify(property)}`);
}

/** The property of a stored text. Only texts of `formatDocument` are stored, so nothing is checked again. */
export function parseDocument(document: string): Property {
  return JSON.parse(document) as Property;
}

// Property details: JSON text in its own table, written field by field in one order. The document holds their digest,
// so changed details mean a changed document.

export interface DetailsRow {
  readonly details: string;
}

/** The stored JSON text; undefined if there are no details. */
export function formatDetails(details: PropertyDetails): string | undefined {
  const text = JSON.stringify(arrange(DETAILS, details));
  return text === NOTHING_SAID ? undefined : text;
}

const NOTHING_SAID = JSON.stringify(NO_DETAILS);

/**
 * Only texts of `formatDetails` are stored, so nothing is checked again. One that an earlier release stored lacks the
 * fields that came later: they are not set.
 */
export function parseDetails(text: string): PropertyDetails {
  return { ...NO_DETAILS, ...(JSON.parse(text) as Partial<PropertyDetails>) };
}

/** 132 bits: enough to tell any two texts apart. */
export function digestDetails(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
