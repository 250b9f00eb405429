/** What partners brought, day by day: how many quotes, and what became of them. */
import { formatLocalDate, type EpochDay } from '../domain/local-date.ts';
import { ATTRIBUTION_TOTAL_NAMES } from '../storage/attribution/attribution-sql.ts';
import type { AttributionRow, AttributionStore } from '../storage/attribution/store.ts';

/** Each number counts quotes that were made on `day` (UTC), whenever they were opened or continued. */
export interface AttributionDay extends Omit<AttributionRow, 'day'> {
  /** `YYYY-MM-DD` */
  readonly day: string;
}

export const ATTRIBUTION_COLUMNS = ['day', 'partnerId', ...ATTRIBUTION_TOTAL_NAMES] as const;

export interface AttributionReportOptions {
  readonly from: EpochDay;
  /** Included. */
  readonly to: EpochDay;
  /** All unless named. */
  readonly partnerId?: string | undefined;
}

/** Ascending by day, then by partner; a day without quotes has no row. */
export async function reportAttribution(
  storage: AttributionStore,
  { from, to, partnerId }: AttributionReportOptions,
): Promise<readonly AttributionDay[]> {
  const rows = await storage.readAttribution(from, to);
  return rows
    .filter((row) => partnerId === undefined || row.partnerId === partnerId)
    .map((row) => ({ ...row, day: formatLocalDate(row.day) }));
}
