/**
 * Properties by the beginning of their id or of any of their names. The catalogue in memory has the names; here they
 * stand folded and sorted, made on the first search, again after changes, and dropped when nobody searches any more.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countLow } from '../catalogue/index/bisect.ts';
import { foldPlaceName } from '../domain/place-name.ts';
import { createKept } from './kept.ts';

/** The catalogue, as far as names go. */
export interface NamedProperties {
  propertyIds(): Iterable<string>;
  namesOf(propertyId: string): readonly string[];
}

interface NamesDeps {
  readonly catalogue: NamedProperties;
  /** Changes whenever the catalogue does. */
  readonly revision: () => number;
}

export type PropertyNames = ReturnType<typeof createPropertyNames>;

/** Between key and id: folding leaves no tab in a text. */
const BORDER = '\t';
/** Entries that are sorted in one go: some milliseconds. */
const CHUNK_ENTRIES = 4_096;
const SLICE_MS_MAX = 3;
/** Each sorted by itself, so that no sort is long. */
type Chunks = readonly (readonly string[])[];

export function createPropertyNames({ catalogue, revision }: NamesDeps) {
  let builtFor: number | undefined;
  const index = createKept<Chunks>({
    make() {
      builtFor = revision();
      return buildIndex(catalogue);
    },
    isOutdated: () => builtFor !== revision(),
  });
  return {
    /** Begins to read the names, for a search that may follow. */
    prepare: () => void index.get().catch(() => undefined),
    /** Ids whose id or a name begins so, by what begins so, behind `after`; a page may have fewer than `limit`. */
    async find(prefix: string, after: string, limit: number) {
      const folded = foldPlaceName(prefix);
      const from = after > folded ? `${after}\0` : folded;
      const chunks = await index.get();
      const entries = chunks.flatMap((chunk) => entriesFrom(chunk, folded, from, limit + 1)).sort(byCode);
      const page = entries.slice(0, limit);
      // What begins so by several of its names stands where the first of them does.
      const isFirst = (entry: string): boolean =>
        keysOf(catalogue, idOf(entry)).find((key) => key.startsWith(folded)) === keyOf(entry);
      return {
        propertyIds: page.filter(isFirst).map(idOf),
        /** Where the next page begins; undefined when this is the last one. */
        next: entries.length > limit ? page.at(-1) : undefined,
      };
    },
  };
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

/** Ascending, each once; none of a property that is not held any more. */
function keysOf(catalogue: NamedProperties, propertyId: string): readonly string[] {
  const names = catalogue.namesOf(propertyId);
  if (names.length === 0) return [];
  return [...new Set([propertyId, ...names].map(foldPlaceName))].sort(byCode);
}

/** Of a sorted chunk, from `from` on, as long as they begin with the prefix; at most `limit`. */
function entriesFrom(
  chunk: readonly string[],
  prefix: string,
  from: string,
  limit: number,
): readonly string[] {
  const start = countLow(chunk.length, (at) => chunk[at]! < from);
  const found = chunk.slice(start, start + limit);
  const end = found.findIndex((entry) => !entry.startsWith(prefix));
  return end < 0 ? found : found.slice(0, end);
}

const keyOf = (entry: string): string => entry.slice(0, entry.lastIndexOf(BORDER));
const idOf = (entry: string): string => entry.slice(entry.lastIndexOf(BORDER) + 1);
const byCode = (one: string, other: string): number => (one < other ? -1 : 1);
