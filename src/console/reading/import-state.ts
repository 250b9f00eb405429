/** A file uploaded for import: its state, and the actions on it. */
import { inEnglish, type Told, type Wrong } from '../../domain/wrong.ts';
import type { HandSetNights } from '../../supply/manual-override/hand-set-prices.ts';
import type { AdministeredStores } from '../../storage/administered.ts';
import type { ChangedCell } from '../../supply/manual-override/changed-cells.ts';
import type { JoinedMistake, RowMistake } from '../../supply/run/mistake-list.ts';
import type { Rejection } from '../../supply/run/supply-item.ts';
import type { Encoding, EncodingDoubt } from '../../supply/sheet/encodings.ts';
import type { SheetFacts } from '../../supply/sheet/sheet.ts';
import type { HeaderMistakes } from '../../supply/sheet/sheet-header.ts';

/** Bytes of one uploaded file. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

export type ImportKind = 'catalogue' | 'rates';

/**
 * `checking` and `applying`: at work. `shown`: waits for a person. `interrupted`: the process ended meanwhile.
 * `failed`: the file cannot be read.
 */
export type ImportPhase = 'checking' | 'shown' | 'applying' | 'applied' | 'failed' | 'interrupted';

/** As the command counts. */
export type ImportCounts = Readonly<Record<string, number>>;

/** With the reason in English, and as a code with values for pages. */
type InWords<Mistake> = Omit<Mistake, 'reason'> & { readonly reason: string; readonly wrong: Told };

/** A mistake of a row of a sheet, or of a line of NDJSON. */
export type ShownRejection = InWords<RowMistake> | InWords<Pick<Rejection, 'line' | 'field' | 'reason'>>;
export type ShownMistake = InWords<JoinedMistake>;

export function inWords<Mistake extends { readonly reason: Told }>(mistake: Mistake): InWords<Mistake> {
  return { ...mistake, reason: inEnglish(mistake.reason), wrong: mistake.reason };
}

/** Why a file failed, as its state has it. */
export function failedFor(wrong: Told | undefined): Pick<ImportState, 'failure' | 'failureWrong'> {
  return wrong === undefined
    ? { failure: null, failureWrong: null }
    : { failure: `${inEnglish(wrong)}.`, failureWrong: wrong };
}

/** The facts of a sheet are null for other files, and before it is opened. */
export interface ImportState extends SheetFacts {
  readonly importId: string;
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly source: string;
  readonly replace: boolean;
  /** The sheet that the person named; null: the first one. */
  readonly sheetNamed: string | null;
  /** The encoding that the person named; null: found out. */
  readonly encodingNamed: Encoding | null;
  /** Whether unknown columns are left out. */
  readonly ignoreColumns: boolean;
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
  /** The first ones. */
  readonly rejections: readonly ShownRejection[];
  /** All of them, equal ones once. */
  readonly mistakes: readonly ShownMistake[];
  /** Mistakes that `mistakes` leaves out. */
  readonly mistakesLeftOut: number;
  /** If the header of a sheet is why it failed. */
  readonly header: HeaderMistakes | null;
  /** If an encoding that a person must name is why it failed. */
  readonly encodingDoubt: EncodingDoubt | null;
  readonly notices: readonly string[];
  /** The same as codes with values. */
  readonly noticesWrong: readonly Told[];
  /** Prices that people set and the file would set again, or has set. */
  readonly setByHand: readonly HandSetNights[];
  readonly setByHandLeftOut: number;
  /** The first cells that applying the file would change. */
  readonly changes: readonly ChangedCell[];
  readonly changesCut: boolean;
  /** One sentence. */
  readonly failure: string | null;
  /** The same as a code with values. */
  readonly failureWrong: Told | null;
  /** It was not applied, because the result would have differed from the preview. */
  readonly changedMeanwhile: boolean;
}

/** The uploads, for pages. */
export interface ImportList {
  /** Latest first. */
  list(): Promise<readonly ImportState[]>;
  find(importId: string): Promise<ImportState | undefined>;
}

export interface SentFile extends Pick<
  ImportState,
  'kind' | 'fileName' | 'source' | 'replace' | 'sheetNamed' | 'encodingNamed' | 'person'
> {
  /** Throws if the upload breaks off or is too large. */
  readonly content: AsyncIterable<Buffer>;
}

/** The decision of a person where a sheet leaves it open: to leave unknown columns out, or its encoding. */
export type ReadChoice = { readonly ignoreColumns: true } | { readonly encodingNamed: Encoding };

export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Wrong };

/** `semicolons`: CSV for spreadsheet programs of countries with decimal commas. */
export type ExportFormat = 'csv' | 'semicolons' | 'ndjson';

/** Actions on files; one file is worked on at a time. */
export interface ImportDesk {
  /** Why no file is accepted now, before one is sent. */
  findObstacle(person: string): Promise<Wrong | undefined>;
  /** Stores the file and starts its preview. Resolves to its id. */
  take(file: SentFile): Promise<Answered<string>>;
  /** Starts writing what was shown, recorded by `signed`. Undefined: no such file. */
  apply(
    shown: Pick<ImportState, 'kind' | 'importId'> & { readonly hash: string },
    signed: Pick<AdministeredStores, 'beginAct' | 'endAct'>,
  ): Promise<Answered<undefined> | undefined>;
  /** Looks again at a file that could not be read without this choice. Undefined: no such file. */
  lookAgain(
    shown: Pick<ImportState, 'kind' | 'importId'>,
    choice: ReadChoice,
  ): Promise<Answered<undefined> | undefined>;
  /** The properties of a source as a file that can be imported; rejects while another is being written. */
  exportCatalogue(format: ExportFormat, source: string): AsyncIterable<Uint8Array>;
}

/** Whether applying the file would change something. */
export function wouldChange(counts: ImportCounts): boolean {
  return ['created', 'changed', 'withdrawn'].some((name) => (counts[name] ?? 0) > 0);
}
