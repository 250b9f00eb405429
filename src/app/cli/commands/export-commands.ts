/** `export catalogue` and `template catalogue`. */
import type { Command } from 'commander';
import { findReservedReason } from '../../../domain/layers.ts';
import { STANDARD_SOURCE } from '../../../supply/native/catalogue-file.ts';
import { listSources } from '../../../supply/sources/list-sources.ts';
import { exportCatalogue } from '../../../supply/spreadsheet/export-catalogue.ts';
import {
  spreadsheetHeader,
  spreadsheetRows,
  spreadsheetTemplate,
} from '../../../supply/spreadsheet/write-catalogue.ts';
import { example, helpLines } from '../terminal/example.ts';
import { oneOf, storedSourceName } from '../terminal/option-values.ts';
import type { Session } from '../terminal/session.ts';

const SEPARATORS = { comma: ',', semicolon: ';' } as const;
type SeparatorName = keyof typeof SEPARATORS;
const SEPARATOR_NAMES = Object.keys(SEPARATORS);
const SEPARATOR_ABOUT = 'csv: comma, or semicolon for spreadsheet programs of countries with decimal commas';

interface ExportOptions {
  readonly format: 'ndjson' | 'csv';
  readonly source: string;
  readonly calendars?: boolean;
  readonly separator: SeparatorName;
}

export function addExportCommands(exporting: Command, session: Session): void {
  exporting
    .command('catalogue')
    .description('print the properties of a source as a file that "import catalogue" reads back')
    .option('--format <format>', 'ndjson, or csv for a spreadsheet', oneOf(['ndjson', 'csv']), 'ndjson')
    .option('--source <name>', 'properties of this source only', storedSourceName, STANDARD_SOURCE)
    .option('--separator <name>', SEPARATOR_ABOUT, oneOf(SEPARATOR_NAMES), 'comma')
    .option('--calendars', 'csv: with the calendars, in cells that may be too long for a spreadsheet')
    .addHelpText(
      'after',
      helpLines(
        'Without its calendars, a spreadsheet leaves them as they are when it is imported.',
        example(
          'export catalogue --format csv > properties.csv',
          'export catalogue --source pms | gzip > pms.ndjson.gz',
        ),
      ),
    )
    .action(async ({ format, source, calendars = false, separator }: ExportOptions) => {
      const columns = { withCalendars: calendars, separator: SEPARATORS[separator] };
      await session.withStorage(async (storage) => {
        const others = (await listSources(storage)).filter(
          (row) =>
            row.properties > 0 && row.source !== source && findReservedReason(row.source) === undefined,
        );
        if (others.length > 0)
          session.note(
            `Only properties of the source "${source}". Others have --source ${others.map((row) => row.source).join(', ')}.`,
          );
        await session.answerRows(exportCatalogue(storage, source), (documents, isFirst) => {
          if (format === 'ndjson')
            return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
          if (isFirst) return spreadsheetHeader(columns);
          return documents.map((document) => spreadsheetRows(document, columns)).join('');
        });
      });
    });
}

export function addTemplateCommands(template: Command, session: Session): void {
  template
    .command('catalogue')
    .description('print an empty catalogue for a spreadsheet: the columns, and two rows to write over')
    .option('--separator <name>', SEPARATOR_ABOUT, oneOf(SEPARATOR_NAMES), 'comma')
    .addHelpText('after', example('template catalogue > properties.csv'))
    .action(({ separator }: Pick<ExportOptions, 'separator'>) => {
      const file = spreadsheetTemplate({ separator: SEPARATORS[separator] });
      session.answerFile({ file }, () => file);
    });
}
