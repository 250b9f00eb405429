import type { Command } from 'commander';
import { ATTRIBUTION_COLUMNS, reportAttribution } from '../../../traveller/attribution/attribution-report.ts';
import { PRICE_DRIFT_COLUMNS, reportPriceDrift } from '../../../traveller/attribution/price-drift.ts';
import type { EpochDay } from '../../../domain/local-date.ts';
import { formatCsv } from '../terminal/csv.ts';
import { example, helpLines } from '../terminal/example.ts';
import { localDate } from '../terminal/option-values.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface AttributionOptions {
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly partner?: string;
  readonly drift?: true;
  readonly csv?: true;
}

export function configureAttribution(attribution: Command, session: Session): void {
  attribution
    .requiredOption('--from <date>', 'first day, UTC', localDate)
    .requiredOption('--to <date>', 'last day, UTC', localDate)
    .option('--partner <id>', 'only this partner')
    .option('--drift', 'how often prices had changed when pages were opened, by the age of the quote')
    .option('--csv', 'print lines for a spreadsheet')
    .addHelpText(
      'after',
      helpLines(
        'Rows are by the day of the quote; later visits count there. Days stay when quotes are deleted.',
        example(
          'attribution --from 2026-11-01 --to 2026-11-30 --partner acme --csv',
          'attribution --from 2026-11-01 --to 2026-11-30 --drift',
        ),
      ),
    )
    .action(async ({ from, to, partner: partnerId, drift, csv }: AttributionOptions) => {
      if (to < from) attribution.error('--to must not be before --from');
      const question = { from, to, partnerId };
      if (drift) {
        const ages = await session.withStorage((storage) => reportPriceDrift(storage, question));
        if (csv) return session.answerFile(ages, () => formatCsv(PRICE_DRIFT_COLUMNS, ages));
        return session.answer(ages, () => formatTable(PRICE_DRIFT_COLUMNS, ages, ''));
      }
      const days = await session.withStorage((storage) => reportAttribution(storage, question));
      if (csv) session.answerFile(days, () => formatCsv(ATTRIBUTION_COLUMNS, days));
      else session.answer(days, () => formatTable(ATTRIBUTION_COLUMNS, days, 'no quotes in these days'));
    });
}
