/** Pictures and terms of several properties at once, for partners who show them. */
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import type { Revision } from '../history/revision.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { type Program, rows } from '../portable-sql/program.ts';
import { parseDetails, parseDocument } from '../../domain/ledger/stored-document.ts';

export interface StoredContent {
  readonly propertyId: string;
  readonly revision: Revision;
  readonly timezone: string;
  readonly currency: string;
  readonly details: PropertyDetails;
  /** Characters of the stored details. */
  readonly textLength: number;
}

export interface ContentStore {
  /** Properties that exist and are not withdrawn, unordered; `CONTENT_READ_MAX` at most. */
  readonly findContent: (propertyIds: readonly string[]) => Promise<readonly StoredContent[]>;
}

export const CONTENT_READ_MAX = 50;

export const contentConcern = concern([], contentStore);

function contentStore({ read }: RunnerOf<[]>): ContentStore {
  return { findContent: (propertyIds) => read(selectContent(propertyIds)) };
}

interface ContentRow {
  readonly property_id: string;
  readonly revision: number;
  readonly document: string;
  readonly details: string | null;
}

const PLACES = Array.from({ length: CONTENT_READ_MAX }, () => '?').join(', ');

function* selectContent(propertyIds: readonly string[]): Program<readonly StoredContent[]> {
  const last = propertyIds.at(-1);
  if (last === undefined) return [];
  // One text for any number of ids, so that the statement is planned once.
  const ids = Array.from({ length: CONTENT_READ_MAX }, (_, index) => propertyIds[index] ?? last);
  const found = yield* rows<ContentRow>(
    `SELECT p.property_id, p.revision, p.document, d.details
     FROM properties p LEFT JOIN property_details d ON d.property_id = p.property_id
     WHERE p.property_id IN (${PLACES}) AND p.withdrawn = 0`,
    ids,
    'content',
  );
  return found.map(toContent);
}

function toContent({ property_id: propertyId, revision, document, details }: ContentRow): StoredContent {
  const { timezone, currency } = parseDocument(document);
  return {
    propertyId,
    revision,
    timezone,
    currency,
    details: details === null ? NO_DETAILS : parseDetails(details),
    textLength: details?.length ?? 0,
  };
}
