/**
 * The catalogue as a file, so that a start need not read the whole database: written while following and at a stop,
 * used when it fits this database and this code. It has no part in access.
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
import { STORED_FORMATS } from '../../domain/stored-formats.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { HistoryMark } from '../../storage/history/revision.ts';
import type { SavedCatalogue } from './catalogue-follower.ts';
import type { FollowerLogger } from './retry-loop.ts';
import { messageOf } from '../../runtime/message-of.ts';

/** Version of the label and the sections. */
const FORMAT = STORED_FORMATS.catalogueFile.version;
export const SAVE_INTERVAL_MS = 600_000;
/** The code that turns rows of the database into memory. */
const LAYOUT_SOURCES = '{domain,read-model,storage/catalogue}/**/*.ts';

export interface CatalogueFileOptions {
  readonly path: string;
  /** Names the database: a catalogue of another one is refused. */
  readonly database: string;
  readonly catalogue: CatalogueWriter;
  readonly logger: FollowerLogger;
  readonly uptimeMs: Clock;
  /** Tests replace it. */
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
  /** The version in the file, as far as this process knows. */
  #savedVersion: number | undefined;
  #saving = Promise.resolve();

  constructor(options: CatalogueFileOptions) {
    this.#options = options;
    this.#layout = options.layout ?? hashLayout();
    this.#triedAtMs = options.uptimeMs();
  }

  /** Never rejects: logs why a file can't be used. */
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
      else this.#refuse(messageOf(error));
      return undefined;
    }
  }

  /** Call it often; it writes the file in the background when it is due and something has changed. */
  saveWhenDue(settled: Settled): void {
    const { uptimeMs } = this.#options;
    if (settled() === undefined || uptimeMs() - this.#triedAtMs < SAVE_INTERVAL_MS) return;
    this.#triedAtMs = uptimeMs();
    void this.save(settled);
  }

  /** Resolves when the file equals the published catalogue, or can't. */
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
      logger.warn({ file: path, reason: messageOf(error) }, 'the catalogue could not be saved');
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

/** Why the next start would refuse the file, in the words of its log; undefined when it fits. */
export async function findUnfitness(
  path: string,
  database: string,
  horizonNights: number,
): Promise<string | undefined> {
  try {
    checkLabel((await readMemoryLabel(path)) as Label, { layout: hashLayout(), database, horizonNights });
    return undefined;
  } catch (error) {
    return messageOf(error);
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

/** Changes with the code that turns rows into memory, so that no version number must be raised by hand. */
function hashLayout(): string {
  const folder = join(import.meta.dirname, '..', '..');
  const hash = createHash('sha256').update(`${endianness()} ${process.versions['unicode']}`);
  const sources = globSync(LAYOUT_SOURCES, { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
  for (const path of sources.toSorted()) hash.update(path).update(readFileSync(join(folder, path)));
  return hash.digest('hex');
}
