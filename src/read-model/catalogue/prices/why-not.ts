/** Why a stay can't be had or priced at one property of a block, and which stays can instead. */
import type { Party } from '../../../domain/child-ages.ts';
import { hosts, LENGTH_TOLD_MAX, type StayRequest } from '../../../domain/eligibility.ts';
import { findInstead, type OtherStays, otherStays, type StayDates } from '../../../domain/instead-stays.ts';
import { type EpochDay, formatLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { OPENING_DAYS_MAX } from '../../../domain/nearest-shifts.ts';
import type { PriceTerms } from '../../../domain/price-terms.ts';
import type { QuoteRefusal } from '../../../domain/quote-decision.ts';
import {
  explainNearest,
  explainNoPrice,
  type PresentedReason,
  reasonPresenter,
  type RefusingType,
  type StayReason,
} from '../../../domain/stay-reasons.ts';
import { inOneTurn } from '../../../runtime/in-turns.ts';
import type { StayLines } from '../index/block-search.ts';
import { readRowCalendar, readRowType } from '../index/row-calendar.ts';
import type { PricedMoment } from './priced-moment.ts';
import { readTerms } from '../property/price-record.ts';
import { siftStays } from './sift-stays.ts';
import { findEligible, type PropertyRef, priceEligible, type SlotPrice } from './slot-price.ts';

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
  readonly #stay: StayRequest;
  readonly #tellsReasons: boolean;
  readonly #others: OtherStays;
  /** All nights of the other stays. */
  readonly #window: StayLines;
  /** The nights of the stay with the date of departure, and those on which the least length depends. */
  readonly #ownNights: StayLines;
  readonly #longNights: StayLines;
  /** Lines of the stay and the others, each from when a property first needs it. */
  readonly #lines = new Map<StayDates, StayLines>();

  /** Texts of dates: most stand in many answers. */
  readonly #dates = new Map<EpochDay, string>();
  readonly #present = reasonPresenter((date) => this.#formatDate(date));

  constructor(moment: PricedMoment, stay: StayRequest, tellsReasons: boolean) {
    const { checkIn, checkOut } = stay;
    this.#moment = moment;
    this.#stay = stay;
    this.#tellsReasons = tellsReasons;
    this.#others = otherStays(stay);
    const [first, end] = [checkIn - OPENING_DAYS_MAX, checkOut + OPENING_DAYS_MAX];
    this.#window = moment.stayLines({ ...stay, checkIn: first, checkOut: end });
    this.#ownNights = moment.stayLines({ ...stay, checkOut: checkOut + 1 });
    this.#longNights = moment.stayLines({ ...stay, checkOut: checkIn + LENGTH_TOLD_MAX });
  }

  /** For a property that the partner can't see: it must not take a step more than an unknown one. */
  get ofNothing(): WhyNot {
    return { reasons: this.#tellsReasons ? [] : null, instead: [] };
  }

  /** The property has been priced for the stay. */
  of(ref: PropertyRef, { refusal }: SlotPrice): WhyNot {
    if (refusal === null) return this.ofNothing;
    const terms = readTerms(ref.block.prices(ref.slot));
    const types = readTypes(ref, terms.types);
    const reasons = this.#tellsReasons ? this.#reasonsOf(ref, terms, types, refusal) : undefined;
    const instead = terms.quoting ? this.#insteadOf(ref, types) : [];
    return { reasons: reasons?.map(this.#present) ?? null, instead };
  }

  #reasonsOf(
    ref: PropertyRef,
    terms: PriceTerms,
    types: readonly RefusingType[],
    refusal: QuoteRefusal,
  ): readonly StayReason[] {
    const stay = this.#stay;
    const offered = this.#moment.offeredAt(ref);
    if (refusal === 'QUOTE_UNAVAILABLE') {
      const eligible = findEligible(ref, { stay: this.#linesOf(stay) }, offered);
      return [explainNoPrice(terms, eligible, stay)];
    }
    const firstRow = ref.block.slots.firstRow(ref.slot);
    const read = (nights: StayLines) => (index: number) =>
      readRowCalendar(ref.block, firstRow + index, nights);
    const [own, long] = [read(this.#ownNights), read(this.#longNights)];
    return inOneTurn(explainNearest(types, own, stay, offered, long));
  }

  /** Bits decide; most stays are sifted out before. */
  #insteadOf(ref: PropertyRef, types: readonly RefusingType[]): readonly PresentedInstead[] {
    const typeIndexes = hostingTypes(types, this.#stay);
    const sought = { window: this.#window, stay: this.#stay, typeIndexes };
    const others = siftStays(ref, sought, this.#others);
    if (others.checkIns.length + others.lengths.length === 0) return [];
    const offered = this.#moment.offeredAt(ref);
    const steps = findInstead(others, (dates) => {
      const lines = this.#linesOf(dates);
      const eligible = findEligible(ref, { stay: lines }, offered);
      return eligible.length === 0 ? undefined : priceEligible(ref, eligible, lines, offered.first);
    });
    const found = inOneTurn(steps);
    return found.map(({ checkIn, checkOut, answer: { price } }) => ({
      checkIn: this.#formatDate(checkIn),
      checkOut: this.#formatDate(checkOut),
      nights: checkOut - checkIn,
      total: price === undefined ? null : formatMoney(price.total),
    }));
  }

  #formatDate(date: EpochDay): string {
    let text = this.#dates.get(date);
    if (text === undefined) this.#dates.set(date, (text = formatLocalDate(date)));
    return text;
  }

  #linesOf(dates: StayDates): StayLines {
    const known = this.#lines.get(dates);
    if (known !== undefined) return known;
    const lines = this.#moment.stayLines({ ...this.#stay, ...dates });
    this.#lines.set(dates, lines);
    return lines;
  }
}

function readTypes({ block, slot }: PropertyRef, types: PriceTerms['types']): readonly RefusingType[] {
  const timezone = block.timezone(slot);
  const firstRow = block.slots.firstRow(slot);
  return types.map(({ inventoryTypeId, ageBands }, index) => {
    return { inventoryTypeId, ageBands, ...readRowType(block, firstRow + index, timezone) };
  });
}

function hostingTypes(types: readonly RefusingType[], party: Party): readonly number[] {
  return types.flatMap((type, index) => (hosts(type, party) ? [index] : []));
}
