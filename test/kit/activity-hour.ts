/**
 * An hour of five partners around New Year: the clock is moved forwards and backwards over the limits of days and ISO
 * weeks, and the service starts again in between. The script keeps a book of its own.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EpochDay, formatLocalDate, parseLocalDate, utcDay } from '../../src/domain/local-date.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ActivityBook, type BookedStay } from './activity-book.ts';
import { hotelWith, inCity, type Line, nights } from './catalogue-lines.ts';
import { exchange, headerOf, type Received } from './http-exchange.ts';

export const HOUR_PARTNERS = ['acme', 'bits', 'cora', 'dune', 'echo'] as const;
/** Quota of the last partner: its further requests within a minute are refused. */
export const SMALL_QUOTA = 60;

/** Sent with each request, or with some; none of it is kept anywhere. */
const SECRET_HEADERS = {
  'user-agent': 'canary-agent/4711',
  'x-forwarded-for': '203.0.113.77',
  cookie: 'session=canary-cookie-4711',
};
const SECRET_PARAMETER = 'canary-parameter-4711';
const SECRET_FIELD = 'canary-field-4711';
/** The last one is part of a body as this script writes it; a stored quote has its answer, which has another order. */
export const HOUR_SECRETS = [
  ...Object.values(SECRET_HEADERS),
  SECRET_PARAMETER,
  SECRET_FIELD,
  '127.0.0.1',
  'Bearer ',
  '"locale":"it-IT","stay"',
] as const;

const CLIENTS = 8;
const DAY_MS = 86_400_000;
const HELD_MS = 400;
/** 2026-12-31 is a Thursday of 2026-W53; 2027-01-04 is the first day of 2027-W01. */
const STARTS = [
  '2026-12-31T23:58:00Z',
  '2027-01-01T00:01:00Z',
  '2027-01-03T23:59:30Z',
  '2027-01-04T00:00:10Z',
  '2027-01-02T10:15:00Z',
  '2026-12-31T22:30:00Z',
  '2027-01-01T23:59:58Z',
  '2027-01-02T11:00:00Z',
].map((text) => Date.parse(text));
const FIRST = parseLocalDate('2026-12-31')!;
const DAYS = { from: FIRST - 2, to: FIRST + 9 };

const OPEN = [nights('2026-12-20', '2027-02-20', { availability: 3, rate: '120.00' })];
const CLOSED = [nights('2026-12-20', '2027-02-20', { availability: 0, rate: '120.00' })];

/** Timezones from fourteen hours ahead of UTC to eleven behind, and one name in two countries. */
export const HOUR_LINES: readonly Line[] = [
  hotelWith('rome', OPEN),
  hotelWith('kiri', OPEN, { ...inCity('Kiritown', 'KI'), timezone: 'Pacific/Kiritimati' }),
  hotelWith('pago', OPEN, { ...inCity('Pagotown', 'AS'), timezone: 'Pacific/Pago_Pago' }),
  hotelWith('closed', CLOSED, inCity('Closedtown')),
  hotelWith('valencia-es', OPEN, inCity('Valencia', 'ES')),
  hotelWith('valencia-ve', CLOSED, inCity('Valencia', 'VE')),
];
/** The hotels take two. */
const GUESTS = [1, 2, 2, 2, 2, 2, 3, 6, 10] as const;
const PLACES = [
  { city: 'Venezia', place: 'Venezia IT', propertyId: 'rome' },
  { city: 'KIRITOWN', place: 'Kiritown KI', propertyId: 'kiri' },
  { city: 'pagotown', place: 'Pagotown AS', propertyId: 'pago' },
  { city: 'Closedtown', place: 'Closedtown IT', propertyId: 'closed' },
  { city: 'Valencia', place: 'Valencia ES', propertyId: 'valencia-es' },
] as const;

export interface HourPartner {
  readonly partnerId: string;
  readonly credentialId: string;
  readonly token: string;
}

/** One or several services on one database. */
export interface Fleet {
  readonly partners: readonly HourPartner[];
  /** By the clock of the services. */
  nowMs(): number;
  /** Their addresses from now on, restarted or not, with this time. */
  startAt(nowMs: number): Promise<readonly string[]>;
  /** Everything that was counted is written afterwards. */
  stop(): Promise<void>;
}

/** Rare kinds come `rarity` times more seldom: what is kept one by one has bounds of its own for ten seconds. */
export async function runHour(fleet: Fleet, requests: number, rarity: number): Promise<ActivityBook> {
  const hour = new Hour(fleet, rarity);
  for (const startMs of STARTS) await hour.run(startMs, Math.ceil(requests / STARTS.length));
  await fleet.stop();
  return hour.book;
}

export async function compareHour(book: ActivityBook, storage: Storage): Promise<void> {
  await book.compare(storage, DAYS);
}

class Hour {
  readonly book = new ActivityBook();
  readonly #fleet: Fleet;
  readonly #rarity: number;
  readonly #random = mulberry(20_261_231);
  #urls: readonly string[] = [];

  constructor(fleet: Fleet, rarity: number) {
    this.#fleet = fleet;
    this.#rarity = rarity;
  }

  async run(startMs: number, requests: number): Promise<void> {
    this.#urls = await this.#fleet.startAt(startMs);
    for (let left = requests; left > 0; left -= CLIENTS) {
      await this.#passMidnight();
      await Promise.all(Array.from({ length: Math.min(CLIENTS, left) }, () => this.#step()));
    }
  }

  /** Nothing is under way at midnight: the book has to know on which day an answer was given. */
  async #passMidnight(): Promise<void> {
    const leftMs = DAY_MS - (this.#fleet.nowMs() % DAY_MS);
    if (leftMs < HELD_MS) await sleep(leftMs + HELD_MS);
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  async #step(): Promise<void> {
    const partner = this.#fleet.partners[this.#below(this.#fleet.partners.length)]!;
    const stay = {
      checkIn: FIRST - 3 + this.#below(12),
      nights: 1 + this.#below(20),
      guests: GUESTS[this.#below(GUESTS.length)]!,
    };
    const kind = this.#random();
    const rare = 0.1 / this.#rarity;
    if (kind < rare) return this.#quote(partner, stay);
    if (kind < 2 * rare) return this.#refused(partner);
    if (kind < 0.25) return this.#look(partner, stay);
    if (kind < 0.35) return this.#plain(partner);
    if (kind < 0.4) return this.#unknown(partner, stay);
    return this.#search(partner, stay);
  }

  async #search(partner: HourPartner, stay: BookedStay): Promise<void> {
    const place = PLACES[this.#below(PLACES.length)]!;
    const page = 1 + this.#below(2);
    const path = `/v1/properties?city=${place.city}&page=${page}&pageSize=1&${queryOf(stay)}`;
    const { day, received } = await this.#ask(partner, 'listPartnerProperties', path);
    if (received.status !== 200 || page !== 1) return;
    const { total } = JSON.parse(Buffer.from(received.body).toString()).pagination as { total: number };
    this.book.searched(day, place.place, stay, partner.partnerId, total === 0);
    if (place.city === 'Valencia') this.book.searched(day, 'Valencia VE', stay, partner.partnerId, true);
  }

  async #unknown(partner: HourPartner, stay: BookedStay): Promise<void> {
    const name = `Nowhere ${this.#below(5)}`;
    const path = `/v1/properties?city=${encodeURIComponent(name)}&${queryOf(stay)}`;
    const { received } = await this.#ask(partner, 'listPartnerProperties', path);
    if (received.status === 200) this.book.unknown.add([name.toUpperCase()]);
  }

  async #look(partner: HourPartner, stay: BookedStay): Promise<void> {
    const { place, propertyId } = PLACES[this.#below(PLACES.length)]!;
    const path = `/v1/properties/${propertyId}/availability?${queryOf(stay)}`;
    const { day, received } = await this.#ask(partner, 'getPartnerPropertyAvailability', path);
    if (received.status === 200) this.book.looked(day, place, stay, partner.partnerId);
  }

  async #quote(partner: HourPartner, stay: BookedStay): Promise<void> {
    const { place, propertyId } = PLACES[this.#below(PLACES.length)]!;
    const { checkIn, checkOut } = datesOf(stay);
    const body = JSON.stringify({
      propertyId,
      locale: 'it-IT',
      stay: { checkIn, checkOut, guests: stay.guests },
    });
    const { day, received } = await this.#ask(partner, 'createPartnerQuote', '/v1/quotes', body);
    if (received.status === 201) this.book.looked(day, place, stay, partner.partnerId);
  }

  async #plain(partner: HourPartner): Promise<void> {
    if (this.#below(2) === 0) await this.#ask(partner, 'getPartnerProperty', '/v1/properties/rome');
    else await this.#ask(partner, 'listPartnerProperties', '/v1/properties?city=Venezia&pageSize=1');
  }

  async #refused(partner: HourPartner): Promise<void> {
    const which = this.#below(4);
    if (which === 0) await this.#ask(partner, 'getPartnerProperty', '/v1/properties/nobody');
    else if (which === 1) {
      const body = JSON.stringify({ propertyId: 'rome', note: SECRET_FIELD });
      await this.#ask(partner, 'createPartnerQuote', '/v1/quotes', body);
    } else {
      const wrong = which === 2 ? 'page=0' : `email=${SECRET_PARAMETER}`;
      await this.#ask(partner, 'listPartnerProperties', `/v1/properties?city=Venezia&${wrong}`);
    }
  }

  async #ask(
    partner: HourPartner,
    operation: string,
    path: string,
    body?: string,
  ): Promise<{ readonly day: EpochDay; readonly received: Received }> {
    const day = utcDay(this.#fleet.nowMs());
    const { partnerId, credentialId, token } = partner;
    const typed = body === undefined ? {} : { method: 'POST', body };
    const received = await exchange(this.#urls[this.#below(this.#urls.length)]!, {
      path,
      ...typed,
      headers: { ...SECRET_HEADERS, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    assert.equal(utcDay(this.#fleet.nowMs()), day, 'nothing is under way at midnight');
    const { status } = received;
    const problem =
      status < 400 ? undefined : (JSON.parse(Buffer.from(received.body).toString()) as { code: string });
    // A server under too much load refuses before it knows the caller.
    if (status === 503) return { day, received };
    const correlationId = headerOf(received, 'x-correlation-id')!;
    const code = problem?.code ?? null;
    this.book.answered({ day, partnerId, credentialId, operation, status, code, correlationId });
    return { day, received };
  }
}

function datesOf({ checkIn, nights: count }: BookedStay) {
  return { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkIn + count) };
}

function queryOf(stay: BookedStay): string {
  const { checkIn, checkOut } = datesOf(stay);
  return `checkIn=${checkIn}&checkOut=${checkOut}&guests=${stay.guests}`;
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
