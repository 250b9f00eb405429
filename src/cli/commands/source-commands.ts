import type { Command } from 'commander';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import { listSources } from '../../supply/sources/list-sources.ts';
import { retireSource } from '../../supply/sources/retire-source.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { notBlank } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

export function addSourceCommands(source: Command, session: Session): void {
  source
    .command('list')
    .description('list the sources of supply, their properties and their last confirmation')
    .addHelpText('after', example('source list'))
    .action(async () => {
      const sources = await session.withStorage(async (storage) => listSources(storage));
      const rows = sources.map((row) => ({ ...row }));
      const empty = 'No source has sent anything yet.';
      session.answer(sources, () => formatTable(['source', 'properties', 'lastConfirmedAt'], rows, empty));
    });
  addRetire(source, session);
}

interface RetireOptions {
  readonly property?: string;
  readonly dryRun?: boolean;
}

function addRetire(source: Command, session: Session): void {
  source
    .command('retire')
    .argument('<source>', 'name of the source, as "source list" shows it')
    .description('delete the calendars of a source; those of other sources apply again')
    .option('--property <id>', 'only this property', notBlank)
    .option('--dry-run', 'say what would be deleted, write nothing')
    .addHelpText(
      'after',
      example('source retire chanel --dry-run', 'source retire chanel --property hotel-ponte'),
    )
    .action(async (name: string, { property: propertyId, dryRun = false }: RetireOptions) => {
      const { clock, random } = session;
      const options = { source: name, propertyId, dryRun };
      const { outcome, mappings } = await session.withStorage(async (storage) => ({
        outcome: await retireSource({ storage, clock, newMessageId: randomMessageIds(random) }, options),
        mappings: await storage.pageSupplyMappings({ source: name, externalKey: '' }, 1, name),
      }));
      if (!outcome.ok) throw new CommandFailure(outcome.problem);
      if (propertyId === undefined && mappings.length > 0) {
        session.note(
          `Its mappings stay; "mapping list --source ${name}" shows them, "mapping delete" deletes one.`,
        );
      }
      const head = dryRun ? 'Dry run: nothing was written.\n' : '';
      session.answer(outcome.value, () => head + formatFields({ ...outcome.value }));
    });
}
