/**
 * The read model: every property that partners may see, in memory, by market.
 *
 * `apply` takes changes in any order and repetition; the follower sees to it that they arrive. The three GET
 * operations read from here and from nowhere else.
 */
import type { Clock } from '../runtime/clock.ts';
import { type EpochDay, localToday } from '../domain/local-date.ts';
import { isVisibleTo, type Locale, LOCALES } from '../domain/property.ts';
import type { FollowedProperty, WithdrawnProperty } from '../storage/catalogue/store.ts';
import { buildAvailabilityBody } from './availability-body.ts';
import { summaryRange, type PartRange } from './property/property-record.ts';
import { nameInSummary } from './property/summary.ts';
import { refreshStartingPrice, type PropertySlot } from './index/block.ts';
import { makeStayLines, type StayLines } from './index/block-search.ts';
import { type ByteText, readByteText } from './byte-text.ts';
import { ListBody } from './list-body.ts';
import {
  findPageStart,
  HitWalk,
  type MarketHits,
  type MarketQuery,
  searchMarkets,
} from './index/market-search.ts';
import { FoldedNames, MarketDirectory } from './index/market-directory.ts';
import { NightRing } from './index/night-ring.ts';
import type { AvailabilityQuery, Found, ReadModel, SearchQuery, SendList } from './read-model.ts';
import type { MarketName } from './index/market.ts';

export interface CatalogueOptions {
  readonly clock: Clock;
  /** Nights from today that can be offered. */
  readonly horizonNights: number;
}

export interface CatalogueSize {
  readonly properties: number;
  readonly inventoryTypes: number;
  readonly markets: number;
}

/** The local date by timezone, at one instant. */
type Today = (timezone: string) => EpochDay;

export class Catalogue implements ReadModel {
  readonly horizonNights: number;
  readonly #clock: Clock;
  readonly #ring: NightRing;
  readonly #markets: MarketDirectory;
  readonly #foldedNames = new FoldedNames();
  readonly #list = new ListBody();

  constructor(options: CatalogueOptions) {
    this.#clock = options.clock;
    this.horizonNights = options.horizonNights;
    this.#ring = new NightRing(options.horizonNights, options.clock());
    this.#markets = new MarketDirectory(this.#ring);
  }

  /** Also returns the list, for callers without `send`: those bytes are theirs. */
  search(query: SearchQuery, send: SendList = keepList): Uint8Array {
    const nowMs = this.#clock();
    // One instant for the whole page: a midnight in between would decide by one day and price by the next.
    const today = rememberLast((timezone) => localToday(timezone, nowMs));
    const found = this.#searchMarkets(query, today);
    const { total, markets } = found;
    this.#list.start();
    const skipped = (query.page - 1) * query.pageSize;
    if (skipped < total) this.#addItems(markets, query, skipped, today);
    const list = this.#list.finish(query.page, query.pageSize, total);
    if (send(list, found)) this.#list.release(list);
    return list;
  }

  findSummary(propertyId: string, locale: Locale, partnerId: string): ByteText | undefined {
    const slot = this.#findVisible(propertyId, partnerId);
    if (slot === undefined) return undefined;
    const { start, end } = bodyOf(slot, LOCALES.indexOf(locale), this.#today(slot.timezone));
    return readByteText(slot.block.slab.bytes, start, end);
  }

  /** Where a property is; undefined when it is not held. */
  marketOf(propertyId: string): MarketName | undefined {
    return this.#markets.marketOf(propertyId);
  }

  /** The name of the property in this locale; undefined when unknown or not visible to this partner. */
  findName(propertyId: string, locale: Locale, partnerId: string): string | undefined {
    const slot = this.#findVisible(propertyId, partnerId);
    if (slot === undefined) return undefined;
    const { start, end } = bodyOf(slot, LOCALES.indexOf(locale), this.#today(slot.timezone));
    return nameInSummary(slot.block.slab.bytes.subarray(start, end));
  }

  isVisible(propertyId: string, partnerId: string): boolean {
    return this.#findVisible(propertyId, partnerId) !== undefined;
  }

  findAvailability(query: AvailabilityQuery): ByteText | undefined {
    const slot = this.#findVisible(query.propertyId, query.partnerId);
    if (slot === undefined) return undefined;
    return buildAvailabilityBody(slot, query, this.#stayLines(query), this.#offered(slot.timezone));
  }

  /**
   * Takes in one change; an older version than the one held changes nothing. Throws when the stored bytes can't be
   * read; the property is then not held at all, rather than half.
   */
  apply(change: FollowedProperty | WithdrawnProperty): void {
    const propertyId = 'property' in change ? change.property.propertyId : change.propertyId;
    const held = this.#markets.find(propertyId);
    if (held !== undefined && held.revision > change.revision) return;
    if ('property' in change) this.#markets.put(change, this.#today(change.property.timezone));
    else this.#markets.remove(change);
  }

  /** Whether the nights held no longer reach far enough beyond the horizon; see `moveOn`. */
  isRefillDue(): boolean {
    return this.#ring.isRefillDue(this.#clock());
  }

  /** Removes a property, whatever its revision: a revision of another history means nothing here. */
  forget(propertyId: string): void {
    this.#markets.remove({ propertyId });
  }

  /** Those that are held, in no order. */
  propertyIds(): Iterable<string> {
    return this.#markets.propertyIds();
  }

  /**
   * Drops the nights that passed and adds as many new ones, not yet known: the caller applies every
   * property again, at leisure, because the margin still covers what is offered.
   */
  moveOn(): void {
    const lines = this.#ring.moveTo(this.#clock()).map((night) => this.#ring.lineOf(night));
    for (const market of this.#markets.all()) {
      for (const block of market.blocks) for (const line of lines) block.lines.clearNight(line);
    }
  }

  /** The revision of the version held, or undefined when the property is not held. */
  revisionOf(propertyId: string): number | undefined {
    return this.#markets.find(propertyId)?.revision;
  }

  size(): CatalogueSize {
    let markets = 0;
    let inventoryTypes = 0;
    for (const market of this.#markets.all()) {
      markets++;
      for (const block of market.blocks) inventoryTypes += block.rowCount;
    }
    return { properties: this.#markets.propertyCount, inventoryTypes, markets };
  }

  #searchMarkets(query: SearchQuery, today: Today): Found & { readonly markets: readonly MarketHits[] } {
    const cityName = this.#foldedNames.fold(query.city);
    const { stay } = query;
    const marketQuery: MarketQuery = {
      cityName,
      partnerId: query.partnerId,
      guests: query.guests,
      stay: stay === undefined ? undefined : this.#stayLines({ ...stay, guests: query.guests ?? 1 }),
      isOffered: (timezone) => {
        const first = today(timezone);
        return stay !== undefined && stay.checkIn >= first && stay.checkOut <= first + this.horizonNights;
      },
      daysAhead: (timezone) => (stay?.checkIn ?? 0) - today(timezone),
    };
    const named = [...this.#markets.named(cityName)];
    const { country } = query;
    const asked = country === undefined ? named : named.filter((market) => market.country === country);
    const markets = searchMarkets(asked, marketQuery);
    const total = markets.reduce((sum, hits) => sum + hits.count, 0);
    return { total, cityName, markets, isKnownElsewhere: asked.length === 0 && named.length > 0 };
  }

  /** The items of the page, merged by propertyId when several markets answer to the name. */
  #addItems(found: readonly MarketHits[], query: SearchQuery, skipped: number, today: Today): void {
    const starts = findPageStart(found, skipped);
    const walks = found.map((hits, index) => new HitWalk(hits, starts[index]!));
    const localeIndex = LOCALES.indexOf(query.locale);
    for (let left = query.pageSize; left > 0; left--) {
      const walk = lowest(walks);
      if (walk === undefined) break;
      const { slot } = walk;
      const { start, end } = bodyOf(slot!, localeIndex, today(slot!.timezone));
      this.#list.add(slot!.block.slab.bytes, start, end);
      walk.next();
    }
  }

  #findVisible(propertyId: string, partnerId: string): PropertySlot | undefined {
    const slot = this.#markets.find(propertyId);
    return slot !== undefined && isVisibleTo(slot, partnerId) ? slot : undefined;
  }

  #stayLines(stay: { checkIn: EpochDay; checkOut: EpochDay; guests: number }): StayLines {
    return makeStayLines(stay, (night) => this.#ring.lineOf(night));
  }

  #today(timezone: string): EpochDay {
    return localToday(timezone, this.#clock());
  }

  #offered(timezone: string): { first: EpochDay; end: EpochDay } {
    const first = this.#today(timezone);
    return { first, end: first + this.horizonNights };
  }
}

/** Where its summary is in the slab of its block, with the starting price of that day. */
function bodyOf(slot: PropertySlot, localeIndex: number, today: EpochDay): PartRange {
  refreshStartingPrice(slot, today);
  return summaryRange(slot.block.slab.bytes, slot.record, localeIndex);
}

/** Asks again only when the timezone is another one than the last time; most markets have one. */
function rememberLast<T>(ask: (timezone: string) => T): (timezone: string) => T {
  let last: { timezone: string; answer: T } | undefined;
  return (timezone) => {
    if (last?.timezone !== timezone) last = { timezone, answer: ask(timezone) };
    return last.answer;
  };
}

/** Who takes the list as what `search` returns still needs it. */
const keepList: SendList = () => false;

/** The walk at the lowest propertyId; undefined when all are at their end. */
function lowest(walks: readonly HitWalk[]): HitWalk | undefined {
  let best: HitWalk | undefined;
  for (const walk of walks) {
    if (walk.slot === undefined) continue;
    if (best === undefined || walk.slot.propertyId < best.slot!.propertyId) best = walk;
  }
  return best;
}
