/** `import rates`: prices, units and restrictions from a spreadsheet. */
import { inEnglish, sayAlone } from '../../../domain/wrong.ts';
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
import { MistakeList } from '../../../supply/run/mistake-list.ts';
import {
  formatSetByHand,
  formatMistakes,
  formatWarning,
  sheetAnswer,
  sheetChoices,
  sheetFields,
  type SheetOptions,
  withSheetOptions,
} from './import-work.ts';
import { presentChanges } from '../../../supply/manual-override/present-changes.ts';
import { formatChanges } from '../../../operator/acts/readable-changes.ts';

interface RatesOptions extends SheetOptions {
  readonly source: string;
  readonly dryRun?: true;
  readonly strict?: true;
}

const COLUMNS_HELP = `
Columns: propertyId, inventoryTypeId, dateFrom, dateTo (the last night), and any of weekdays,
${FIELDS.slice(0, 5).join(', ')},
${FIELDS.slice(5).join(', ')}.
An empty cell leaves a field as it is, null clears it. Amounts have a point: 120.50. Where semicolons or tabs separate
cells, 1.234,50 is 1234.50 and 31/12/2026 is 2026-12-31. ratesByGuests is written "1:80.00 2:100.00", weekdays "fri sat". A later row overrides an earlier one.`;

export function addRatesImport(importing: Command, session: Session): void {
  withSheetOptions(importing.command('rates'))
    .argument('<file>', '.xlsx, or CSV with commas, semicolons or tabs; gzip accepted; "-" is standard input')
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
      example(
        'import rates winter.xlsx --sheet Tariffe --dry-run',
        'import rates winter.csv --ignore-columns --json',
        'import rates winter.csv --source pms --strict',
      ),
    )
    .action(async (file: string, options: RatesOptions) =>
      answer(session, file, options, await run(session, file, options)),
    );
}

type VisibleResult = RatesResult & { readonly mistakes: MistakeList };

async function run(session: Session, file: string, options: RatesOptions): Promise<VisibleResult> {
  const display = openProgress('importing', 'rows');
  const mistakes = new MistakeList();
  // A sheet is read several times.
  const spooled = file === STANDARD_INPUT ? await spoolToFile(process.stdin) : undefined;
  const bytes = spooled === undefined ? new ByteSource(file) : new ByteSource('stdin', spooled.path);
  try {
    const result = await session.withStorage(
      async (storage) =>
        importRates(bytes, {
          storage,
          clock: session.clock,
          source: options.source,
          newMessageId: randomMessageIds(session.random),
          horizonNights: session.settings().horizonNights,
          dryRun: options.dryRun === true,
          strict: options.strict === true,
          onWarning: (warning) => display.note(formatWarning(warning)),
          ...sheetChoices(options),
          onNotice: (notice) => display.note(sayAlone(notice, 'en-GB')),
          onRejection: (rejection) => mistakes.add(rejection),
          onProgress: (progress) => display.update(progress),
        }),
      { writesMuch: true },
    );
    return { ...result, mistakes };
  } finally {
    display.stop();
    await spooled?.remove();
  }
}

/** The summary is an answer also when the import failed: rows before the failure are applied. */
function answer(
  session: Session,
  file: string,
  { dryRun }: RatesOptions,
  { summary, differences, byHand, failure, sheet, mistakes }: VisibleResult,
): void {
  const name = file === STANDARD_INPUT ? 'stdin' : file;
  for (const line of formatMistakes(name, mistakes)) session.note(line);
  const facts = { ...summary, ...sheetAnswer(sheet, mistakes) };
  const fields = formatFields({ ...summary, ...sheetFields(sheet) });
  if (dryRun === true) {
    const changes = presentChanges(differences);
    session.answer({ ...facts, ...changes, ...byHand }, () =>
      ['Dry run: nothing was written.', formatChanges(changes), ...formatSetByHand(byHand), fields].join(
        '\n',
      ),
    );
  } else session.answer(facts, () => fields);
  if (failure !== undefined) throw new CommandFailure(inEnglish(failure));
}
