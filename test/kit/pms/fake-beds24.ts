/** An invented Beds24: an account in memory, with tokens, credits, include flags and pages, as the real one has them. */
import type { Beds24Account, Beds24Range, Beds24Stay } from './beds24-account.ts';
import {
  type FakeReply,
  type FakeRequest,
  type FakeServer,
  FakeWindow,
  type Mischief,
  RETRY_SECONDS,
  startFakeServer,
} from './fake-server.ts';

export interface FakeBeds24 extends FakeServer {
  readonly account: Beds24Account;
}

const CREDITS = 100;
const FAILED = { success: false, type: 'error', code: 400, error: 'Something failed' };
const UNAUTHORIZED = { success: false, type: 'error', code: 401, error: 'Token not valid' };

export async function startFakeBeds24({
  account,
  nowMs,
}: {
  readonly account: Beds24Account;
  readonly nowMs: () => number;
}): Promise<FakeBeds24> {
  const window = new FakeWindow(300_000);
  const tokens = new Tokens(account, nowMs);
  const server = await startFakeServer({
    nowMs,
    isReading: ({ method }) => method === 'GET',
    failure: FAILED,
    secrets: () => tokens.all(),
    tooMany: {
      own: () => ({
        'X-FiveMinCreditLimit-Remaining': '0',
        'X-FiveMinCreditLimit-ResetsIn': String(RETRY_SECONDS),
      }),
      otherwise: () => ({
        'x-five-min-limit-remaining': '0',
        'x-five-min-limit-resets-in': String(RETRY_SECONDS),
      }),
    },
    answer(request, mischief) {
      const cost = account.credits ?? 1;
      const { used, endsAtMs } = window.take(nowMs(), cost);
      const headers = {
        'X-FiveMinCreditLimit': String(CREDITS),
        'X-FiveMinCreditLimit-Remaining': String(Math.max(0, CREDITS - used)),
        'X-FiveMinCreditLimit-ResetsIn': String(Math.ceil((endsAtMs - nowMs()) / 1000)),
        'X-RequestCost': String(cost),
      };
      if (used > CREDITS) return { status: 429, headers, body: { ...FAILED, code: 429 } };
      return { headers, ...answerOf(request, account, tokens, mischief) };
    },
  });
  return Object.assign(server, { account });
}

/** The long life token, and those made from the invite code. */
class Tokens {
  readonly #account: Beds24Account;
  readonly #nowMs: () => number;
  readonly #endsAtMs = new Map<string, number>();
  #refresh: string | undefined;

  constructor(account: Beds24Account, nowMs: () => number) {
    this.#account = account;
    this.#nowMs = nowMs;
  }

  all(): string[] {
    const made = [...this.#endsAtMs.keys(), this.#refresh, this.#account.inviteCode];
    return [this.#account.token, ...made.filter((token) => token !== undefined)];
  }

  isValid(token: string | undefined): boolean {
    return token === this.#account.token || this.#nowMs() < (this.#endsAtMs.get(token ?? '') ?? 0);
  }

  secondsOf(token: string): number {
    return Math.floor(((this.#endsAtMs.get(token) ?? Infinity) - this.#nowMs()) / 1000);
  }

  setUp(code: string | undefined): object | undefined {
    if (code === undefined || code !== this.#account.inviteCode) return undefined;
    delete this.#account.inviteCode;
    this.#refresh = 'refresh-token-of-the-account';
    return { ...this.#make(), refreshToken: this.#refresh };
  }

  renew(refresh: string | undefined): object | undefined {
    return refresh !== undefined && refresh === this.#refresh ? this.#make() : undefined;
  }

  #make(): object {
    const expiresIn = this.#account.tokenSeconds ?? 86_400;
    const token = `made-token-${this.#endsAtMs.size + 1}`;
    this.#endsAtMs.set(token, this.#nowMs() + expiresIn * 1000);
    return { token, expiresIn };
  }
}

function answerOf(
  { path, query, headers }: FakeRequest,
  account: Beds24Account,
  tokens: Tokens,
  mischief: Mischief | undefined,
): FakeReply {
  const { token, code, refreshtoken } = headers;
  if (path === '/v2/authentication/setup') return orFailed(tokens.setUp(code));
  if (path === '/v2/authentication/token') return orFailed(tokens.renew(refreshtoken));
  const isValid = tokens.isValid(token);
  if (path === '/v2/authentication/details')
    return {
      status: 200,
      body: isValid ? detailsOf(account, tokens.secondsOf(token!)) : { validToken: false },
    };
  const list = LISTS[path];
  if (list === undefined) return { status: 404, body: { ...FAILED, code: 404 } };
  if (!isValid) return { status: account.refusedStatus ?? 401, body: UNAUTHORIZED };
  const asked = new URLSearchParams(query);
  const items = [...list.items(account, asked)];
  if (mischief === 'extraRoom')
    items.push({ roomId: 999_999, propertyId: 999, calendar: [], availability: {} });
  return { status: 200, body: pageOf(list.type, items, asked, account.pageSize, mischief) };
}

function orFailed(body: object | undefined): FakeReply {
  return body === undefined ? { status: 400, body: FAILED } : { status: 200, body };
}

function detailsOf({ ownerId, scopes }: Beds24Account, seconds: number): object {
  const token = {
    ownerId,
    ...(Number.isFinite(seconds) ? { expiresIn: seconds } : { expiresIn: 90 * 86_400 }),
    created: '2026-11-01T00:00:00Z',
    scopes,
    deviceName: 'stayport',
    linkedProperties: false,
    onlyPropertyId: null,
    whiteListOnly: false,
    whiteList: [],
  };
  return { validToken: true, token, diagnostics: { requestIp: '192.0.2.1' } };
}

function pageOf(
  type: string,
  items: readonly object[],
  asked: URLSearchParams,
  pageSize = 1_000,
  mischief?: Mischief,
): object {
  const page = Number(asked.get('page') ?? '1');
  const data = items.slice((page - 1) * pageSize, page * pageSize);
  const count = data.length;
  if (mischief === 'halfPage') data.splice(data.length / 2);
  const nextPageExists = mischief === 'endlessPages' || page * pageSize < items.length;
  const pages = nextPageExists
    ? { nextPageExists, nextPageLink: 'https://elsewhere.example/' }
    : { nextPageExists };
  return { success: true, type, count, pages, data };
}

// Lists.

interface List {
  readonly type: string;
  readonly items: (account: Beds24Account, asked: URLSearchParams) => Iterable<object>;
}

const LISTS: Readonly<Record<string, List>> = {
  '/v2/properties': { type: 'property', items: propertiesOf },
  '/v2/inventory/rooms/calendar': { type: 'calendar', items: calendarsOf },
  '/v2/inventory/rooms/availability': { type: 'availability', items: availabilityOf },
  '/v2/inventory/fixedPrices': { type: 'fixedPrice', items: fixedPricesOf },
  '/v2/inventory/rooms/offers': { type: 'offer', items: offersOf },
};

function propertiesOf({ properties }: Beds24Account, asked: URLSearchParams): object[] {
  return properties.map(({ roomTypes, upsellItems, offers, ...property }) => ({
    ...property,
    address: 'Via Nuova 1',
    email: 'ada@lodging.example',
    ...(asked.has('includeUpsellItems') ? { upsellItems: upsellItems ?? [] } : undefined),
    ...(asked.has('includeOffers') && offers !== undefined ? { offers } : undefined),
    roomTypes: asked.has('includeAllRooms')
      ? roomTypes.map(({ priceRules, offers: ofRoom, ...room }) => ({
          ...room,
          propertyId: property.id,
          ...(asked.has('includePriceRules') ? { priceRules: priceRules ?? [] } : undefined),
          ...(asked.has('includeOffers') && ofRoom !== undefined ? { offers: ofRoom } : undefined),
        }))
      : [],
  }));
}

/** All rooms unless `roomId` names some; `roomId[]` is another name, and is not read. */
function* roomsOf(
  { properties }: Beds24Account,
  asked: URLSearchParams,
): Generator<{ roomId: number; propertyId: number }> {
  const ids = asked.getAll('roomId');
  for (const property of properties)
    for (const { id } of property.roomTypes)
      if (ids.length === 0 || ids.includes(String(id))) yield { roomId: id, propertyId: property.id };
}

const INCLUDES: readonly (readonly [flag: string, fields: RegExp])[] = [
  ['includeNumAvail', /^numAvail$/],
  ['includeMinStay', /^minStay$/],
  ['includeMaxStay', /^maxStay$/],
  ['includeMultiplier', /^multiplier$/],
  ['includeOverride', /^override$/],
  ['includePrices', /^price\d+$/],
  ['includeLinkedPrices', /^linkedPrice\d+$/],
];

function* calendarsOf(account: Beds24Account, asked: URLSearchParams): Generator<object> {
  const [start, end] = [asked.get('startDate')!, asked.get('endDate')!];
  const fields = INCLUDES.filter(([flag]) => asked.has(flag)).map(([, names]) => names);
  for (const room of roomsOf(account, asked)) {
    const ranges = account.calendars[room.roomId];
    if (ranges === undefined) continue;
    const calendar = ranges
      .filter(({ from, to }) => fields.length > 0 && from <= end && to >= start)
      .map(({ from, to, ...values }) => ({
        from: from < start ? start : from,
        to: to > end ? end : to,
        ...Object.fromEntries(
          Object.entries(values).filter(([name]) => fields.some((names) => names.test(name))),
        ),
      }));
    yield { ...room, calendar };
  }
}

function* availabilityOf(account: Beds24Account, asked: URLSearchParams): Generator<object> {
  for (const room of roomsOf(account, asked)) {
    if (account.calendars[room.roomId] === undefined) continue;
    const availability: Record<string, unknown> = {};
    for (const date of datesOf(asked.get('startDate')!, asked.get('endDate')!)) {
      const said = mayBegin(account, room.roomId, date);
      if (said !== null) availability[date] = said;
    }
    yield { ...room, name: `Room ${room.roomId}`, availability };
  }
}

/** Null: the answer lacks the date. */
function mayBegin({ calendars, availability }: Beds24Account, roomId: number, date: string): boolean | null {
  const set = availability[roomId]?.[date];
  if (set !== undefined) return set;
  const night = nightOf(calendars[roomId], date);
  return (
    (night?.numAvail ?? 0) > 0 && ['none', 'noCheckOut', undefined].includes(night?.override ?? undefined)
  );
}

function nightOf(ranges: readonly Beds24Range[] | undefined, date: string): Beds24Range | undefined {
  return ranges?.find(({ from, to }) => from <= date && date <= to);
}

/** Both included. */
function* datesOf(start: string, end: string): Generator<string> {
  for (let ms = Date.parse(start); ms <= Date.parse(end); ms += 86_400_000)
    yield new Date(ms).toISOString().slice(0, 10);
}

function fixedPricesOf(account: Beds24Account, asked: URLSearchParams): object[] {
  const rooms = [...roomsOf(account, asked)];
  return account.fixedPrices.flatMap((fixed) => {
    const room = rooms.find(({ roomId }) => roomId === fixed.roomId);
    return room === undefined ? [] : [{ ...fixed, propertyId: room.propertyId }];
  });
}

function* offersOf(account: Beds24Account, asked: URLSearchParams): Generator<object> {
  for (const room of roomsOf(account, asked)) {
    const stays = account.stays[room.roomId] ?? stayOf(account, room.roomId, asked);
    const offers = stays.map((stay) => ({ offerName: 'Standard', ...stay }));
    yield { ...room, offers };
  }
}

/** Offer 1 at the sum of `price1`, where every night is left and the stay may begin. */
function stayOf(account: Beds24Account, roomId: number, asked: URLSearchParams): Beds24Stay[] {
  const dates = [...datesOf(asked.get('arrival')!, asked.get('departure')!)].slice(0, -1);
  const nights = dates.map((date) => nightOf(account.calendars[roomId], date));
  const isOpen = nights.every((night) => (night?.numAvail ?? 0) > 0 && night?.override !== 'blackout');
  const prices = nights.map((night) => Number(night?.['price1'] ?? 0));
  if (!isOpen || !prices.every((price) => price > 0)) return [];
  if (mayBegin(account, roomId, dates[0]!) !== true || dates.length < (nights[0]?.minStay ?? 1)) return [];
  const hundredths = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  return [
    {
      offerId: 1,
      price: hundredths / 100,
      unitsAvailable: Math.min(...nights.map((night) => night!.numAvail!)),
    },
  ];
}
