/** Caches pictures and terms: the database is read once for each change of a property, however often partners ask. */
import { BoundedMap } from '../../runtime/bounded-map.ts';
import type { ContentStore, StoredContent } from '../../storage/catalogue/content.ts';
import { together } from '../../runtime/together.ts';
import type { Revision } from '../../storage/history/revision.ts';

export interface ContentCacheDeps {
  readonly storage: ContentStore;
  /** Revision of the property as partners see it; undefined when they don't. */
  readonly revisionOf: (propertyId: string) => Revision | undefined;
  /** How often this process noticed that the database went back: revisions from before mean nothing then. */
  readonly lossCount: () => number;
  /** Monotonic milliseconds. */
  readonly uptimeMs?: () => number;
}

/** All entries together; the oldest read is dropped first. */
export const CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Overhead of an entry, which is kept as objects. */
const ENTRY_BYTES = 1_000;
/**
 * Content may be newer than the catalogue for less than this. After a database went back, and before this process has
 * noticed it, older revisions last longer, and rows are read again.
 */
const AHEAD_MS_MAX = 5_000;

interface Entry {
  readonly content: StoredContent;
  readonly readAtMs: number;
  readonly lossCount: number;
}

export class ContentCache {
  readonly #deps: ContentCacheDeps;
  readonly #uptimeMs: () => number;
  readonly #entries = new BoundedMap<Entry>(CACHE_BYTES_MAX);
  readonly #reading = new Map<string, Promise<readonly StoredContent[]>>();

  constructor(deps: ContentCacheDeps) {
    this.#deps = deps;
    this.#uptimeMs = deps.uptimeMs ?? (() => performance.now());
  }

  /** In the order of the ids, without missing ones. Rejects with `StorageUnavailable`. */
  async find(propertyIds: readonly string[]): Promise<readonly StoredContent[]> {
    const found = new Map(propertyIds.map((propertyId) => [propertyId, this.#recall(propertyId)]));
    const missing = propertyIds.filter((propertyId) => found.get(propertyId) === undefined);
    if (missing.length > 0) {
      const readAtMs = this.#uptimeMs();
      const lossCount = this.#deps.lossCount();
      for (const content of await this.#read(missing)) {
        found.set(content.propertyId, content);
        const bytes = ENTRY_BYTES + 2 * content.textLength;
        this.#entries.set(content.propertyId, { content, readAtMs, lossCount }, bytes);
      }
    }
    return propertyIds.flatMap((propertyId) => found.get(propertyId) ?? []);
  }

  /** Concurrent requests for a page share one read. */
  async #read(propertyIds: readonly string[]): Promise<readonly StoredContent[]> {
    return together(this.#reading, propertyIds.join(' '), async () =>
      this.#deps.storage.findContent(propertyIds),
    );
  }

  /** Undefined when it is not cached, or too old. */
  #recall(propertyId: string): StoredContent | undefined {
    const entry = this.#entries.get(propertyId);
    if (entry?.lossCount !== this.#deps.lossCount()) return undefined;
    const { content, readAtMs } = entry;
    const shown = this.#deps.revisionOf(propertyId);
    const isAhead = shown === undefined || shown < content.revision;
    const isGood = isAhead ? this.#uptimeMs() - readAtMs < AHEAD_MS_MAX : shown === content.revision;
    return isGood ? content : undefined;
  }
}
