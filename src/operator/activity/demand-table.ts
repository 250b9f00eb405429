/**
 * Counts dated searches, exact stays that found nothing, and looks. A search counts in every country of its name, with
 * that country's own result; looks count in the city of the property.
 */
import { formatAges } from '../../domain/child-ages.ts';
import type { Found, FoundMarket, MarketName } from '../../domain/found-markets.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import {
  EPOCH_DAY_MAX,
  EPOCH_DAY_MIN,
  type EpochDay,
  formatIsoWeek,
  isoWeekOf,
} from '../../domain/local-date.ts';
import { type DemandRow, OTHER, type UnknownPlaceRow, type UnmetRow } from '../../storage/activity/store.ts';
import { CountTable, Numbers } from './count-table.ts';

/** Rows of one thread and day. */
export const DEMAND_ROWS_MAX = 10_240;
export const DEMAND_MARKETS_MAX = 4_096;
export const DEMAND_PARTNERS_MAX = 1_024;
export const UNKNOWN_PLACES_MAX = 1_024;
/** Exact stays without result, of one thread and day. */
export const UNMET_ROWS_MAX = 1_024;
/** Nights and guests of a stay in one number, each below its own bound. */
const NIGHTS_END = 64;
const GUESTS_END = 32;
/** Ages of children that were searched in vain, of one thread and day. */
export const UNMET_AGES_MAX = 255;
/** Dates that a request can name: check-in and ages in one number. */
const DAYS = EPOCH_DAY_MAX - EPOCH_DAY_MIN + 1;

export const NIGHT_BANDS = ['1', '2', '3-4', '5-7', '8-14', '15-60'] as const;
export const GUEST_BANDS = ['1-2', '3-4', '5-8', '9-30'] as const;
const BANDS = NIGHT_BANDS.length * GUEST_BANDS.length;

const SEARCHES = 0;
const EMPTY = 1;
const LOOKS = 2;
const WIDTH = 3;

export interface AskedStay extends StayRequest {
  readonly partnerId: string;
}

export class DemandTable {
  readonly #table = new CountTable({ rowsMax: DEMAND_ROWS_MAX, width: WIDTH });
  readonly #markets = new Numbers(DEMAND_MARKETS_MAX);
  readonly #marketNames: MarketName[] = [];
  readonly #partners = new Numbers(DEMAND_PARTNERS_MAX);
  readonly #unmet = new CountTable({ rowsMax: UNMET_ROWS_MAX, width: 1 });
  readonly #ages = new Numbers(UNMET_AGES_MAX);
  readonly #places = new Numbers(UNKNOWN_PLACES_MAX);
  readonly #placeCounts: number[] = [];
  #otherPlaces = 0;

  get bytes(): number {
    return this.#table.bytes + this.#unmet.bytes;
  }

  countSearch(asked: AskedStay, found: Found, country: string | undefined): void {
    const { markets } = found;
    if (markets.length === 0) {
      this.#countUnknown(found.isKnownElsewhere ? `${found.cityName}, ${country}` : found.cityName);
      return;
    }
    for (let index = 0; index < markets.length; index += 1) {
      if (isFirstOfCountry(markets, index)) this.#countCountry(asked, found, index);
    }
  }

  countLook(asked: AskedStay, market: MarketName): void {
    this.#table.counts[this.#rowOf(asked, market) * WIDTH + LOOKS]! += 1;
  }

  /** The counts since the last call. */
  drain(day: EpochDay): DemandRow[] {
    const rows: DemandRow[] = [];
    this.#table.drain((first, second, counts) => {
      rows.push({
        day,
        ...(first < 0 ? OTHERS : this.#namesOf(first, second)),
        searches: counts[SEARCHES]!,
        empty: counts[EMPTY]!,
        looks: counts[LOOKS]!,
      });
    });
    return rows;
  }

  drainUnknownPlaces(day: EpochDay): UnknownPlaceRow[] {
    const rows = this.#places.texts.flatMap((place, index) => {
      const searches = this.#placeCounts[index]!;
      return searches === 0 ? [] : [{ day, place, searches }];
    });
    if (this.#otherPlaces > 0) rows.push({ day, place: OTHER, searches: this.#otherPlaces });
    this.#placeCounts.fill(0);
    this.#otherPlaces = 0;
    return rows;
  }

  /** Searches of unmet stays since the last call. */
  drainUnmet(day: EpochDay): UnmetRow[] {
    const rows: UnmetRow[] = [];
    this.#unmet.drain((first, second, [searches]) => {
      const stay =
        first < 0 ? NO_STAY : { ...this.#cityOf(Math.floor(first / STAYS)), ...this.#agesAt(second) };
      const size = first < 0 ? 0 : first % STAYS;
      const [nights, guests] = [Math.floor(size / GUESTS_END), size % GUESTS_END];
      rows.push({ ...stay, nights, guests, day, searches: searches! });
    });
    return rows;
  }

  /** Makes room for the next day; drain first. */
  clear(): void {
    this.#table.clear();
    this.#unmet.clear();
    for (const numbers of [this.#markets, this.#partners, this.#ages, this.#places]) numbers.clear();
    this.#marketNames.length = 0;
    this.#placeCounts.length = 0;
  }

  /** Counts the market at `index` and later ones of its country as one. */
  #countCountry(asked: AskedStay, { markets, cityName }: Found, index: number): void {
    let { market, count } = markets[index]!;
    for (let next = index + 1; next < markets.length; next += 1) {
      const other = markets[next]!;
      if (other.market.country !== market.country) continue;
      count += other.count;
      if (isNearer(other.market, market, cityName)) market = other.market;
    }
    const row = this.#rowOf(asked, market);
    this.#table.counts[row * WIDTH + SEARCHES]! += 1;
    if (count > 0) return;
    this.#table.counts[row * WIDTH + EMPTY]! += 1;
    this.#unmet.counts[this.#unmetRowOf(asked, market)]! += 1;
  }

  #unmetRowOf({ checkIn, checkOut, guests, childAges }: AskedStay, market: MarketName): number {
    const marketNumber = this.#marketNumberOf(market);
    // 0 stands for adults alone, which always have room.
    const ages = childAges === undefined ? 0 : this.#ages.of(formatAges(childAges)) + 1;
    if (marketNumber < 0 || (childAges !== undefined && ages === 0)) return this.#unmet.otherRow;
    const size = (checkOut - checkIn) * GUESTS_END + guests;
    return this.#unmet.rowOf(marketNumber * STAYS + size, ages * DAYS + checkIn - EPOCH_DAY_MIN);
  }

  #agesAt(second: number): Pick<UnmetRow, 'checkIn' | 'childAges'> {
    const ages = Math.floor(second / DAYS);
    return {
      checkIn: (second % DAYS) + EPOCH_DAY_MIN,
      childAges: ages === 0 ? '' : this.#ages.texts[ages - 1]!,
    };
  }

  #rowOf({ partnerId, checkIn, checkOut, guests }: AskedStay, market: MarketName): number {
    const marketNumber = this.#marketNumberOf(market);
    const partner = this.#partners.of(partnerId);
    if (marketNumber < 0 || partner < 0) return this.#table.otherRow;
    const band = nightBandOf(checkOut - checkIn) * GUEST_BANDS.length + guestBandOf(guests);
    return this.#table.rowOf(marketNumber * DEMAND_PARTNERS_MAX + partner, isoWeekOf(checkIn) * BANDS + band);
  }

  /** -1 without room for another one. */
  #marketNumberOf(market: MarketName): number {
    const number = this.#markets.of(market.key);
    // A copy: the market itself may be gone from the catalogue before the day ends.
    if (number >= 0)
      this.#marketNames[number] ??= { key: market.key, country: market.country, city: market.city };
    return number;
  }

  #cityOf(marketNumber: number): { readonly city: string; readonly country: string } {
    const { city, country } = this.#marketNames[marketNumber]!;
    return { city, country };
  }

  #namesOf(first: number, second: number): Omit<DemandRow, 'day' | 'searches' | 'empty' | 'looks'> {
    const week = Math.floor(second / BANDS);
    const band = second - week * BANDS;
    return {
      ...this.#cityOf(Math.floor(first / DEMAND_PARTNERS_MAX)),
      arrivalWeek: formatIsoWeek(week),
      nights: NIGHT_BANDS[Math.floor(band / GUEST_BANDS.length)]!,
      guests: GUEST_BANDS[band % GUEST_BANDS.length]!,
      partnerId: this.#partners.texts[first % DEMAND_PARTNERS_MAX]!,
    };
  }

  #countUnknown(asked: string): void {
    const place = asked.includes('\0') ? asked.replaceAll('\0', '') : asked;
    const number = this.#places.of(place);
    if (number < 0) this.#otherPlaces += 1;
    else this.#placeCounts[number] = (this.#placeCounts[number] ?? 0) + 1;
  }
}

const STAYS = NIGHTS_END * GUESTS_END;
const NO_STAY = { city: OTHER, country: OTHER, checkIn: 0, childAges: '' };

const OTHERS = {
  city: OTHER,
  country: OTHER,
  arrivalWeek: OTHER,
  nights: OTHER,
  guests: OTHER,
  partnerId: OTHER,
};

function isFirstOfCountry(markets: readonly FoundMarket[], index: number): boolean {
  const { country } = markets[index]!.market;
  for (let before = 0; before < index; before += 1)
    if (markets[before]!.market.country === country) return false;
  return true;
}

/** Chooses between two markets of a country with one name: the one that has it as its own, else the first by key. */
function isNearer(one: MarketName, other: MarketName, cityName: string): boolean {
  const named = `${one.country} ${cityName}`;
  if (other.key === named) return false;
  return one.key === named || one.key < other.key;
}

function nightBandOf(nights: number): number {
  if (nights <= 2) return nights - 1;
  if (nights <= 4) return 2;
  if (nights <= 7) return 3;
  return nights <= 14 ? 4 : 5;
}

function guestBandOf(guests: number): number {
  if (guests <= 2) return 0;
  if (guests <= 4) return 1;
  return guests <= 8 ? 2 : 3;
}
