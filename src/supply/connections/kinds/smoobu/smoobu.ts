/** Smoobu: apartments, each one unit, with a price and a minimum stay for each night. */
import { isCountryCode } from '../../../../domain/document/country-codes.ts';
import { isCurrencyCode } from '../../../../domain/currency-codes.ts';
import { formatLocalDate, isTimezone } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import {
  type Account,
  type AccountAccess,
  type AskedStay,
  type CallAnswer,
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
  type JsonObject,
  type JsonValue,
  lacking,
  parseAnswer,
  phpObject,
  readId,
  readInteger,
  readName,
  readText,
  roomsAtOnce,
} from '../read-answer.ts';
import { MIN_STAY_READINGS, type MinStayReading, type NightRange, readRoomNights } from './room-nights.ts';
import { readRoomStays } from './room-stays.ts';
import { formatQuery, formatTimestamp, signatureOf } from './sign-call.ts';

const SYSTEM = 'Smoobu';

export const SMOOBU: ConnectionKind = {
  kind: 'smoobu',
  title: SYSTEM,
  keyParts: [
    { name: 'key', label: 'API key' },
    { name: 'secret', label: 'API secret' },
  ],
  reads: ['availability', 'rate', 'minStayArrival', 'minStayThrough'],
  byHand: [
    'includedGuests',
    'extraGuestRate',
    'cleaningFee',
    'taxes',
    'discounts',
    'minAdvanceDays',
    'maxStay',
    'closedToArrival',
  ],
  limit: { calls: 1_000, windowMs: 60_000 },
  origin: 'https://login.smoobu.com',
  settings: { minStay: MIN_STAY_READINGS },
  hasTermsInRooms: false,
  allows: [],
  live: false,
  readLimit,
  open: (access) => new SmoobuAccount(access),
};

/** Unix seconds are above this, seconds from now below. */
const INSTANT_SECONDS_MIN = 1_000_000_000;

function readLimit(headers: CallHeaders, nowMs: number): ProviderLimit {
  const remaining = readCount(headers['x-ratelimit-remaining']);
  const seconds = readCount(headers['x-ratelimit-retry-after']);
  if (seconds === undefined) return { remaining };
  return {
    remaining,
    resetsAtMs: seconds > INSTANT_SECONDS_MIN ? seconds * 1000 : nowMs + seconds * 1000,
  };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}

/** How far the clocks may differ before a refused signature is put down to them. */
export const CLOCKS_DIFFER_MS_MAX = 60_000;

interface Asked {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

class SmoobuAccount implements Account {
  readonly #access: AccountAccess;
  #customer: string | undefined;

  constructor(access: AccountAccess) {
    this.#access = access;
  }

  async identify(): Promise<Identity> {
    const account = readId((await this.#ask({ path: '/api/me' }))['id']);
    if (account === undefined) throw lacking(SYSTEM, 'id');
    this.#customer = account;
    return { account, warnings: [] };
  }

  async listRooms(): Promise<readonly Room[]> {
    const { apartments } = await this.#ask({ path: '/api/apartments' });
    if (!isList(apartments)) throw lacking(SYSTEM, 'apartments');
    checkRoomCount(SYSTEM, apartments.length);
    const rooms = new Map<string, Room>();
    for (const apartment of apartments) {
      const id = isObject(apartment) ? readId(apartment['id']) : undefined;
      if (!isObject(apartment) || id === undefined) throw lacking(SYSTEM, 'id');
      if (rooms.has(id)) throw new ConnectionFailure(new Wrong('answerTwice', { system: SYSTEM }));
      const name = readName(apartment['name']) ?? id;
      rooms.set(id, readRoom(id, name, await this.#ask({ path: `/api/apartments/${id}` })));
    }
    return [...rooms.values()];
  }

  async readNights(rooms: readonly Room[], range: NightRange): Promise<ReadonlyMap<string, RoomReading>> {
    const readings = new Map<string, RoomReading>();
    for (const asked of roomsAtOnce(rooms))
      for (const [room, nights] of Object.entries(await this.#readRates(asked, range)))
        readings.set(room, readRoomNights(nights, range, this.#access.settings['minStay'] as MinStayReading));
    return readings;
  }

  async askStay(
    rooms: readonly Room[],
    { checkIn, checkOut, guests }: AskedStay,
  ): Promise<ReadonlyMap<string, ProviderStay>> {
    const customerId = Number(this.#customer ?? (await this.identify()).account);
    const body = JSON.stringify({
      arrivalDate: formatLocalDate(checkIn),
      departureDate: formatLocalDate(checkOut),
      apartments: rooms.map(({ room }) => Number(room)),
      customerId,
      guests,
    });
    const path = '/booking/checkApartmentAvailability';
    return readRoomStays(SYSTEM, await this.#ask({ method: 'POST', path, body }), rooms);
  }

  async #readRates(rooms: readonly Room[], { from, until }: NightRange): Promise<JsonObject> {
    const answer = await this.#ask({
      path: '/api/rates',
      query: [
        ...rooms.map(({ room }) => ['apartments[]', room] as const),
        ['start_date', formatLocalDate(from)],
        // Included.
        ['end_date', formatLocalDate(until - 1)],
      ],
    });
    const data = phpObject(answer['data']);
    if (data === undefined) throw lacking(SYSTEM, 'data');
    const asked = new Set(rooms.map(({ room }) => room));
    if (!Object.keys(data).every((room) => asked.has(room)))
      throw new ConnectionFailure(new Wrong('answerUnasked', { system: SYSTEM }));
    return data;
  }

  async #ask(asked: Asked): Promise<JsonObject> {
    const answer = await this.#access.call(this.#sign(asked));
    const value = parseAnswer(answer.text);
    if (answer.status === 401 || isSignInRefused(value)) throw this.#signInRefused(answer);
    if (answer.status === 403)
      throw new ConnectionFailure(new Wrong('connectionForbidden', { system: SYSTEM }), 'refused');
    if (answer.status < 200 || answer.status > 299)
      throw new ConnectionFailure(new Wrong('serverStatus', { status: answer.status }));
    if (!isObject(value)) throw new ConnectionFailure(new Wrong('answerNotJson', { system: SYSTEM }));
    return value;
  }

  #sign({ method = 'GET', path, query: pairs = [], body }: Asked): Parameters<AccountAccess['call']>[0] {
    const { key = '', secret = '' } = this.#access.key;
    const query = formatQuery(pairs);
    const timestamp = formatTimestamp(this.#access.nowMs());
    const nonce = this.#access.newNonce();
    const headers = {
      accept: 'application/json',
      'x-api-key': key,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signatureOf(
        { method, path, query, timestamp, nonce, body: body ?? '' },
        { key, secret },
      ),
    };
    if (body === undefined) return { method, path, query, headers };
    return { method, path, query, headers: { ...headers, 'content-type': 'application/json' }, body };
  }

  /** A signature is refused for a wrong clock as for a wrong key. */
  #signInRefused({ headers }: CallAnswer): ConnectionFailure {
    const theirsMs = Date.parse(headers['date'] ?? '');
    const apartMs = Math.abs(theirsMs - this.#access.nowMs());
    const wrong =
      apartMs > CLOCKS_DIFFER_MS_MAX
        ? new Wrong('connectionClockWrong', { system: SYSTEM, seconds: Math.round(apartMs / 1000) })
        : new Wrong('connectionKeyWrong', { system: SYSTEM });
    return new ConnectionFailure(wrong, 'refused');
  }
}

/** `{"title":"Error occurred","detail":"verification error"}`, whatever the status. */
function isSignInRefused(value: JsonValue | undefined): boolean {
  return isObject(value) && value['detail'] === 'verification error';
}

/** The address is left out. */
function readRoom(room: string, name: string, details: JsonObject): Room {
  const { location, rooms, currency, timeZone } = details;
  const guests = isObject(rooms) ? readInteger(rooms['maxOccupancy']) : undefined;
  const city = isObject(location) ? readName(location['city']) : undefined;
  const country = isObject(location) ? readText(location['country']) : undefined;
  return {
    room,
    name,
    guests: guests !== undefined && guests > 0 ? guests : null,
    currency: typeof currency === 'string' && isCurrencyCode(currency) ? currency : null,
    timezone: typeof timeZone === 'string' && isTimezone(timeZone) ? timeZone : null,
    property: {
      id: room,
      name,
      ...(city === undefined ? undefined : { city }),
      ...(country !== undefined && isCountryCode(country) ? { country } : undefined),
    },
    byHand: [],
    terms: null,
  };
}
