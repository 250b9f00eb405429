/** Names of other systems, and the inventory types that they mean. */
import { MappingDeletedSchema } from '../../contract/operator/setup-schemas.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { readMappingFile } from '../../supply/mapping/mapping-file.ts';
import { readMapping } from '../../supply/mapping/read-mapping.ts';
import { done, refuse } from '../../domain/outcome.ts';
import { connectionOf } from '../../domain/layers.ts';
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { readMappingsAnew } from '../../supply/connections/connection-changes.ts';
import { makeRoomCheck } from '../../supply/connections/check-rooms.ts';
import { inTurnOfAccount } from './connection-acts.ts';
import { act, type ActPorts, optional, required } from './act.ts';
import { anyText, notBlank, mappedSource } from './values.ts';
import { messageOf } from '../../runtime/message-of.ts';

/** Mappings of one transaction. */
const BATCH_MAX = 1_000;
const SOURCE = 'the source that uses the name';
const EXTERNAL_NAME = 'its name: a room_type_id or rate_plan_id';

export const setMappingAct = act({
  name: 'mapping set',
  right: 'admin',
  about: 'map a name of another system to an inventory type',
  input: {
    source: required(mappedSource, '--source <name>', SOURCE),
    external: required(notBlank, '--external <key>', EXTERNAL_NAME),
    property: required(notBlank, '--property <id>', 'property id'),
    type: required(notBlank, '--type <id>', 'inventory type id'),
  },
  examples: [
    'mapping set --source channex --external 994d1375-dbbd-4072 --property hotel-ponte --type double',
  ],
  audit: ({ source, external }) => `${source} ${external}`,
  async run(ports, written) {
    const read = readMapping(written);
    if (!read.ok) return refuse(new Wrong('optionWrong', { option: read.field, wrong: read.reason }));
    const wrong = await makeRoomCheck(ports.storage)(read.mapping);
    if (wrong !== undefined) return refuse(new Wrong('mappingRefused', { why: wrong }));
    const before = await findTarget(ports, read.mapping);
    await ports.storage.putSupplyMappings([read.mapping]);
    ports.tell(before, targetOf(read.mapping));
    await settleRooms(ports, read.mapping.source);
    await noteDoubts(ports, read.mapping);
    return done(read.mapping);
  },
  print: 'fields',
});

const listMappingsAct = act({
  name: 'mapping list',
  right: 'viewer',
  about: 'list the mappings',
  input: { source: optional(notBlank, '--source <name>', 'only this source') },
  examples: ['mapping list --source channex'],
  audit: 'reads',
  run: async ({ storage }, { source }) => done(await storage.listSupplyMappings(source)),
  print: {
    columns: ['source', 'externalKey', 'propertyId', 'inventoryTypeId'],
    empty: 'There are no mappings yet; "stayport mapping set" makes one.',
  },
});

const importMappingsAct = act({
  name: 'mapping import',
  right: 'admin',
  about: 'set mappings from a file; wrong rows are reported, the others are written',
  input: {
    file: required(
      anyText,
      '<file>',
      'CSV with the columns external, property, type, and source unless --source is given',
    ),
    source: optional(mappedSource, '--source <name>', 'the source of rows that name none'),
  },
  examples: ['mapping import rooms.csv --source channex'],
  audit: ({ file }) => file,
  async run(ports, { file, source }) {
    const { storage, note, tell } = ports;
    const sources = new Set<string>();
    const checkRoom = makeRoomCheck(storage);
    let batch: SupplyMapping[] = [];
    let read = 0;
    let rejected = 0;
    try {
      for await (const { line, mapping, reason } of readMappingFile(file, source)) {
        read += 1;
        const wrong = mapping === undefined ? undefined : await checkRoom(mapping);
        if (mapping === undefined || wrong !== undefined) {
          rejected += 1;
          note(`${file}:${line}: ${wrong === undefined ? reason : inEnglish(wrong)}`);
        } else {
          batch.push(mapping);
          sources.add(mapping.source);
        }
        if (batch.length < BATCH_MAX) continue;
        await storage.putSupplyMappings(batch);
        batch = [];
      }
    } catch (error) {
      return refuse(new Wrong('fileOfMappings', { file, why: messageOf(error), count: read }));
    }
    if (batch.length > 0) await storage.putSupplyMappings(batch);
    for (const one of sources) await settleRooms(ports, one);
    tell(null, { set: read - rejected, rejected });
    return done({ read, set: read - rejected, rejected });
  },
  print: 'fields',
});

export const deleteMappingAct = act({
  name: 'mapping delete',
  right: 'admin',
  about: 'delete a mapping',
  input: {
    source: required(notBlank, '--source <name>', SOURCE),
    externalKey: required(notBlank, '--external <key>', EXTERNAL_NAME),
  },
  examples: ['mapping delete --source channex --external 994d1375-dbbd-4072'],
  audit: ({ source, externalKey }) => `${source} ${externalKey}`,
  async run(ports, { source, externalKey }) {
    const before = await findTarget(ports, { source, externalKey });
    if (await ports.storage.deleteSupplyMapping(source, externalKey)) {
      ports.tell(before, 'done');
      await settleRooms(ports, source);
      return done({ source, externalKey });
    }
    return refuse(
      new Wrong('unknownMapping', { source: JSON.stringify(source), key: JSON.stringify(externalKey) }),
      'unknown',
    );
  },
  print: (_, { externalKey }) => `The mapping of ${externalKey} is deleted.`,
  http: {
    operationId: 'deleteSupplyMapping',
    route: 'DELETE /supply/v1/mappings/{externalKey}',
    summary: 'Delete a mapping',
    description: 'The name is no longer mapped.',
    success: [200, 'Deleted.', MappingDeletedSchema],
    problemCodes: ['SUPPLY_NOT_FOUND'],
    unknown: 'The source has no mapping of this name.',
  },
});

export const MAPPING_ACTS = [setMappingAct, listMappingsAct, importMappingsAct, deleteMappingAct];

/** The rooms of a connection, where it is one: layers of mappings that ended are deleted, and it is read at once. */
async function settleRooms(ports: ActPorts, source: string): Promise<void> {
  const connection = connectionOf(source);
  if (connection === undefined) return;
  const { name } = connection;
  await inTurnOfAccount(ports, name, (deps) => readMappingsAnew(deps, name));
}

/** Null: not mapped. */
async function findTarget(
  { storage }: ActPorts,
  { source, externalKey }: Pick<SupplyMapping, 'source' | 'externalKey'>,
) {
  const [mapped] = await storage.findSupplyMappings(source, [externalKey]);
  return mapped === undefined ? null : targetOf(mapped);
}

function targetOf({ propertyId, inventoryTypeId }: SupplyMapping) {
  return { propertyId, inventoryTypeId };
}

/** Says what the operator may not have meant; the mapping is stored all the same. */
async function noteDoubts({ storage, note }: ActPorts, mapping: SupplyMapping): Promise<void> {
  const { source, externalKey, propertyId, inventoryTypeId } = mapping;
  const stored = await storage.findProperty(propertyId);
  const types = stored?.property.inventoryTypes.map((type) => type.inventoryTypeId);
  if (types === undefined)
    note(`There is no property ${propertyId} yet; the mapping applies once it is imported.`);
  else if (!types.includes(inventoryTypeId))
    note(`The property ${propertyId} has no inventory type ${inventoryTypeId} yet.`);
  const others = (await storage.listSupplyMappings(source)).filter(
    (other) =>
      other.propertyId === propertyId &&
      other.inventoryTypeId === inventoryTypeId &&
      other.externalKey !== externalKey,
  );
  if (others.length === 0) return;
  const names = others.map((other) => other.externalKey).join(', ');
  note(`This type is also mapped from ${names}: where both set a night, the later message applies.`);
}
