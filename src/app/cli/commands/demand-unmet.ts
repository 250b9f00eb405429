/** `demand --unmet`: stays that were searched and found nothing, and why. */
import type { Command } from 'commander';
import { firstCheckInAt } from '../../../operator/activity/activity-retention.ts';
import { STAYS_JUDGED_MAX } from '../../../operator/activity/denial-analysis.ts';
import { reportUnmet, UNMET_COLUMNS, unmetLine } from '../../../operator/activity/unmet-report.ts';
import type { Session } from '../terminal/session.ts';
import type { DemandOptions } from './report-options.ts';
import { show } from './shown-rows.ts';

/** Refuses the options that say which searches: it is about stays to come, of all partners. */
export async function printUnmet(demand: Command, session: Session, options: DemandOptions): Promise<void> {
  const { city, csv, limit, from, to, country, partner, by, unknown } = options;
  if ((from ?? to ?? country ?? partner ?? by ?? unknown) !== undefined)
    demand.error('--unmet takes --city, --limit and --csv alone: it is about stays to come, of all partners');
  const checkInFrom = firstCheckInAt(session.clock());
  const unmet = await session.withStorage((storage) => reportUnmet(storage, { city, checkInFrom }));
  const shown = { session, isCsv: csv === true, empty: 'no stays that found nothing', limit };
  show({ ...shown, document: unmet.entries }, UNMET_COLUMNS, unmet.entries.map(unmetLine));
  if (unmet.judgedAtMs !== undefined) {
    const at = new Date(unmet.judgedAtMs).toISOString();
    session.note(`Judged by what is open now, not when it was searched; the oldest line at ${at}.`);
  }
  if (unmet.unjudged > 0)
    session.note(
      `${unmet.unjudged} more stays have no causes: a running service judges the ${STAYS_JUDGED_MAX} most asked.`,
    );
}
