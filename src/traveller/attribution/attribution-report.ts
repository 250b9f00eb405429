/** Quotes and their outcomes by partner and day. */
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import {
  ATTRIBUTION_TOTAL_NAMES,
  CONVERSION_COLUMNS,
  type ConversionColumn,
} from '../../storage/attribution/attribution-sql.ts';
import type { AttributionRow, AttributionStore } from '../../storage/attribution/store.ts';
import type { ConversionDay, ConversionStore, ConversionTotal } from '../../storage/conversions/store.ts';
import type { PartnerDays } from '../../storage/portable-sql/days-by-parts.ts';

/** Each number counts quotes made on `day` (UTC), whenever they were opened, continued or booked. */
export interface AttributionDay
  extends Omit<AttributionRow, 'day'>, Readonly<Record<ConversionColumn, number>> {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Totals of bookings that were not cancelled, by currency: `{"EUR":"1234.00"}`. */
  readonly convertedTotals: Readonly<Record<string, string>>;
}

export const ATTRIBUTION_COLUMNS = [
  'day',
  'partnerId',
  ...ATTRIBUTION_TOTAL_NAMES,
  ...(Object.keys(CONVERSION_COLUMNS) as ConversionColumn[]),
] as const;

/** Ascending by day, then by partner; a day without quotes has no row. */
export async function reportAttribution(
  storage: Pick<AttributionStore, 'readAttribution'> & Pick<ConversionStore, 'readConversions'>,
  { from, to, partnerId }: PartnerDays,
): Promise<readonly AttributionDay[]> {
  const rows = await storage.readAttribution(from, to);
  const { days, totals } = await storage.readConversions(from, to);
  const conversionOf = new Map(days.map((row) => [keyOf(row), row]));
  const totalsOf = Map.groupBy(totals, keyOf);
  return rows
    .filter((row) => partnerId === undefined || row.partnerId === partnerId)
    .map((row) => ({
      ...row,
      day: formatLocalDate(row.day),
      ...presentConversions(conversionOf.get(keyOf(row)), totalsOf.get(keyOf(row)) ?? []),
    }));
}

function keyOf({ day, partnerId }: { readonly day: number; readonly partnerId: string }): string {
  return `${day} ${partnerId}`;
}

function presentConversions(
  day: ConversionDay | undefined,
  totals: readonly ConversionTotal[],
): Pick<AttributionDay, ConversionColumn | 'convertedTotals'> {
  const sorted = totals.toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
  return {
    converted: day?.converted ?? 0,
    cancelled: day?.cancelled ?? 0,
    convertedTotals: Object.fromEntries(sorted.map(({ currency, total }) => [currency, formatMoney(total)])),
  };
}
