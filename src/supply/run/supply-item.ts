/** Items that an importer passes to the import run. */
import type { Told, Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { DocumentWarning, Finding } from '../../domain/document/document-fields.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import type { EncodingDoubt } from '../sheet/encodings.ts';
import type { SheetFacts } from '../sheet/sheet.ts';
import type { HeaderMistakes } from '../sheet/sheet-header.ts';

/** A mistake of a rejected line or row. */
export interface Rejection {
  readonly file: string;
  /** Line of the file on which it starts, or row of the sheet; counted from 1. */
  readonly line: number;
  /** As far as the line names one. */
  readonly propertyId?: string;
  /** Dotted path or column; empty for the whole line. */
  readonly field: string;
  readonly reason: Told;
}

export interface SuppliedProperty {
  readonly kind: 'property';
  readonly file: string;
  readonly line: number;
  /** Approximate memory, so that batches stay small. */
  readonly bytes: number;
  readonly property: Property;
  /** One list per inventory type. */
  readonly entries: readonly (readonly CalendarEntry[])[];
  /** Inventory types without a calendar in the document. */
  readonly keptTypeIds: readonly string[];
  /** Details that only the traveller's page shows; absent: none. */
  readonly details?: PropertyDetails;
  /** Values that are taken, and may not be meant. */
  readonly warnings?: readonly DocumentWarning[];
}

/** A property that another thread has read and encoded: ready to store. */
export interface EncodedProperty extends Pick<SuppliedProperty, 'file' | 'line' | 'bytes' | 'warnings'> {
  readonly kind: 'encoded';
  readonly write: PropertyWrite;
}

export interface RejectedItem extends Rejection {
  readonly kind: 'rejected';
  /** Further mistakes, where the file has them on other lines with these. */
  readonly others?: readonly (Finding & { readonly line?: number })[];
  /** Whether it is a property and counts as read (a bad calendar row is not). */
  readonly isProperty: boolean;
  /** Every readable property id on the line: `--replace` does not withdraw these. */
  readonly propertyIds: readonly string[];
}

/** The file broke off or could not be read; no items follow. */
export interface BadEnding {
  readonly kind: 'ended-badly';
  readonly file: string;
  readonly reason: Wrong;
  /** If the header of a sheet is why. */
  readonly header?: HeaderMistakes | undefined;
  /** If an encoding that must be named is why. */
  readonly encodingDoubt?: EncodingDoubt | undefined;
}

/** Information for the operator other than a rejection, such as duplicate rows. */
export interface Notice {
  readonly kind: 'notice';
  readonly text: Wrong;
}

export type SupplyItem = SuppliedProperty | EncodedProperty | RejectedItem | BadEnding | Notice;

/** Progress of reading, in bytes on disk (compressed ones for a `.gz`). */
export interface ReadProgress {
  readonly bytesRead: number;
  /** Undefined for a stream. */
  readonly bytesTotal: number | undefined;
}

/** A supply to import. Each `open` starts from the beginning. */
export interface Supply {
  open(): AsyncIterable<SupplyItem>;
  progress(): ReadProgress;
  /** How it was read, where it is a sheet that was opened. */
  sheet?(): SheetFacts | undefined;
  close(): Promise<void>;
}
