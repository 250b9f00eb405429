/** From search to booking: the rows of `attribution`, with searches and looks from `demand`. */
import { type AttributionDay, reportAttribution } from '../attribution/attribution-report.ts';
import { type PriceDrift, reportPriceDrift } from '../attribution/price-drift.ts';
import { reportPartnerDemand } from '../activity/demand-report.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import { readDays, readName } from './asked-days.ts';
import type { PagePorts, PageQuestion } from './console-page.ts';

export const FUNNEL_COLUMNS = [
  ...['searches', 'looks', 'quotes', 'opened', 'priceChanged', 'continued', 'converted'],
] as readonly FunnelColumn[];

export type FunnelColumn =
  | 'searches'
  | 'looks'
  | 'quotes'
  | 'opened'
  | 'priceChanged'
  | 'continued'
  | 'converted';

/** `key` is a day, or a partner. */
export interface FunnelRow extends Readonly<Record<FunnelColumn, number>> {
  readonly key: string;
}

export interface FunnelShown {
  /** As `attribution`. */
  readonly rows: readonly AttributionDay[];
  readonly from: string;
  readonly to: string;
  readonly partner: string | undefined;
  /** Every day, ascending, also without anything. */
  readonly days: readonly FunnelRow[];
  /** Most searches first. */
  readonly partners: readonly FunnelRow[];
  readonly total: FunnelRow;
  /** As `attribution --drift`. */
  readonly drift: readonly PriceDrift[];
}

export async function readFunnel(
  { storage, clock, keptDays }: PagePorts,
  { query }: PageQuestion,
): Promise<FunnelShown> {
  const { from, to } = readDays(query, clock());
  const partnerId = readName(query, 'partner');
  const rows = await reportAttribution(storage, { from, to, partnerId });
  const demand = await keptDays.read(`partners ${partnerId ?? ''}`, { from, to }, (days) =>
    reportPartnerDemand(storage, { ...days, partnerId }),
  );
  const counted = [...rows, ...demand];
  const dayNames = Array.from({ length: to - from + 1 }, (_, index) => formatLocalDate(from + index));
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const byPartner = Map.groupBy(counted, (row) => row.partnerId);
  return {
    ...{ rows, from: formatLocalDate(from), to: formatLocalDate(to), partner: partnerId },
    days: dayNames.map((day) => sumUp(day, byDay.get(day) ?? [])),
    partners: [...byPartner]
      .map(([key, own]) => sumUp(key, own))
      .toSorted((one, other) => other.searches - one.searches || other.quotes - one.quotes),
    total: sumUp('', counted),
    drift: await reportPriceDrift(storage, { from, to, partnerId }),
  };
}

function sumUp(key: string, rows: readonly Partial<Record<FunnelColumn, number>>[]): FunnelRow {
  const sums = FUNNEL_COLUMNS.map((column) => [
    column,
    rows.reduce((sum, row) => sum + (row[column] ?? 0), 0),
  ]);
  return { key, ...(Object.fromEntries(sums) as Record<FunnelColumn, number>) };
}
