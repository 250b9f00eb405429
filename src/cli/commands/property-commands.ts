import type { Command } from 'commander';
import type { LayeredStored } from '../../storage/supply/store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { JsonObject } from '../../domain/document/document-fields.ts';
import { CALENDARS_OF } from '../../supply/native/property-document.ts';
import { showCombined, showLayer, sourcesOf } from '../../supply/native/shown-document.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import type { Session } from '../terminal/session.ts';

export function addPropertyCommands(property: Command, session: Session): void {
  property
    .command('show')
    .argument('<id>', 'property id')
    .description('print the stored document; its calendars are date ranges, with all sources combined')
    .option(
      '--source <name>',
      'only the calendars of this source; what the owning source has set can be imported again',
    )
    .addHelpText(
      'after',
      example(
        'property show hotel-ponte',
        'property show hotel-ponte --source pms --json | stayport import catalogue - --source pms',
      ),
    )
    .action(async (propertyId: string, { source }: { source?: string }) => {
      const layered = await session.withStorage(async (storage) => getProperty(storage, propertyId));
      const document = source === undefined ? showCombined(layered) : layerOf(layered, source);
      if (source === undefined && Object.hasOwn(document, CALENDARS_OF)) session.note(combinedNote(layered));
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
      session.answer(showCombined(stored), () => `Property ${propertyId} is withdrawn.`);
    });
}

async function getProperty(storage: Storage, propertyId: string): Promise<LayeredStored> {
  const layered = await storage.findLayers(propertyId);
  if (layered === undefined) throw new CommandFailure(`there is no property ${JSON.stringify(propertyId)}`);
  return layered;
}

function layerOf(layered: LayeredStored, source: string): JsonObject {
  const { source: owner, property } = layered.stored;
  const sources = sourcesOf(layered);
  if (source === owner || sources.includes(source)) return showLayer(layered, source);
  const known = sources.map((name) => JSON.stringify(name)).join(', ') || 'none';
  const { propertyId } = property;
  throw new CommandFailure(
    `${JSON.stringify(source)} has set nothing of ${propertyId}; these have: ${known}`,
  );
}

function combinedNote({ stored: { source, property } }: LayeredStored): string {
  const owner = /^[\w.-]+$/.test(source) ? source : JSON.stringify(source);
  return (
    'These are the calendars that partners see. To print what can be imported again, run ' +
    `"stayport property show ${property.propertyId} --source ${owner}".`
  );
}
