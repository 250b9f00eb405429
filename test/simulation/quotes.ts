/** Quotes in a story: partners ask for them, travellers open them, a booking system reports what became of them. */
import { formatMoney } from '../../src/domain/money.ts';
import { checkHandoff, openWithNewestKeys } from '../../src/partner/quotes/check-handoff.ts';
import { createQuote } from '../../src/partner/quotes/create-quote.ts';
import { type Held, PROPERTIES, STAY } from './base.ts';
import type { State } from './known-truth.ts';
import { seenBy } from './seen.ts';
import type { Reader } from './service.ts';
import type { Step } from './story.ts';
import type { Place, World } from './world.ts';

/** Few, so that they are reported again. */
const REFERENCES = 4;
const LAST_OPENED = 3;
const AGAIN_MS = 60;

type Numbers = Step['numbers'];
/** After the gates of a process. */
type Asked = (
  place: Place,
  reader: number,
  held: Held,
  work: (place: Place, reader: Reader) => Promise<void>,
) => Promise<void>;

/** As the partner has it. */
interface Given {
  readonly quoteId: string;
  readonly partnerId: string;
  readonly propertyId: string;
  /** The value of its link. */
  readonly handoff: string;
  readonly expiresAtMs: number;
}

export class Quotes {
  readonly #world: World;
  readonly #asked: Asked;
  readonly #given: Given[] = [];
  /** By reference, the quote of the booking. */
  readonly #booked = new Map<string, Given>();

  constructor(world: World, asked: Asked) {
    this.#world = world;
    this.#asked = asked;
  }

  async ask([placeNumber, readerNumber, credential, property]: Numbers): Promise<void> {
    const world = this.#world;
    const { known } = world;
    const held = pick(world.held, credential);
    const { partnerId, credentialId } = held;
    const propertyId = pick(PROPERTIES, property);
    let given: Given | undefined;
    await this.#asked(pick(world.places, placeNumber), readerNumber, held, async (place, reader) => {
      const from = known.revision;
      const { states } = known.now;
      const isVisible = reader.catalogue.isVisible(propertyId, partnerId);
      const request = { ...STAY, guests: 2, locale: 'it-IT', propertyId, partnerId, credentialId } as const;
      const made = await createQuote(reader.quoteDeps, request);
      if (made.refusal === undefined) {
        const { quoteId, handoffUrl, expiresAt } = made.quote;
        const handoff = new URL(handoffUrl).searchParams.get('handoff')!;
        given = { quoteId, partnerId, propertyId, handoff, expiresAtMs: Date.parse(expiresAt) };
      }
      if (known.now.states !== states) return;
      const total = made.refusal === undefined ? made.quote.pricing.total : undefined;
      const isRight = isSaid(states.slice(from), { partnerId, propertyId, total });
      if (!isRight && (isVisible || total !== undefined))
        world.blame(
          place.name,
          `quotes ${String(total)} to ${partnerId} for ${propertyId}; no state from ${from} on says so`,
        );
    });
    if (given === undefined) return;
    world.tell(partnerId, `has the quote ${given.quoteId}`);
    world.acknowledgedQuotes.add(given.quoteId);
    this.#given.push(given);
  }

  /** Nobody asks a traveller for a token. */
  async open([placeNumber, readerNumber, quote]: Numbers): Promise<void> {
    const world = this.#world;
    const { known } = world;
    if (this.#given.length === 0) return;
    const { quoteId, partnerId, propertyId, handoff: value, expiresAtMs } = pick(this.#given, quote);
    const place = pick(world.places, placeNumber);
    await world.request(place, async ({ readers, process }) => {
      const { handoffDeps } = readers[readerNumber % readers.length]!;
      const from = known.revision;
      const { states } = known.now;
      const offsetMs = process.wallOffsetMs;
      const wasOver = process.wallMs() >= expiresAtMs;
      const handoff = await openWithNewestKeys(handoffDeps, value);
      if (handoff === undefined) return world.blame(place.name, `does not open its own quote ${quoteId}`);
      const checked = await checkHandoff(handoffDeps, handoff);
      if (world.excused.has(quoteId) || known.now.states !== states) return;
      if (checked === undefined) return world.blame(place.name, `does not know its quote ${quoteId}`);
      const isExpired = checked.outcome === 'expired';
      const { wallOffsetMs } = process;
      if (isExpired !== wasOver && isExpired !== process.wallMs() >= expiresAtMs && wallOffsetMs === offsetMs)
        world.blame(place.name, `says that ${quoteId} is ${checked.outcome}`);
      const total = checked.offer && formatMoney(checked.offer.price.total);
      world.counts.checks += 1;
      if (!isSaid(states.slice(from), { partnerId, propertyId, total }))
        world.blame(
          place.name,
          `shows a traveller ${String(total)} of ${quoteId}; no state from ${from} on says so`,
        );
    });
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

/** Whether one of the states has this total, or no offer where it is undefined. */
function isSaid(
  states: readonly State[],
  { partnerId, propertyId, total }: { partnerId: string; propertyId: string; total: string | undefined },
): boolean {
  return states.some((state) => seenBy(partnerId, state.get(propertyId))?.total === total);
}

export function pick<T>(all: readonly T[], number: number): T {
  return all[number % all.length]!;
}
