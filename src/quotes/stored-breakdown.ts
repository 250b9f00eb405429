/**
 * The breakdown of a quote as it is stored: nights that cost the same are one entry, so that 60 nights of one rate
 * take no more room than one. Quotes that were stored with one object for each night are still read.
 */
import { formatLocalDate, parseLocalDate } from '../domain/local-date.ts';
import type { QuoteBreakdown, QuoteDiscount, QuoteNight, QuoteTax } from './present-quote.ts';

/**
 * How many nights, their rate, and where a night costs something else than that: extra guests and price. What is missing
 * between them was taken off by the discount.
 */
type NightRun = readonly [count: number, rate: string, extraGuests?: string, price?: string];

interface CompactBreakdown {
  readonly v: 2;
  /** The first night; the others follow it day by day. */
  readonly from: string;
  readonly nights: readonly NightRun[];
  readonly taxes: readonly QuoteTax[];
  /** Absent where none counted, as in quotes of earlier versions, which read past it. */
  readonly discount?: QuoteDiscount;
  /** What the property was called, in the locale of the quote: a withdrawn one has no name any more. */
  readonly name?: string;
}

/** The stored JSON text. The nights follow one another, and there is at least one. */
export function formatStoredBreakdown(
  { discount, nights, taxes }: QuoteBreakdown,
  propertyName?: string,
): string {
  const compact: CompactBreakdown = {
    v: 2,
    from: nights[0]?.date ?? '',
    nights: collectRuns(nights),
    taxes,
    ...(discount === null ? {} : { discount }),
    ...(propertyName === undefined ? {} : { name: propertyName }),
  };
  return JSON.stringify(compact);
}

/** The breakdown of a text that `formatStoredBreakdown` or an earlier version wrote. */
export function parseStoredBreakdown(text: string): QuoteBreakdown {
  const stored = JSON.parse(text) as CompactBreakdown | Omit<QuoteBreakdown, 'discount'>;
  if (!('v' in stored)) return { discount: null, ...stored };
  let night = parseLocalDate(stored.from) ?? 0;
  const nights = stored.nights.flatMap(([count, rate, extraGuests = '0.00', price = rate]) =>
    Array.from({ length: count }, () => ({ date: formatLocalDate(night++), rate, extraGuests, price })),
  );
  return { discount: stored.discount ?? null, nights, taxes: stored.taxes };
}

/** The name of the property when the quote was made; earlier versions did not keep it. */
export function storedPropertyName(text: string): string | undefined {
  return (JSON.parse(text) as Partial<CompactBreakdown>).name;
}

function collectRuns(nights: readonly QuoteNight[]): NightRun[] {
  const runs: { count: number; readonly night: QuoteNight }[] = [];
  for (const night of nights) {
    const last = runs.at(-1);
    if (last !== undefined && costsSame(last.night, night)) last.count += 1;
    else runs.push({ count: 1, night });
  }
  return runs.map(({ count, night: { rate, extraGuests, price } }) =>
    extraGuests === '0.00' && price === rate ? [count, rate] : [count, rate, extraGuests, price],
  );
}

function costsSame(a: QuoteNight, b: QuoteNight): boolean {
  return a.rate === b.rate && a.extraGuests === b.extraGuests && a.price === b.price;
}
