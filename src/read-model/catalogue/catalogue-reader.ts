/**
 * A thread's view of the read model: every property that partners may see, by market, in memory that another thread
 * writes. Only this class answers the three GET operations.
 *
 * `#read` makes each answer from one version; results are copies.
 */
import type { StayRequest } from '../../domain/eligibility.ts';
import type { MarketName } from '../../domain/found-markets.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type EpochDay, localToday } from '../../domain/local-date.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { type Locale, LOCALES } from '../../domain/property.ts';
import { type AvailabilityQuery, buildAvailabilityBody } from './bodies/availability-body.ts';
import { Questions } from './questions/answer-questions.ts';
import type { CatalogueOptions } from './catalogue-writer.ts';
import { type ByteText, readByteText } from './bodies/byte-text.ts';
import {
  type CityQuery,
  type CitySuggestion,
  type CountedMarket,
  suggestCities,
} from './cities/city-suggestions.ts';
import { makeWordPage, type WordPage } from './cities/match-words.ts';
import { readWordPage } from './cities/word-pages.ts';
import {
  type CityHits,
  type CityMarket as Market,
  type NamedMarkets,
  offeredStay,
  searchCity,
  type Today,
  type SearchQuery,
} from './cities/city-search.ts';
import { FoldedNames } from './cities/folded-names.ts';
import { LINE_WORDS_MAX } from './index/bit-lines.ts';
import { makeStayLines, type StayLines } from './index/block-search.ts';
import { Block, type BlockShape } from './index/block.ts';
import { type CatalogueSize, Directory } from './index/directory.ts';
import { type MarketHits, MergedWalk, visibleSizeOf } from './index/market-search.ts';
import { readMarket } from './index/market.ts';
import { NightRing } from './index/night-ring.ts';
import { ListBody } from './bodies/list-body.ts';
import { hashNumber, hashText } from './memory/hash-pages.ts';
import { type Address, type Memory, NOWHERE } from './memory/memory.ts';
import type { Reading } from './memory/publication.ts';
import type { CostSources } from './questions/question-costs.ts';
import { type PriceSources, rememberLast, StayPrices } from './prices/stay-prices.ts';
import { nameInSummary, withStartingPrice } from './property/summary.ts';
import type { TextRange } from './property/piece-chunks.ts';
import type { FoundPage, ReadModel, SendList } from './read-model.ts';

/** Decoded blocks and markets in the cache, some kilobytes each; a full cache starts empty again. */
const VIEWS_MAX = 4_096;

/** Words of the names of cities, about (`cities/word-pages.ts`). */
const WORDS_PER_PAGE = 400;
/** A power of two. With more properties than this, some share a guess and need a search. */
const GUESS_COUNT = 2 ** 16;
/** Bits of a slot within a block; a guess holds them below the block's number. */
const SLOT_BITS = Math.log2(LINE_WORDS_MAX * 32);
const SLOT_MASK = 2 ** SLOT_BITS - 1;

/** The place of a property in the version being read. */
interface Slot {
  readonly block: Block;
  readonly slot: number;
}

interface LastFound {
  readonly directory: Directory;
  readonly propertyId: string;
  readonly found: Slot | undefined;
}

export class CatalogueReader implements ReadModel {
  readonly horizonNights: number;
  readonly prices: StayPrices;
  readonly questions: Questions;
  readonly #clock: Clock;
  #reading: Reading;
  readonly #ring: NightRing;
  #views: MemoryViews;
  readonly #foldedNames = new FoldedNames();
  readonly #list = new ListBody();
  /** The last block and slot of a property, by its hash: searching both is most of the cost of finding it. */
  readonly #guesses = new Int32Array(GUESS_COUNT);
  /** Blocks of one version by number, filled on use. */
  readonly #blocksNow = new Map<number, Block>();
  #blocksOf: Directory | undefined;
  /** The last property found: counting an answer looks it up again. */
  #last: LastFound | undefined;

  constructor({ clock, horizonNights }: CatalogueOptions, memory: Memory, reading: Reading) {
    this.#clock = clock;
    this.horizonNights = horizonNights;
    this.#reading = reading;
    this.#ring = new NightRing(horizonNights, clock());
    this.#views = openViews({ memory, nightLineCount: this.#ring.lineCount });
    const sources: PriceSources = {
      clock,
      horizonNights,
      read: (work) => this.#read(work),
      named: (directory, place) => this.#namedMarkets(directory, place),
      find: (directory, propertyId) => this.#find(directory, propertyId),
      summaryOf: (block, slot, localeIndex, today) => this.#summaryOf(block, slot, localeIndex, today),
      stayLines: (stay) => this.#stayLines(stay),
    };
    this.prices = new StayPrices(sources);
    this.questions = new Questions(this.prices, (query) => this.#suggestCities(query), this.#costSources());
  }

  /** Switches to other memory, between answers; the old memory stays unchanged. */
  readFrom(memory: Memory, reading: Reading): void {
    this.#reading = reading;
    this.#views = openViews({ memory, nightLineCount: this.#ring.lineCount });
  }

  search(query: SearchQuery, send: SendList): void {
    const nowMs = this.#clock();
    // One instant for the whole page: a midnight in between would decide by one day and price by the next.
    const today = rememberLast((timezone) => localToday(timezone, nowMs));
    const { list, found } = this.#read((directory) => {
      const searched = this.#searchMarkets(directory, query, today);
      const { total, markets } = searched;
      this.#list.start();
      this.#addItems(markets, query, today);
      return { list: this.#list.finish(query.page, query.pageSize, total), found: searched };
    });
    if (send(list, found)) this.#list.release(list);
  }

  /** The list that `search` sends, as bytes of the caller's own. */
  list(query: SearchQuery): Uint8Array {
    let kept: Uint8Array | undefined;
    this.search(query, (list) => {
      kept = list;
      return false;
    });
    return kept!;
  }

  findPage(query: SearchQuery): FoundPage {
    return this.#read((directory) => {
      const searched = this.#searchMarkets(directory, query, this.#today);
      const propertyIds: string[] = [];
      const walk = new MergedWalk(searched.markets, (query.page - 1) * query.pageSize);
      for (; walk.block !== undefined && propertyIds.length < query.pageSize; walk.next())
        propertyIds.push(walk.block.slots.id(walk.slot));
      return { propertyIds, found: searched };
    });
  }

  findSummary(propertyId: string, locale: Locale, partnerId: string): ByteText | undefined {
    return this.#readVisible(propertyId, partnerId, ({ block, slot }) => {
      const { bytes, start, end } = this.#summaryOf(block, slot, LOCALES.indexOf(locale), this.#today);
      return readByteText(bytes, start, end);
    });
  }

  /** The market of a property; undefined when it is not held. */
  marketOf(propertyId: string): MarketName | undefined {
    return this.#read((directory) => {
      const held = this.#find(directory, propertyId);
      return held && directory && this.#marketNumbered(directory, held.block.marketNumber);
    });
  }

  /**
   * Properties that answer to a city's name in a country and are visible to some partner, and their newest revision.
   */
  propertiesOf(city: string, country: string): { readonly propertyIds: string[]; readonly revision: number } {
    const cityName = foldPlaceName(city);
    const propertyIds: string[] = [];
    let revision = 0;
    this.#read((directory) => {
      const markets = this.#named(directory, cityName).filter((market) => market.country === country);
      for (const block of markets.flatMap(({ blocks }) => blocks)) {
        for (let slot = 0; slot < block.slots.count; slot++) {
          if (!block.isVisibleToAny(slot) || !block.cityNames(slot).includes(cityName)) continue;
          propertyIds.push(block.slots.id(slot));
          revision = Math.max(revision, block.slots.revision(slot));
        }
      }
    });
    return { propertyIds, revision };
  }

  /** The name in this locale; undefined when the property is unknown or hidden from this partner. */
  findName(propertyId: string, locale: Locale, partnerId: string): string | undefined {
    return this.#readVisible(propertyId, partnerId, ({ block, slot }) =>
      nameInSummary(block.summary(slot, LOCALES.indexOf(locale))),
    );
  }

  /** The distinct names in all locales, for all partners; empty when it is not held. */
  namesOf(propertyId: string): readonly string[] {
    return this.#read((directory) => {
      const held = this.#find(directory, propertyId);
      if (held === undefined) return [];
      const summaries = LOCALES.map((_, index) => held.block.summary(held.slot, index));
      // Locales with the same texts share one summary.
      const own = summaries.filter(({ start }, index) => start !== summaries[index - 1]?.start);
      return [...new Set(own.map(nameInSummary))];
    });
  }

  isVisible(propertyId: string, partnerId: string): boolean {
    return this.#readVisible(propertyId, partnerId, () => true) === true;
  }

  findAvailability(query: AvailabilityQuery): ByteText | undefined {
    return this.#readVisible(query.propertyId, query.partnerId, ({ block, slot }) => {
      const first = this.#today(block.timezone(slot));
      const offered = { first, end: first + this.horizonNights };
      return buildAvailabilityBody(block, slot, query, this.#stayLines(query), offered);
    });
  }

  /** All ids, unordered, a block at a time: a concurrent change may be missing. */
  *propertyIds(): Generator<string> {
    const blocks = this.#read((directory) => [...(directory?.blocks.entries() ?? [])]);
    for (const [hash] of blocks) {
      yield* this.#read((directory) => {
        const address = directory?.blocks.get(hash) ?? NOWHERE;
        if (address === NOWHERE) return [];
        const { slots } = this.#views.blocks.get(address);
        return Array.from({ length: slots.count }, (_, slot) => slots.id(slot));
      });
    }
  }

  /** The held revision; undefined when the property is not held. */
  revisionOf(propertyId: string): number | undefined {
    return this.#read((directory) => {
      const held = this.#find(directory, propertyId);
      return held?.block.slots.revision(held.slot);
    });
  }

  size(): CatalogueSize {
    return this.#read((directory) => directory?.size ?? { properties: 0, inventoryTypes: 0, markets: 0 });
  }

  /** Nothing changes while `work` reads; it must keep nothing. */
  #read<T>(work: (directory: Directory | undefined) => T): T {
    const root = this.#reading.enter();
    try {
      return work(root === NOWHERE ? undefined : this.#views.directories.get(root));
    } finally {
      this.#reading.leave();
    }
  }

  #suggestCities(query: CityQuery): readonly CitySuggestion[] {
    return this.#read((directory) => {
      if (directory === undefined) return [];
      const pages = directory.wordPages.map((address) => this.#views.words.get(address));
      const named = (name: string): CountedMarket[] => namedCountedMarkets(this.#views, directory, name);
      return suggestCities({ pages, named }, query);
    });
  }

  #costSources(): CostSources {
    return {
      sizeOf: (place) =>
        this.#read((directory) => {
          const { cityName, markets } = this.#namedMarkets(directory, place);
          return visibleSizeOf(markets, { ...place, cityName });
        }),
      typesAt: (propertyId, partnerId) =>
        this.#readVisible(propertyId, partnerId, ({ block, slot }) => block.slots.rowCount(slot)) ?? 0,
      wordCount: () => this.#read((directory) => WORDS_PER_PAGE * (directory?.wordPages.length ?? 0)),
      blockCount: () => this.#read((directory) => directory?.blocks.entryCount ?? 0),
    };
  }

  #readVisible<T>(propertyId: string, partnerId: string, work: (found: Slot) => T): T | undefined {
    return this.#read((directory) => {
      const found = this.#find(directory, propertyId);
      return found?.block.isVisible(found.slot, partnerId) === true ? work(found) : undefined;
    });
  }

  #find(directory: Directory | undefined, propertyId: string): Slot | undefined {
    if (directory === undefined) return undefined;
    const last = this.#last;
    if (last?.directory === directory && last.propertyId === propertyId) return last.found;
    const found = this.#findAnew(directory, propertyId);
    this.#last = { directory, propertyId, found };
    return found;
  }

  /** An id is in one block at most, so a hit is right however old the guess. */
  #findAnew(directory: Directory, propertyId: string): Slot | undefined {
    const hash = hashText(propertyId);
    const guess = hash & (GUESS_COUNT - 1);
    const guessed = this.#guesses[guess]!;
    const block = this.#blockNumbered(directory, guessed >>> SLOT_BITS);
    if (block?.slots.has(guessed & SLOT_MASK, propertyId) === true)
      return { block, slot: guessed & SLOT_MASK };
    let found: Slot | undefined;
    directory.properties.some(hash, (number) => {
      const held = this.#blockNumbered(directory, number)!;
      const slot = held.slots.find(propertyId);
      if (slot < 0) return false;
      this.#guesses[guess] = (number << SLOT_BITS) | slot;
      found = { block: held, slot };
      return true;
    });
    return found;
  }

  /** Undefined when the version lacks this number. */
  #blockNumbered(directory: Directory, number: number): Block | undefined {
    const blocks = this.#blocksNow;
    if (this.#blocksOf !== directory || blocks.size >= VIEWS_MAX) blocks.clear();
    this.#blocksOf = directory;
    const known = blocks.get(number);
    if (known !== undefined) return known;
    const address = directory.blocks.get(hashNumber(number));
    if (address === NOWHERE) return undefined;
    const block = this.#views.blocks.get(address);
    blocks.set(number, block);
    return block;
  }

  #named(directory: Directory | undefined, cityName: string): Market[] {
    return namedMarkets(this.#views, directory, cityName);
  }

  #marketNumbered(directory: Directory, number: number): Market {
    return marketNumbered(this.#views, directory, number);
  }

  #searchMarkets(directory: Directory | undefined, query: SearchQuery, today: Today): CityHits {
    const { stay, guests = 1, childAges } = query;
    const named = this.#namedMarkets(directory, query);
    if (stay === undefined) return searchCity(named, query, undefined);
    const lines = this.#stayLines({ ...stay, guests, childAges });
    return searchCity(named, query, offeredStay(lines, today, this.horizonNights));
  }

  #namedMarkets(
    directory: Directory | undefined,
    { city, country }: Pick<SearchQuery, 'city' | 'country'>,
  ): NamedMarkets {
    const { asked: askedName, folded: cityName } = this.#foldedNames.fold(city);
    const named = this.#named(directory, cityName);
    const markets = country === undefined ? named : named.filter((market) => market.country === country);
    return { askedName, cityName, markets, isKnownElsewhere: markets.length === 0 && named.length > 0 };
  }

  #addItems(found: readonly MarketHits[], query: SearchQuery, today: Today): void {
    const localeIndex = LOCALES.indexOf(query.locale);
    const walk = new MergedWalk(found, (query.page - 1) * query.pageSize);
    for (let left = query.pageSize; left > 0 && walk.block !== undefined; left--, walk.next()) {
      const { bytes, start, end } = this.#summaryOf(walk.block, walk.slot, localeIndex, today);
      this.#list.add(bytes, start, end);
    }
  }

  /** With the starting price of the day. */
  #summaryOf(block: Block, slot: number, localeIndex: number, today: Today): TextRange {
    const summary = block.summary(slot, localeIndex);
    const day = today(block.timezone(slot));
    if (block.slots.hasPriceOf(slot, day)) return summary;
    return withStartingPrice(summary, block.startingPrice(slot, day));
  }

  #stayLines(stay: StayRequest): StayLines {
    return makeStayLines(stay, (night) => this.#ring.lineOf(night));
  }

  readonly #today = (timezone: string): EpochDay => localToday(timezone, this.#clock());
}

/** Without opening blocks. */
function namedCountedMarkets(views: MemoryViews, directory: Directory, cityName: string): CountedMarket[] {
  const markets: CountedMarket[] = [];
  directory.names.some(hashText(cityName), (number) => {
    const address = directory.markets.get(hashNumber(number));
    const market = views.countedMarkets.get(address);
    if (market.nameCounts.has(cityName)) markets.push({ ...market, whole: () => views.markets.get(address) });
    return false;
  });
  return markets;
}

interface MemoryViews {
  readonly blocks: DecodedCache<Block>;
  readonly markets: DecodedCache<Market>;
  readonly directories: DecodedCache<Directory>;
  readonly countedMarkets: DecodedCache<Omit<CountedMarket, 'whole'>>;
  readonly words: DecodedCache<WordPage>;
}

function namedMarkets(views: MemoryViews, directory: Directory | undefined, cityName: string): Market[] {
  const markets: Market[] = [];
  directory?.names.some(hashText(cityName), (number) => {
    const market = marketNumbered(views, directory, number);
    if (market.nameCounts.has(cityName)) markets.push(market);
    return false;
  });
  return markets;
}

function marketNumbered(views: MemoryViews, directory: Directory, number: number): Market {
  return views.markets.get(directory.markets.get(hashNumber(number)));
}

function openViews(shape: BlockShape): MemoryViews {
  const { memory } = shape;
  const blocks = new DecodedCache(memory, (address) => Block.open(shape, address));
  const markets = new DecodedCache(memory, (address): Market => {
    const { blocks: addresses, ...market } = readMarket(memory, address);
    return { ...market, blocks: addresses.map((block) => blocks.get(block)) };
  });
  return {
    blocks,
    markets,
    directories: new DecodedCache(memory, (address) => new Directory(memory, address)),
    countedMarkets: new DecodedCache(memory, (address) => readMarket(memory, address)),
    words: new DecodedCache(memory, (address) => makeWordPage(readWordPage(memory, address))),
  };
}

/** Decoded values, valid while the memory at their address keeps its version. */
class DecodedCache<T> {
  readonly #memory: Memory;
  readonly #decode: (address: Address) => T;
  readonly #known = new Map<Address, { readonly version: number; readonly view: T }>();

  constructor(memory: Memory, decode: (address: Address) => T) {
    this.#memory = memory;
    this.#decode = decode;
  }

  get(address: Address): T {
    const version = this.#memory.versionOf(address);
    const known = this.#known.get(address);
    if (known?.version === version) return known.view;
    if (this.#known.size >= VIEWS_MAX) this.#known.clear();
    const view = this.#decode(address);
    this.#known.set(address, { version, view });
    return view;
  }
}
