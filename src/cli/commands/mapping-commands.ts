import type { Command } from 'commander';
import type { Storage } from '../../storage/storage.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { readMappingFile } from '../../supply/mapping/mapping-file.ts';
import { readMapping, type WrittenMapping } from '../../supply/mapping/read-mapping.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { notBlank, sourceName } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

/** Mappings of one transaction. */
const BATCH_MAX = 1_000;

export function addMappingCommands(mapping: Command, session: Session): void {
  addSet(mapping, session);
  addList(mapping, session);
  addImport(mapping, session);
  addDelete(mapping, session);
}

function addDelete(mapping: Command, session: Session): void {
  mapping
    .command('delete')
    .description('delete a mapping')
    .requiredOption('--source <name>', 'the source that uses the name', notBlank)
    .requiredOption('--external <key>', 'its name: a room_type_id or rate_plan_id', notBlank)
    .addHelpText('after', example('mapping delete --source channex --external 994d1375-dbbd-4072'))
    .action(async ({ source, external: externalKey }: { source: string; external: string }) => {
      const isDeleted = await session.withStorage(async (storage) =>
        storage.deleteSupplyMapping(source, externalKey),
      );
      if (!isDeleted) {
        throw new CommandFailure(
          `the source ${JSON.stringify(source)} has no mapping of ${JSON.stringify(externalKey)}; "mapping list" shows them`,
        );
      }
      session.answer({ source, externalKey }, () => `The mapping of ${externalKey} is deleted.`);
    });
}

function addSet(mapping: Command, session: Session): void {
  mapping
    .command('set')
    .description('map a name of another system to an inventory type')
    .requiredOption('--source <name>', 'the source that uses the name', sourceName)
    .requiredOption('--external <key>', 'its name: a room_type_id or rate_plan_id', notBlank)
    .requiredOption('--property <id>', 'property id', notBlank)
    .requiredOption('--type <id>', 'inventory type id', notBlank)
    .addHelpText(
      'after',
      example(
        'mapping set --source channex --external 994d1375-dbbd-4072 --property hotel-ponte --type double',
      ),
    )
    .action(async (written: WrittenMapping) => {
      const read = readMapping(written);
      if (!read.ok) throw new CommandFailure(`--${read.field} ${read.reason}`);
      await session.withStorage(async (storage) => {
        await storage.putSupplyMappings([read.mapping]);
        for (const note of await notesOn(storage, read.mapping)) session.note(note);
      });
      session.answer(read.mapping, () => formatFields({ ...read.mapping }));
    });
}

/** What the operator may not have meant; the mapping is stored all the same. */
async function notesOn(
  storage: Storage,
  { source, externalKey, propertyId, inventoryTypeId }: SupplyMapping,
) {
  const notes: string[] = [];
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined)
    notes.push(`There is no property ${propertyId} yet; the mapping applies once it is imported.`);
  else if (!stored.property.inventoryTypes.some((type) => type.inventoryTypeId === inventoryTypeId)) {
    notes.push(`The property ${propertyId} has no inventory type ${inventoryTypeId} yet.`);
  }
  const others = (await storage.listSupplyMappings(source)).filter(
    (other) =>
      other.propertyId === propertyId &&
      other.inventoryTypeId === inventoryTypeId &&
      other.externalKey !== externalKey,
  );
  if (others.length > 0) {
    const names = others.map((other) => other.externalKey).join(', ');
    notes.push(`This type is also mapped from ${names}: where both set a night, the later message applies.`);
  }
  return notes;
}

function addList(mapping: Command, session: Session): void {
  mapping
    .command('list')
    .description('list the mappings')
    .option('--source <name>', 'only this source', notBlank)
    .addHelpText('after', example('mapping list --source channex'))
    .action(async ({ source }: { source?: string }) => {
      const mappings = await session.withStorage(async (storage) => storage.listSupplyMappings(source));
      session.answer(mappings, () =>
        formatTable(
          ['source', 'externalKey', 'propertyId', 'inventoryTypeId'],
          mappings.map((row) => ({ ...row })),
          'There are no mappings yet; "stayport mapping set" makes one.',
        ),
      );
    });
}

function addImport(mapping: Command, session: Session): void {
  mapping
    .command('import')
    .argument('<file>', 'CSV with the columns external, property, type, and source unless --source is given')
    .description('set mappings from a file; wrong rows are reported, the others are written')
    .option('--source <name>', 'the source of rows that name none', sourceName)
    .addHelpText('after', example('mapping import rooms.csv --source channex'))
    .action(async (file: string, { source }: { source?: string }) => {
      const counts = await session.withStorage(async (storage) =>
        importFile(session, storage, { file, source }),
      );
      session.answer(counts, () => formatFields({ ...counts }));
    });
}

async function importFile(
  session: Session,
  storage: Storage,
  { file, source }: { readonly file: string; readonly source: string | undefined },
): Promise<{ readonly read: number; readonly set: number; readonly rejected: number }> {
  let batch: SupplyMapping[] = [];
  let read = 0;
  let rejected = 0;
  try {
    for await (const { line, mapping, reason } of readMappingFile(file, source)) {
      read += 1;
      if (mapping === undefined) {
        rejected += 1;
        session.note(`${file}:${line}: ${reason}`);
      } else batch.push(mapping);
      if (batch.length < BATCH_MAX) continue;
      await storage.putSupplyMappings(batch);
      batch = [];
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${file}: ${reason} (after ${read} rows; rows read before that stay written)`);
  }
  if (batch.length > 0) await storage.putSupplyMappings(batch);
  return { read, set: read - rejected, rejected };
}
