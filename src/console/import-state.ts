/** A file that somebody sent to be imported: what is known of it, and what may be done with it. */
import type { AdministeredStores } from '../storage/administered.ts';

/** Of one file, as it was sent. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Of those that were not taken, so many are kept and shown. */
export const REJECTIONS_SHOWN_MAX = 100;

export type ImportKind = 'catalogue' | 'rates';

/**
 * `checking` and `applying`: at work. `shown`: waits for a person. `interrupted`: the process ended meanwhile. `failed`: it
 * can not be read.
 */
export type ImportPhase = 'checking' | 'shown' | 'applying' | 'applied' | 'failed' | 'interrupted';

/** As the command counts. */
export type ImportCounts = Readonly<Record<string, number>>;

export interface RejectedLine {
  /** Counted from 1. */
  readonly line: number;
  readonly field: string;
  readonly reason: string;
}

export interface ImportState {
  readonly importId: string;
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly source: string;
  readonly replace: boolean;
  readonly person: string;
  readonly receivedAt: string;
  readonly bytes: number;
  /** SHA-256 of the file that was looked at, hex; null before. */
  readonly hash: string | null;
  readonly phase: ImportPhase;
  readonly progress: { readonly read: number; readonly bytesRead: number } | null;
  /** What the dry run counted. */
  readonly counts: ImportCounts | null;
  /** What was written. */
  readonly applied: ImportCounts | null;
  readonly rejections: readonly RejectedLine[];
  readonly notices: readonly string[];
  /** One sentence. */
  readonly failure: string | null;
  /** It was to be applied, and would have done something else than was shown. */
  readonly changedMeanwhile: boolean;
}

/** What the pages read. */
export interface ImportList {
  /** The last one first. */
  list(): Promise<readonly ImportState[]>;
  find(importId: string): Promise<ImportState | undefined>;
}

export interface SentFile {
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly source: string;
  readonly replace: boolean;
  readonly person: string;
  /** Throws where it breaks off, or is too large. */
  readonly content: AsyncIterable<Buffer>;
}

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type ExportFormat = 'csv' | 'ndjson';

/** What can be done with files; one is worked on at a time. */
export interface ImportDesk {
  /** Why no file is taken now, before one is sent. */
  findObstacle(person: string): Promise<string | undefined>;
  /** Keeps the file and begins to look at it. Resolves to its id. */
  take(file: SentFile): Promise<Answered<string>>;
  /** Begins to write what was shown, recorded by `signed`. Undefined: there is no such file. */
  apply(
    shown: Pick<ImportState, 'kind' | 'importId'> & { readonly hash: string },
    signed: Pick<AdministeredStores, 'beginAct' | 'endAct'>,
  ): Promise<Answered<undefined> | undefined>;
  /** The properties of a source as a file that can be imported; rejects while another is being written. */
  exportCatalogue(format: ExportFormat, source: string): AsyncIterable<Uint8Array>;
}
