/** An invented account at Beds24, in the words of its API. */

export interface Beds24Rule {
  readonly id: number;
  readonly name?: string;
  readonly priceFor?: { readonly type: string; readonly upToPersonValue?: number | null };
  readonly extraPerson?: number;
  readonly offer?: number;
  readonly minimumStay?: number;
  readonly maximumStay?: number;
  readonly minDaysUntilCheckin?: number;
  readonly maxDaysUntilCheckin?: number;
  readonly priceLinking?: { readonly roomId?: number | null; readonly priceId?: number | null };
  readonly agentCodes?: readonly string[];
  readonly bookingPage?: { readonly direct?: boolean; readonly agent?: boolean };
}

export interface Beds24Offer {
  readonly offerId: number;
  readonly enable: string;
  readonly name?: string;
  readonly minimumStay?: { readonly type: string; readonly numberOfDaysValue?: number | null };
}

export interface Beds24Room {
  readonly id: number;
  readonly name?: string;
  readonly maxPeople?: number;
  readonly maxAdult?: number | null;
  readonly minStay?: number | null;
  readonly maxStay?: number | null;
  readonly restrictionStrategy?: string;
  readonly minPrice?: number;
  readonly cleaningFee?: number;
  readonly taxPercentage?: number;
  readonly taxPerson?: number;
  readonly sellPriority?: number | null;
  readonly blockAfterCheckOutDays?: number;
  readonly unitAllocation?: string;
  readonly offers?: readonly Beds24Offer[];
  readonly priceRules?: readonly Beds24Rule[];
}

export interface Beds24Rules {
  readonly bookingType?: string;
  readonly bookingNearTypeDays?: number | null;
  readonly bookingNearType?: string;
  readonly bookingExceptionalType?: string;
  readonly bookingExceptionalTypeStart?: string;
  readonly bookingExceptionalTypeEnd?: string;
  readonly vatRatePercentage?: number;
  readonly priceRounding?: string;
}

export interface Beds24Property {
  readonly id: number;
  readonly name?: string;
  readonly currency?: string;
  readonly city?: string;
  readonly country?: string;
  readonly sellPriority?: number | null;
  readonly bookingPageMultiplier?: string;
  readonly offerType?: string;
  readonly offers?: readonly Beds24Offer[];
  readonly bookingRules?: Beds24Rules;
  readonly upsellItems?: readonly {
    readonly index: number;
    readonly type: string;
    readonly enable?: boolean;
    readonly amount?: number;
    readonly per?: string;
    readonly period?: string;
  }[];
  readonly roomTypes: readonly Beds24Room[];
}

/** Nights `from`..`to`, both included. Besides, `price1` to `price16` and `linkedPrice1` to `linkedPrice16`. */
export interface Beds24Range {
  readonly from: string;
  readonly to: string;
  readonly numAvail?: number;
  readonly minStay?: number | null;
  readonly maxStay?: number | null;
  readonly multiplier?: number | null;
  readonly override?: string | null;
  readonly [price: string]: string | number | null | undefined;
}

export interface Beds24FixedPrice {
  readonly id: number;
  readonly roomId: number;
  readonly firstNight?: string;
  readonly lastNight?: string;
  readonly bookingPage?: { readonly direct?: boolean };
  readonly roomPrice?: number;
}

export interface Beds24Stay {
  readonly offerId: number;
  readonly price?: number;
  readonly unitsAvailable?: number;
}

export interface Beds24Account {
  readonly ownerId: number;
  /** A long life token. */
  readonly token: string;
  /** Exchanged once. */
  inviteCode?: string;
  /** How long the tokens made from the code live; a day unless given. */
  readonly tokenSeconds?: number;
  /** The status of an answer to a token that is not valid, which is not described; 401 unless given. */
  readonly refusedStatus?: number;
  readonly scopes: readonly string[];
  properties: Beds24Property[];
  /** By room; a room without any is not in the answers. */
  calendars: Record<string, Beds24Range[]>;
  /** By room and date; where a date is missing here, a stay may begin if a unit is left and no override says else. */
  availability: Record<string, Record<string, boolean | null>>;
  fixedPrices: Beds24FixedPrice[];
  /** By room; computed from the calendar where it is missing. */
  stays: Record<string, Beds24Stay[]>;
  /** Entries of a page; 1,000 unless given. */
  pageSize?: number;
  /** The cost of a call; 1 unless given. */
  credits?: number;
}

/** A flat that can be booked and has one price for up to `maxPeople` guests. */
export function plainRoom(id: number, maxPeople = 4): Beds24Room {
  return {
    id,
    name: `Room ${id}`,
    maxPeople,
    restrictionStrategy: 'firstNight',
    sellPriority: 1,
    offers: [{ offerId: 1, enable: 'always', name: 'Standard' }],
    priceRules: [
      {
        id: 1,
        name: 'Daily price',
        priceFor: { type: 'maxCapacity' },
        offer: 1,
        agentCodes: [],
        bookingPage: { direct: true, agent: false },
      },
    ],
  };
}

/** A property of plain rooms with one range of nights each. */
export function plainAccount({
  rooms,
  range,
  ...others
}: Partial<Beds24Account> & {
  readonly rooms: readonly number[];
  readonly range: Beds24Range;
}): Beds24Account {
  return {
    ownerId: 77,
    token: 'long-life-token-of-the-account',
    scopes: ['read:inventory', 'read:properties'],
    properties: [
      {
        id: 500,
        name: 'Casa Nuova',
        currency: 'EUR',
        city: 'Roma',
        country: 'IT',
        bookingRules: { bookingType: 'autoConfirmed', priceRounding: 'none' },
        roomTypes: rooms.map((id) => plainRoom(id)),
      },
    ],
    calendars: Object.fromEntries(rooms.map((id) => [id, [range]])),
    availability: {},
    fixedPrices: [],
    stays: {},
    ...others,
  };
}
