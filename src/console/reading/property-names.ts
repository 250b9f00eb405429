/**
 * Finds properties by words of their id or names. The catalogue in memory has the names; this index holds them folded
 * and sorted. It is made on the first search and again after changes, and dropped when searches stop.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countLow } from '../../read-model/catalogue/index/bisect.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { createCache } from './cache.ts';

/** The names in the catalogue. */
export interface NamedProperties {
  propertyIds(): Iterable<string>;
  namesOf(propertyId: string): readonly string[];
}

interface NamesDeps {
  readonly catalogue: NamedProperties;
  /** Changes with every change of the catalogue: a revision and how often its history was lost. */
  readonly version: () => string;
}

export type PropertyNames = ReturnType<typeof createPropertyNames>;

/** Between key and id: folding leaves no tab in a text. */
const BORDER = '\t';
/** Entries sorted in one turn: some milliseconds. */
const CHUNK_ENTRIES = 4_096;
const SLICE_MS_MAX = 3;
/** Ids and names of 10,000 properties, most of which have a name in one or two languages. */
const COUNTED_ENTRIES_MAX = 30_000;
/** Each chunk is sorted separately, so that no sort takes long. */
type Chunks = readonly (readonly string[])[];

export function createPropertyNames({ catalogue, version }: NamesDeps) {
  let builtFor: string | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  const index = createCache<Chunks>({
    make() {
      builtFor = version();
      return buildIndex(catalogue);
    },
    isOutdated: () => builtFor !== version(),
  });

  async function find(search: string, after: string, limit: number) {
    const words = wordsOf(search);
    const chunks = await index.get();
    const entries = await scan(chunks, words, after, limit + 1);
    const isCounted = chunks.reduce((sum, chunk) => sum + chunk.length, 0) <= COUNTED_ENTRIES_MAX;
    const all = isCounted ? await scan(chunks, words, '', Infinity) : [];
    const page = entries.slice(0, limit);
    // A property whose words match several names is listed at the first of them.
    const isFirst = (entry: string): boolean =>
      keysOf(catalogue, idOf(entry)).find((key) => hasWords(key, words)) === keyOf(entry);
    return {
      propertyIds: page.filter(isFirst).map(idOf),
      /** Where the next page begins; undefined on the last page. */
      next: entries.length > limit ? page.at(-1) : undefined,
      /** Count over all pages; undefined if the catalogue is too large to count. */
      total: isCounted ? new Set(all.map(idOf)).size : undefined,
    };
  }

  return {
    /** Ids of the properties whose id or name is one of these texts, folded; by that text, the folded one. */
    async findNamed(texts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      const chunks = await index.get();
      const keys = new Set(texts.map(foldPlaceName).filter((key) => key !== ''));
      const found = new Map<string, readonly string[]>();
      let sliceMs = performance.now();
      for (const key of keys) {
        const ids = new Set(chunks.flatMap((chunk) => idsNamed(chunk, key)));
        if (ids.size > 0) found.set(key, [...ids]);
        if (performance.now() - sliceMs < SLICE_MS_MAX) continue;
        await nextTurn();
        sliceMs = performance.now();
      }
      return found;
    },
    /** Starts reading the names, for a search that may follow. */
    prepare: () => void index.get().catch(() => undefined),
    /**
     * Ids of properties that have each word of the search in their id or in one of their names, sorted by that text,
     * after `after`; a page may have fewer than `limit`. One search at a time: two would delay partners by two slices.
     */
    find(...asked: Parameters<typeof find>): ReturnType<typeof find> {
      const found = turn.then(() => find(...asked));
      turn = found.catch(() => undefined);
      return found;
    },
  };
}

/** The words, folded; a word may occur anywhere within a text. */
export function wordsOf(search: string): readonly string[] {
  return foldPlaceName(search)
    .split(' ')
    .filter((word) => word !== '');
}

/** Whether the words of a search are anywhere in these texts; for lists that are short enough to look through. */
export function matchesSearch(texts: readonly string[], search: string): boolean {
  return hasWords(foldPlaceName(texts.join(' ')), wordsOf(search));
}

/** `text` is folded. */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** The first entries after `after`, up to `limit`. A chunk takes a fraction of a slice. */
async function scan(
  chunks: Chunks,
  words: readonly string[],
  after: string,
  limit: number,
): Promise<readonly string[]> {
  let sliceMs = performance.now();
  const found: string[] = [];
  for (const chunk of chunks) {
    found.push(...entriesWith(chunk, words, after, limit));
    if (performance.now() - sliceMs < SLICE_MS_MAX) continue;
    await nextTurn();
    sliceMs = performance.now();
  }
  return found.sort(byCode).slice(0, limit);
}

async function buildIndex(catalogue: NamedProperties): Promise<Chunks> {
  let sliceMs = performance.now();
  const chunks: string[][] = [];
  let chunk: string[] = [];
  for (const propertyId of catalogue.propertyIds()) {
    for (const key of keysOf(catalogue, propertyId)) chunk.push(`${key}${BORDER}${propertyId}`);
    if (chunk.length >= CHUNK_ENTRIES) {
      chunks.push(chunk.sort(byCode));
      chunk = [];
    }
    if (performance.now() - sliceMs < SLICE_MS_MAX) continue;
    await nextTurn();
    sliceMs = performance.now();
  }
  return [...chunks, chunk.sort(byCode)];
}

/** Ascending, without duplicates; empty for a property that has been removed. */
function keysOf(catalogue: NamedProperties, propertyId: string): readonly string[] {
  const names = catalogue.namesOf(propertyId);
  if (names.length === 0) return [];
  return [...new Set([propertyId, ...names].map(foldPlaceName))].sort(byCode);
}

/** Matching entries of a sorted chunk after `after`, up to `limit`. */
function entriesWith(
  chunk: readonly string[],
  words: readonly string[],
  after: string,
  limit: number,
): readonly string[] {
  const found: string[] = [];
  for (let at = countLow(chunk.length, (index) => chunk[index]! <= after); at < chunk.length; at += 1) {
    // Words never contain the border, so a word that is not in the key must be in the id.
    if (!hasWords(chunk[at]!, words) || !hasWords(keyOf(chunk[at]!), words)) continue;
    found.push(chunk[at]!);
    if (found.length === limit) break;
  }
  return found;
}

/** Two are enough to know that a name is not clear. */
const NAMED_MAX = 2;

function idsNamed(chunk: readonly string[], key: string): readonly string[] {
  const start = `${key}${BORDER}`;
  const at = countLow(chunk.length, (index) => chunk[index]! < start);
  return chunk
    .slice(at, at + NAMED_MAX)
    .filter((entry) => keyOf(entry) === key)
    .map(idOf);
}

const keyOf = (entry: string): string => entry.slice(0, entry.lastIndexOf(BORDER));
const idOf = (entry: string): string => entry.slice(entry.lastIndexOf(BORDER) + 1);
const byCode = (one: string, other: string): number => (one < other ? -1 : 1);
