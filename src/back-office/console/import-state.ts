/** A file uploaded for import: its state, and the actions on it. */
import type { AdministeredStores } from '../../storage/administered.ts';
import type { Rejection } from '../../supply/run/supply-item.ts';

/** Bytes of one uploaded file. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Rejections that are kept and shown. */
export const REJECTIONS_SHOWN_MAX = 100;

export type ImportKind = 'catalogue' | 'rates';

/**
 * `checking` and `applying`: at work. `shown`: waits for a person. `interrupted`: the process ended meanwhile.
 * `failed`: the file cannot be read.
 */
export type ImportPhase = 'checking' | 'shown' | 'applying' | 'applied' | 'failed' | 'interrupted';

/** As the command counts. */
export type ImportCounts = Readonly<Record<string, number>>;

export type RejectedLine = Omit<Rejection, 'file'>;

export interface ImportState {
  readonly importId: string;
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly source: string;
  readonly replace: boolean;
  readonly person: string;
  readonly receivedAt: string;
  readonly bytes: number;
  /** SHA-256 of the file as previewed, hex; null before. */
  readonly hash: string | null;
  readonly phase: ImportPhase;
  readonly progress: { readonly read: number; readonly bytesRead: number } | null;
  /** The counts of the dry run. */
  readonly counts: ImportCounts | null;
  /** The counts of what was written. */
  readonly applied: ImportCounts | null;
  readonly rejections: readonly RejectedLine[];
  readonly notices: readonly string[];
  /** One sentence. */
  readonly failure: string | null;
  /** It was not applied, because the result would have differed from the preview. */
  readonly changedMeanwhile: boolean;
}

/** The uploads, for pages. */
export interface ImportList {
  /** Latest first. */
  list(): Promise<readonly ImportState[]>;
  find(importId: string): Promise<ImportState | undefined>;
}

export interface SentFile extends Pick<ImportState, 'kind' | 'fileName' | 'source' | 'replace' | 'person'> {
  /** Throws if the upload breaks off or is too large. */
  readonly content: AsyncIterable<Buffer>;
}

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type ExportFormat = 'csv' | 'ndjson';

/** Actions on files; one file is worked on at a time. */
export interface ImportDesk {
  /** Why no file is accepted now, before one is sent. */
  findObstacle(person: string): Promise<string | undefined>;
  /** Stores the file and starts its preview. Resolves to its id. */
  take(file: SentFile): Promise<Answered<string>>;
  /** Starts writing what was shown, recorded by `signed`. Undefined: no such file. */
  apply(
    shown: Pick<ImportState, 'kind' | 'importId'> & { readonly hash: string },
    signed: Pick<AdministeredStores, 'beginAct' | 'endAct'>,
  ): Promise<Answered<undefined> | undefined>;
  /** The properties of a source as a file that can be imported; rejects while another is being written. */
  exportCatalogue(format: ExportFormat, source: string): AsyncIterable<Uint8Array>;
}
