/** The commands `traffic` and `demand`. `requests` has its own file. */
import type { Command } from 'commander';
import {
  DEMAND_COLUMNS,
  DEMAND_SUM_COLUMNS,
  reportDemandByDay,
  reportDemandSums,
  reportUnknownPlaces,
  UNKNOWN_COLUMNS,
} from '../../../operator/activity/demand-report.ts';
import {
  reportTrafficByDay,
  reportTrafficSums,
  TRAFFIC_COLUMNS,
  TRAFFIC_SUM_COLUMNS,
} from '../../../operator/activity/traffic-report.ts';
import { utcDay } from '../../../domain/local-date.ts';
import type { DemandName, TrafficName } from '../../../storage/activity/store.ts';
import type { Storage } from '../../../storage/storage.ts';
import { formatCsv, formatCsvRows } from '../terminal/csv.ts';
import { example, helpLines } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { countryCode, localDate, oneOf, wholeNumber } from '../terminal/option-values.ts';
import type { Session } from '../terminal/session.ts';
import type { DemandOptions, ReportOptions } from './report-options.ts';
import { type Line, show } from './shown-rows.ts';

/** Rows of one answer at most. */
export const REPORT_ROWS_MAX = 200_000;
/** Days shown by default. */
const TRAFFIC_DAYS_SHOWN = 2;
const DEMAND_DAYS_SHOWN = 30;

/** Lines of a table; files have all rows. */
const LINES_SHOWN = 50;
const LINES_SHOWN_MAX = 10_000;

/** The groupings of `--by`. A city belongs to its country. */
const DEMAND_BY: Readonly<Record<string, readonly DemandName[]>> = {
  city: ['city', 'country'],
  country: ['country'],
  week: ['arrivalWeek'],
  nights: ['nights'],
  guests: ['guests'],
  partner: ['partnerId'],
  day: ['day'],
};
const TRAFFIC_BY: Readonly<Record<string, readonly TrafficName[]>> = {
  partner: ['partnerId'],
  credential: ['credentialId'],
  operation: ['operation'],
  code: ['code'],
  day: ['day'],
};

export function configureTraffic(traffic: Command, session: Session): void {
  addDays(traffic, TRAFFIC_BY)
    .addHelpText(
      'after',
      helpLines(
        'Sums for each partner, or for each of the names after --by; today and yesterday (UTC) unless --from and --to say otherwise.',
        '--json and --csv without --by print every row: by minute for 48 hours, then by day.',
        example(
          'traffic --by operation,code',
          'traffic --from 2026-11-01 --to 2026-11-30 --partner acme --csv',
        ),
      ),
    )
    .action(async (options: ReportOptions<TrafficName>) => {
      const {
        partner: partnerId,
        csv,
        limit,
        by = session.isJson() || csv ? undefined : ['partnerId'],
      } = options;
      const question = { ...daysOf(traffic, session, options, TRAFFIC_DAYS_SHOWN), partnerId };
      const shown = { session, isCsv: csv === true, empty: 'no requests in these days', limit };
      if (by === undefined)
        return printAll(session, TRAFFIC_COLUMNS, (storage) => reportTrafficByDay(storage, question));
      const rows = await session.withStorage((storage) => reportTrafficSums(storage, by, question));
      show<Line, string>(shown, [...by, ...TRAFFIC_SUM_COLUMNS], rows);
    });
}

export function configureDemand(demand: Command, session: Session): void {
  addDays(demand, DEMAND_BY)
    .option('--city <name>', 'only this city')
    .option('--country <code>', 'only this country', countryCode)
    .option('--unknown', 'places that partners searched for and that do not exist here')
    .option('--unmet', 'stays that were searched and found nothing, why, and the nearest opening')
    .addHelpText(
      'after',
      helpLines(
        'Sums of searches with dates for each city, or for each of the names after --by; most searches without result first;',
        'the last 30 days (UTC) unless --from and --to say otherwise. --json and --csv without --by print every row.',
        example(
          'demand --city Venezia --by week',
          'demand --from 2026-11-01 --to 2026-11-30 --csv',
          'demand --unknown',
        ),
        '',
        '--unmet shows whether stays to come are open now, not whether they were when somebody searched.',
        example('demand --unmet --city Venezia'),
      ),
    )
    .action(async (options: DemandOptions) => {
      if (options.unmet === true) {
        const { printUnmet } = await import('./demand-unmet.ts');
        return printUnmet(demand, session, options);
      }
      if (options.unknown === true) return printUnknown(demand, session, options);
      const { city, country, partner: partnerId, csv, limit } = options;
      const by = options.by ?? (session.isJson() || csv ? undefined : DEMAND_BY['city']);
      const question = { ...daysOf(demand, session, options, DEMAND_DAYS_SHOWN), city, country, partnerId };
      if (by === undefined)
        return printAll(session, DEMAND_COLUMNS, (storage) => reportDemandByDay(storage, question));
      const rows = await session.withStorage((storage) => reportDemandSums(storage, by, question));
      const shown = { session, isCsv: csv === true, empty: 'no searches in these days', limit };
      show<Line, string>(shown, [...by, ...DEMAND_SUM_COLUMNS], rows);
    });
}

async function printUnknown(demand: Command, session: Session, options: DemandOptions): Promise<void> {
  const { city, country, partner, by, csv, limit } = options;
  if ((city ?? country ?? partner ?? by) !== undefined)
    demand.error('--unknown takes no --city, --country, --partner or --by: places are counted by name alone');
  const days = daysOf(demand, session, options, DEMAND_DAYS_SHOWN);
  const rows = await session.withStorage((storage) =>
    reportUnknownPlaces(storage, { ...days, rowsMax: REPORT_ROWS_MAX + 1 }),
  );
  if (rows.length > REPORT_ROWS_MAX)
    throw new CommandFailure(`more than ${REPORT_ROWS_MAX} rows: ask for fewer days with --from and --to`);
  show(
    { session, isCsv: csv === true, empty: 'no unknown places in these days', limit },
    UNKNOWN_COLUMNS,
    rows,
  );
}

function addDays<Name extends string>(
  command: Command,
  choices: Readonly<Record<string, readonly Name[]>>,
): Command {
  const names = Object.keys(choices).join(', ');
  return command
    .option('--from <date>', 'first day, UTC', localDate)
    .option('--to <date>', 'last day, UTC', localDate)
    .option('--partner <id>', 'only this partner')
    .option('--by <names>', `sums for each of these, with commas: ${names}`, someOf(choices))
    .option('--limit <count>', 'so many lines of the table', wholeNumber(1, LINES_SHOWN_MAX), LINES_SHOWN)
    .option('--csv', 'print lines for a spreadsheet');
}

function someOf<Name extends string>(choices: Readonly<Record<string, readonly Name[]>>) {
  return (text: string): readonly Name[] => [
    ...new Set(text.split(',').flatMap((name) => choices[oneOf(Object.keys(choices))(name)]!)),
  ];
}

function daysOf(
  command: Command,
  session: Session,
  { from, to }: Pick<DemandOptions, 'from' | 'to'>,
  shown: number,
) {
  const last = to ?? Math.max(utcDay(session.clock()), from ?? 0);
  const first = from ?? last - shown + 1;
  if (last < first) command.error('--to must not be before --from');
  return { from: first, to: last };
}

/** Prints every row, for programs: the first are printed while others are still being read. */
function printAll<Row extends Readonly<Record<Column, string | number | null>>, Column extends string>(
  session: Session,
  columns: readonly Column[],
  read: (storage: Storage) => AsyncIterable<readonly Row[]>,
): Promise<void> {
  return session.withStorage((storage) =>
    session.answerRows(read(storage), (rows, isFirst) =>
      isFirst ? formatCsv(columns, rows) : formatCsvRows(columns, rows),
    ),
  );
}
