/** A question about prices: what it may see, and the day on which all of it is answered. */
import type { StayRequest } from '../../../domain/eligibility.ts';
import type { Found } from '../../../domain/found-markets.ts';
import { LOCALES, type Locale } from '../../../domain/property.ts';
import { offeredStay, type Today } from '../cities/city-search.ts';
import type { StayLines } from '../index/block-search.ts';
import type { OfferedStay } from '../index/market-search.ts';
import type { TextRange } from '../property/piece-chunks.ts';
import type { Block } from '../index/block.ts';
import { type Offered, type PropertyRef, type PricedStay, priceSlot, type SlotPrice } from './slot-price.ts';

export interface PricedPage {
  /** JSON. */
  readonly body: Uint8Array;
  readonly found: Found;
}

/** The catalogue reader's side of a question: it reads the version that is held. */
export interface MomentSources {
  readonly horizonNights: number;
  readonly summaryOf: (block: Block, slot: number, localeIndex: number, today: Today) => TextRange;
  readonly stayLines: (stay: StayRequest) => StayLines;
}

export class PricedMoment {
  readonly today: Today;
  readonly #sources: MomentSources;

  constructor(sources: MomentSources, today: Today) {
    this.#sources = sources;
    this.today = today;
  }

  stayLines(stay: StayRequest): StayLines {
    return this.#sources.stayLines(stay);
  }

  offeredStay(lines: StayLines): OfferedStay {
    return offeredStay(lines, this.today, this.#sources.horizonNights);
  }

  /** The nights offered today at the property. */
  offeredAt({ block, slot }: PropertyRef): Offered {
    const first = this.today(block.timezone(slot));
    return { first, end: first + this.#sources.horizonNights };
  }

  price(ref: PropertyRef, pricedStay: PricedStay): SlotPrice {
    return priceSlot(ref, pricedStay, this.offeredAt(ref));
  }

  /** One page: each item is a summary with fields behind it, and so is the page; both begin with a comma. */
  formatPage(items: readonly ShownItem[], { page, pageSize, total, locale }: ShownPage, more = ''): Buffer {
    const localeIndex = LOCALES.indexOf(locale);
    const pieces: Uint8Array[] = [ITEMS_BEGIN];
    for (const [index, { block, slot, fields }] of items.entries()) {
      const { bytes, start, end } = this.#sources.summaryOf(block, slot, localeIndex, this.today);
      if (index > 0) pieces.push(COMMA);
      // Without its closing brace.
      pieces.push(bytes.subarray(start, end - 1), Buffer.from(`${fields}}`));
    }
    const hasMore = page * pageSize < total;
    const pagination = `{"page":${page},"pageSize":${pageSize},"total":${total},"hasMore":${hasMore}}`;
    return Buffer.concat([...pieces, Buffer.from(`],"pagination":${pagination}${more}}`)]);
  }
}

interface ShownItem extends PropertyRef {
  /** JSON. */
  readonly fields: string;
}

interface ShownPage {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly locale: Locale;
}

const ITEMS_BEGIN = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');
