/**
 * The property document as both adapters keep it: JSON text, written field by field in the order of its grammar.
 *
 * The order makes equal properties equal texts, whatever the order of keys they arrived with; naming each field
 * keeps out whatever an object may carry beside them, an address above all. `JSON.stringify` writes a NUL and a lone
 * surrogate as escapes, so the text is plain well-formed Unicode that every engine takes.
 */
import { hash } from 'node:crypto';
import { DETAILS } from '../domain/document/details-grammar.ts';
import { arrange } from '../domain/document/grammar.ts';
import { STORED_PROPERTY } from '../domain/document/property-grammar.ts';
import type { Property } from '../domain/property.ts';
import { NO_DETAILS, type PropertyDetails } from '../domain/property-details.ts';

/** The stored JSON text of a property; `detailsDigest` is of its details, where there are any. */
export function formatDocument(property: Property, detailsDigest?: string): string {
  const document = arrange(STORED_PROPERTY, property) as Property;
  return JSON.stringify(detailsDigest === undefined ? document : { ...document, detailsDigest });
}

/** Of the document and its owner: another one has another mark. Its calendars do not count. */
export function documentMark(property: Property, source: string): string {
  return digestDetails(`${source}\n${JSON.stringify(property)}`);
}

/** The property of a stored text. Only texts of `formatDocument` are stored, so nothing is checked again. */
export function parseDocument(document: string): Property {
  return JSON.parse(document) as Property;
}

// Property details: JSON text in a table of its own, written field by field in one order. The document holds their
// digest, so that they count as part of it: other details are another document.

export interface DetailsRow {
  readonly details: string;
}

/** The stored JSON text; undefined when nothing is said. */
export function formatDetails(details: PropertyDetails): string | undefined {
  const text = JSON.stringify(arrange(DETAILS, details));
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
