/**
 * Pictures and terms in memory: the database is asked once for each change of a property, however often partners ask.
 */
import type { ContentStore, StoredContent } from '../storage/catalogue/content.ts';
import { together } from '../runtime/together.ts';
import type { Revision } from '../storage/history/revision.ts';

export interface ContentCacheDeps {
  readonly storage: ContentStore;
  /** Of the property as this process shows it to partners; undefined where it does not. */
  readonly revisionOf: (propertyId: string) => Revision | undefined;
  /** Milliseconds that only ever grow. */
  readonly uptimeMs?: () => number;
}

/** Of all entries together; the one that was read first goes first. */
export const CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Beside the text of an entry, which is kept as objects. */
const ENTRY_BYTES = 1_000;
/**
 * What was read may be newer than what partners are shown, for less than this. A database that went back shows older
 * revisions for longer, and then its rows are read again.
 */
const AHEAD_MS_MAX = 5_000;

interface Entry {
  readonly content: StoredContent;
  readonly readAtMs: number;
  readonly bytes: number;
}

export class ContentCache {
  readonly #deps: ContentCacheDeps;
  readonly #uptimeMs: () => number;
  readonly #entries = new Map<string, Entry>();
  readonly #reading = new Map<string, Promise<readonly StoredContent[]>>();
  #bytes = 0;

  constructor(deps: ContentCacheDeps) {
    this.#deps = deps;
    this.#uptimeMs = deps.uptimeMs ?? (() => performance.now());
  }

  /** In the order asked, without those that are not there. Rejects with `StorageUnavailable`. */
  async find(propertyIds: readonly string[]): Promise<readonly StoredContent[]> {
    const found = new Map(propertyIds.map((propertyId) => [propertyId, this.#recall(propertyId)]));
    const missing = propertyIds.filter((propertyId) => found.get(propertyId) === undefined);
    if (missing.length > 0) {
      const readAtMs = this.#uptimeMs();
      for (const content of await this.#read(missing)) {
        found.set(content.propertyId, content);
        this.#keep(content, readAtMs);
      }
    }
    return propertyIds.flatMap((propertyId) => found.get(propertyId) ?? []);
  }

  /** A page that many ask for at once is read once. */
  async #read(propertyIds: readonly string[]): Promise<readonly StoredContent[]> {
    return together(this.#reading, propertyIds.join(' '), async () =>
      this.#deps.storage.findContent(propertyIds),
    );
  }

  /** Undefined when it is not held, or not new enough. */
  #recall(propertyId: string): StoredContent | undefined {
    const entry = this.#entries.get(propertyId);
    if (entry === undefined) return undefined;
    const { content, readAtMs } = entry;
    const shown = this.#deps.revisionOf(propertyId);
    const isAhead = shown === undefined || shown < content.revision;
    const isGood = isAhead ? this.#uptimeMs() - readAtMs < AHEAD_MS_MAX : shown === content.revision;
    return isGood ? content : undefined;
  }

  #keep(content: StoredContent, readAtMs: number): void {
    this.#forget(content.propertyId);
    const bytes = ENTRY_BYTES + 2 * content.textLength;
    this.#entries.set(content.propertyId, { content, readAtMs, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= CACHE_BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(propertyId: string): void {
    this.#bytes -= this.#entries.get(propertyId)?.bytes ?? 0;
    this.#entries.delete(propertyId);
  }
}
