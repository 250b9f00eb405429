/** A catalogue over memory of its own and its file, for tests of what is saved and read back. */
import { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import { CatalogueFile, type CatalogueFileOptions } from '../../src/read-model/following/catalogue-file.ts';
import type { HistoryMark } from '../../src/storage/history/revision.ts';
import { followed, HORIZON_NIGHTS, NOW_MS, type Sample } from './catalogue-samples.ts';

export interface FiledCatalogue {
  readonly catalogue: Catalogue;
  readonly file: CatalogueFile;
  /** Log lines of the file, with the reason. */
  readonly lines: string[];
}

export interface FiledOptions extends Partial<Omit<CatalogueFileOptions, 'catalogue' | 'logger'>> {
  readonly path: string;
  readonly nowMs?: number;
  readonly horizonNights?: number;
}

export function makeFiled({ nowMs = NOW_MS, horizonNights, ...options }: FiledOptions): FiledCatalogue {
  const catalogue = new Catalogue({ clock: () => nowMs, horizonNights: horizonNights ?? HORIZON_NIGHTS });
  const lines: string[] = [];
  const log = (fields: object, message: string) =>
    void lines.push((fields as { reason?: string }).reason ?? message);
  const file = new CatalogueFile({
    database: 'one',
    layout: 'one',
    uptimeMs: () => 0,
    ...options,
    catalogue: catalogue.writer,
    logger: { info: log, warn: log, error: log },
  });
  return { catalogue, file, lines };
}

/** Applies samples as revisions from `revision` on. */
export function applyAll(catalogue: Catalogue, samples: readonly Sample[], revision = 1): void {
  for (const [index, sample] of samples.entries()) catalogue.apply(followed(sample, revision + index));
}

export function settledAt(revision: number): () => HistoryMark {
  return () => ({ revision, stamp: `stamp of ${revision}` });
}

/** The history of the file, which the catalogue goes on from; undefined where it is not used. */
export async function openFiled({ catalogue, file }: FiledCatalogue): Promise<HistoryMark | undefined> {
  const saved = await file.open();
  saved?.take();
  catalogue.writer.publish();
  return saved?.history;
}
