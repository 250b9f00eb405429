/**
 * Imports a file of rates: rows become messages of calendar entries, in file order, so a later row overrides an earlier
 * one. Wrong or refused rows are listed; the others are applied.
 */
import { Wrong } from '../../domain/wrong.ts';
import { REFUSED_POSITIONS_MAX, type SupplyOutcome } from '../../domain/ledger/message.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { type FoundHandSet, HandSetPrices } from '../manual-override/hand-set-prices.ts';
import { SupplyPreview, type TypeDifference } from '../manual-override/supply-preview.ts';
import { EntryGroups } from '../messages/message-body.ts';
import { applyOwnMessage, makeOwnMessage, type NightsDeps } from '../messages/receive-message.ts';
import { presentHidden, presentRefusals } from '../messages/supply-result.ts';
import type { Finding } from '../../domain/document/document-fields.ts';
import type { ImportSummary, ImportWarning } from '../run/import-run.ts';
import type { Rejection } from '../run/supply-item.ts';
import { DoubtfulEncoding } from '../sheet/csv-dialect.ts';
import type { EncodingDoubt } from '../sheet/encodings.ts';
import type { SheetChoices, SheetFacts } from '../sheet/sheet.ts';
import { type ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { type HeaderMistakes, WrongHeader } from '../sheet/sheet-header.ts';
import { asMistake, KnownTypes } from './known-types.ts';
import { openRatesSheet, readRates } from './rates-file.ts';
import type { RatesRow } from './rates-row.ts';

/** Entries per message: as many as a refusal can list. */
const BATCH_ENTRIES_MAX = REFUSED_POSITIONS_MAX;

export interface RatesImportOptions extends Omit<NightsDeps, 'storage'>, SheetChoices {
  readonly storage: NightsDeps['storage'] & Pick<SupplyStore, 'listSourceHistory' | 'listSupplyMessages'>;
  readonly source: string;
  readonly dryRun: boolean;
  /** Reads the whole file first; any rejection prevents all writes. */
  readonly strict: boolean;
  /** Called for each mistake of a rejected row. */
  readonly onRejection: (rejection: Rejection) => void;
  /** Called for each value that is taken and may not be meant. */
  readonly onWarning?: (warning: ImportWarning) => void;
  readonly onNotice?: (notice: Wrong) => void;
  readonly onProgress: (progress: {
    readonly bytesRead: number;
    readonly bytesTotal: number | undefined;
    readonly read: number;
  }) => void;
}

/**
 * Counts rows that are not blank. `changed` and `unchanged` are calendar entries that change the source's layer, and
 * those that don't; a row with weekdays counts as several.
 */
export type RatesSummary = Omit<ImportSummary, 'created' | 'withdrawn'>;

export interface RatesResult {
  readonly summary: RatesSummary;
  /** For a dry run. */
  readonly differences: readonly TypeDifference[];
  /** For a dry run: prices that people set and the file would set again. */
  readonly byHand: FoundHandSet;
  /** Why the import counts as failed; earlier rows are applied. */
  readonly failure: Wrong | undefined;
  /** Undefined where the file could not be opened. */
  readonly sheet: SheetFacts | undefined;
  /** If that is why it failed. */
  readonly header: HeaderMistakes | undefined;
  /** If an encoding that must be named is why it failed. */
  readonly encodingDoubt: EncodingDoubt | undefined;
}

/** Reads the file several times. */
export async function importRates(file: ByteSource, options: RatesImportOptions): Promise<RatesResult> {
  const startedAtMs = options.clock();
  const { counts, ...result } = options.strict
    ? await runStrictly(file, options)
    : await runOnce(file, options);
  const seconds = (options.clock() - startedAtMs) / 1000;
  return { summary: { ...counts, seconds }, ...result };
}

interface RunResult extends Omit<RatesResult, 'summary'> {
  readonly counts: Omit<RatesSummary, 'seconds'>;
}

async function runOnce(file: ByteSource, options: RatesImportOptions): Promise<RunResult> {
  const run = new RatesRun(file, options);
  const failure = await run.run();
  const { counts, sheet, header, encodingDoubt } = run;
  const differences = run.differences();
  const byHand = new HandSetPrices(options.storage, options.source);
  await byHand.takeChanges(differences);
  return { counts, differences, byHand: byHand.found(), failure, sheet, header, encodingDoubt };
}

async function runStrictly(file: ByteSource, options: RatesImportOptions): Promise<RunResult> {
  const looked = await runOnce(file, { ...options, dryRun: true });
  const { rejected } = looked.counts;
  const failure =
    looked.failure ?? (rejected > 0 ? new Wrong('strictRejected', { count: rejected }) : undefined);
  if (options.dryRun) return { ...looked, failure };
  if (failure !== undefined) {
    const counts = { ...looked.counts, changed: 0, unchanged: 0 };
    return { ...looked, counts, differences: [], failure };
  }
  const written = await runOnce(file, options);
  if (written.failure !== undefined || written.counts.rejected === 0) return written;
  return { ...written, failure: new Wrong('rejectedMeanwhile', { count: written.counts.rejected }) };
}

class RatesRun {
  readonly counts = { read: 0, changed: 0, unchanged: 0, rejected: 0 };
  readonly #file: ByteSource;
  readonly #options: RatesImportOptions;
  readonly #preview: SupplyPreview;
  readonly #known: KnownTypes;
  sheet: SheetFacts | undefined;
  header: HeaderMistakes | undefined;
  encodingDoubt: EncodingDoubt | undefined;
  #groups = new EntryGroups();
  /** The properties of the rows in the groups. */
  #propertyIds = new Map<number, string>();
  #entryCount = 0;

  constructor(file: ByteSource, options: RatesImportOptions) {
    this.#file = file;
    this.#options = options;
    this.#preview = new SupplyPreview(options.storage);
    this.#known = new KnownTypes(options.storage);
  }

  /** Returns why the import failed. */
  async run(): Promise<Wrong | undefined> {
    let failure: Wrong | undefined;
    try {
      const sheet = await openRatesSheet(this.#file, this.#options);
      this.sheet = sheet.facts;
      for await (const { row, read, notices } of readRates(sheet, this.#options)) {
        this.counts.read++;
        for (const notice of notices) this.#options.onNotice?.(notice);
        if (read.ok) await this.#take(row, read);
        else {
          const unknown = await this.#known.findUnknown(read.ids);
          this.#reject(row, read.ids.propertyId, [...read.mistakes, ...unknown]);
        }
        this.#options.onProgress({ ...this.#file.progress(), read: this.counts.read });
      }
    } catch (error) {
      if (!(error instanceof WrongHeader || error instanceof UnreadableFile)) throw error;
      const wrong = error instanceof DoubtfulEncoding ? error.advice : error.reason;
      failure = new Wrong('ofFile', { file: this.#file.file, wrong });
      if (error instanceof WrongHeader) this.header = error.mistakes;
      if (error instanceof DoubtfulEncoding) this.encodingDoubt = error.doubt;
    }
    await this.#flush();
    return failure;
  }

  differences(): readonly TypeDifference[] {
    return this.#options.dryRun ? this.#preview.differences() : [];
  }

  async #take(line: number, row: Extract<RatesRow, { ok: true }>): Promise<void> {
    const { propertyId, inventoryTypeId, entries, warnings, currency } = row;
    const others = currency === undefined ? [] : await this.#known.findOtherCurrency(propertyId, currency);
    if (others.length > 0) return this.#reject(line, propertyId, others);
    for (const warning of warnings) this.#options.onWarning?.({ file: this.#file.file, line, ...warning });
    if (this.#entryCount + entries.length > BATCH_ENTRIES_MAX) await this.#flush();
    this.#groups.add(propertyId, inventoryTypeId, entries, line);
    this.#propertyIds.set(line, propertyId);
    this.#entryCount += entries.length;
  }

  async #flush(): Promise<void> {
    if (this.#entryCount === 0) return;
    const { source, horizonNights } = this.#options;
    const work = { kind: 'calendars', ...this.#groups.finish(), isPartial: true, horizonNights } as const;
    this.#groups = new EntryGroups();
    this.#entryCount = 0;
    const message = makeOwnMessage(this.#options, { source, kind: 'rates', work });
    this.#count(
      this.#options.dryRun
        ? await this.#preview.take(message)
        : await applyOwnMessage(this.#options.storage, message),
    );
    this.#propertyIds.clear();
  }

  #count(outcome: SupplyOutcome): void {
    this.counts.changed += outcome.changed;
    this.counts.unchanged += outcome.unchanged;
    const file = this.#file.file;
    for (const { pointer, wrong: reason } of presentHidden(outcome, (line) => String(line)).named) {
      const [line, field = ''] = pointer.split('/');
      this.#options.onWarning?.({ file, line: Number(line), field, reason, code: 'VALUE_HIDDEN' });
    }
    // A row with weekdays becomes several entries of one line.
    const byLine = new Map(
      presentRefusals(outcome, (line) => String(line)).named.map((error) => [
        Number(error.pointer),
        asMistake(error),
      ]),
    );
    for (const [line, mistake] of byLine) this.#reject(line, this.#propertyIds.get(line) ?? '', [mistake]);
  }

  #reject(line: number, propertyId: string, mistakes: readonly Finding[]): void {
    this.counts.rejected++;
    const { file } = this.#file;
    for (const mistake of mistakes) this.#options.onRejection({ file, line, propertyId, ...mistake });
  }
}
