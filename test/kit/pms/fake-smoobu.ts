/** An invented Smoobu: an account in memory, which checks signatures, clocks and nonces as the real one says it does. */
import { createHash, createHmac } from 'node:crypto';
import {
  type FakeReply,
  type FakeRequest,
  type FakeServer,
  FakeWindow,
  type Mischief,
  RETRY_SECONDS,
  startFakeServer,
} from './fake-server.ts';

/** A date of `/api/rates`; odd values are allowed, as the real ones are not described. */
export interface SmoobuDate {
  readonly price?: unknown;
  readonly min_length_of_stay?: unknown;
  readonly available?: unknown;
}

export interface SmoobuApartment {
  readonly id: number;
  readonly name: string;
  readonly guests?: number;
  readonly currency?: string;
  readonly timeZone?: string;
  readonly city?: string;
  readonly country?: string;
  /** By date. */
  dates: Record<string, SmoobuDate | null>;
  /** Refuses every stay with this code. */
  refusal?: number;
  /** The currency of prices of stays; that of the apartment unless given. */
  readonly shownCurrency?: string;
}

export interface SmoobuAccount {
  readonly customer: number;
  readonly key: string;
  readonly secret: string;
  apartments: SmoobuApartment[];
  /** 1,000 unless given. */
  readonly callsAMinute?: number;
}

/** An account of flats that are free for so many nights, at one price. */
export function plainSmoobu({
  flats,
  first,
  nights,
  price,
  ...others
}: Partial<SmoobuAccount> & {
  readonly flats: readonly number[];
  readonly first: string;
  readonly nights: number;
  readonly price: number;
}): SmoobuAccount {
  const datesOf = (): SmoobuApartment['dates'] =>
    Object.fromEntries(
      Array.from({ length: nights }, (_, index) => {
        const date = new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10);
        return [date, { price, min_length_of_stay: 1, available: 1 }];
      }),
    );
  const usual = { guests: 4, currency: 'EUR', timeZone: 'Europe/Rome', city: 'Roma', country: 'IT' };
  const apartments = flats.map((id) => ({ id, name: `Flat ${id}`, ...usual, dates: datesOf() }));
  return {
    customer: 9,
    key: 'smoobu-key-of-the-account',
    secret: 'smoobu-secret-of-the-account',
    apartments,
    ...others,
  };
}

export interface FakeSmoobu extends FakeServer {
  readonly account: SmoobuAccount;
}

const CLOCK_MS_MAX = 5 * 60_000;
const CALLS_A_MINUTE_USUAL = 1_000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const CHECK = '/booking/checkApartmentAvailability';
const SIGN_IN_FAILED = { title: 'Error occurred', detail: 'verification error' };

export async function startFakeSmoobu({
  account,
  nowMs,
}: {
  readonly account: SmoobuAccount;
  readonly nowMs: () => number;
}): Promise<FakeSmoobu> {
  const nonces = new Set<string>();
  const window = new FakeWindow(60_000);
  const callsMax = account.callsAMinute ?? CALLS_A_MINUTE_USUAL;
  const limitHeaders = (remaining: number, retryAfter: number): Readonly<Record<string, string>> => ({
    'X-RateLimit-Limit': String(callsMax),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Retry-After': String(retryAfter),
  });
  const server = await startFakeServer({
    nowMs,
    isReading: ({ method, path }) => method === 'GET' || (method === 'POST' && path === CHECK),
    failure: SIGN_IN_FAILED,
    secrets: () => [account.key, account.secret],
    tooMany: {
      own: () => limitHeaders(0, Math.floor(nowMs() / 1000) + RETRY_SECONDS),
      otherwise: () => limitHeaders(0, RETRY_SECONDS),
    },
    answer(request, mischief) {
      if (!isSignedIn(request, account, nonces, nowMs())) return { status: 401, body: SIGN_IN_FAILED };
      const { used, endsAtMs } = window.take(nowMs(), 1);
      const headers = limitHeaders(Math.max(0, callsMax - used), Math.ceil(endsAtMs / 1000));
      if (used > callsMax) return { status: 429, headers, body: { title: 'Too Many Requests' } };
      return { headers, ...answerOf(request, account, mischief) };
    },
  });
  return Object.assign(server, { account });
}

// Signing, computed again over what was received.

function isSignedIn(
  { method, path, query, headers, body }: FakeRequest,
  { key, secret }: SmoobuAccount,
  nonces: Set<string>,
  nowMs: number,
): boolean {
  const { 'x-timestamp': timestamp = '', 'x-nonce': nonce = '', 'x-signature': signature = '' } = headers;
  if (headers['api-key'] !== undefined || headers['x-api-key'] !== key) return false;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(timestamp)) return false;
  if (Math.abs(Date.parse(timestamp) - nowMs) > CLOCK_MS_MAX) return false;
  if (!UUID.test(nonce) || nonces.has(nonce)) return false;
  nonces.add(nonce);
  const lines = [method, path, canonical(query), timestamp, nonce];
  lines.push(createHash('sha256').update(body).digest('hex'), key);
  return createHmac('sha256', secret).update(lines.join('\n')).digest('base64') === signature;
}

/** The names sorted, each name and value escaped again. */
function canonical(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => pair.split('=').map((part) => decodeURIComponent(part)));
  pairs.sort(([one], [other]) => (one! < other! ? -1 : one! > other! ? 1 : 0));
  const escape = (text: string): string =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^A-Za-z0-9._~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  return pairs.map((pair) => pair.map(escape).join('=')).join('&');
}

// Answers.

function answerOf(request: FakeRequest, account: SmoobuAccount, mischief: Mischief | undefined): FakeReply {
  const { path, method } = request;
  if (path === CHECK && method === 'POST') return answerStay(request, account, mischief);
  if (path === '/api/me')
    return good({ id: account.customer, firstName: 'Ada', lastName: 'Rossi', email: 'ada@lodging.example' });
  if (path === '/api/apartments')
    return good({ apartments: account.apartments.map(({ id, name }) => ({ id, name })) });
  if (path === '/api/rates') return answerRates(request, account, mischief);
  const apartment = account.apartments.find(({ id }) => path === `/api/apartments/${id}`);
  return apartment === undefined ? { status: 404, body: { title: 'Not Found' } } : good(details(apartment));
}

function good(body: unknown): FakeReply {
  return { status: 200, body };
}

function details({ guests, currency, timeZone, city, country }: SmoobuApartment): object {
  return {
    location: { street: 'Via Nuova 1', zip: '00100', city, country, latitude: '41.9', longitude: '12.5' },
    timeZone,
    rooms: { maxOccupancy: guests, bedrooms: 1, bathrooms: 1 },
    equipments: ['Internet'],
    currency,
    price: { minimal: '10.00', maximal: '900.00' },
    type: { id: 1, name: 'Apartment' },
  };
}

/** An object without members is a list, as PHP writes it. */
function php(members: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(members).length === 0 ? [] : members;
}

const OTHER_APARTMENT = 999_999;

function answerRates(
  { query }: FakeRequest,
  { apartments }: SmoobuAccount,
  mischief: Mischief | undefined,
): FakeReply {
  const asked = new URLSearchParams(query);
  const from = asked.get('start_date') ?? '';
  const to = asked.get('end_date') ?? '';
  const data: Record<string, unknown> = {};
  for (const apartment of apartments) {
    if (!asked.getAll('apartments[]').includes(String(apartment.id))) continue;
    const dates = Object.entries(apartment.dates).filter(([date]) => date >= from && date <= to);
    data[apartment.id] = php(Object.fromEntries(dates));
  }
  if (mischief === 'extraRoom') data[OTHER_APARTMENT] = { [from]: { price: 1, available: 1 } };
  return good({ data: php(data) });
}

interface StayBody {
  readonly arrivalDate: string;
  readonly departureDate: string;
  readonly apartments: readonly number[];
  readonly customerId: number;
  readonly guests: number;
}

function answerStay(
  { body }: FakeRequest,
  account: SmoobuAccount,
  mischief: Mischief | undefined,
): FakeReply {
  const stay = JSON.parse(body.toString()) as StayBody;
  if (stay.customerId !== account.customer) return { status: 400, body: { title: 'Wrong customer' } };
  const available: (number | string)[] = [];
  const prices: Record<string, unknown> = {};
  const refused: Record<string, unknown> = {};
  for (const apartment of account.apartments) {
    if (!stay.apartments.includes(apartment.id)) continue;
    const nights = Object.entries(apartment.dates)
      .filter(([date]) => date >= stay.arrivalDate && date < stay.departureDate)
      .map(([, night]) => night ?? {});
    const code = refusalOf(apartment, stay, nights);
    if (code !== undefined) refused[apartment.id] = { errorCode: code, message: 'Not possible' };
    const isFree = nights.length === nightsOf(stay) && nights.every((night) => Number(night.available) === 1);
    if (code !== undefined || !isFree) continue;
    available.push(apartment.id);
    const price = nights.reduce((sum, night) => sum + Number(night.price), 0);
    prices[apartment.id] = { price, currency: apartment.shownCurrency ?? apartment.currency };
  }
  if (mischief === 'extraRoom') available.push(OTHER_APARTMENT);
  return good({ availableApartments: available, prices: php(prices), errorMessages: php(refused) });
}

function nightsOf({ arrivalDate, departureDate }: StayBody): number {
  return (Date.parse(departureDate) - Date.parse(arrivalDate)) / 86_400_000;
}

function refusalOf(
  { refusal, guests }: SmoobuApartment,
  stay: StayBody,
  [first]: readonly SmoobuDate[],
): number | undefined {
  if (refusal !== undefined) return refusal;
  if (guests !== undefined && stay.guests > guests) return 400;
  return nightsOf(stay) < Number(first?.min_length_of_stay ?? 0) ? 401 : undefined;
}
