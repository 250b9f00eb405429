import type { Command } from 'commander';
import { calendarRanges } from '../../domain/calendar.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { StoredProperty } from '../../storage/port/catalogue-store.ts';
import type { Storage } from '../../storage/storage.ts';
import { formatPropertyDocument } from '../../supply/native/format-property-document.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import type { Session } from '../terminal/session.ts';

export function addPropertyCommands(property: Command, session: Session): void {
  property
    .command('show')
    .argument('<id>', 'property id')
    .description('print the stored document, its calendars as date ranges')
    .addHelpText(
      'after',
      example('property show hotel-ponte', 'property show hotel-ponte --json | stayport import catalogue -'),
    )
    .action(async (propertyId: string) => {
      const stored = await session.withStorage(async (storage) => getProperty(storage, propertyId));
      const document = documentOf(stored);
      session.answer(document, () => JSON.stringify(document, null, 2));
    });

  property
    .command('withdraw')
    .argument('<id>', 'property id')
    .description('take a property off the API; importing it again brings it back')
    .addHelpText('after', example('property withdraw hotel-ponte'))
    .action(async (propertyId: string) => {
      const stored = await session.withStorage(async (storage) => {
        const found = await getProperty(storage, propertyId);
        await storage.withdrawProperties([propertyId]);
        return found;
      });
      session.answer(documentOf(stored), () => `Property ${propertyId} is withdrawn.`);
    });
}

async function getProperty(storage: Storage, propertyId: string): Promise<StoredProperty> {
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined) throw new CommandFailure(`there is no property ${JSON.stringify(propertyId)}`);
  return stored;
}

/** The document that would import the property again, unchanged. */
function documentOf({ property, calendars }: StoredProperty): object {
  const entries = calendars.map(({ nights, rates }) => calendarRanges(decodeCalendar(nights, rates)));
  return formatPropertyDocument(property, entries);
}
