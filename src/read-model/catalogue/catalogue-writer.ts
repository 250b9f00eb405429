/** The writer's side of the read model: applies changes, and publishes them to readers all at once. */
import { assertState, IS_CHECKING } from '../../runtime/assertions.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type EpochDay, localToday } from '../../domain/local-date.ts';
import { payableUnitOf } from '../../domain/currency-codes.ts';
import { lowestRateAt, nextLowestRateChange } from '../../domain/lowest-rates.ts';
import { formatMoney, roundToUnit } from '../../domain/money.ts';
import { allTexts, type Property } from '../../domain/property.ts';
import type { FollowedProperty, WithdrawnProperty } from '../../storage/catalogue/store.ts';
import { checkMarket, checkTotals } from './catalogue-check.ts';
import { citySpellingKey } from './index/city-spellings.ts';
import { WordPages } from './cities/word-pages.ts';
import { FoldedNames } from './cities/folded-names.ts';
import { countLow } from './index/bisect.ts';
import { BLOCK_ROWS_MAX } from './index/block-lines.ts';
import { Block, type BlockShape, type NewSlot } from './index/block.ts';
import { type CatalogueSize, Directory, moveEntry } from './index/directory.ts';
import { storeMarket } from './index/market.ts';
import { NightRing } from './index/night-ring.ts';
import { digestBits, writeBits } from './index/property-bits.ts';
import type { BitsDigest } from './index/slot-table.ts';
import { hashText } from './memory/hash-pages.ts';
import type { Heap, HeapImage } from './memory/heap.ts';
import { type Address, Memory, NOWHERE } from './memory/memory.ts';
import { encodeTexts } from './property/text-chunks.ts';
import { encodePrices } from './property/price-record.ts';
import { presentSummaries } from './property/summary.ts';
import { type Market, type BlockRef, readWriterBlocks } from './index/writer-blocks.ts';

/** After every day. */
const NEVER = 2 ** 30 - 1;
/** Decoded blocks in the cache, some kilobytes each. */
const OPEN_BLOCKS_MAX = 1_024;

export interface CatalogueOptions {
  readonly clock: Clock;
  /** Nights from today that can be offered. */
  readonly horizonNights: number;
}

/** The whole published catalogue, for a later process. */
export interface CatalogueImage extends HeapImage {
  readonly root: Address;
  /** First night held. */
  readonly nightsFrom: EpochDay;
}

interface OpenBlock {
  readonly ref: BlockRef;
  readonly block: Block;
  isChanged: boolean;
}

/** A property that the catalogue does not hold yet. */
interface Addition {
  readonly followed: FollowedProperty;
  readonly cityNames: readonly string[];
  readonly given: NewSlot;
  readonly market: Market;
}

/** A property as its market counts it. */
interface Counted {
  readonly cityNames: readonly string[];
  readonly citySpelling: string;
  readonly isRestricted: boolean;
}

export type Change = FollowedProperty | WithdrawnProperty;

/** Told of a change that can't be applied; the property is not held then. */
export type RefuseChange = (change: Change, error: unknown) => void;

interface OpenSlot {
  readonly open: OpenBlock;
  readonly slot: number;
}

export class CatalogueWriter {
  readonly horizonNights: number;
  readonly #heap: Heap;
  readonly #clock: Clock;
  readonly #ring: NightRing;
  readonly #shape: BlockShape;
  #openedDirectory: Directory | undefined;
  #marketsByKey = new Map<string, Market>();
  #refs = new Map<number, BlockRef>();
  readonly #openBlocks = new Map<number, OpenBlock>();
  readonly #changedMarkets = new Set<Market>();
  readonly #foldedNames = new FoldedNames();
  #words: WordPages;
  #root: Address = NOWHERE;
  #lastNumber = 0;
  #isChanged = true;

  constructor({ clock, horizonNights }: CatalogueOptions, heap: Heap) {
    this.#heap = heap;
    this.#words = new WordPages(heap);
    this.#clock = clock;
    this.horizonNights = horizonNights;
    this.#ring = new NightRing(horizonNights, clock());
    this.#shape = { memory: heap, nightLineCount: this.#ring.lineCount };
  }

  /**
   * Applies one change; an older version than the held one changes nothing. If the stored bytes can't be read, it
   * throws, and the property is removed instead of half written.
   */
  apply(change: Change): void {
    const propertyId = idOf(change);
    const held = this.#find(propertyId);
    if (held !== undefined && held.open.block.slots.revision(held.slot) > change.revision) return;
    if (!('property' in change)) return this.forget(propertyId);
    try {
      this.#put(change, held);
    } catch (error) {
      this.forget(propertyId);
      throw error;
    }
  }

  /** Applies the changes of one read: new properties of a block move the others of it once, not each by itself. */
  applyAll(changes: readonly Change[], refuse: RefuseChange): void {
    const additions = new Map<string, Addition>();
    const addAll = (): void => {
      this.#addAll([...additions.values()], refuse);
      additions.clear();
    };
    for (const change of changes) {
      const id = idOf(change);
      // A read names each property once.
      if (additions.has(id)) addAll();
      try {
        if ('property' in change && this.#find(id) === undefined)
          additions.set(id, this.#makeAddition(change));
        else this.apply(change);
      } catch (error) {
        refuse(change, error);
      }
    }
    addAll();
  }

  /** Removes a property whatever its revision: revisions of another history mean nothing here. */
  forget(propertyId: string): void {
    const held = this.#find(propertyId);
    if (held !== undefined) this.#remove(propertyId, held);
  }

  /** Whether the held nights no longer reach far enough beyond the horizon; see `moveOn`. */
  isRefillDue(): boolean {
    return this.#ring.isRefillDue(this.#clock());
  }

  /**
   * Moves to the nights that came into reach. Blocks don't know them yet: the caller applies every property again, at
   * leisure, because the margin still covers the offered nights.
   */
  moveOn(): void {
    this.#ring.moveTo(this.#clock());
  }

  /** The held revision; undefined when the property is not held. */
  revisionOf(propertyId: string): number | undefined {
    const held = this.#find(propertyId);
    return held?.open.block.slots.revision(held.slot);
  }

  /** All ids, unordered. */
  *propertyIds(): Generator<string> {
    for (const number of this.#refs.keys()) {
      const { slots } = this.#open(number).block;
      for (let slot = 0; slot < slots.count; slot++) yield slots.id(slot);
    }
  }

  size(): CatalogueSize {
    return this.#directory.size;
  }

  /** Publishes all applied changes. */
  publish(): void {
    const root = this.prepare();
    if (root !== undefined) this.show(root);
  }

  /** Writes down all applied changes for `show`; undefined when there are none. */
  prepare(): Address | undefined {
    if (!this.#isChanged) return undefined;
    this.#writeBlocks();
    for (const market of this.#changedMarkets) this.#writeMarket(market);
    if (IS_CHECKING) this.#check();
    this.#changedMarkets.clear();
    this.#heap.release(this.#root);
    this.#directory.wordPages = this.#words.write();
    this.#root = this.#directory.store(this.#heap);
    return this.#root;
  }

  /** Publishes the prepared root. Apply nothing between `prepare` and this. */
  show(root: Address): void {
    this.#heap.show(root);
    this.#isChanged = false;
  }

  /** Made on first use: an empty directory takes memory that an image needs. */
  get #directory(): Directory {
    return (this.#openedDirectory ??= new Directory(this.#heap));
  }

  /** Keeps the published version unchanged until `endHold`; undefined when some changes are not published yet. */
  hold(): CatalogueImage | undefined {
    if (this.#isChanged) return undefined;
    return { ...this.#heap.hold(), root: this.#root, nightsFrom: this.#ring.from };
  }

  endHold(): void {
    this.#heap.endHold();
  }

  /**
   * Adopts an image; the returned function publishes it. Only for a catalogue without changes. Throws when the image is
   * inconsistent, or its nights don't reach far enough.
   */
  prepareAdoption(image: CatalogueImage): () => void {
    const { root, nightsFrom, segments } = image;
    if (this.#ring.isRefillDue(this.#clock(), nightsFrom)) throw new Error('its nights are too old');
    const memory = new Memory();
    for (const segment of segments) memory.add(segment);
    const directory = new Directory(memory, root);
    const read = readWriterBlocks({ ...this.#shape, memory }, directory);
    const words = new WordPages(this.#heap);
    words.adopt(
      memory,
      directory.wordPages,
      read.markets.values().flatMap(({ nameCounts }) => nameCounts.keys()),
    );
    return () => {
      this.#heap.adopt(image);
      this.#openedDirectory = new Directory(this.#heap, root);
      this.#words = words;
      this.#marketsByKey = read.markets;
      this.#refs = read.refs;
      this.#lastNumber = read.lastNumber;
      this.#ring.from = nightsFrom;
      this.#root = root;
    };
  }

  #put(followed: FollowedProperty, held: OpenSlot | undefined): void {
    const addition = this.#makeAddition(followed);
    const { given, market } = addition;
    const isInPlace =
      held?.open.ref.market === market && held.open.block.slots.rowCount(held.slot) === given.rowCount;
    if (isInPlace) return this.#replace(addition, held);
    if (held !== undefined) this.#remove(given.propertyId, held);
    this.#addAll([addition], (_, error) => {
      throw error;
    });
  }

  #makeAddition(followed: FollowedProperty): Addition {
    const cityNames = this.#namesOf(followed.property);
    const given = this.#makeSlot(followed);
    return { followed, cityNames, given, market: this.#marketFor(followed.property, cityNames) };
  }

  #replace(addition: Addition, { open, slot }: OpenSlot): void {
    const { followed, cityNames, given, market } = addition;
    const { block } = open;
    this.#change(open);
    block.reachNights(this.#ring);
    const hasSameBits = isEqual(block.slots.digest(slot), given.digest);
    const before = hasSameBits ? undefined : countedOf(block, slot);
    block.replace(slot, given);
    if (before === undefined) return;
    this.#count(market, countedOfAddition(addition), 1);
    this.#count(market, before, -1);
    const { lines } = block;
    const row = block.slots.firstRow(slot);
    lines.rewriteRows(row, given.rowCount, () =>
      writeBits(lines, row, followed, cityNames, this.#ring, false),
    );
  }

  #addAll(additions: readonly Addition[], refuse: RefuseChange): void {
    for (const [market, added] of Map.groupBy(additions, (addition) => addition.market)) {
      const sorted = added.toSorted((one, other) => (idOf(one.followed) < idOf(other.followed) ? -1 : 1));
      for (let from = 0; from < sorted.length;) {
        const { propertyId, rowCount } = sorted[from]!.given;
        const open = this.#blockWithRoom(market, propertyId, rowCount);
        const count = this.#countThatFit(open, sorted, from);
        this.#insert(open, sorted.slice(from, from + count), refuse);
        from += count;
      }
    }
  }

  /** How many of the next properties belong to the block and find room in it: at least the first. */
  #countThatFit({ block, ref }: OpenBlock, sorted: readonly Addition[], from: number): number {
    const { refs } = ref.market;
    const end = refs[refs.indexOf(ref) + 1]?.firstId;
    let { rowCount } = block;
    let until = from;
    for (const { given } of sorted.slice(from)) {
      rowCount += given.rowCount;
      if (until > from && (rowCount > BLOCK_ROWS_MAX || (end !== undefined && given.propertyId >= end)))
        break;
      until += 1;
    }
    return until - from;
  }

  #insert(open: OpenBlock, added: readonly Addition[], refuse: RefuseChange): void {
    const { block, ref } = open;
    this.#change(open);
    block.reachNights(this.#ring);
    block.insert(added.map(({ given }) => given));
    ref.firstId = block.slots.id(0);
    for (const addition of added) {
      const { given, market } = addition;
      this.#count(market, countedOfAddition(addition), 1);
      this.#directory.properties.add(hashText(given.propertyId), ref.number);
      this.#countProperty(market, 1, given.rowCount);
    }
    for (const { followed, given, cityNames } of added) {
      const row = block.slots.firstRow(block.slots.find(given.propertyId));
      try {
        writeBits(block.lines, row, followed, cityNames, this.#ring, true);
      } catch (error) {
        this.forget(given.propertyId);
        refuse(followed, error);
      }
    }
  }

  #remove(propertyId: string, { open, slot }: OpenSlot): void {
    const { block, ref } = open;
    const { market } = ref;
    const rowCount = block.slots.rowCount(slot);
    this.#change(open);
    this.#count(market, countedOf(block, slot), -1);
    this.#directory.properties.remove(hashText(propertyId), ref.number);
    block.remove(slot);
    this.#countProperty(market, -1, rowCount);
    if (block.slots.count > 0) ref.firstId = block.slots.id(0);
    else this.#dropBlock(open);
  }

  #countProperty(market: Market, by: 1 | -1, rowCount: number): void {
    market.propertyCount += by;
    this.#directory.inventoryTypes += by * rowCount;
    assertState(
      market.propertyCount >= 0 && this.#directory.inventoryTypes >= 0,
      'the catalogue counts what it holds',
    );
  }

  #makeSlot(followed: FollowedProperty): NewSlot {
    const { property, revision, lowestRates } = followed;
    const { propertyId, timezone, inventoryTypes, visibleTo, currency } = property;
    if (inventoryTypes.length > BLOCK_ROWS_MAX)
      throw new RangeError(`${propertyId} has too many inventory types`);
    const today = localToday(timezone, this.#clock());
    const rate = lowestRateAt(lowestRates, today);
    const price = rate === null ? null : formatMoney(roundToUnit(rate, payableUnitOf(currency)));
    const summaries = presentSummaries(property, price);
    return {
      propertyId,
      timezone,
      revision,
      rowCount: inventoryTypes.length,
      digest: digestBits(followed),
      isRestricted: visibleTo !== 'all',
      texts: encodeTexts(summaries, lowestRates),
      prices: encodePrices(followed, this.#ring.from),
      priceFrom: today,
      priceUntil: nextLowestRateChange(lowestRates, today) ?? NEVER,
    };
  }

  #find(propertyId: string): OpenSlot | undefined {
    let found: OpenSlot | undefined;
    this.#directory.properties.some(hashText(propertyId), (number) => {
      const open = this.#open(number);
      const slot = open.block.slots.find(propertyId);
      if (slot >= 0) found = { open, slot };
      return slot >= 0;
    });
    return found;
  }

  #open(number: number): OpenBlock {
    const known = this.#openBlocks.get(number);
    if (known !== undefined) return known;
    const ref = this.#refs.get(number)!;
    return this.#keepOpen({ ref, block: Block.open(this.#shape, ref.address), isChanged: false });
  }

  #keepOpen(open: OpenBlock): OpenBlock {
    if (this.#openBlocks.size >= OPEN_BLOCKS_MAX) {
      this.#writeBlocks();
      this.#openBlocks.clear();
    }
    this.#openBlocks.set(open.ref.number, open);
    return open;
  }

  #change(open: OpenBlock): void {
    open.isChanged = true;
    this.#isChanged = true;
    this.#changedMarkets.add(open.ref.market);
    // It may have been closed since it was found.
    this.#openBlocks.set(open.ref.number, open);
  }

  #writeBlocks(): void {
    for (const open of this.#openBlocks.values()) {
      if (!open.isChanged) continue;
      this.#moveBlock(open.ref, open.block.store());
      open.isChanged = false;
    }
  }

  #check(): void {
    for (const market of this.#changedMarkets) checkMarket(market, this.#shape);
    checkTotals(this.#directory, this.#marketsByKey.values());
  }

  #moveBlock(ref: BlockRef, address: Address): void {
    moveEntry(this.#directory.blocks, ref.number, ref.address, address);
    this.#heap.release(ref.address);
    ref.address = address;
  }

  #writeMarket(market: Market): void {
    const before = market.address;
    const isEmpty = market.propertyCount === 0;
    const blocks = market.refs.map(({ address }) => address);
    market.address = isEmpty ? NOWHERE : storeMarket(this.#heap, { ...market, blocks });
    moveEntry(this.#directory.markets, market.number, before, market.address);
    this.#heap.release(before);
    if (!isEmpty) return;
    this.#marketsByKey.delete(market.key);
  }

  #blockWithRoom(market: Market, propertyId: string, rowCount: number): OpenBlock {
    const { refs } = market;
    const index = refOf(refs, propertyId);
    if (refs.length === 0) return this.#addBlock(market, 0);
    const open = this.#open(refs[index]!.number);
    const { block } = open;
    if (block.rowCount + rowCount <= BLOCK_ROWS_MAX) return open;
    // Behind the last id a full block stays full: loading in id order leaves no half-empty blocks.
    const isBehind = block.slots.lowerBound(propertyId) === block.slots.count;
    if (index === refs.length - 1 && isBehind) return this.#addBlock(market, index + 1);
    if (block.slots.count === 1) return this.#addBlock(market, isBehind ? index + 1 : index);
    this.#split(market, index, open);
    return this.#blockWithRoom(market, propertyId, rowCount);
  }

  #split(market: Market, index: number, lower: OpenBlock): void {
    this.#change(lower);
    const { block, ref } = this.#addBlock(market, index + 1, lower.block.split());
    ref.firstId = block.slots.id(0);
    for (let slot = 0; slot < block.slots.count; slot++) {
      const hash = hashText(block.slots.id(slot));
      this.#directory.properties.remove(hash, lower.ref.number);
      this.#directory.properties.add(hash, ref.number);
    }
  }

  #addBlock(market: Market, index: number, block?: Block): OpenBlock {
    const number = ++this.#lastNumber;
    const ref: BlockRef = { number, market, address: NOWHERE, firstId: '' };
    market.refs.splice(index, 0, ref);
    this.#refs.set(number, ref);
    const added = block ?? Block.make(this.#shape, market.number, this.#ring.from);
    return this.#keepOpen({ ref, block: added, isChanged: true });
  }

  #dropBlock({ ref, block }: OpenBlock): void {
    block.release();
    this.#moveBlock(ref, NOWHERE);
    this.#openBlocks.delete(ref.number);
    this.#refs.delete(ref.number);
    ref.market.refs.splice(ref.market.refs.indexOf(ref), 1);
  }

  #count(market: Market, { cityNames, citySpelling, isRestricted }: Counted, by: 1 | -1): void {
    const { names: directory } = this.#directory;
    if (isRestricted) market.restrictedCount += by;
    addTo(market.spellingCounts, citySpelling, by);
    for (const name of cityNames) {
      const count = addTo(market.nameCounts, name, by);
      if (count === 0) {
        directory.remove(hashText(name), market.number);
        this.#words.remove(name);
      } else if (count === 1 && by === 1) {
        directory.add(hashText(name), market.number);
        this.#words.add(name);
      }
    }
  }

  /** Distinct folded names; the first is that of the default locale. */
  #namesOf({ location, cityAliases }: Property): readonly string[] {
    const names = [...allTexts(location.city), ...cityAliases];
    return [...new Set(names.map((name) => this.#foldedNames.fold(name).folded))];
  }

  #marketFor({ location: { country, city } }: Property, cityNames: readonly string[]): Market {
    const key = `${country} ${cityNames[0]!}`;
    const known = this.#marketsByKey.get(key);
    if (known !== undefined) return known;
    const market: Market = {
      key,
      country,
      city: allTexts(city)[0]!,
      number: ++this.#lastNumber,
      address: NOWHERE,
      refs: [],
      propertyCount: 0,
      restrictedCount: 0,
      nameCounts: new Map(),
      spellingCounts: new Map(),
    };
    this.#marketsByKey.set(key, market);
    this.#changedMarkets.add(market);
    return market;
  }
}

export function idOf(change: Change): string {
  return 'property' in change ? change.property.propertyId : change.propertyId;
}

function isEqual(one: BitsDigest, other: BitsDigest): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Index of the last block that starts at or before the id; 0 without one. */
function refOf(refs: readonly BlockRef[], propertyId: string): number {
  return (
    Math.max(
      1,
      countLow(refs.length, (index) => refs[index]!.firstId <= propertyId),
    ) - 1
  );
}

function countedOf(block: Block, slot: number): Counted {
  return {
    cityNames: block.cityNames(slot),
    citySpelling: block.citySpelling(slot),
    isRestricted: !block.isVisibleToAll(slot),
  };
}

function countedOfAddition({ followed, cityNames, given }: Addition): Counted {
  return { cityNames, citySpelling: citySpellingKey(followed.property), isRestricted: given.isRestricted };
}

/** The count afterwards; a key without any is dropped. */
function addTo(counts: Map<string, number>, key: string, by: 1 | -1): number {
  const count = (counts.get(key) ?? 0) + by;
  assertState(count >= 0, 'a market counts the properties of a name');
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
  return count;
}
