/** From search to booking: the rows of `attribution`, with searches and looks from `demand`. */
import { reportAttribution } from '../../../traveller/attribution/attribution-report.ts';
import { reportPriceDrift } from '../../../traveller/attribution/price-drift.ts';
import { readPartnerDemand } from '../../reading/partner-demand.ts';
import { sumMoney } from '../../reading/money-sums.ts';
import { formatLocalDate, utcDay } from '../../../domain/local-date.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { isAnything, isDay, readAsked, readDays } from '../../reading/paths.ts';

/** Before the quote, and what became of it. */
export const FUNNEL_COLUMNS = [
  ...(['searches', 'looks'] as const),
  ...(['quotes', 'opened', 'priceChanged', 'continued', 'converted'] as const),
];

export type FunnelCounts = Readonly<Record<(typeof FUNNEL_COLUMNS)[number], number>>;
export type FunnelShown = ShownBy<typeof readFunnel>;

/** `rows` as `attribution`, `drift` as `attribution --drift`. */
export async function readFunnel(ports: PagePorts, { query }: PageQuestion) {
  const { storage, clock } = ports;
  const { asked, unread } = readAsked(query, { from: isDay, to: isDay, partner: isAnything });
  const { from, to, ...days } = readDays(asked, clock());
  const { partner } = asked;
  const question = { from, to, partnerId: partner };
  const rows = await reportAttribution(storage, question);
  const demand = await readPartnerDemand(ports, question, partner);
  const counted = [...rows, ...demand];
  const dayNames = Array.from({ length: to - from + 1 }, (_, index) => formatLocalDate(from + index));
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const byPartner = Map.groupBy(counted, ({ partnerId }) => partnerId);
  return {
    rows,
    unread: [...unread, ...days.unread],
    asked: { from: formatLocalDate(from), to: formatLocalDate(to), partner },
    // Every day, ascending, also without anything.
    days: dayNames.map((day) => ({ day, ...sumUp(byDay.get(day) ?? []) })),
    partners: [...byPartner]
      .map(([partnerId, own]) => ({ partnerId, ...sumUp(own) }))
      .toSorted((one, other) => other.searches - one.searches || other.quotes - one.quotes),
    total: sumUp(counted),
    /** Booked, by currency. */
    value: sumMoney(rows.map((row) => row.convertedTotals)),
    today: formatLocalDate(utcDay(clock())),
    drift: await reportPriceDrift(storage, question),
  };
}

function sumUp(rows: readonly Partial<FunnelCounts>[]): FunnelCounts {
  const sums = FUNNEL_COLUMNS.map((column) => [
    column,
    rows.reduce((sum, row) => sum + (row[column] ?? 0), 0),
  ]);
  return Object.fromEntries(sums) as FunnelCounts;
}
