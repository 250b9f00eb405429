/** What an importer hands to the import run, item by item. */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyWrite } from '../../ledger/stored-write.ts';

/** One line or row that is not taken over. */
export interface Rejection {
  readonly file: string;
  /** Line of the file on which it starts, counted from 1. */
  readonly line: number;
  /** Dotted path or column; empty when it is the whole line. */
  readonly field: string;
  readonly reason: string;
}

export interface SuppliedProperty {
  readonly kind: 'property';
  readonly file: string;
  readonly line: number;
  /** About how much memory it takes, so that batches can be kept small. */
  readonly bytes: number;
  readonly property: Property;
  /** One list per inventory type. */
  readonly entries: readonly (readonly CalendarEntry[])[];
  /** Inventory types without a calendar in the document. */
  readonly keptTypeIds: readonly string[];
  /** What only the traveller's page shows; absent: nothing. */
  readonly details?: PropertyDetails;
}

/** The same, read and encoded elsewhere: a thread hands over what is to be stored, not what the line says. */
export interface EncodedProperty extends Pick<SuppliedProperty, 'file' | 'line' | 'bytes'> {
  readonly kind: 'encoded';
  readonly write: PropertyWrite;
}

export interface RejectedItem extends Rejection {
  readonly kind: 'rejected';
  /** Whether it is a property of its own and counts as read (a bad calendar row does not). */
  readonly isProperty: boolean;
  /** Every property that the line names, as far as it is readable: `--replace` does not withdraw them. */
  readonly propertyIds: readonly string[];
}

/** The file broke off or could not be read; nothing comes after. */
export interface BadEnding {
  readonly kind: 'ended-badly';
  readonly file: string;
  readonly reason: string;
}

/** Something the operator should know that is not a rejection, such as duplicate rows. */
export interface Notice {
  readonly kind: 'notice';
  readonly text: string;
}

export type SupplyItem = SuppliedProperty | EncodedProperty | RejectedItem | BadEnding | Notice;

/** How far the reading is; bytes as they are on disk (compressed ones for a `.gz`). */
export interface ReadProgress {
  readonly bytesRead: number;
  /** Undefined for a stream. */
  readonly bytesTotal: number | undefined;
}

/** Something that can be imported. `open` starts from the beginning each time. */
export interface Supply {
  open(): AsyncIterable<SupplyItem>;
  progress(): ReadProgress;
  close(): Promise<void>;
}
