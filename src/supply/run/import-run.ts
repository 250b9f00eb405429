/**
 * The engine that all importers share: items come in, whole properties go out in batches, everything is counted.
 *
 * Each batch is one transaction, so a process that is killed leaves whole properties, and the same import run again
 * finds them unchanged and goes on from there.
 */
import { printable, Wrong } from '../../domain/wrong.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SupplyStore } from '../../storage/supply/store.ts';
import { type FoundHandSet, HandSetPrices } from '../manual-override/hand-set-prices.ts';
import type { ConnectionStore } from '../../storage/connections/store.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { PropertyWrite, WriteOutcome } from '../../domain/ledger/stored-write.ts';
import type { DocumentWarning } from '../../domain/document/document-fields.ts';
import { inPages } from '../../runtime/in-pages.ts';
import { ConnectedTypes } from './connected-types.ts';
import { encodeProperty } from './encode-property.ts';
import { findForeignPrice, findForeignSite } from './foreign-terms.ts';
import { NamedProperties } from './named-properties.ts';
import type { EncodingDoubt } from '../sheet/encodings.ts';
import type { SheetFacts } from '../sheet/sheet.ts';
import type { HeaderMistakes } from '../sheet/sheet-header.ts';
import type {
  BadEnding,
  EncodedProperty,
  ReadProgress,
  RejectedItem,
  Rejection,
  SuppliedProperty,
  Supply,
} from './supply-item.ts';

export interface ImportOptions {
  readonly storage: CatalogueStore &
    Pick<SupplyStore, 'findLayers' | 'listSourceHistory' | 'listSupplyMessages'> &
    Pick<ConnectionStore, 'listConnectedRooms'>;
  readonly clock: Clock;
  /** Where the properties come from; each remembers it. */
  readonly source: string;
  readonly horizonNights: number;
  /** BOOKING_ORIGINS; none unless given. */
  readonly bookingOrigins?: readonly string[];
  /** Leaves properties alone whose document another source owns; otherwise they are taken over. */
  readonly ownOnly?: boolean;
  /** Withdraws the properties of the same source that the file does not name. */
  readonly replace?: boolean;
  /** Counts what would change, writes nothing. */
  readonly dryRun?: boolean;
  /** Names the prices that people set and the documents replace, as a dry run does. */
  readonly namesByHand?: boolean;
  /** Reads everything first; with any rejection nothing is written. */
  readonly strict?: boolean;
  /** Called for each mistake of a rejected line. */
  readonly onRejection?: (rejection: Rejection) => void;
  /** Called for each value that is taken and may not be meant. */
  readonly onWarning?: (warning: ImportWarning) => void;
  readonly onNotice?: (notice: Wrong) => void;
  /** Called by a dry run for each property that is new or would change. */
  readonly onChange?: (write: PropertyWrite) => Promise<void>;
  /** Properties of one transaction, smaller in tests. */
  readonly batchMax?: number | undefined;
  /** Several times a second while it works. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportWarning extends Rejection, DocumentWarning {}

export interface ImportProgress extends ReadProgress {
  readonly read: number;
}

export interface ImportSummary {
  /** Properties and rejected ones. */
  readonly read: number;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly withdrawn: number;
  readonly rejected: number;
  readonly seconds: number;
}

export interface ImportResult {
  readonly summary: ImportSummary;
  /** Why the import counts as failed; undefined when it did not fail. */
  readonly failure: Wrong | undefined;
  /** For a dry run: prices that people set and the file would set again. */
  readonly byHand: FoundHandSet;
  /** How a sheet was read; undefined for other files. */
  readonly sheet?: SheetFacts | undefined;
  /** If the header of a sheet is why it failed. */
  readonly header?: HeaderMistakes | undefined;
  /** If an encoding that must be named is why it failed. */
  readonly encodingDoubt?: EncodingDoubt | undefined;
}

type FileLine = Pick<SuppliedProperty, 'file' | 'line' | 'bytes' | 'warnings'>;

const PROGRESS_INTERVAL_MS = 200;
/** Properties of one transaction. */
const BATCH_PROPERTIES_MAX = 500;

export async function runImport(supply: Supply, options: ImportOptions): Promise<ImportResult> {
  const startedAtMs = options.clock();
  let pass = new ImportPass(supply, options, options.strict === true ? 'check' : 'write');
  const timer = setInterval(() => options.onProgress?.(pass.progress()), PROGRESS_INTERVAL_MS);
  try {
    await pass.run();
    if (options.strict === true && pass.failure === undefined) {
      pass = new ImportPass(supply, options, 'write');
      await pass.run();
    }
    options.onProgress?.(pass.progress());
  } finally {
    clearInterval(timer);
    await supply.close();
  }
  const seconds = (options.clock() - startedAtMs) / 1000;
  const { failure, header, encodingDoubt, byHand } = pass;
  const summary = { ...pass.counts(), seconds };
  return { summary, byHand: byHand.found(), failure, sheet: supply.sheet?.(), header, encodingDoubt };
}

/** The whole file once; `check` only looks for rejections. */
class ImportPass {
  failure: Wrong | undefined;
  header: HeaderMistakes | undefined;
  encodingDoubt: EncodingDoubt | undefined;
  readonly #supply: Supply;
  readonly #options: ImportOptions;
  readonly #purpose: 'check' | 'write';
  readonly #batches: WriteBatches;
  readonly #named = new NamedProperties();
  readonly byHand: HandSetPrices;
  #read = 0;
  #rejected = 0;
  #withdrawn = 0;

  constructor(supply: Supply, options: ImportOptions, purpose: 'check' | 'write') {
    this.#supply = supply;
    this.#options = options;
    this.#purpose = purpose;
    const { storage, dryRun = false, batchMax = BATCH_PROPERTIES_MAX } = options;
    this.#batches = new WriteBatches(storage, { dryRun, batchMax });
    this.byHand = new HandSetPrices(options.storage, options.source);
  }

  async run(): Promise<void> {
    try {
      const connected = await ConnectedTypes.read(this.#options.storage);
      const ending = await this.#takeItems(connected);
      await this.#batches.finish();
      for (const notice of connected.notices()) this.#notice(notice);
      this.header = ending?.header;
      this.encodingDoubt = ending?.encodingDoubt;
      if (ending !== undefined)
        this.failure = new Wrong('ofFile', { file: ending.file, wrong: ending.reason });
      else if (this.#options.strict === true && this.#rejected > 0) {
        this.failure = new Wrong('strictRejected', { count: this.#rejected });
      } else if (this.#options.replace === true && this.#read === 0) {
        // More often a program in front of a pipe that died than a source that sells nothing.
        this.failure = new Wrong('nothingRead');
      } else if (this.#options.replace === true && this.#purpose === 'write') await this.#withdrawMissing();
    } finally {
      this.#named.close();
    }
  }

  progress(): ImportProgress {
    return { read: this.#read, ...this.#supply.progress() };
  }

  counts(): Omit<ImportSummary, 'seconds'> {
    return {
      read: this.#read,
      ...this.#batches.counts,
      withdrawn: this.#withdrawn,
      rejected: this.#rejected,
    };
  }

  async #takeItems(connected: ConnectedTypes): Promise<BadEnding | undefined> {
    for await (const item of this.#supply.open()) {
      if (item.kind === 'property') await this.#takeProperty(item, connected);
      else if (item.kind === 'encoded') await this.#takeEncoded(item, connected);
      else if (item.kind === 'ended-badly') return item;
      else if (item.kind === 'notice') this.#notice(item.text);
      else {
        for (const propertyId of item.propertyIds) this.#named.name(propertyId);
        if (item.isProperty) this.#read += 1;
        this.#rejectAll(item);
      }
    }
    return undefined;
  }

  async #takeProperty(item: SuppliedProperty, connected: ConnectedTypes): Promise<void> {
    this.#read += 1;
    const { file, line, property, entries, keptTypeIds, details } = item;
    const { source, horizonNights, bookingOrigins = [] } = this.#options;
    const refused = findForeignPrice(property, entries, source) ?? findForeignSite(details, bookingOrigins);
    if (refused !== undefined) {
      this.#named.name(property.propertyId);
      this.#reject({ file, line, propertyId: property.propertyId, ...refused });
      return;
    }
    if (!this.#claim(property.propertyId, item)) return;
    const write = encodeProperty(property, entries, { source, horizonNights, keptTypeIds, details });
    connected.take(write);
    await this.#write(item, write);
  }

  async #takeEncoded(item: EncodedProperty, connected: ConnectedTypes): Promise<void> {
    this.#read += 1;
    if (!this.#claim(item.write.property.propertyId, item)) return;
    connected.take(item.write);
    await this.#write(item, item.write);
  }

  /** Whether the line is to be written: the first one of its property, and in the pass that writes. */
  #claim(propertyId: string, { file, line }: FileLine): boolean {
    if (this.#named.claim(propertyId)) return this.#purpose === 'write';
    const reason = new Wrong('lineRepeated', { propertyId });
    this.#reject({ file, line, propertyId, field: 'propertyId', reason });
    return false;
  }

  async #write({ file, line, bytes, warnings = [] }: FileLine, write: PropertyWrite): Promise<void> {
    const { ownOnly = false, dryRun = false, namesByHand = dryRun, onWarning } = this.#options;
    const { propertyId } = write.property;
    for (const warning of warnings) onWarning?.({ file, line, ...warning });
    if (namesByHand) await this.byHand.takeDocument(write);
    await this.#batches.add({ ...write, isOwnOnly: ownOnly }, bytes, async (outcome) => {
      if (outcome === 'foreign') {
        const reason = new Wrong('ofOtherSource', { propertyId });
        this.#reject({ file, line, propertyId, field: 'propertyId', reason });
      } else if (dryRun && outcome !== 'unchanged') await this.#options.onChange?.(write);
    });
  }

  /** A file that is read twice is spoken of once. */
  #notice(text: Wrong): void {
    if (this.#purpose === 'write') this.#options.onNotice?.(text);
  }

  #rejectAll({ file, line, field, reason, propertyIds, others = [] }: RejectedItem): void {
    const [propertyId = ''] = propertyIds.length === 1 ? propertyIds : [];
    this.#reject({ file, line, propertyId, field, reason });
    for (const other of others) this.#tell({ file, line, propertyId, ...other });
  }

  #reject(rejection: Rejection): void {
    this.#rejected += 1;
    this.#tell(rejection);
  }

  #tell({ field, propertyId = '', ...others }: Rejection): void {
    const texts = { propertyId: printable(propertyId), field: printable(field) };
    this.#options.onRejection?.({ ...others, ...texts });
  }

  async #withdrawMissing(): Promise<void> {
    const { storage, source, dryRun, batchMax = BATCH_PROPERTIES_MAX } = this.#options;
    const pages = inPages<string>(batchMax, (last = '', limit) =>
      storage.listPropertyIds(source, last, limit),
    );
    for await (const propertyIds of pages) {
      const missing = propertyIds.filter((propertyId) => !this.#named.has(propertyId));
      if (missing.length === 0) continue;
      this.#withdrawn += dryRun === true ? missing.length : await storage.withdrawProperties(missing);
    }
  }
}

// Writing in batches: one is collected while the one before is written.

/** About the memory of one batch; two are held at once. */
const BATCH_BYTES_MAX = 8 * 1024 * 1024;

type OutcomeCounts = Record<Exclude<WriteOutcome, 'foreign'>, number>;

interface Waiting {
  readonly write: PropertyWrite;
  readonly onOutcome: OnOutcome;
}

type OnOutcome = (outcome: WriteOutcome) => Promise<void>;

class WriteBatches {
  readonly counts: OutcomeCounts = { created: 0, changed: 0, unchanged: 0 };
  readonly #write: (writes: readonly PropertyWrite[]) => Promise<readonly WriteOutcome[]>;
  readonly #batchMax: number;
  #batch: Waiting[] = [];
  #batchBytes = 0;
  #underway: Promise<void> = Promise.resolve();

  /** With `dryRun` nothing is written, only compared. */
  constructor(
    storage: CatalogueStore,
    { dryRun, batchMax }: { readonly dryRun: boolean; readonly batchMax: number },
  ) {
    this.#batchMax = batchMax;
    this.#write = (writes) => (dryRun ? storage.compareProperties(writes) : storage.writeProperties(writes));
  }

  /** The outcome is `foreign` when another source owns the property and `isOwnOnly` is set. */
  async add(write: PropertyWrite, bytes: number, onOutcome: OnOutcome): Promise<void> {
    this.#batch.push({ write, onOutcome });
    this.#batchBytes += bytes;
    if (this.#batch.length >= this.#batchMax || this.#batchBytes >= BATCH_BYTES_MAX) await this.#send();
  }

  /** Resolves when everything that was added has been written. */
  async finish(): Promise<void> {
    if (this.#batch.length > 0) await this.#send();
    await this.#underway;
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    await this.#underway;
    this.#underway = this.#writeBatch(batch);
    // The next one to await it gets the rejection; until then it must not count as unhandled.
    this.#underway.catch(() => undefined);
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#write(batch.map(({ write }) => write));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome !== 'foreign') this.counts[outcome] += 1;
      await batch[index]!.onOutcome(outcome);
    }
  }
}
