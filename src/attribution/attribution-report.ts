/** What partners brought, day by day: how many quotes, and what became of them. */
import { formatLocalDate, type EpochDay } from '../domain/local-date.ts';
import type { AttributionRow, AttributionStore } from '../storage/port/attribution-store.ts';

/** Each number counts quotes that were made on `day` (UTC), whenever they were opened or continued. */
export interface AttributionDay extends Omit<AttributionRow, 'day'> {
  /** `YYYY-MM-DD` */
  readonly day: string;
}

export const ATTRIBUTION_COLUMNS = [
  'day',
  'partnerId',
  'quotes',
  'opened',
  'continued',
  'unchanged',
  'priceChanged',
  'unavailable',
  'expired',
] as const;

export interface AttributionWish {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
  /** All unless named. */
  readonly partnerId?: string | undefined;
}

/** Ascending by day, then by partner; a day without quotes has no row. */
export async function reportAttribution(
  storage: AttributionStore,
  { from, to, partnerId }: AttributionWish,
): Promise<readonly AttributionDay[]> {
  const rows = await storage.readAttribution(from, to);
  return rows
    .filter((row) => partnerId === undefined || row.partnerId === partnerId)
    .map((row) => ({ ...row, day: formatLocalDate(row.day) }));
}

/** With a line of names (RFC 4180). Ids of partners hold no character that would need quotes. */
export function formatAttributionCsv(days: readonly AttributionDay[]): string {
  const lines = days.map((row) => ATTRIBUTION_COLUMNS.map((column) => row[column]).join(','));
  return [ATTRIBUTION_COLUMNS.join(','), ...lines].join('\r\n');
}
