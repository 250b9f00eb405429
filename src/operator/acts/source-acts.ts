/** The sources of supply. */
import { RetiredSchema } from '../../contract/operator/setup-schemas.ts';
import { listSources } from '../../supply/sources/list-sources.ts';
import { retireSource } from '../../supply/sources/retire-source.ts';
import { done } from '../../domain/outcome.ts';
import { act, flag, optional, required } from './act.ts';
import { anyText, supplyId } from './values.ts';

const listSourcesAct = act({
  name: 'source list',
  right: 'viewer',
  about: 'list the sources of supply, their properties and their last confirmation',
  input: {},
  examples: ['source list'],
  audit: 'reads',
  run: async ({ storage }) => done(await listSources(storage)),
  print: {
    columns: ['source', 'properties', 'lastConfirmedAt'],
    empty: 'No source has sent anything yet.',
  },
});

export const retireSourceAct = act({
  name: 'source retire',
  right: 'admin',
  about: 'delete the calendars of a source; those of other sources apply again',
  input: {
    source: required(anyText, '<source>', 'name of the source, as "source list" shows it'),
    propertyId: optional(supplyId, '--property <id>', 'only this property'),
    dryRun: flag('--dry-run', 'say what would be deleted, write nothing'),
  },
  examples: ['source retire chanel --dry-run', 'source retire chanel --property hotel-ponte'],
  audit: ({ source }) => source,
  async run(ports, { source, propertyId, dryRun = false }) {
    const retired = await retireSource(ports, { source, propertyId, dryRun });
    if (retired.ok) {
      const { properties, nights } = retired.value;
      ports.tell({ properties, nights }, { properties: 0, nights: 0, ...(propertyId && { propertyId }) });
    }
    if (!retired.ok || propertyId !== undefined) return retired;
    const mappings = await ports.storage.pageSupplyMappings({ source, externalKey: '' }, 1, source);
    if (mappings.length > 0)
      ports.note('Its mappings stay: the list of mappings shows them, and each can be deleted.');
    return retired;
  },
  print: 'fields',
  http: {
    operationId: 'retireSupplySource',
    route: 'DELETE /supply/v1/sources/{source}',
    summary: 'Retire a source',
    description:
      'Deletes what the source has set and confirmed; what others set applies again. Refused if it owns a document ' +
      '(withdraw the property) or is a subscribed calendar (unsubscribe it). Its mappings stay.',
    success: [200, 'Retired.', RetiredSchema],
    problemCodes: ['SUPPLY_NOT_FOUND', 'SUPPLY_CONFLICT'],
  },
});

export const SOURCE_ACTS = [listSourcesAct, retireSourceAct];
