/** Beds24, API V2: rooms with price rules, a calendar in ranges, and prices by number of guests. */
import { type EpochDay, formatLocalDate, utcDay } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import {
  type Account,
  type AccountAccess,
  type AskedStay,
  type CallHeaders,
  ConnectionFailure,
  type ConnectionKind,
  type Identity,
  type Room,
  type RoomReading,
  type ProviderLimit,
  type ProviderStay,
} from '../connection-kind.ts';
import {
  checkRoomCount,
  isList,
  isObject,
  isUnsaid,
  type JsonObject,
  type JsonValue,
  lacking,
  readId,
  readInteger,
  readMoney,
  roomsAtOnce,
} from '../read-answer.ts';
import { Beds24Calls, type Pair, SYSTEM } from './beds24-calls.ts';
import { ALLOWABLE } from './reasons.ts';
import { readRoomNights, type RoomAnswer } from './room-nights.ts';
import type { RoomTerms } from './room-terms.ts';
import { isHidden, readRoom } from './rooms.ts';
import { LOOK_AHEAD_NIGHTS, looksAhead } from './stay-limits.ts';

const OFFERS_MAX = 16;
const OFFER_IDS = Array.from({ length: OFFERS_MAX }, (_, index) => String(index + 1));

export const BEDS24: ConnectionKind = {
  kind: 'beds24',
  title: SYSTEM,
  keyParts: [{ name: 'token', label: 'Long life token or invite code' }],
  reads: [
    'availability',
    'ratesByGuests',
    'stopSell',
    'closedToArrival',
    'closedToDeparture',
    'minStayArrival',
    'minStayThrough',
    'maxStay',
  ],
  byHand: ['cleaningFee', 'taxes', 'discounts', 'ageBands'],
  limit: { calls: 100, windowMs: 300_000 },
  origin: 'https://api.beds24.com',
  settings: { offer: OFFER_IDS, hidden: ['no', 'yes'] },
  hasTermsInRooms: true,
  allows: ALLOWABLE,
  live: false,
  readLimit,
  open: (access) => new Beds24Account(access),
};

/** The description and the wiki spell the headers differently. */
function readLimit(headers: CallHeaders, nowMs: number): ProviderLimit {
  const read = (...names: readonly string[]): number | undefined => {
    const text = names.map((name) => headers[name]?.trim()).find((value) => value !== undefined);
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const seconds = read('x-fivemincreditlimit-resetsin', 'x-five-min-limit-resets-in');
  return {
    remaining: read('x-fivemincreditlimit-remaining', 'x-five-min-limit-remaining'),
    cost: read('x-requestcost', 'x-request-cost'),
    resetsAtMs: seconds === undefined ? undefined : nowMs + seconds * 1000,
  };
}

const SCOPES = ['inventory', 'properties'] as const;
/** Nights are asked for in pieces of a year. */
const NIGHTS_AT_ONCE_MAX = 366;

interface Range {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

class Beds24Account implements Account {
  readonly #access: AccountAccess;
  readonly #calls: Beds24Calls;

  constructor(access: AccountAccess) {
    this.#access = access;
    this.#calls = new Beds24Calls(access);
  }

  async identify(): Promise<Identity> {
    const { token } = await this.#calls.details();
    const account = isObject(token) ? readId(token['ownerId']) : undefined;
    if (!isObject(token) || account === undefined) throw lacking(SYSTEM, 'ownerId');
    const scopes = readScopes(token['scopes']);
    for (const scope of SCOPES)
      if (!scopes.has(`read:${scope}`) && !scopes.has(`all:${scope}`))
        throw new ConnectionFailure(
          new Wrong('connectionRightMissing', { scope: `read:${scope}` }),
          'refused',
        );
    const mayWrite = [...scopes].some((scope) => !scope.startsWith('read:'));
    const needed = SCOPES.map((scope) => `read:${scope}`).join(', ');
    const seconds = readInteger(token['expiresIn']);
    const ownEnd = seconds !== undefined && seconds > 0 ? this.#access.nowMs() + seconds * 1000 : undefined;
    return {
      account,
      keyEndsAtMs: this.#calls.refreshEndsAtMs ?? ownEnd,
      warnings: mayWrite ? [new Wrong('connectionMayWrite', { scopes: needed })] : [],
    };
  }

  async listRooms(): Promise<readonly Room[]> {
    const includes = ['includeAllRooms', 'includePriceRules', 'includeOffers', 'includeUpsellItems'];
    const properties = await this.#calls.list('/properties', includes.map(included));
    const listed = new Set<string>();
    const rooms: Room[] = [];
    for (const property of properties) {
      const { roomTypes } = property;
      if (isUnsaid(roomTypes)) continue;
      if (!isList(roomTypes)) throw lacking(SYSTEM, 'roomTypes');
      for (const roomType of roomTypes) {
        if (!isObject(roomType)) throw lacking(SYSTEM, 'roomTypes');
        const room = readRoom(property, roomType);
        if (listed.has(room.room)) throw new ConnectionFailure(new Wrong('answerTwice', { system: SYSTEM }));
        listed.add(room.room);
        checkRoomCount(SYSTEM, listed.size);
        if (this.#access.settings['hidden'] === 'yes' || !isHidden(property, roomType)) rooms.push(room);
      }
    }
    return rooms;
  }

  async readNights(rooms: readonly Room[], range: Range): Promise<ReadonlyMap<string, RoomReading>> {
    const readings = new Map<string, RoomReading>();
    for (const asked of roomsAtOnce(rooms))
      for (const reading of await this.#readAtOnce(asked, range)) readings.set(...reading);
    return readings;
  }

  async askStay(
    rooms: readonly Room[],
    { checkIn, checkOut, guests }: AskedStay,
  ): Promise<ReadonlyMap<string, ProviderStay>> {
    const stays = new Map<string, ProviderStay>();
    for (const asked of roomsAtOnce(rooms)) {
      const pairs: readonly Pair[] = [
        ...asked.map(byRoom),
        ['offerId', this.#offer],
        ['arrival', formatLocalDate(checkIn)],
        ['departure', formatLocalDate(checkOut)],
        ['numAdults', guests],
      ];
      for (const [room, items] of await this.#listByRoom('/inventory/rooms/offers', pairs, asked))
        stays.set(room, readStay(items, this.#offer));
    }
    return stays;
  }

  async #readAtOnce(rooms: readonly Room[], range: Range): Promise<(readonly [string, RoomReading])[]> {
    const isAhead = rooms.some(({ terms }) => looksAhead(terms as RoomTerms));
    const pieces: (Range & { readonly items: ItemsByRoom })[] = [];
    for (const piece of piecesOf(range.from, range.until + (isAhead ? LOOK_AHEAD_NIGHTS : 0)))
      pieces.push({ ...piece, items: await this.#listNights('calendar', rooms, piece) });
    const availability = await this.#listNights('availability', rooms, range);
    const fixedPrices = await this.#listByRoom('/inventory/fixedPrices', rooms.map(byRoom), rooms);
    const context = {
      ...range,
      today: utcDay(this.#access.nowMs()),
      offer: this.#offer,
      allowed: this.#access.allowed,
    };
    return rooms.flatMap(({ room, terms }) => {
      const answer: RoomAnswer = {
        calendar: pieces.map(({ items, ...piece }) => ({ ...piece, items: items.get(room) })),
        availability: availability.get(room),
        fixedPrices: fixedPrices.get(room) ?? [],
      };
      const reading = readRoomNights(answer, terms as RoomTerms, context);
      return reading === undefined ? [] : [[room, reading] as const];
    });
  }

  #listNights(what: 'calendar' | 'availability', rooms: readonly Room[], range: Range): Promise<ItemsByRoom> {
    const pairs: readonly Pair[] = [
      ...rooms.map(byRoom),
      ['startDate', formatLocalDate(range.from)],
      // Included.
      ['endDate', formatLocalDate(range.until - 1)],
      ...(what === 'calendar' ? CALENDAR_INCLUDES.map(included) : []),
    ];
    return this.#listByRoom(`/inventory/rooms/${what}`, pairs, rooms);
  }

  /** Fails where an item is of a room that was not asked for, or of another property than its room. */
  async #listByRoom(path: string, pairs: readonly Pair[], rooms: readonly Room[]): Promise<ItemsByRoom> {
    const asked = new Map(rooms.map(({ room, property }) => [room, property.id]));
    const items = new Map<string, JsonObject[]>();
    for (const item of await this.#calls.list(path, pairs)) {
      const room = readId(item['roomId']);
      if (room === undefined) throw lacking(SYSTEM, 'roomId');
      const isOther = !isUnsaid(item['propertyId']) && readId(item['propertyId']) !== asked.get(room);
      if (!asked.has(room) || isOther)
        throw new ConnectionFailure(new Wrong('answerUnasked', { system: SYSTEM }));
      items.set(room, [...(items.get(room) ?? []), item]);
    }
    return items;
  }

  get #offer(): string {
    return this.#access.settings['offer']!;
  }
}

type ItemsByRoom = ReadonlyMap<string, readonly JsonObject[]>;

const CALENDAR_INCLUDES = [
  'includeNumAvail',
  'includeMinStay',
  'includeMaxStay',
  'includeMultiplier',
  'includeOverride',
  'includePrices',
  'includeLinkedPrices',
];

function included(flag: string): Pair {
  return [flag, 'true'];
}

/** Without brackets: these would be ignored, and the answer hold every room of the account. */
function byRoom({ room }: Room): Pair {
  return ['roomId', room];
}

function readScopes(value: JsonValue | undefined): ReadonlySet<string> {
  if (!isList(value)) throw lacking(SYSTEM, 'scopes');
  return new Set(value.filter((scope) => typeof scope === 'string'));
}

function* piecesOf(from: EpochDay, until: EpochDay): Generator<Range> {
  for (let first = from; first < until; first += NIGHTS_AT_ONCE_MAX)
    yield { from: first, until: Math.min(until, first + NIGHTS_AT_ONCE_MAX) };
}

/** The chosen offer, at its lowest price. */
function readStay(items: readonly JsonObject[], chosen: string): ProviderStay {
  const prices = items
    .flatMap(({ offers }) => (isList(offers) ? offers : []))
    .filter((offer) => isObject(offer))
    .filter(
      ({ offerId, unitsAvailable }) => readId(offerId) === chosen && (readInteger(unitsAvailable) ?? 1) > 0,
    )
    .map(({ price }) => readMoney(price) ?? null);
  const said = prices.filter((price) => price !== null);
  return {
    available: prices.length > 0,
    reason: null,
    priceMinor: said.length === 0 ? null : Math.min(...said),
    lines: [],
  };
}
