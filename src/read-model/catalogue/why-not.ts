/** Why a stay can't be had or priced at one property of a block, and which stays can instead. */
import type { Calendar } from '../../domain/calendar.ts';
import { isEligible, LENGTH_TOLD_MAX, type OfferedNights } from '../../domain/eligibility.ts';
import { findInstead } from '../../domain/instead-stays.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { OPENING_DAYS_MAX } from '../../domain/nearest-shifts.ts';
import type { PriceTerms } from '../../domain/price-terms.ts';
import {
  explainNearest,
  explainNoPrice,
  type PresentedReason,
  presentReason,
  type RefusingType,
  type StayReason,
} from '../../domain/stay-reasons.ts';
import { inOneTurn } from '../../runtime/in-turns.ts';
import type { StayLines } from './index/block-search.ts';
import { readRowCalendar, readRowType } from './index/row-calendar.ts';
import type { PricedMoment, StayOfGuests } from './priced-moment.ts';
import { readTerms } from './property/price-record.ts';
import { findEligible, type Place, type SlotPrice } from './slot-price.ts';

/** As partners get them. */
export interface WhyNot {
  /** Null where the operator does not tell them. */
  readonly reasons: readonly PresentedReason[] | null;
  readonly instead: readonly PresentedInstead[];
}

export interface PresentedInstead {
  readonly checkIn: string;
  readonly checkOut: string;
  readonly nights: number;
  readonly total: string | null;
}

/** Questions about one stay at several properties. */
export class WhyNots {
  readonly #moment: PricedMoment;
  readonly #stay: StayOfGuests;
  readonly #tellsReasons: boolean;
  /** All nights that a reason or another stay may look at. */
  readonly #window: StayLines;

  constructor(moment: PricedMoment, stay: StayOfGuests, tellsReasons: boolean) {
    const { checkIn, checkOut, guests } = stay;
    this.#moment = moment;
    this.#stay = stay;
    this.#tellsReasons = tellsReasons;
    // With the date of departure.
    const until = Math.max(checkOut + OPENING_DAYS_MAX, checkIn + LENGTH_TOLD_MAX) + 1;
    this.#window = moment.stayLines({ checkIn: checkIn - OPENING_DAYS_MAX, checkOut: until, guests });
  }

  /** For a property that the partner can't see: it must not take a step more than an unknown one. */
  get ofNothing(): WhyNot {
    return { reasons: this.#tellsReasons ? [] : null, instead: [] };
  }

  /** The property has been priced for the stay. */
  of(place: Place, { refusal }: SlotPrice): WhyNot {
    if (refusal === null) return this.ofNothing;
    const terms = readTerms(place.block.prices(place.slot));
    const rows = new PlaceRows(place, terms.types, this.#window);
    const reasons = this.#tellsReasons ? this.#reasonsOf(place, terms, rows) : undefined;
    const instead = terms.quoting ? this.#insteadOf(place, rows) : [];
    return { reasons: reasons?.map(presentReason) ?? null, instead };
  }

  #reasonsOf(place: Place, terms: PriceTerms, rows: PlaceRows): readonly StayReason[] {
    const stay = this.#stay;
    const offered = this.#moment.offeredAt(place);
    const eligible = findEligible(place, { stay: this.#moment.stayLines(stay) }, offered);
    if (eligible.length > 0) return [explainNoPrice(terms, eligible, stay)];
    return inOneTurn(explainNearest(rows.types, (index) => rows.calendar(index), stay, offered));
  }

  /** The evaluator decides; only what can be had is priced. */
  #insteadOf(place: Place, rows: PlaceRows): readonly PresentedInstead[] {
    const { guests } = this.#stay;
    const offered = this.#moment.offeredAt(place);
    const steps = findInstead(this.#stay, (dates) => {
      const stay = { ...dates, guests };
      if (!rows.host(stay, offered)) return undefined;
      return this.#moment.price(place, { stay: this.#moment.stayLines(stay) });
    });
    const found = inOneTurn(steps);
    return found.map(({ checkIn, checkOut, answer: { price } }) => ({
      checkIn: formatLocalDate(checkIn),
      checkOut: formatLocalDate(checkOut),
      nights: checkOut - checkIn,
      total: price === undefined ? null : formatMoney(price.total),
    }));
  }
}

/** The types of a property with their nights, read back from its bits when they are needed. */
class PlaceRows {
  readonly types: readonly RefusingType[];
  readonly #place: Place;
  readonly #window: StayLines;
  readonly #calendars: (Calendar | undefined)[] = [];

  constructor(place: Place, types: PriceTerms['types'], window: StayLines) {
    const { block, slot } = place;
    const timezone = block.timezone(slot);
    const firstRow = block.slots.firstRow(slot);
    this.#place = place;
    this.#window = window;
    this.types = types.map(({ inventoryTypeId }, index) => {
      return { inventoryTypeId, ...readRowType(block, firstRow + index, timezone) };
    });
  }

  calendar(typeIndex: number): Calendar {
    const { block, slot } = this.#place;
    const row = block.slots.firstRow(slot) + typeIndex;
    return (this.#calendars[typeIndex] ??= readRowCalendar(block, row, this.#window));
  }

  host(stay: StayOfGuests, offered: OfferedNights): boolean {
    if (stay.checkIn < offered.first || stay.checkOut > offered.end) return false;
    return this.types.some(
      (type, index) => type.guestsMax >= stay.guests && isEligible(type, this.calendar(index), stay, offered),
    );
  }
}
