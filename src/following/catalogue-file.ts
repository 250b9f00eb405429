/**
 * The catalogue as a file, so that a start does not read the whole database: written while it is followed and at a
 * stop, and used when it is of this database and this code. It decides nothing about who has access.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import type { CatalogueWriter } from '../catalogue/catalogue-writer.ts';
import {
  MemoryFileUnfit,
  readMemoryFile,
  readMemoryLabel,
  writeMemoryFile,
} from '../catalogue/memory/memory-file.ts';
import { STORED_FORMATS } from '../domain/stored-formats.ts';
import type { Clock } from '../runtime/clock.ts';
import type { HistoryMark } from '../storage/history/revision.ts';
import type { SavedCatalogue } from './catalogue-follower.ts';
import type { FollowerLogger } from './retry-loop.ts';

/** Of what the file says of itself, and of its sections. */
const FORMAT = STORED_FORMATS.catalogueFile.version;
export const SAVE_INTERVAL_MS = 600_000;
/** Where the code is that decides what is in memory for a row of the database. */
const LAYOUT_SOURCES = '{catalogue,domain,following,storage/catalogue}/**/*.ts';

export interface CatalogueFileOptions {
  readonly path: string;
  /** Names the database: a catalogue of another one is not used. */
  readonly database: string;
  readonly catalogue: CatalogueWriter;
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  /** Another one in tests. */
  readonly layout?: string;
}

/** `CatalogueSource.settled`. */
type Settled = () => HistoryMark | undefined;

interface Label {
  readonly format: number;
  readonly layout: string;
  readonly horizonNights: number;
  readonly database: string;
  readonly history: HistoryMark;
  readonly root: number;
  readonly nightsFrom: number;
}

type Wanted = Pick<Label, 'layout' | 'horizonNights' | 'database'>;

export class CatalogueFile {
  readonly #options: CatalogueFileOptions;
  readonly #layout: string;
  #triedAtMs: number;
  /** The version that is in the file, as far as this process knows. */
  #savedVersion: number | undefined;
  #saving = Promise.resolve();

  constructor(options: CatalogueFileOptions) {
    this.#options = options;
    this.#layout = options.layout ?? hashLayout();
    this.#triedAtMs = options.uptimeMs();
  }

  /** Never rejects: of a file that can't be used it says why. */
  async open(): Promise<SavedCatalogue | undefined> {
    const { path, catalogue } = this.#options;
    try {
      let label: Label | undefined;
      const image = await readMemoryFile(path, (said) => (label = checkLabel(said as Label, this.#wanted)));
      const { history, root, nightsFrom } = label!;
      const take = catalogue.prepareAdoption({ ...image, root, nightsFrom });
      return { history, take, refuse: (reason) => this.#refuse(reason) };
    } catch (error) {
      if (isMissing(error))
        this.#options.logger.info({ file: path }, 'no catalogue was saved: the database is read');
      else this.#refuse(reasonOf(error));
      return undefined;
    }
  }

  /** Called again and again; writes the file in the background when it is time, and something has changed. */
  saveWhenDue(settled: Settled): void {
    const { uptimeMs } = this.#options;
    if (settled() === undefined || uptimeMs() - this.#triedAtMs < SAVE_INTERVAL_MS) return;
    this.#triedAtMs = uptimeMs();
    void this.save(settled);
  }

  /** Resolves when the file is as what is shown now, unless that can't be. */
  save(settled: Settled): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write(settled));
    return this.#saving;
  }

  async #write(settled: Settled): Promise<void> {
    const { path, database, catalogue, logger } = this.#options;
    const history = settled();
    // Without a stamp nobody could tell later whether the database still has this history.
    if (history === undefined || history.stamp === '') return;
    const image = catalogue.hold();
    if (image === undefined) return;
    try {
      if (image.version === this.#savedVersion) return;
      const { horizonNights } = catalogue;
      const { root, nightsFrom } = image;
      const label = {
        format: FORMAT,
        layout: this.#layout,
        horizonNights,
        database,
        history,
        root,
        nightsFrom,
      };
      await writeMemoryFile(path, image, label satisfies Label);
      this.#savedVersion = image.version;
    } catch (error) {
      logger.warn({ file: path, reason: reasonOf(error) }, 'the catalogue could not be saved');
    } finally {
      catalogue.endHold();
    }
  }

  get #wanted(): Wanted {
    const { database, catalogue } = this.#options;
    return { layout: this.#layout, database, horizonNights: catalogue.horizonNights };
  }

  #refuse(reason: string): void {
    const { path, logger } = this.#options;
    logger.warn({ file: path, reason }, 'the saved catalogue is not used: the database is read');
  }
}

/** Why the next start would not use the file, as it would say in its log; undefined where nothing speaks against it. */
export async function findUnfitness(
  path: string,
  database: string,
  horizonNights: number,
): Promise<string | undefined> {
  try {
    checkLabel((await readMemoryLabel(path)) as Label, { layout: hashLayout(), database, horizonNights });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Throws `MemoryFileUnfit`. */
function checkLabel(label: Label, wanted: Wanted): Label {
  const { format, layout, horizonNights, database } = label;
  if (format !== FORMAT || layout !== wanted.layout) throw new MemoryFileUnfit('is of another version');
  if (horizonNights !== wanted.horizonNights) throw new MemoryFileUnfit('is of another HORIZON_NIGHTS');
  if (database !== wanted.database) throw new MemoryFileUnfit('is of another database');
  return label;
}

/** As at the first start. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The same as long as this code makes the same of the same rows, so that no number has to be raised by hand. */
function hashLayout(): string {
  const folder = join(import.meta.dirname, '..');
  const hash = createHash('sha256').update(`${endianness()} ${process.versions['unicode']}`);
  const sources = globSync(LAYOUT_SOURCES, { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
  for (const path of sources.toSorted()) hash.update(path).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}
