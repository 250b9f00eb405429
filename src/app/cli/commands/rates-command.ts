/** `import rates`: prices, units and restrictions from a spreadsheet. */
import type { Command } from 'commander';
import { FIELDS } from '../../../domain/calendar-fields.ts';
import { randomMessageIds } from '../../../storage/supply/message-id.ts';
import { STANDARD_INPUT } from '../../../supply/native/catalogue-file.ts';
import { importRates, type RatesResult } from '../../../supply/rates/import-rates.ts';
import { ByteSource } from '../../../supply/text/byte-source.ts';
import { spoolToFile } from '../../../supply/text/spooled-file.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { sourceName } from '../terminal/option-values.ts';
import { openProgress } from '../terminal/progress.ts';
import { formatFields } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';
import { describeRejection, describeWarning } from './import-work.ts';
import { presentChanges } from '../../../supply/manual-override/present-changes.ts';
import { describeChanges } from '../../../back-office/acts/readable-changes.ts';

interface RatesOptions {
  readonly source: string;
  readonly dryRun?: true;
  readonly strict?: true;
}

const COLUMNS_HELP = `
Columns: propertyId, inventoryTypeId, dateFrom, dateTo (the last night), and any of weekdays,
${FIELDS.slice(0, 5).join(', ')},
${FIELDS.slice(5).join(', ')}.
An empty cell leaves a field as it is, null clears it. Amounts have a point: 120.50.
ratesByGuests is written "1:80.00 2:100.00", weekdays "fri sat". A later row overrides an earlier one.`;

export function addRatesImport(importing: Command, session: Session): void {
  importing
    .command('rates')
    .argument('<file>', 'CSV with semicolons or commas, gzip accepted; "-" is standard input')
    .description('update rates, units and restrictions from a spreadsheet')
    .option(
      '--source <name>',
      'source whose calendars change; prices apply from the price source only',
      sourceName,
      'catalogue',
    )
    .option('--dry-run', 'show old and new values of each night, write nothing')
    .option('--strict', 'write nothing when any row is rejected')
    .addHelpText('after', COLUMNS_HELP)
    .addHelpText(
      'after',
      example('import rates winter.csv --dry-run', 'import rates winter.csv --source pms'),
    )
    .action(async (file: string, options: RatesOptions) =>
      answer(session, options, await run(session, file, options)),
    );
}

async function run(session: Session, file: string, options: RatesOptions): Promise<RatesResult> {
  const display = openProgress('importing', 'rows');
  const spooled =
    file === STANDARD_INPUT && options.strict === true ? await spoolToFile(process.stdin) : undefined;
  const bytes =
    file === STANDARD_INPUT ? new ByteSource('stdin', spooled?.path ?? process.stdin) : new ByteSource(file);
  try {
    return await session.withStorage(
      async (storage) =>
        importRates(bytes, {
          storage,
          clock: session.clock,
          source: options.source,
          newMessageId: randomMessageIds(session.random),
          horizonNights: session.settings().horizonNights,
          dryRun: options.dryRun === true,
          strict: options.strict === true,
          onWarning: (warning) => display.note(describeWarning(warning)),
          onRejection: (rejection) => display.note(describeRejection(rejection)),
          onProgress: (progress) => display.update(progress),
        }),
      { writesMuch: true },
    );
  } finally {
    display.stop();
    await spooled?.remove();
  }
}

/** The summary is an answer also when the import failed: rows before the failure are applied. */
function answer(
  session: Session,
  { dryRun }: RatesOptions,
  { summary, differences, failure }: RatesResult,
): void {
  if (dryRun === true) {
    const changes = presentChanges(differences);
    session.answer({ ...summary, ...changes }, () =>
      ['Dry run: nothing was written.', describeChanges(changes), formatFields({ ...summary })].join('\n'),
    );
  } else session.answer(summary, () => formatFields({ ...summary }));
  if (failure !== undefined) throw new CommandFailure(failure);
}
