/** The writer's side of the read model: applies changes, and publishes them to readers all at once. */
import type { Clock } from '../runtime/clock.ts';
import { type EpochDay, localToday } from '../domain/local-date.ts';
import { payableUnitOf } from '../domain/currency-codes.ts';
import { lowestRateAt, nextLowestRateChange } from '../domain/lowest-rates.ts';
import { formatMoney, roundToUnit } from '../domain/money.ts';
import { allTexts, type Property } from '../domain/property.ts';
import type { FollowedProperty, WithdrawnProperty } from '../storage/catalogue/store.ts';
import { FoldedNames } from './folded-names.ts';
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
import { type Market, type Place, readPlaces } from './places.ts';

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
  readonly place: Place;
  readonly block: Block;
  isChanged: boolean;
}

interface Held {
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
  #places = new Map<number, Place>();
  readonly #openBlocks = new Map<number, OpenBlock>();
  readonly #changedMarkets = new Set<Market>();
  readonly #foldedNames = new FoldedNames();
  #root: Address = NOWHERE;
  #lastNumber = 0;
  #isChanged = true;

  constructor({ clock, horizonNights }: CatalogueOptions, heap: Heap) {
    this.#heap = heap;
    this.#clock = clock;
    this.horizonNights = horizonNights;
    this.#ring = new NightRing(horizonNights, clock());
    this.#shape = { memory: heap, nightLineCount: this.#ring.lineCount };
  }

  /**
   * Applies one change; an older version than the held one changes nothing. If the stored bytes can't be read, it
   * throws, and the property is removed instead of half written.
   */
  apply(change: FollowedProperty | WithdrawnProperty): void {
    const propertyId = 'property' in change ? change.property.propertyId : change.propertyId;
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
    for (const number of this.#places.keys()) {
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
    this.#changedMarkets.clear();
    this.#heap.release(this.#root);
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
    const read = readPlaces({ ...this.#shape, memory }, new Directory(memory, root));
    return () => {
      this.#heap.adopt(image);
      this.#openedDirectory = new Directory(this.#heap, root);
      this.#marketsByKey = read.markets;
      this.#places = read.places;
      this.#lastNumber = read.lastNumber;
      this.#ring.from = nightsFrom;
      this.#root = root;
    };
  }

  #put(followed: FollowedProperty, held: Held | undefined): void {
    const { property } = followed;
    const { propertyId } = property;
    const cityNames = this.#namesOf(property);
    const given = this.#makeSlot(followed, cityNames);
    const market = this.#marketFor(property, cityNames);
    const isInPlace =
      held?.open.place.market === market && held.open.block.slots.rowCount(held.slot) === given.rowCount;
    if (held !== undefined && isInPlace) this.#countNames(market, held.open.block.cityNames(held.slot), -1);
    if (held !== undefined && !isInPlace) this.#remove(propertyId, held);
    const open = isInPlace ? held.open : this.#blockWithRoom(market, propertyId, given.rowCount);
    const { block, place } = open;
    this.#change(open);
    block.reachNights(this.#ring);
    const hasSameBits = isInPlace && isEqual(block.slots.digest(held.slot), given.digest);
    const slot = block.put(given, isInPlace ? held.slot : -1);
    this.#countNames(market, cityNames, 1);
    if (!isInPlace) {
      this.#directory.properties.add(hashText(propertyId), place.number);
      this.#countProperty(place.market, 1, given.rowCount);
      place.firstId = block.slots.id(0);
    }
    if (hasSameBits) return;
    const { lines } = block;
    const row = block.slots.firstRow(slot);
    const write = (): void => writeBits(lines, row, followed, cityNames, this.#ring, !isInPlace);
    if (isInPlace) lines.rewriteRows(row, given.rowCount, write);
    else write();
  }

  #remove(propertyId: string, { open, slot }: Held): void {
    const { block, place } = open;
    const { market } = place;
    const rowCount = block.slots.rowCount(slot);
    this.#change(open);
    this.#countNames(market, block.cityNames(slot), -1);
    this.#directory.properties.remove(hashText(propertyId), place.number);
    block.remove(slot);
    this.#countProperty(market, -1, rowCount);
    if (block.slots.count > 0) place.firstId = block.slots.id(0);
    else this.#dropBlock(open);
  }

  #countProperty(market: Market, by: 1 | -1, rowCount: number): void {
    market.propertyCount += by;
    this.#directory.inventoryTypes += by * rowCount;
  }

  #makeSlot(followed: FollowedProperty, cityNames: readonly string[]): NewSlot {
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
      digest: digestBits(followed, cityNames),
      isRestricted: visibleTo !== 'all',
      texts: encodeTexts(summaries, lowestRates),
      prices: encodePrices(followed, this.#ring.from),
      priceFrom: today,
      priceUntil: nextLowestRateChange(lowestRates, today) ?? NEVER,
    };
  }

  #find(propertyId: string): Held | undefined {
    let found: Held | undefined;
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
    const place = this.#places.get(number)!;
    return this.#keepOpen({ place, block: Block.open(this.#shape, place.address), isChanged: false });
  }

  #keepOpen(open: OpenBlock): OpenBlock {
    if (this.#openBlocks.size >= OPEN_BLOCKS_MAX) {
      this.#writeBlocks();
      this.#openBlocks.clear();
    }
    this.#openBlocks.set(open.place.number, open);
    return open;
  }

  #change(open: OpenBlock): void {
    open.isChanged = true;
    this.#isChanged = true;
    this.#changedMarkets.add(open.place.market);
    // It may have been closed since it was found.
    this.#openBlocks.set(open.place.number, open);
  }

  #writeBlocks(): void {
    for (const open of this.#openBlocks.values()) {
      if (!open.isChanged) continue;
      this.#moveBlock(open.place, open.block.store());
      open.isChanged = false;
    }
  }

  #moveBlock(place: Place, address: Address): void {
    moveEntry(this.#directory.blocks, place.number, place.address, address);
    this.#heap.release(place.address);
    place.address = address;
  }

  #writeMarket(market: Market): void {
    const before = market.address;
    const isEmpty = market.propertyCount === 0;
    const blocks = market.places.map(({ address }) => address);
    market.address = isEmpty ? NOWHERE : storeMarket(this.#heap, { ...market, blocks });
    moveEntry(this.#directory.markets, market.number, before, market.address);
    this.#heap.release(before);
    if (!isEmpty) return;
    this.#marketsByKey.delete(market.key);
  }

  #blockWithRoom(market: Market, propertyId: string, rowCount: number): OpenBlock {
    const { places } = market;
    const index = placeOf(places, propertyId);
    if (places.length === 0) return this.#addBlock(market, 0);
    const open = this.#open(places[index]!.number);
    const { block } = open;
    if (block.rowCount + rowCount <= BLOCK_ROWS_MAX) return open;
    // Behind the last id a full block stays full: loading in id order leaves no half-empty blocks.
    const isBehind = block.slots.lowerBound(propertyId) === block.slots.count;
    if (index === places.length - 1 && isBehind) return this.#addBlock(market, index + 1);
    if (block.slots.count === 1) return this.#addBlock(market, isBehind ? index + 1 : index);
    this.#split(market, index, open);
    return this.#blockWithRoom(market, propertyId, rowCount);
  }

  #split(market: Market, index: number, lower: OpenBlock): void {
    this.#change(lower);
    const { block, place } = this.#addBlock(market, index + 1, lower.block.split());
    place.firstId = block.slots.id(0);
    for (let slot = 0; slot < block.slots.count; slot++) {
      const hash = hashText(block.slots.id(slot));
      this.#directory.properties.remove(hash, lower.place.number);
      this.#directory.properties.add(hash, place.number);
    }
  }

  #addBlock(market: Market, index: number, block?: Block): OpenBlock {
    const number = ++this.#lastNumber;
    const place: Place = { number, market, address: NOWHERE, firstId: '' };
    market.places.splice(index, 0, place);
    this.#places.set(number, place);
    const added = block ?? Block.make(this.#shape, market.number, this.#ring.from);
    return this.#keepOpen({ place, block: added, isChanged: true });
  }

  #dropBlock({ place, block }: OpenBlock): void {
    block.release();
    this.#moveBlock(place, NOWHERE);
    this.#openBlocks.delete(place.number);
    this.#places.delete(place.number);
    place.market.places.splice(place.market.places.indexOf(place), 1);
  }

  #countNames(market: Market, names: readonly string[], by: 1 | -1): void {
    const { names: directory } = this.#directory;
    for (const name of names) {
      const count = (market.nameCounts.get(name) ?? 0) + by;
      if (count === 0) market.nameCounts.delete(name);
      else market.nameCounts.set(name, count);
      if (count === 0) directory.remove(hashText(name), market.number);
      else if (count === 1 && by === 1) directory.add(hashText(name), market.number);
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
      places: [],
      propertyCount: 0,
      nameCounts: new Map(),
    };
    this.#marketsByKey.set(key, market);
    this.#changedMarkets.add(market);
    return market;
  }
}

function isEqual(one: BitsDigest, other: BitsDigest): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** Index of the last place that starts at or before the id; 0 without one. */
function placeOf(places: readonly Place[], propertyId: string): number {
  return (
    Math.max(
      1,
      countLow(places.length, (index) => places[index]!.firstId <= propertyId),
    ) - 1
  );
}
