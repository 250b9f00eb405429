/** Quotes in a story: partners ask for them, travellers open them, a booking system reports what became of them. */
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { formatMoney } from '../../src/domain/money.ts';
import {
  type HandoffReview,
  openWithNewestKeys,
  reviewHandoff,
} from '../../src/partner/quotes/check-handoff.ts';
import { createQuote } from '../../src/partner/quotes/create-quote.ts';
import { TODAY } from '../kit/catalogue-samples.ts';
import { naiveIsEligible, naiveQuote, type NaiveStay, type NaiveWorld } from '../kit/naive-model.ts';
import { type Held, PROPERTIES } from './base.ts';
import { isSeenBy, type State } from './known-truth.ts';
import { GUESTS, worldOf } from './seen.ts';
import type { Reader } from './service.ts';
import type { Step } from './story.ts';
import type { Place, World } from './world.ts';

/** Few, so that they are reported again. */
const REFERENCES = 4;
const LAST_OPENED = 3;
const AGAIN_MS = 60;
/** Of other dates that a traveller chooses. */
const SHIFTS = [1, -1, 3] as const;
const USUAL_STAY = { checkIn: TODAY + 3, checkOut: TODAY + 5, guests: GUESTS };
/** Days from today to check-in, nights and guests. Some take the last night offered, or end where nobody may leave. */
const STAYS: readonly NaiveStay[] = [
  USUAL_STAY,
  USUAL_STAY,
  ...(
    [
      [0, 1, 1],
      [1, 2, 2],
      [4, 3, 2],
      [5, 2, 3],
      [5, 1, 4],
      [27, 3, 2],
    ] as const
  ).map(([ahead, nights, guests]) => ({
    checkIn: TODAY + ahead,
    checkOut: TODAY + ahead + nights,
    guests,
  })),
];

type Numbers = Step['numbers'];
/** After the gates of a process. */
export type AskAfterGates = (
  place: Place,
  reader: number,
  held: Held,
  work: (place: Place, reader: Reader) => Promise<void>,
) => Promise<void>;

/** Of whom and for what. */
interface Asked {
  readonly partnerId: string;
  readonly propertyId: string;
  readonly stay: NaiveStay;
}

/** As the partner has it. */
interface Given extends Asked {
  readonly quoteId: string;
  readonly total: string;
  readonly currency: string;
  /** The value of its link. */
  readonly handoff: string;
  readonly expiresAtMs: number;
}

export class Quotes {
  readonly #world: World;
  readonly #asked: AskAfterGates;
  readonly #given: Given[] = [];
  /** By reference, the quote of the booking. */
  readonly #booked = new Map<string, Given>();

  constructor(world: World, asked: AskAfterGates) {
    this.#world = world;
    this.#asked = asked;
  }

  async ask([placeNumber, readerNumber, credential, property]: Numbers): Promise<void> {
    const world = this.#world;
    const { known } = world;
    const held = pick(world.held, credential);
    const { partnerId, credentialId } = held;
    const propertyId = pick(PROPERTIES, property);
    const stay = world.story.isRich ? pick(STAYS, property >> 2) : USUAL_STAY;
    const asked = { partnerId, propertyId, stay };
    let given: Given | undefined;
    await this.#asked(pick(world.places, placeNumber), readerNumber, held, async (place, reader) => {
      const from = known.revision;
      const { states } = known.now;
      const isVisible = reader.catalogue.isVisible(propertyId, partnerId);
      const request = { ...stay, locale: 'it-IT', propertyId, partnerId, credentialId } as const;
      const made = await createQuote(reader.quoteDeps, request);
      if (made.refusal === undefined) {
        const { quoteId, handoffUrl, expiresAt, pricing, currency } = made.quote;
        const handoff = new URL(handoffUrl).searchParams.get('handoff')!;
        const { total } = pricing;
        given = { ...asked, quoteId, total, currency, handoff, expiresAtMs: Date.parse(expiresAt) };
      }
      if (known.now.states !== states) return;
      const said = given && `${given.total} ${given.currency}`;
      const isRight = states.slice(from).some((state) => priceOf(offerIn(state, asked)) === said);
      if (!isRight && (isVisible || said !== undefined))
        world.blame(
          place.name,
          `quotes ${String(said)} to ${partnerId} for ${propertyId}; no state from ${from} on says so`,
        );
    });
    if (given === undefined) return;
    world.tell(partnerId, `has the quote ${given.quoteId}`);
    world.acknowledgedQuotes.set(given.quoteId, given);
    this.#given.push(given);
  }

  /** Nobody asks a traveller for a token. */
  async open([placeNumber, readerNumber, quote, date]: Numbers): Promise<void> {
    const world = this.#world;
    const { known } = world;
    if (this.#given.length === 0) return;
    const given = pick(this.#given, quote);
    const { quoteId, handoff: value, expiresAtMs } = given;
    const place = pick(world.places, placeNumber);
    await world.request(place, async ({ readers, process }) => {
      const { handoffDeps, traveller } = readers[readerNumber % readers.length]!;
      const from = known.revision;
      const { states } = known.now;
      const offsetMs = process.wallOffsetMs;
      const wasOver = process.wallMs() >= expiresAtMs;
      const handoff = await openWithNewestKeys(handoffDeps, value);
      if (handoff === undefined) return world.blame(place.name, `does not open its own quote ${quoteId}`);
      const checked = await reviewHandoff(handoffDeps, handoff);
      const shift = date % 3 === 0 ? 0 : pick(SHIFTS, date >> 2);
      const { checkIn, checkOut } = given.stay;
      const other = shift === 0 ? undefined : { checkIn: checkIn + shift, checkOut: checkOut + shift };
      this.#judgeWayOn(place, given, shift, await traveller.continueTo(value, other));
      if (world.excused.has(quoteId) || known.now.states !== states) return;
      if (checked === undefined) return world.blame(place.name, `does not know its quote ${quoteId}`);
      const isExpired = checked.outcome === 'expired';
      const { wallOffsetMs } = process;
      if (isExpired !== wasOver && isExpired !== process.wallMs() >= expiresAtMs && wallOffsetMs === offsetMs)
        world.blame(place.name, `says that ${quoteId} is ${checked.outcome}`);
      const said = saidOf(checked);
      world.counts.checks += 1;
      if (!states.slice(from).some((state) => said === wantedOf(state, given, checked)))
        world.blame(
          place.name,
          `shows a traveller of ${quoteId} ${said}; it is ${wantedOf(states.at(-1)!, given, checked)}`,
        );
    });
  }

  /** The address of the booking site has the dates that the traveller chose. */
  #judgeWayOn(
    place: Place,
    { quoteId, propertyId, stay }: Given,
    shift: number,
    way: Awaited<ReturnType<Reader['traveller']['continueTo']>>,
  ): void {
    if (way.kind !== 'site') return;
    const [checkIn, checkOut] = [stay.checkIn + shift, stay.checkOut + shift].map(formatLocalDate);
    const wanted = `https://book.example/${propertyId}?in=${checkIn}&out=${checkOut}&guests=${stay.guests}`;
    if (way.location !== wanted)
      this.#world.blame(place.name, `leads a traveller of ${quoteId} to ${way.location}, not to ${wanted}`);
  }

  /** A booking has one quote. */
  async bookOther([placeNumber, quote, which]: Numbers): Promise<void> {
    const world = this.#world;
    const booked = [...world.acknowledgedBookings];
    const [reference, quoteId] = booked[which % booked.length] ?? [];
    const other = this.#given[quote % this.#given.length];
    if (reference === undefined || other === undefined || other.quoteId === quoteId) return;
    const stored = world.known.now.booked;
    const answered = await world.request(pick(world.places, placeNumber), ({ storage, process }) =>
      storage.recordConversion({
        quoteId: other.quoteId,
        reference,
        status: 'booked',
        total: null,
        currency: null,
        atMs: process.wallMs(),
      }),
    );
    // The database went back meanwhile, or has lost the booking before.
    if (answered === undefined || world.known.now.booked !== stored || !stored.has(reference)) return;
    const { kind } = answered.value;
    world.tell('the booking system', `has the answer to ${reference} for a second quote: ${kind}`);
    if (kind !== 'conflict') world.blame('the service', `books ${reference} for a second quote: ${kind}`);
  }

  /** The last ones once more; by now some have ended. */
  async openLast(): Promise<void> {
    const count = this.#given.length;
    for (let quote = Math.max(0, count - LAST_OPENED); quote < count; quote += 1)
      await this.open([quote, quote, quote, 0]);
  }

  /** Reported until it is acknowledged, to one process after the other. */
  async book([placeNumber, quote, which, cancels]: Numbers): Promise<void> {
    const world = this.#world;
    const reference = `booking ${which % REFERENCES}`;
    const given = this.#booked.get(reference) ?? this.#given[quote % this.#given.length];
    if (given === undefined) return;
    this.#booked.set(reference, given);
    const { quoteId } = given;
    const status = cancels % 4 === 0 ? 'cancelled' : 'booked';
    for (let tries = 0; ; tries += 1) {
      const answered = await world.request(pick(world.places, placeNumber + tries), ({ storage, process }) =>
        storage.recordConversion({
          quoteId,
          reference,
          status,
          total: null,
          currency: null,
          atMs: process.wallMs(),
        }),
      );
      if (answered === undefined) {
        await world.sleep(AGAIN_MS);
        continue;
      }
      const { kind } = answered.value;
      world.tell('the booking system', `has the answer to ${reference} of ${quoteId}, ${status}: ${kind}`);
      // It is cancelled already.
      if (kind === 'conflict' && status === 'booked') return;
      if (kind === 'quoteUnknown' && world.excused.has(quoteId)) return;
      if (kind !== 'recorded' && kind !== 'known')
        return world.blame('the service', `answers the report of ${reference} with ${kind}`);
      if (!world.known.now.booked.has(reference) && !world.excused.has(reference))
        world.blame('the service', `acknowledges ${reference}, which is not stored`);
      world.acknowledgedBookings.set(reference, quoteId);
      return;
    }
  }
}

interface Offer {
  readonly world: NaiveWorld;
  readonly total: string;
  readonly inventoryTypeId: string;
}

/** What the naive model offers in a state; undefined where the stay has no price, or the partner sees nothing. */
function offerIn(state: State, { partnerId, propertyId, stay }: Asked): Offer | undefined {
  const known = state.get(propertyId);
  if (known === undefined || !isSeenBy(partnerId, known)) return undefined;
  const world = worldOf(known);
  const quote = naiveQuote(world, stay);
  if (quote.outcome !== 'priced') return undefined;
  return { world, total: formatMoney(quote.price.total), inventoryTypeId: quote.inventoryTypeId };
}

function priceOf(offer: Offer | undefined): string | undefined {
  return offer && `${offer.total} ${offer.world.property.currency}`;
}

/** What a traveller is told, in a form that can be compared. */
function saidOf({ outcome, offer, stored, quotedRoom, otherStays }: HandoffReview): string {
  const price = offer && `${formatMoney(offer.price.total)} ${stored?.property.currency}`;
  const others = otherStays.map(({ stay, offer: { price: other } }) => formatStay(stay, other.total));
  return [outcome, price, quotedRoom && `gone ${quotedRoom.isGone}`, ...others].join(', ');
}

/** The same, as it should be of this state; whether it has expired is judged by the clock. */
function wantedOf(state: State, given: Given, { outcome, quote, otherStays }: HandoffReview): string {
  const offer = offerIn(state, given);
  const price = priceOf(offer);
  const now =
    offer === undefined
      ? 'unavailable'
      : price === `${given.total} ${given.currency}`
        ? 'unchanged'
        : 'price_changed';
  const others = otherStays.map(({ stay }) => {
    const { total } = offerIn(state, { ...given, stay }) ?? {};
    return `${stay.checkIn} ${stay.checkOut} ${total}`;
  });
  const gone = offer && goneOf(offer, quote.inventoryTypeId, given.stay);
  return [outcome === 'expired' ? outcome : now, price, gone, ...others].join(', ');
}

function formatStay({ checkIn, checkOut }: NaiveStay, total: bigint): string {
  return `${checkIn} ${checkOut} ${formatMoney(total)}`;
}

/** Whether the quoted room can't be had any more; undefined where the offer is that room. */
function goneOf({ world, inventoryTypeId }: Offer, quotedId: string, stay: NaiveStay): string | undefined {
  if (inventoryTypeId === quotedId) return undefined;
  const index = world.property.inventoryTypes.findIndex((type) => type.inventoryTypeId === quotedId);
  return `gone ${index < 0 || !naiveIsEligible(world, index, stay)}`;
}

export function pick<T>(all: readonly T[], number: number): T {
  return all[number % all.length]!;
}
