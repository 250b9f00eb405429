/**
 * Entry point of the thread that previews and applies uploaded files, as `import catalogue` and `import rates` do. It
 * reads untrusted input, and yields to the thread that serves partners.
 */
import { sayAlone, type Told, Wrong } from '../../../domain/wrong.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { workerData } from 'node:worker_threads';
import {
  type ExportFormat,
  type ImportCounts,
  type ImportState,
  failedFor,
  inWords,
} from '../../../console/reading/import-state.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { type Answer, serveJobs } from '../../../runtime/job-thread.ts';
import { systemRandom } from '../../../runtime/random.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import { replyWithError } from '../../../storage/engine/errors.ts';
import { openStorage } from '../../../storage/open.ts';
import { isSameHistory, NOTHING_READ } from '../../../storage/history/revision.ts';
import type { Storage } from '../../../storage/storage.ts';
import { randomMessageIds } from '../../../storage/supply/message-id.ts';
import { importRates } from '../../../supply/rates/import-rates.ts';
import { ChangedCells, type FoundChanges } from '../../../supply/manual-override/changed-cells.ts';
import type { FoundHandSet } from '../../../supply/manual-override/hand-set-prices.ts';
import { type ImportResult, runImport } from '../../../supply/run/import-run.ts';
import { MistakeList, type RowMistake } from '../../../supply/run/mistake-list.ts';
import type { Rejection } from '../../../supply/run/supply-item.ts';
import type { SheetFacts } from '../../../supply/sheet/sheet.ts';
import { exportPage } from '../../../supply/spreadsheet/export-catalogue.ts';
import { openCatalogue, SHEET_ENDING } from '../../../supply/spreadsheet/read-catalogue.ts';
import { spreadsheetHeader, spreadsheetRows } from '../../../supply/spreadsheet/write-catalogue.ts';
import { ByteSource, UnreadableFile } from '../../../supply/text/byte-source.ts';
import { ImportFolder, type StoredState, TOUCH_MS, UNPACKED_BYTES_MAX } from './import-folder.ts';

export interface BookingSitesOfJob {
  /** Origins that documents may name in `bookingUrl`. */
  readonly bookingOrigins: readonly string[];
}

export type ImportJob =
  | ({ readonly check: string } & BookingSitesOfJob)
  | ({ readonly apply: string } & BookingSitesOfJob)
  | { readonly rows: { readonly source: string; readonly format: ExportFormat; readonly after: string } };

export interface ImportThreadData {
  readonly databaseUrl: string;
  readonly horizonNights: number;
  readonly folder: string;
}

/** A page of an export: the rows of some properties; `after` is null on the last page. */
export interface ExportedRows {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly after: string | null;
}

const NOTICES_MAX = 20;

const { databaseUrl, horizonNights, folder: path } = workerData as ImportThreadData;
const folder = new ImportFolder({ path, clock: systemClock, machineClock: systemClock });
lowerThisThread();

let opened: Promise<Storage> | undefined;

const sayAlive = serveJobs<ImportJob>({
  answer: async (job): Promise<Answer> => {
    const storage = await (opened ??= openStorage(databaseUrl, {
      clock: systemClock,
      writesHere: true,
    }).catch(forget));
    if ('rows' in job) {
      const rows = await exportRows(storage, job.rows);
      return { result: rows, transfer: [rows.bytes.buffer] };
    }
    return {
      result: 'check' in job ? await check(storage, job.check, job) : await apply(storage, job.apply, job),
    };
  },
  packError: replyWithError,
  close: async () => (await opened)?.close(),
});

/** The next job opens the database again. */
function forget(error: unknown): never {
  opened = undefined;
  throw error;
}

// Previewing a file, and applying it.

async function check(storage: Storage, importId: string, sites: BookingSitesOfJob): Promise<void> {
  const state: StoredState = { ...(await folder.find(importId))!, phase: 'checking' };
  const hash = await hashOf(folder.pathOf(state));
  const unpacked = await findUnpackedProblem(state);
  if (unpacked !== undefined) return folder.write({ ...state, phase: 'failed', ...failedFor(unpacked) });
  await show(storage, { ...state, hash }, sites);
}

/** The preview: a dry run. */
async function show(
  storage: Storage,
  state: StoredState,
  { bookingOrigins }: BookingSitesOfJob,
): Promise<void> {
  const { revision, stamp } = await storage.readHistory(NOTHING_READ);
  const seen = await runFile(storage, state, { dryRun: true, bookingOrigins });
  const phase = seen.failure === null ? 'shown' : 'failed';
  await folder.write({ ...state, ...seen, phase, progress: null, revision, stamp });
}

/** The counts of what was written, or the reason for writing nothing. */
async function apply(
  storage: Storage,
  importId: string,
  { bookingOrigins }: BookingSitesOfJob,
): Promise<ImportCounts | string> {
  const state: StoredState = { ...(await folder.find(importId))!, phase: 'applying' };
  if ((await hashOf(folder.pathOf(state))) !== state.hash) {
    const failed = failedFor(new Wrong('fileOther'));
    await folder.write({ ...state, phase: 'failed', ...failed });
    return failed.failure!;
  }
  const history = await storage.readHistory(NOTHING_READ);
  if (!isSameHistory(history, state)) {
    const seen = await runFile(storage, state, { dryRun: true, bookingOrigins });
    if (!isSame(seen.counts, state.counts!)) {
      await folder.write({
        ...state,
        ...seen,
        phase: 'shown',
        progress: null,
        ...history,
        changedMeanwhile: true,
      });
      return 'the catalogue changed meanwhile';
    }
  }
  const { counts, ...done } = await runFile(storage, state, { dryRun: false, bookingOrigins });
  const { failure } = done;
  const phase = failure === null ? 'applied' : 'failed';
  await folder.write({
    ...state,
    ...done,
    notices: state.notices,
    noticesWrong: state.noticesWrong,
    changes: state.changes,
    changesCut: state.changesCut,
    phase,
    progress: null,
    applied: counts,
  });
  return failure ?? counts;
}

function isSame(
  { seconds: _took, ...one }: ImportCounts,
  { seconds: _before, ...other }: ImportCounts,
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Seen = SheetFacts &
  FoundHandSet &
  FoundChanges &
  Pick<
    ImportState,
    | 'rejections'
    | 'mistakes'
    | 'mistakesLeftOut'
    | 'header'
    | 'encodingDoubt'
    | 'notices'
    | 'noticesWrong'
    | 'failure'
    | 'failureWrong'
  > & {
    readonly counts: ImportCounts;
  };

const NO_SHEET: SheetFacts = { encoding: null, separator: null, sheet: null };

async function runFile(
  storage: Storage,
  state: StoredState,
  { dryRun, bookingOrigins }: { readonly dryRun: boolean } & BookingSitesOfJob,
): Promise<Seen> {
  const file = folder.pathOf(state);
  const isSheet = state.kind === 'rates' || SHEET_ENDING.test(file);
  const list = new MistakeList();
  const changed = new ChangedCells(storage);
  const noticesWrong: Told[] = [];
  const onNotice = (notice: Told): void => {
    if (noticesWrong.length < NOTICES_MAX) noticesWrong.push(notice);
  };
  let progress: ImportState['progress'] = { read: 0, bytesRead: 0 };
  const common = {
    storage,
    clock: systemClock,
    source: state.source,
    horizonNights,
    bookingOrigins,
    dryRun,
    sheet: state.sheetNamed ?? undefined,
    encoding: state.encodingNamed ?? undefined,
    ignoreColumns: state.ignoreColumns,
    onRejection: (rejection: Rejection) => list.add(rejection),
    onWarning: (warning: Rejection) => onNotice(warningReason(warning, isSheet)),
    onNotice,
    onProgress({ read, bytesRead }: { readonly read: number; readonly bytesRead: number }) {
      progress = { read, bytesRead };
    },
  };
  const run = async () =>
    state.kind === 'rates'
      ? importRates(new ByteSource(state.fileName, file), {
          ...common,
          newMessageId: randomMessageIds(systemRandom),
          strict: false,
        })
      : runImport(
          await openCatalogue({
            ...common,
            file,
            shownName: state.fileName,
            standardInput: process.stdin,
            readsTwice: false,
          }),
          { ...common, replace: state.replace, onChange: (write) => changed.takeDocument(write) },
        );
  const result = await touching(() => folder.write({ ...state, progress }), run);
  if ('differences' in result) changed.takeNights(result.differences);
  return {
    ...seenOf(result),
    ...changed.found(),
    rejections: list.rows.map((row) => (isSheet ? inWords(row) : inWords(asLine(row)))),
    mistakes: list.joined().map((mistake) => inWords(mistake)),
    mistakesLeftOut: list.leftOut,
    notices: noticesWrong.map((notice) => sayAlone(notice, 'en-GB')),
    noticesWrong,
  };
}

function warningReason({ line, field, reason: wrong }: Rejection, isSheet: boolean): Wrong {
  return isSheet
    ? new Wrong('ofRowField', { row: line, field, wrong })
    : new Wrong('ofLineField', { line, field, wrong });
}

function seenOf({
  summary,
  failure,
  byHand,
  sheet = NO_SHEET,
  ...why
}: Pick<ImportResult, 'failure' | 'byHand' | 'sheet' | 'header' | 'encodingDoubt'> & {
  readonly summary: object;
}) {
  return {
    ...sheet,
    ...byHand,
    counts: { ...summary },
    header: why.header ?? null,
    encodingDoubt: why.encodingDoubt ?? null,
    ...failedFor(failure),
  };
}

function asLine({ row: line, column: field, reason }: RowMistake) {
  return { line, field, reason };
}

/** Reports every second that work goes on: to all by the state file, and to the thread that waits for this one. */
async function touching<T>(touch: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  let touched = Promise.resolve();
  const timer = setInterval(() => {
    touched = touched.then(touch).catch(() => undefined);
    void sayAlive('working');
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // Otherwise this write could overwrite the result of the work.
    await touched;
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function findUnpackedProblem(state: StoredState): Promise<Wrong | undefined> {
  let bytes = 0;
  const count = async (): Promise<Wrong | undefined> => {
    for await (const chunk of new ByteSource(folder.pathOf(state)).read()) {
      bytes += chunk.length;
      if (bytes > UNPACKED_BYTES_MAX)
        return new Wrong('ofFile', {
          file: state.fileName,
          wrong: new Wrong('importUnpacked', { max: UNPACKED_BYTES_MAX / 2 ** 20 }),
        });
    }
    return undefined;
  };
  try {
    return await touching(() => folder.write(state), count);
  } catch (error) {
    // The import reports it better, with the part that could be read.
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}

// Exports.

async function exportRows(
  storage: Storage,
  { source, format, after }: Extract<ImportJob, { rows: unknown }>['rows'],
): Promise<ExportedRows> {
  const page = await exportPage(storage, source, after);
  const options = { separator: format === 'semicolons' ? ';' : ',' } as const;
  const head = after === '' && format !== 'ndjson' ? spreadsheetHeader(options) : '';
  const lines = (page?.documents ?? []).map((document) =>
    format === 'ndjson' ? `${JSON.stringify(document)}\n` : spreadsheetRows(document, options),
  );
  return { bytes: new TextEncoder().encode(head + lines.join('')), after: page?.after ?? null };
}
