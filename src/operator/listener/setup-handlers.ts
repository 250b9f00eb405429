/** The handlers of set-up beside the acts: lists, single reads, and mappings. */
import { DEFAULT_LOCALE, textFor } from '../../domain/property.ts';
import type { ListedProperty } from '../../storage/catalogue/store.ts';
import type { Storage } from '../../storage/storage.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { viewFeed } from '../../supply/ical/feed-changes.ts';
import { viewPublished } from '../../supply/published/publish-changes.ts';
import { listSources } from '../../supply/sources/list-sources.ts';
import { readMapping } from '../../supply/mapping/read-mapping.ts';
import { readMessage } from '../../supply/messages/read-supply.ts';
import * as g from '../../domain/document/grammar.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import type { SetupOperationId } from './operator-table.ts';
import { answerJson } from './present-supply.ts';
import { answerPage, logSetup, pageCursorOf, readBody, refuseSource, type SetupDeps } from './setup-query.ts';
import { nameOf, readSupplyQuery, sourceOf, sourceToRead } from './supply-query.ts';

type Handler = (exchange: OperatorExchange, deps: SetupDeps) => Promise<void>;

const MAPPINGS_MAX = 1_000;
const MAPPINGS_BYTES_MAX = 1024 * 1024;
const MAPPING_TEXT_LENGTH_MAX = 2_000;

/** One for each row of the table, except the acts. */
export function setupHandlers(deps: SetupDeps): Readonly<Record<SetupOperationId, OperatorHook>> {
  const withDeps =
    (handle: Handler): OperatorHook =>
    (exchange) =>
      handle(exchange, deps);
  const unbound = (handle: Handler): OperatorHook =>
    withDeps(async (exchange, own) => {
      if (!refuseSource(exchange)) await handle(exchange, own);
    });
  return {
    listSupplyProperties: withDeps(pages(PROPERTIES)),
    listSupplySources: withDeps(answerSources),
    getSupplyMessage: withDeps(getMessage),
    listSupplyMappings: withDeps(pages(MAPPINGS)),
    putSupplyMappings: withDeps(putMappings),
    listFeeds: unbound(pages(FEEDS)),
    getFeed: unbound(getFeed),
    listPublishedCalendars: unbound(pages(CALENDARS)),
  };
}

/** A list with pages: its name, the fields that order it, and the rows behind a key. */
interface List<Row extends object> {
  readonly name: string;
  readonly key: readonly (keyof Row & string)[];
  readonly read: (
    storage: Storage,
    key: readonly string[],
    most: number,
    source?: string,
  ) => Promise<readonly Row[]>;
  /** A token with a source sees its own rows. */
  readonly isOfSource?: true;
}

function pages<Row extends object>({ name, key, read, isOfSource }: List<Row>): Handler {
  return async (exchange, { acts }) => {
    const query = readSupplyQuery(exchange);
    const source = query && (isOfSource ? sourceToRead(exchange, query) : query['source']);
    if (query === undefined || source === null) return;
    const cursor = pageCursorOf(exchange, query, key.length);
    if (cursor === undefined) return;
    const { limit } = cursor;
    const found = await read(acts.storage, cursor.key, limit + 1, source);
    answerPage(exchange, name, { found, limit }, (row) => key.map((field) => String(row[field])));
  };
}

const PROPERTIES: List<ReturnType<typeof viewProperty>> = {
  name: 'properties',
  key: ['propertyId'],
  read: async (storage, [after = ''], most, source) =>
    (await storage.listProperties(after, most, source)).map(viewProperty),
};

const MAPPINGS: List<SupplyMapping> = {
  name: 'mappings',
  key: ['source', 'externalKey'],
  read: (storage, [ofSource = '', externalKey = ''], most, source) =>
    storage.pageSupplyMappings({ source: ofSource, externalKey }, most, source),
  isOfSource: true,
};

const FEEDS: List<ReturnType<typeof viewFeed>> = {
  name: 'feeds',
  key: ['feedId'],
  read: async (storage, [after = ''], most) => (await storage.pageFeeds(after, most)).map(viewFeed),
};

const CALENDARS: List<ReturnType<typeof viewPublished>> = {
  name: 'calendars',
  key: ['propertyId', 'inventoryTypeId'],
  read: async (storage, [propertyId = '', inventoryTypeId = ''], most) =>
    (await storage.listPublishedCalendars({ propertyId, inventoryTypeId }, most)).map(viewPublished),
};

function viewProperty({ property, source, revision, changedAtMs }: ListedProperty) {
  return {
    propertyId: property.propertyId,
    name: textFor(property.name, DEFAULT_LOCALE),
    source,
    revision,
    changedAt: new Date(changedAtMs).toISOString(),
    inventoryTypes: property.inventoryTypes.map(({ inventoryTypeId, name }) => ({
      inventoryTypeId,
      name: textFor(name, DEFAULT_LOCALE),
    })),
  };
}

async function answerSources(exchange: OperatorExchange, { acts }: SetupDeps): Promise<void> {
  if (readSupplyQuery(exchange) === undefined) return;
  const own = exchange.operator?.source ?? undefined;
  const all = await listSources(acts.storage);
  answerJson(exchange.response, {
    sources: own === undefined ? all : all.filter(({ source }) => source === own),
  });
}

async function getMessage(exchange: OperatorExchange, { supply }: SetupDeps): Promise<void> {
  const messageId = nameOf(exchange, 'messageId');
  if (messageId === undefined || readSupplyQuery(exchange) === undefined) return;
  const message = await readMessage(supply.storage, messageId);
  const own = exchange.operator?.source ?? message?.['source'];
  // Whether another source has sent such a message is nobody's business.
  if (message === undefined || message['source'] !== own) {
    return presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail: 'No message has this id.' });
  }
  answerJson(exchange.response, message);
}

async function getFeed(exchange: OperatorExchange, { acts }: SetupDeps): Promise<void> {
  const feedId = nameOf(exchange, 'feedId');
  if (feedId === undefined || readSupplyQuery(exchange) === undefined) return;
  const feed = await acts.storage.findFeed(feedId);
  if (feed !== undefined) return answerJson(exchange.response, viewFeed(feed));
  presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail: 'No feed has this id.' });
}

async function putMappings(exchange: OperatorExchange, deps: SetupDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const source = query && sourceOf(exchange, query);
  if (source === undefined) return;
  if (exchange.body.byteLength > MAPPINGS_BYTES_MAX) {
    const detail = `A request sets at most ${MAPPINGS_MAX} mappings; send several.`;
    return presentProblem(exchange.response, 'SUPPLY_PAYLOAD_TOO_LARGE', { detail });
  }
  const written = readBody(exchange, mappingsOf(source));
  if (written === undefined) return;
  const mappings = written.mappings.map((row): SupplyMapping => ({ source, ...row }));
  await deps.acts.storage.putSupplyMappings(mappings);
  logSetup(deps, exchange, 'mapping set', { source, mappingCount: mappings.length });
  answerJson(exchange.response, { source, set: mappings.length });
}

const FIELD_OF = {
  source: 'externalKey',
  external: 'externalKey',
  property: 'propertyId',
  type: 'inventoryTypeId',
} as const;
const MAPPING_TEXT = g.required(g.text(MAPPING_TEXT_LENGTH_MAX));
const MAPPING = g.object({
  externalKey: MAPPING_TEXT,
  propertyId: MAPPING_TEXT,
  inventoryTypeId: MAPPING_TEXT,
});

function mappingsOf(source: string) {
  const mappings = g.list(MAPPING, {
    most: MAPPINGS_MAX,
    each: () => (row) => {
      const { externalKey: external, propertyId: property, inventoryTypeId: type } = row;
      const read = readMapping({ source, external, property, type });
      return read.ok ? undefined : { at: `.${FIELD_OF[read.field]}`, reason: read.reason };
    },
  });
  return g.object({ mappings: g.optional(mappings, []) });
}
