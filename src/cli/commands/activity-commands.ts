/** What happened: `requests`, `traffic`, `demand`. */
import { type Command, InvalidArgumentError } from 'commander';
import {
  DEMAND_COLUMNS,
  reportDemand,
  reportUnknownPlaces,
  UNKNOWN_COLUMNS,
} from '../../activity/demand-report.ts';
import { REQUEST_COLUMNS, reportRequests } from '../../activity/request-report.ts';
import { reportTraffic, TRAFFIC_COLUMNS } from '../../activity/traffic-report.ts';
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { type EpochDay, utcDay } from '../../domain/local-date.ts';
import type { Storage } from '../../storage/storage.ts';
import { formatCsv } from '../terminal/csv.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { countryCode, duration, localDate, oneOf, wholeNumber } from '../terminal/option-values.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

/** More is not put together for one answer. */
export const REPORT_ROWS_MAX = 200_000;
const REQUESTS_SHOWN_MAX = 10_000;
/** The days that are shown unless others are asked for. */
const TRAFFIC_DAYS_SHOWN = 2;
const DEMAND_DAYS_SHOWN = 30;

interface ReportOptions {
  readonly from?: EpochDay;
  readonly to?: EpochDay;
  readonly partner?: string;
  readonly csv?: true;
}

interface DemandOptions extends ReportOptions {
  readonly city?: string;
  readonly country?: string;
  readonly unknown?: true;
}

interface RequestOptions {
  readonly partner?: string;
  readonly credential?: string;
  readonly operation?: string;
  readonly status?: readonly [number, number];
  readonly code?: string;
  readonly since?: number;
  readonly correlation?: string;
  readonly limit: number;
  readonly csv?: true;
}

export function configureTraffic(traffic: Command, session: Session): void {
  addDays(traffic)
    .addHelpText(
      'after',
      `\nBy minute for 48 hours, then by day (UTC). Today and yesterday unless --from and --to say otherwise.\n${example('traffic --from 2026-11-01 --to 2026-11-30 --partner acme --csv')}`,
    )
    .action(async (options: ReportOptions) => {
      const question = {
        ...daysOf(traffic, session, options, TRAFFIC_DAYS_SHOWN),
        partnerId: options.partner,
      };
      const rows = await report(session, (storage) => reportTraffic(storage, question));
      show(
        { session, isCsv: options.csv === true, empty: 'no requests in these days' },
        TRAFFIC_COLUMNS,
        rows,
      );
    });
}

export function configureDemand(demand: Command, session: Session): void {
  addDays(demand)
    .option('--city <name>', 'only this city')
    .option('--country <code>', 'only this country', countryCode)
    .option('--unknown', 'places that partners searched for and that do not exist here')
    .addHelpText(
      'after',
      `\nSearches with dates by day (UTC); the last 30 days unless --from and --to say otherwise.\n${example('demand --city Venezia --from 2026-11-01 --to 2026-11-30')}\n${example('demand --unknown')}`,
    )
    .action(async (options: DemandOptions) => {
      const days = daysOf(demand, session, options, DEMAND_DAYS_SHOWN);
      const shown = { session, isCsv: options.csv === true, empty: 'no searches in these days' };
      if (options.unknown === true) {
        if ((options.city ?? options.country ?? options.partner) !== undefined)
          demand.error('--unknown takes no --city, --country or --partner: places are counted by name alone');
        const rows = await report(session, (storage) => reportUnknownPlaces(storage, days));
        return show({ ...shown, empty: 'no unknown places in these days' }, UNKNOWN_COLUMNS, rows);
      }
      const { city, country, partner: partnerId } = options;
      const rows = await report(session, (storage) =>
        reportDemand(storage, { ...days, city, country, partnerId }),
      );
      show(shown, DEMAND_COLUMNS, rows);
    });
}

export function configureRequests(requests: Command, session: Session): void {
  requests
    .option('--partner <id>', 'only this partner')
    .option('--credential <id>', 'only this credential')
    .option(
      '--operation <id>',
      'only this operation',
      oneOf(OPERATIONS.map(({ operationId }) => operationId)),
    )
    .option('--status <status>', 'only this status, such as 404, or 4xx', statusRange)
    .option('--code <code>', 'only this code, such as PROPERTY_NOT_FOUND')
    .option('--since <duration>', 'not older, such as 1h', duration)
    .option('--correlation <id>', 'the request with this X-Correlation-ID')
    .option('--limit <count>', 'so many at most', wholeNumber(1, REQUESTS_SHOWN_MAX), 50)
    .option('--csv', 'print lines for a spreadsheet')
    .addHelpText(
      'after',
      `\nNewest first: refused requests (but those of a limit), quotes, and 1 % of the rest.\n${example('requests --partner acme --status 4xx --since 1h')}`,
    )
    .action(async (options: RequestOptions) => {
      const { partner: partnerId, credential: credentialId, operation, status: statuses, code } = options;
      const { since, correlation: correlationId, limit, csv } = options;
      const sinceMs = since === undefined ? undefined : session.clock() - since;
      const names = { partnerId, credentialId, operation, statuses, code, sinceMs, correlationId };
      const rows = await session.withStorage((storage) => reportRequests(storage, { ...names, limit }));
      show({ session, isCsv: csv === true, empty: 'no such requests' }, REQUEST_COLUMNS, rows);
    });
}

function addDays(command: Command): Command {
  return command
    .option('--from <date>', 'first day, UTC', localDate)
    .option('--to <date>', 'last day, UTC', localDate)
    .option('--partner <id>', 'only this partner')
    .option('--csv', 'print lines for a spreadsheet');
}

function daysOf(command: Command, session: Session, { from, to }: ReportOptions, shown: number) {
  const last = to ?? Math.max(utcDay(session.clock()), from ?? 0);
  const first = from ?? last - shown + 1;
  if (last < first) command.error('--to must not be before --from');
  return { from: first, to: last, rowsMax: REPORT_ROWS_MAX + 1 };
}

async function report<Row>(
  session: Session,
  read: (storage: Storage) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows = await session.withStorage(read);
  if (rows.length > REPORT_ROWS_MAX)
    throw new CommandFailure(`more than ${REPORT_ROWS_MAX} rows: ask for fewer days with --from and --to`);
  return rows;
}

interface Shown {
  readonly session: Session;
  readonly isCsv: boolean;
  /** What is said when there are no rows. */
  readonly empty: string;
}

function show<Row extends Readonly<Record<Column, string | number | null>>, Column extends string>(
  { session, isCsv, empty }: Shown,
  columns: readonly Column[],
  rows: readonly Row[],
): void {
  if (isCsv) session.answerFile(rows, () => formatCsv(columns, rows));
  else session.answer(rows, () => formatTable(columns, rows, empty));
}

/** `404` or `4xx`, as first and last status. */
function statusRange(text: string): readonly [number, number] {
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  if (!/^[1-5]\d\d$/.test(text)) throw new InvalidArgumentError('It must be a status such as 404, or 4xx.');
  return [Number(text), Number(text)];
}
