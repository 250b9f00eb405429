/**
 * All markets, and the ways to them: by a property's id, and by every name under which a city is searched.
 */
import type { EpochDay } from '../../domain/local-date.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { allTexts, type Property } from '../../domain/property.ts';
import type { FollowedProperty, WithdrawnProperty } from '../../storage/catalogue/store.ts';
import type { PropertySlot, SharedTexts } from './block.ts';
import { Market, type NameListener } from './market.ts';
import type { NightRing } from './night-ring.ts';

/** Combinations of names and timezone remembered; beyond, the memory starts empty again. */
const SHARED_TEXTS_MAX = 100_000;

export class MarketDirectory {
  readonly #ring: NightRing;
  readonly #markets = new Map<string, Market>();
  readonly #byName = new Map<string, Set<Market>>();
  readonly #byPropertyId = new Map<string, PropertySlot>();
  /** By timezone and city names as they were written; folded once for all properties that share them. */
  readonly #texts = new Map<string, SharedTexts>();
  readonly #onName: NameListener = {
    gained: (name, market) => this.#addName(name, market),
    lost: (name, market) => this.#dropName(name, market),
  };

  constructor(ring: NightRing) {
    this.#ring = ring;
  }

  get propertyCount(): number {
    return this.#byPropertyId.size;
  }

  propertyIds(): Iterable<string> {
    return this.#byPropertyId.keys();
  }

  all(): Iterable<Market> {
    return this.#markets.values();
  }

  /** The markets that answer to a folded city name. */
  named(cityName: string): Iterable<Market> {
    return this.#byName.get(cityName) ?? [];
  }

  find(propertyId: string): PropertySlot | undefined {
    return this.#byPropertyId.get(propertyId);
  }

  marketOf(propertyId: string): Market | undefined {
    const held = this.#byPropertyId.get(propertyId);
    return held && this.#markets.get(held.block.marketKey);
  }

  /** Adds the property or replaces the version held. When it throws, the property is not held at all. */
  put(followed: FollowedProperty, today: EpochDay): void {
    const { property } = followed;
    const { propertyId } = property;
    const texts = this.#sharedTexts(property);
    const market = this.#marketFor(property, texts);
    const held = this.#byPropertyId.get(propertyId);
    const isHere = held?.block.marketKey === market.key;
    if (held !== undefined && !isHere) this.#removeFrom(this.#marketOf(held), propertyId);
    try {
      this.#byPropertyId.set(propertyId, market.put(followed, texts, today, isHere ? held : undefined));
    } catch (error) {
      this.#removeFrom(market, propertyId);
      throw error;
    }
  }

  remove({ propertyId }: Pick<WithdrawnProperty, 'propertyId'>): void {
    const held = this.#byPropertyId.get(propertyId);
    if (held !== undefined) this.#removeFrom(this.#marketOf(held), propertyId);
  }

  #removeFrom(market: Market, propertyId: string): void {
    market.remove(propertyId);
    this.#byPropertyId.delete(propertyId);
    if (market.propertyCount === 0) this.#markets.delete(market.key);
  }

  #marketOf({ block }: PropertySlot): Market {
    return this.#markets.get(block.marketKey)!;
  }

  #addName(name: string, market: Market): void {
    const markets = this.#byName.get(name);
    if (markets === undefined) this.#byName.set(name, new Set([market]));
    else markets.add(market);
  }

  #dropName(name: string, market: Market): void {
    const markets = this.#byName.get(name);
    markets?.delete(market);
    if (markets?.size === 0) this.#byName.delete(name);
  }

  #sharedTexts({ location, cityAliases, timezone }: Property): SharedTexts {
    if (this.#texts.size >= SHARED_TEXTS_MAX) this.#texts.clear();
    const names = [...allTexts(location.city), ...cityAliases];
    const key = [timezone, ...names].join('\n');
    let texts = this.#texts.get(key);
    if (texts === undefined) {
      texts = { timezone, cityNames: [...new Set(names.map(foldPlaceName))] };
      this.#texts.set(key, texts);
    }
    return texts;
  }

  /** The first name is the one in the default locale. */
  #marketFor({ location: { country, city } }: Property, { cityNames }: SharedTexts): Market {
    const key = `${country} ${cityNames[0]!}`;
    let market = this.#markets.get(key);
    if (market === undefined) {
      market = new Market({ key, country, city: allTexts(city)[0]! }, this.#ring, this.#onName);
      this.#markets.set(key, market);
    }
    return market;
  }
}

export const FOLDED_NAMES_MAX = 10_000;

/** Folded city names, remembered: partners ask for the same cities, spelt the same way, again and again. */
export class FoldedNames {
  readonly #folded = new Map<string, string>();

  /** `foldPlaceName`. Remembers at most FOLDED_NAMES_MAX names, each with its own characters only. */
  fold(name: string): string {
    const known = this.#folded.get(name);
    if (known !== undefined) return known;
    if (this.#folded.size >= FOLDED_NAMES_MAX) this.#folded.clear();
    const own = ownCopy(name);
    const folded = foldPlaceName(own);
    this.#folded.set(own, folded);
    return folded;
  }
}

/** V8 keeps a part of a text as a view of the whole, and so would keep a whole request line for each name. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
