/**
 * `requests`: refused requests, quotes, and a sample of the rest, one by one. Alone of the reports it names the
 * operations, whose schemas take longer to load than the rest of a command.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { parseStatuses, REQUEST_COLUMNS, reportRequests } from '../../../operator/activity/request-report.ts';
import { ALL_OPERATIONS } from '../../../contract/partner/extra-operations.ts';
import { example, helpLines } from '../terminal/example.ts';
import { duration, oneOf, wholeNumber } from '../terminal/option-values.ts';
import type { Session } from '../terminal/session.ts';
import { show } from './shown-rows.ts';

const REQUESTS_SHOWN_MAX = 10_000;

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

export function configureRequests(requests: Command, session: Session): void {
  requests
    .option('--partner <id>', 'only this partner')
    .option('--credential <id>', 'only this credential')
    .option(
      '--operation <id>',
      'only this operation',
      oneOf(ALL_OPERATIONS.map(({ operationId }) => operationId)),
    )
    .option('--status <status>', 'only this status, such as 404, or 4xx', statusRange)
    .option('--code <code>', 'only this code, such as PROPERTY_NOT_FOUND')
    .option('--since <duration>', 'not older, such as 1h', duration)
    .option('--correlation <id>', 'the request with this X-Correlation-ID')
    .option('--limit <count>', 'so many at most', wholeNumber(1, REQUESTS_SHOWN_MAX), 50)
    .option('--csv', 'print lines for a spreadsheet')
    .addHelpText(
      'after',
      helpLines(
        'Newest first: refused requests (but those of a limit), quotes, and 1 % of the rest.',
        example('requests --partner acme --status 4xx --since 1h'),
      ),
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

function statusRange(text: string): readonly [number, number] {
  const statuses = parseStatuses(text);
  if (statuses === undefined) throw new InvalidArgumentError('It must be a status such as 404, or 4xx.');
  return statuses;
}
