/**
 * The port to a property management system: what a folder beside this file implements, and exports as one row. Its code
 * runs in a thread of its own, calls only through `Call`, and never writes to the account.
 */
import type { AnyField } from '../../../domain/calendar-fields.ts';
import type { CalendarEntry } from '../../../domain/calendar.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import type { Told } from '../../../domain/wrong.ts';

export interface ConnectionKind {
  /** The name in commands, and of the first connection of this kind. */
  readonly kind: string;
  /** The system's own name, for people. */
  readonly title: string;
  /** In the order of the lines of a key file. */
  readonly keyParts: readonly KeyPart[];
  /** Fields of the calendar that a reading sets. */
  readonly reads: readonly AnyField[];
  /** Terms of a document that the system does not tell, or not exactly: set them by hand. */
  readonly byHand: readonly string[];
  readonly limit: CallLimit;
  /** Where all calls go, without a slash at the end; `https`. */
  readonly origin: string;
  /** Values of each setting; the first is that of a connection which sets none. */
  readonly settings: Readonly<Record<string, readonly string[]>>;
  /** Its rooms hold terms of prices, so they are listed with each read, not once a day. */
  readonly hasTermsInRooms: boolean;
  /** Reasons for nights without a price that `--allow` takes. */
  readonly allows: readonly string[];
  /** Whether it was ever run on a real account. */
  readonly live: boolean;
  /** The limit as the headers of an answer say it. */
  readonly readLimit: (headers: CallHeaders, nowMs: number) => ProviderLimit;
  readonly open: (access: AccountAccess) => Account;
}

export interface KeyPart {
  readonly name: string;
  /** As the system's own pages call it. */
  readonly label: string;
}

/** The provider's own limit; half of it is used. */
export interface CallLimit {
  readonly calls: number;
  readonly windowMs: number;
}

export interface ProviderLimit {
  /** Calls, or credits, left in this window. */
  readonly remaining?: number | undefined;
  /** The cost of this call, 1 unless said. */
  readonly cost?: number | undefined;
  /** Unix ms; no call before, where none remains or the answer was refused for too many. */
  readonly resetsAtMs?: number | undefined;
}

/** Lower-case names. */
export type CallHeaders = Readonly<Record<string, string | undefined>>;

export interface CallRequest {
  readonly method: 'GET' | 'POST';
  /** With its slash in front, and without the query. */
  readonly path: string;
  /** Encoded, without the question mark. */
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as these bytes of UTF-8. */
  readonly body?: string;
}

/** Any status but 429, which is a `ConnectionFailure` before the kind sees it. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: CallHeaders;
  readonly text: string;
}

/** Counted, bounded, without redirects; rejects with `ConnectionFailure`. One at a time. */
export type Call = (request: CallRequest) => Promise<CallAnswer>;

/** A secret made from the key, with its end. */
export interface MadeToken {
  readonly value: string;
  readonly expiresAtMs: number;
}

export interface AccountAccess {
  /** By the names of `keyParts`. */
  readonly key: Readonly<Record<string, string>>;
  /** Each setting with its value, those that were not set too. */
  readonly settings: Readonly<Record<string, string>>;
  /** Reasons of `allows` that the operator allowed. */
  readonly allowed: ReadonlySet<string>;
  readonly call: Call;
  readonly nowMs: () => number;
  readonly newNonce: () => string;
  /** Secrets made from the key, by a name of the kind's own. */
  readonly tokens: Readonly<Record<string, MadeToken>>;
  /** Resolves when it is stored. */
  readonly keepToken: (name: string, token: MadeToken) => Promise<void>;
}

/** Each method rejects with `ConnectionFailure` where the answer as a whole cannot be used. */
export interface Account {
  /** Tries the key. The account's own id tells two keys of one account from two accounts. */
  identify(): Promise<Identity>;
  listRooms(): Promise<readonly Room[]>;
  /**
   * The nights `from` until before `until` of each room. The map lacks rooms that the answer does not hold. At most
   * 366 nights, so that callers ask in pieces.
   */
  readNights(
    rooms: readonly Room[],
    range: { readonly from: EpochDay; readonly until: EpochDay },
  ): Promise<ReadonlyMap<string, RoomReading>>;
  /** Asks the system about one stay in each room. The map lacks rooms of which it says nothing. */
  askStay(rooms: readonly Room[], stay: AskedStay): Promise<ReadonlyMap<string, ProviderStay>>;
}

export interface Identity {
  readonly account: string;
  /** Unix ms, where the key has an end. */
  readonly keyEndsAtMs?: number | undefined;
  /** Such as a key that may write more than is needed. */
  readonly warnings: readonly Told[];
}

/** It can be mapped to an inventory type. `country` is an ISO code. */
export interface Room {
  readonly room: string;
  readonly name: string;
  /** The largest number of guests; null where the system does not say. */
  readonly guests: number | null;
  /** ISO 4217; null where the system does not say. */
  readonly currency: string | null;
  /** IANA. */
  readonly timezone: string | null;
  /** Rooms of one property are types of one document. Never an address. */
  readonly property: {
    readonly id: string;
    readonly name: string;
    readonly city?: string;
    readonly country?: string;
  };
  /** Terms of this room that have to be set by hand, as the system writes them: names and amounts, no secrets. */
  readonly byHand: readonly string[];
  /** The kind needs this to read the room's nights. JSON values alone. */
  readonly terms: unknown;
}

export type RoomReading =
  | {
      /** One entry for each night that the answer holds, ascending, each night once. Unsaid fields are left out. */
      readonly nights: readonly CalendarEntry[];
      /** Why open nights have no price, or an upper bound of it (`isUsed`): each reason with its nights. */
      readonly unpriced: readonly UnpricedNights[];
    }
  /** This room's part cannot be used; others may be. */
  | { readonly failure: Told };

export interface UnpricedNights {
  /** A name of `allows`, or another of the kind. */
  readonly reason: string;
  readonly nights: number;
  /** The nights have a price that is never below the true one. */
  readonly isUsed?: boolean;
}

export interface AskedStay {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
}

export interface ProviderStay {
  readonly available: boolean;
  /** A name of the kind; null where it is available, or nothing is said. */
  readonly reason: string | null;
  /** Hundredths, of the stay; null where it is not said, or its currency is another or ambiguous. */
  readonly priceMinor: number | null;
  /** Lines of the answer that are part of the price. */
  readonly lines: readonly {
    readonly what: 'fee' | 'tax' | 'deposit' | 'discount';
    readonly amountMinor: number;
  }[];
}

/** The condition that a failure is shown as; `failing` is tried again by itself, `refused` too, and asks for a person. */
export type FailureState = 'refused' | 'failing';

/** Never holds a key, nor the provider's own words. */
export class ConnectionFailure extends Error {
  readonly state: FailureState;
  readonly wrong: Told;
  /** No call before so long. */
  readonly retryAfterMs: number | undefined;

  constructor(wrong: Told, state: FailureState = 'failing', retryAfterMs?: number) {
    super(wrong.code);
    this.wrong = wrong;
    this.state = state;
    this.retryAfterMs = retryAfterMs;
  }
}
