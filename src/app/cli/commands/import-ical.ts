import type { Command } from 'commander';
import { importCalendar, readCalendarFile } from '../../../supply/ical/import-calendar.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { notBlank, sourceName } from '../terminal/option-values.ts';
import { formatFields } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';
import { portsOf } from './act-commands.ts';

interface IcalOptions {
  readonly property: string;
  readonly type: string;
  readonly source: string;
  readonly dryRun?: true;
}

export function addIcalImport(importing: Command, session: Session): void {
  importing
    .command('ical')
    .argument('<file>', 'an iCalendar file (.ics); "-" is standard input')
    .description('close the nights that a calendar closes, in place of those that its source closed before')
    .requiredOption('--property <id>', 'property', notBlank)
    .requiredOption('--type <id>', 'inventory type', notBlank)
    .option('--source <name>', 'source that the calendar belongs to', sourceName, 'ical')
    .option('--dry-run', 'say what would change, write nothing')
    .addHelpText('after', example('import ical bookings.ics --property hotel-ponte --type double'))
    .action(async (file: string, options: IcalOptions) => {
      const bytes = unwrap(await readCalendarFile(file, process.stdin));
      const { property: propertyId, type: inventoryTypeId, source } = options;
      const dryRun = options.dryRun === true;
      const imported = await session.withStorage(async (storage) =>
        importCalendar(await portsOf(session, storage), { propertyId, inventoryTypeId, source }, bytes, {
          dryRun,
        }),
      );
      const summary = unwrap(imported);
      const head = dryRun ? 'Dry run: nothing was written.\n' : '';
      session.answer(summary, () => head + formatFields({ ...summary }));
    });
}
