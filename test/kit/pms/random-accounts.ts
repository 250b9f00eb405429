/** Random accounts, drawn so that each rule of a reading is met often. */
import type { MutationRandom } from '../mutations.ts';
import type {
  Beds24Account,
  Beds24Offer,
  Beds24Property,
  Beds24Range,
  Beds24Room,
  Beds24Rule,
} from './beds24-account.ts';
import type { SmoobuAccount, SmoobuDate } from './fake-smoobu.ts';

/** Nights after `first` that hold values. */
export const RANDOM_NIGHTS = 24;

class Draw {
  readonly #random: MutationRandom;

  constructor(random: MutationRandom) {
    this.#random = random;
  }

  below(limit: number): number {
    return this.#random(limit);
  }

  oneIn(chances: number): boolean {
    return this.#random(chances) === 0;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.#random(items.length)]!;
  }

  /** Up to three decimals, so that half cents are met. */
  amount(): number {
    return Number(`${20 + this.#random(300)}.${this.#random(1_000)}`);
  }
}

export function dateAfter(first: string, days: number): string {
  return new Date(Date.parse(first) + days * 86_400_000).toISOString().slice(0, 10);
}

export function randomSmoobu(random: MutationRandom, first: string): Pick<SmoobuAccount, 'apartments'> {
  const draw = new Draw(random);
  const apartments = Array.from({ length: 1 + draw.below(3) }, (_, index) => {
    const dates: Record<string, SmoobuDate | null> = {};
    for (let day = -1; day < RANDOM_NIGHTS + 2; day += 1) {
      const date = dateAfter(first, day);
      if (draw.oneIn(12)) continue;
      dates[date] = draw.oneIn(20) ? null : randomDate(draw);
    }
    return { id: 12 + index, name: `Flat ${index}`, currency: 'EUR', guests: 4, dates };
  });
  return { apartments };
}

function randomDate(draw: Draw): SmoobuDate {
  return {
    price: draw.oneIn(4)
      ? draw.of([null, undefined, 0, -1, 0.004, 0.005, 1.005, '100', true])
      : draw.amount(),
    min_length_of_stay: draw.oneIn(4) ? draw.of([0, null, undefined, -1, 1.5, '3', 400]) : 1 + draw.below(7),
    available: draw.oneIn(5) ? draw.of([true, false, null, undefined, 2, '1', -1, 0.5]) : draw.below(2),
  };
}

/** With `isWeird` also values that the description does not allow. */
export function randomBeds24(
  random: MutationRandom,
  first: string,
  isWeird: boolean,
): Pick<Beds24Account, 'properties' | 'calendars' | 'availability' | 'fixedPrices'> {
  const draw = new Draw(random);
  const rooms = Array.from({ length: 1 + draw.below(2) }, (_, index) =>
    randomRoom(draw, 100 + index, isWeird),
  );
  const ids = rooms.map(({ id }) => id);
  return {
    properties: [{ ...randomProperty(draw, first, isWeird), roomTypes: rooms }],
    calendars: Object.fromEntries(ids.map((id) => [id, randomRanges(draw, first, isWeird)])),
    availability: Object.fromEntries(ids.map((id) => [id, randomBeginnings(draw, first)])),
    fixedPrices: draw.oneIn(4) ? [randomFixedPrice(draw, first)] : [],
  };
}

function randomProperty(draw: Draw, first: string, isWeird: boolean): Omit<Beds24Property, 'roomTypes'> {
  const type = (): string =>
    draw.of(['autoConfirmed', 'requestWithCreditCard', 'blackoutPeriod', ...(isWeird ? ['sometimes'] : [])]);
  const near = {
    bookingNearTypeDays: draw.of([0, 1, 3]),
    bookingNearType: draw.of(['blackoutPeriod', 'autoConfirmed']),
  };
  const start = { bookingExceptionalTypeStart: dateAfter(first, draw.below(20)) };
  const end = { bookingExceptionalTypeEnd: dateAfter(first, draw.below(20)) };
  return {
    id: 500,
    name: 'Casa Nuova',
    currency: 'EUR',
    bookingRules: {
      bookingType: draw.oneIn(20) ? 'blackoutPeriod' : 'autoConfirmed',
      ...(draw.oneIn(3) ? near : undefined),
      ...(draw.oneIn(2) ? { bookingExceptionalType: type() } : undefined),
      ...(draw.oneIn(5) ? start : undefined),
      ...(draw.oneIn(5) ? end : undefined),
      ...(draw.oneIn(8) ? { priceRounding: draw.of(['none', '+1.00', 'nearestTen']) } : undefined),
    },
    ...(draw.oneIn(8) ? { bookingPageMultiplier: draw.of(['1', '1.00', '0.9', '']) } : undefined),
    ...(draw.oneIn(6) ? { offerType: 'perProperty', offers: randomOffers(draw) } : undefined),
  };
}

function randomOffers(draw: Draw): Beds24Offer[] {
  const enable = (): string => draw.of(['always', 'always', 'onlyIfAvailable', 'no', 'internal']);
  const minimumStay = { type: draw.of(['default', 'numberOfDays']), numberOfDaysValue: 1 + draw.below(4) };
  return [
    {
      offerId: 1,
      enable: draw.oneIn(4) ? enable() : 'always',
      ...(draw.oneIn(5) ? { minimumStay } : undefined),
    },
    { offerId: 2, enable: enable() },
  ];
}

function randomRoom(draw: Draw, id: number, isWeird: boolean): Beds24Room {
  const strategy = draw.of(['firstNight', 'stayThrough', 'stayThrough', undefined]);
  return {
    id,
    name: `Room ${id}`,
    ...(draw.oneIn(25) ? undefined : { maxPeople: 1 + draw.below(6) }),
    minStay: draw.oneIn(3) ? 1 + draw.below(4) : null,
    maxStay: draw.oneIn(3) ? 1 + draw.below(40) : null,
    ...(strategy === undefined ? undefined : { restrictionStrategy: strategy }),
    ...(draw.oneIn(12) ? { minPrice: draw.of([0, 40]) } : undefined),
    ...(draw.oneIn(12) ? { blockAfterCheckOutDays: draw.below(2) } : undefined),
    ...(draw.oneIn(20) ? { unitAllocation: draw.of(['perGuest', 'perBooking']) } : undefined),
    offers: randomOffers(draw),
    priceRules: Array.from({ length: draw.oneIn(3) ? draw.below(4) : 1 }, (_, index) =>
      randomRule(draw, index + 1, isWeird),
    ),
  };
}

function randomRule(draw: Draw, id: number, isWeird: boolean): Beds24Rule {
  const type = draw.of([
    'maxCapacity',
    'perPerson',
    'upToPerson',
    'upToPerson',
    ...(isWeird ? ['perSofa'] : []),
  ]);
  const upTo = type === 'upToPerson' ? { upToPersonValue: 1 + draw.below(4) } : undefined;
  const linking = draw.of([{ priceId: 2 }, { roomId: 101, priceId: null }, { roomId: null, priceId: null }]);
  return {
    id,
    priceFor: { type, ...upTo },
    offer: draw.oneIn(6) ? 2 : 1,
    bookingPage: { direct: !draw.oneIn(6), agent: true },
    ...(draw.oneIn(2) ? { extraPerson: draw.of([0, 12.5, 7.335]) } : undefined),
    ...(draw.oneIn(8) ? { agentCodes: ['A'] } : { agentCodes: [] }),
    ...(draw.oneIn(6) ? { minimumStay: 1 + draw.below(5) } : undefined),
    ...(draw.oneIn(6) ? { maximumStay: draw.of([5, 14, 59, 60, 365]) } : undefined),
    ...(draw.oneIn(8) ? { minDaysUntilCheckin: draw.below(4) } : undefined),
    ...(draw.oneIn(8) ? { maxDaysUntilCheckin: draw.of([8, 15, 999]) } : undefined),
    ...(draw.oneIn(4) ? { priceLinking: linking } : undefined),
  };
}

function randomRanges(draw: Draw, first: string, isWeird: boolean): Beds24Range[] {
  const ranges: Beds24Range[] = [];
  // Some before the first night, and some after the last, where a maximum stay still counts.
  for (let day = -2; day < RANDOM_NIGHTS + 45;) {
    const length = 1 + draw.below(6);
    const isOverlapping = isWeird && draw.oneIn(200);
    if (!draw.oneIn(10))
      ranges.push({
        from: dateAfter(first, day),
        to: dateAfter(first, day + length - (isOverlapping ? 0 : 1)),
        ...randomValues(draw, isWeird),
      });
    day += length;
  }
  return draw.oneIn(2) ? ranges : ranges.toReversed();
}

function randomValues(draw: Draw, isWeird: boolean): Record<string, number | string | null | undefined> {
  const words = ['blackout', 'exception', 'noCheckIn', 'noCheckOut', 'noCheckInOrCheckOut', 'exception'];
  const override = draw.oneIn(3) ? draw.of([...words, ...(isWeird ? ['maybe'] : [])]) : 'none';
  const prices = Array.from({ length: 3 }, (_, index) => [
    [`price${index + 1}`, draw.oneIn(6) ? draw.of([0, undefined, -5]) : draw.amount()],
    [`linkedPrice${index + 1}`, draw.oneIn(3) ? draw.of([0, undefined, null]) : draw.amount()],
  ]).flat();
  return {
    ...(draw.oneIn(15) ? undefined : { numAvail: draw.below(6) - 1 }),
    ...(draw.oneIn(3) ? { minStay: 1 + draw.below(6) } : undefined),
    ...(draw.oneIn(2) ? { maxStay: draw.of([1, 2, 3, 5, 8, 21, 60, 364]) } : undefined),
    ...(draw.oneIn(8) ? { multiplier: draw.of([1, 1.1, 0.95]) } : undefined),
    ...(draw.oneIn(8) ? undefined : { override }),
    ...Object.fromEntries(prices),
  };
}

/** Dates on which the account says by itself whether a stay may begin. */
function randomBeginnings(draw: Draw, first: string): Record<string, boolean | null> {
  const dates: Record<string, boolean | null> = {};
  for (let day = 0; day < RANDOM_NIGHTS; day += 1)
    if (draw.oneIn(4)) dates[dateAfter(first, day)] = draw.of([true, false, null]);
  return dates;
}

function randomFixedPrice(draw: Draw, first: string): Beds24Account['fixedPrices'][number] {
  return {
    id: 1,
    roomId: 100,
    ...(draw.oneIn(5) ? undefined : { firstNight: dateAfter(first, draw.below(15)) }),
    ...(draw.oneIn(5) ? undefined : { lastNight: dateAfter(first, 10 + draw.below(15)) }),
    ...(draw.oneIn(4) ? undefined : { bookingPage: { direct: !draw.oneIn(3) } }),
  };
}
