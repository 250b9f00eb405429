/** Demand of partners by day, for the pages that show it: the days that have ended are read once for all of them. */
import { reportPartnerDemand } from '../../operator/activity/demand-report.ts';
import type { PagePorts } from './console-page.ts';
import type { AskedDays } from './paths.ts';

/** The rows of one partner, or of all partners. */
export async function readPartnerDemand(
  { storage, dayCache }: Pick<PagePorts, 'storage' | 'dayCache'>,
  { from, to }: AskedDays,
  partnerId?: string,
) {
  return dayCache.read(`partners ${partnerId ?? ''}`, { from, to }, (some) =>
    reportPartnerDemand(storage, { ...some, partnerId }),
  );
}
