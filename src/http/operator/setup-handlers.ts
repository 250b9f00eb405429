/** The handlers of the operations that set supply up: what they do is in the rows of `acts/`. */
import type { Logger } from 'pino';
import { parseDuration } from '../../access/parse-duration.ts';
import type { ActPorts } from '../../acts/act.ts';
import * as icalActs from '../../acts/ical-acts.ts';
import { closeAct, openAct } from '../../acts/nights-acts.ts';
import type { SETUP_OPERATIONS } from '../../contract/operator/setup-operations.ts';
import { DEFAULT_LOCALE, ID_PATTERN, textFor } from '../../domain/property.ts';
import type { ListedProperty } from '../../storage/catalogue/store.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import {
  EVERY_SECONDS_MAX,
  EVERY_SECONDS_MIN,
  type FeedOptions,
  viewFeed,
} from '../../supply/ical/feed-changes.ts';
import { parseFeedUrl } from '../../supply/ical/fetch-feed.ts';
import { subscribeOnce } from '../../supply/ical/subscribe-once.ts';
import { publishType, viewPublished } from '../../supply/published/publish-changes.ts';
import { listSources } from '../../supply/sources/list-sources.ts';
import { retireSource } from '../../supply/sources/retire-source.ts';
import { readMapping } from '../../supply/mapping/read-mapping.ts';
import { type MessageStore, readMessage } from '../../supply/messages/read-supply.ts';
import { Fields } from '../../domain/document/document-fields.ts';
import { presentProblem } from '../answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import { answerJson } from './present-supply.ts';
import { answerPage, placeOf, readBody, refuse } from './setup-query.ts';
import {
  idempotencyKeyOf,
  idOf,
  nameOf,
  readSupplyQuery,
  refuseForeign,
  sourceOf,
  sourceToRead,
} from './supply-query.ts';

type SetupOperationId = (typeof SETUP_OPERATIONS)[number]['operationId'];

export interface SetupHandlersDeps {
  readonly acts: ActPorts;
  readonly supply: { readonly storage: MessageStore };
  /** One line for each act, as for other acts of an administrator. */
  readonly logger: Pick<Logger, 'info'>;
}

type Handler = (exchange: OperatorExchange, deps: SetupHandlersDeps) => Promise<void>;

const MAPPINGS_MAX = 1_000;
const MAPPINGS_BYTES_MAX = 1024 * 1024;
const HALF_HOUR_SECONDS = 1_800;
const FEED_NAME_LENGTH_MAX = 200;
const URL_LENGTH_MAX = 2_000;
const DURATION_LENGTH_MAX = 10;

/** One for each row of the table. */
export function setupHandlers(deps: SetupHandlersDeps): Readonly<Record<SetupOperationId, OperatorHook>> {
  const withDeps =
    (handle: Handler): OperatorHook =>
    (exchange) =>
      handle(exchange, deps);
  /** For what belongs to no source: a token with a source may not change it. */
  const unbound = (handle: Handler): OperatorHook =>
    withDeps(async (exchange, own) => {
      const source = exchange.operator?.source ?? undefined;
      if (source === undefined) return handle(exchange, own);
      refuseForeign(exchange, source, '');
    });
  return {
    listSupplyProperties: withDeps(listProperties),
    listSupplySources: withDeps(answerSources),
    retireSupplySource: withDeps(retire),
    getSupplyMessage: withDeps(getMessage),
    listSupplyMappings: withDeps(listMappings),
    putSupplyMappings: withDeps(putMappings),
    deleteSupplyMapping: withDeps(deleteMapping),
    listFeeds: unbound(listFeeds),
    subscribeFeed: unbound(subscribeFeed),
    getFeed: unbound(getFeed),
    pollFeed: unbound((exchange, own) => actOnFeed(exchange, own, 'pollFeed')),
    acceptFeed: unbound((exchange, own) => actOnFeed(exchange, own, 'acceptFeed')),
    unsubscribeFeed: unbound((exchange, own) => actOnFeed(exchange, own, 'unsubscribeFeed')),
    closeNights: unbound((exchange, own) => changeNights(exchange, own, 'close')),
    openNights: unbound((exchange, own) => changeNights(exchange, own, 'open')),
    publishCalendar: unbound(publishCalendar),
    unpublishCalendar: unbound(unpublishCalendar),
    listPublishedCalendars: unbound(listPublished),
  };
}

/** Names ids, never a URL. */
function tell(
  { logger }: SetupHandlersDeps,
  { operator }: OperatorExchange,
  act: string,
  about: object,
): void {
  const operatorTokenId = operator?.operatorTokenId;
  logger.info({ act, operatorTokenId, ...about }, 'supply was set up');
}

async function answerSources(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  if (readSupplyQuery(exchange) === undefined) return;
  const own = exchange.operator?.source ?? undefined;
  const all = await listSources(acts.storage);
  answerJson(exchange.response, {
    sources: own === undefined ? all : all.filter(({ source }) => source === own),
  });
}

async function retire(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const source = nameOf(exchange, 'source');
  const query = source === undefined ? undefined : readSupplyQuery(exchange);
  if (source === undefined || query === undefined) return;
  const own = exchange.operator?.source ?? source;
  if (own !== source) return refuseForeign(exchange, own, '{source}');
  const { propertyId, dryRun } = query;
  if (propertyId !== undefined && !ID_PATTERN.test(propertyId)) {
    const detail = 'Must be an id of a property.';
    return refuse(exchange, [{ pointer: '?propertyId', code: 'PARAMETER_INVALID', detail }]);
  }
  const outcome = await retireSource(deps.acts, { source, propertyId, dryRun: dryRun === 'true' });
  if (!outcome.ok) {
    const code = outcome.kind === 'unknown' ? 'SUPPLY_NOT_FOUND' : 'SUPPLY_CONFLICT';
    return presentProblem(exchange.response, code, { detail: sentence(outcome.problem) });
  }
  const { properties, nights } = outcome.value;
  if (!outcome.value.dryRun) {
    tell(deps, exchange, 'source_retired', { source, propertyId, properties, nights });
  }
  answerJson(exchange.response, outcome.value);
}

async function listProperties(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 1);
  if (query === undefined || place === undefined) return;
  const { limit } = place;
  const listed = await acts.storage.listProperties(place.key[0]!, limit + 1, query['source']);
  answerPage(exchange, 'properties', { found: listed.map(viewProperty), limit }, ({ propertyId }) => [
    propertyId,
  ]);
}

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

async function getMessage(exchange: OperatorExchange, { supply }: SetupHandlersDeps): Promise<void> {
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

async function listMappings(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const source = query && sourceToRead(exchange, query);
  if (query === undefined || source === null) return;
  const place = placeOf(exchange, query, 2);
  if (place === undefined) return;
  const [afterSource = '', externalKey = ''] = place.key;
  const { limit } = place;
  const after = { source: afterSource, externalKey };
  const found = await acts.storage.pageSupplyMappings(after, limit + 1, source);
  answerPage(exchange, 'mappings', { found, limit }, (row) => [row.source, row.externalKey]);
}

async function putMappings(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const source = query && sourceOf(exchange, query);
  if (source === undefined) return;
  if (exchange.body.byteLength > MAPPINGS_BYTES_MAX) {
    const detail = `A request sets at most ${MAPPINGS_MAX} mappings; send several.`;
    return presentProblem(exchange.response, 'SUPPLY_PAYLOAD_TOO_LARGE', { detail });
  }
  const mappings = readBody(exchange, ['mappings'], (fields) => readMappings(fields, source));
  if (mappings === undefined) return;
  await deps.acts.storage.putSupplyMappings(mappings);
  tell(deps, exchange, 'mappings_set', { source, mappingCount: mappings.length });
  answerJson(exchange.response, { source, set: mappings.length });
}

function readMappings(fields: Fields, source: string): SupplyMapping[] {
  const { findings } = fields;
  const mappings: SupplyMapping[] = [];
  for (const { value, path } of fields.list('mappings', MAPPINGS_MAX)) {
    const row = Fields.of(value, path, MAPPING_FIELDS, findings);
    const [external, property, type] = ['externalKey', 'propertyId', 'inventoryTypeId'].map((name) =>
      row.text(name, URL_LENGTH_MAX),
    );
    if (findings.first !== undefined) return [];
    const read = readMapping({ source, external: external!, property: property!, type: type! });
    if (read.ok) mappings.push(read.mapping);
    else row.report(FIELD_OF[read.field], read.reason);
  }
  return mappings;
}

const MAPPING_FIELDS = new Set(['externalKey', 'propertyId', 'inventoryTypeId']);
const FIELD_OF = {
  source: 'externalKey',
  external: 'externalKey',
  property: 'propertyId',
  type: 'inventoryTypeId',
} as const;

async function deleteMapping(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const externalKey = nameOf(exchange, 'externalKey');
  const query = externalKey === undefined ? undefined : readSupplyQuery(exchange);
  const source = query && sourceOf(exchange, query);
  if (externalKey === undefined || source === undefined) return;
  if (!(await deps.acts.storage.deleteSupplyMapping(source, externalKey))) {
    const detail = 'The source has no mapping of this name.';
    return presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'mapping_deleted', { source, externalKey });
  answerJson(exchange.response, { source, externalKey });
}

async function listFeeds(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 1);
  if (place === undefined) return;
  const { limit } = place;
  const feeds = await acts.storage.pageFeeds(place.key[0]!, limit + 1);
  answerPage(exchange, 'feeds', { found: feeds.map(viewFeed), limit }, ({ feedId }) => [feedId]);
}

async function getFeed(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  const feedId = nameOf(exchange, 'feedId');
  if (feedId === undefined || readSupplyQuery(exchange) === undefined) return;
  const feed = await acts.storage.findFeed(feedId);
  if (feed === undefined) return presentNoFeed(exchange);
  answerJson(exchange.response, viewFeed(feed));
}

function presentNoFeed({ response }: OperatorExchange): void {
  presentProblem(response, 'SUPPLY_NOT_FOUND', { detail: 'No feed has this id.' });
}

const FEED_FIELDS = ['propertyId', 'inventoryTypeId', 'url', 'every', 'name'];

async function subscribeFeed(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const key = readSupplyQuery(exchange) && idempotencyKeyOf(exchange);
  if (key === undefined) return;
  const request = readBody(exchange, FEED_FIELDS, readFeedOptions);
  if (request === undefined || !(await hasType(exchange, deps, request))) return;
  const ownKey = key === null ? null : `${exchange.operator?.operatorTokenId} ${key}`;
  const subscribed = await subscribeOnce(deps.acts, request, ownKey);
  if (!subscribed.ok && subscribed.kind === 'key-reused') {
    return presentProblem(exchange.response, 'IDEMPOTENCY_KEY_REUSED');
  }
  if (!subscribed.ok) return presentConflict(exchange, subscribed.problem);
  const { feedId, propertyId, inventoryTypeId } = subscribed.value;
  tell(deps, exchange, 'feed_subscribed', { feedId, propertyId, inventoryTypeId });
  answerJson(exchange.response, subscribed.value, 201);
}

function readFeedOptions(fields: Fields): FeedOptions {
  const propertyId = fields.id('propertyId', ID_PATTERN);
  const inventoryTypeId = fields.id('inventoryTypeId', ID_PATTERN);
  const url = fields.text('url', URL_LENGTH_MAX);
  const parsed = parseFeedUrl(url);
  if (!(parsed instanceof URL)) fields.report('url', parsed);
  const every = fields.isNull('every') ? undefined : fields.text('every', DURATION_LENGTH_MAX);
  const everyMs = every === undefined ? HALF_HOUR_SECONDS * 1_000 : (parseDuration(every) ?? 0);
  const everySeconds = Math.round(everyMs / 1_000);
  if (everySeconds < EVERY_SECONDS_MIN || everySeconds > EVERY_SECONDS_MAX) {
    fields.report('every', 'must be a duration from 1s to 24h, such as 30m');
  }
  const name = fields.isNull('name') ? null : fields.text('name', FEED_NAME_LENGTH_MAX);
  return { propertyId, inventoryTypeId, url, everySeconds, name };
}

/** Otherwise it is answered. */
async function hasType(
  exchange: OperatorExchange,
  { acts }: SetupHandlersDeps,
  { propertyId, inventoryTypeId }: { readonly propertyId: string; readonly inventoryTypeId: string },
): Promise<boolean> {
  const types = await findTypes(acts, propertyId);
  if (types?.includes(inventoryTypeId) === true) return true;
  if (types === undefined) presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND');
  else {
    const detail = `The property ${propertyId} has no such inventory type; it has ${types.join(', ')}.`;
    refuse(exchange, [{ pointer: '/inventoryTypeId', code: 'INVENTORY_TYPE_UNKNOWN', detail }]);
  }
  return false;
}

/** With what the log calls them. */
const FEED_ACTS = {
  pollFeed: { row: icalActs.pollAct, said: 'feed_polled' },
  acceptFeed: { row: icalActs.acceptAct, said: 'feed_accepted' },
  unsubscribeFeed: { row: icalActs.unsubscribeAct, said: 'feed_unsubscribed' },
} as const;

async function actOnFeed(
  exchange: OperatorExchange,
  deps: SetupHandlersDeps,
  act: keyof typeof FEED_ACTS,
): Promise<void> {
  const feedId = nameOf(exchange, 'feedId');
  if (feedId === undefined || readSupplyQuery(exchange) === undefined) return;
  if ((await deps.acts.storage.findFeed(feedId)) === undefined) return presentNoFeed(exchange);
  const { row, said } = FEED_ACTS[act];
  const done = await row.run(deps.acts, { feedId });
  if (!done.ok) return presentConflict(exchange, done.problem);
  tell(deps, exchange, said, { feedId });
  answerJson(exchange.response, done.value);
}

const NIGHTS_FIELDS = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'dryRun'];

async function changeNights(
  exchange: OperatorExchange,
  deps: SetupHandlersDeps,
  action: 'close' | 'open',
): Promise<void> {
  if (readSupplyQuery(exchange) === undefined) return;
  const request = readBody(exchange, NIGHTS_FIELDS, (fields) => {
    const dateFrom = fields.date('dateFrom');
    const dateTo = fields.date('dateTo');
    if (dateTo < dateFrom) fields.report('dateTo', 'must not be before dateFrom, both nights are included');
    return {
      propertyId: fields.id('propertyId', ID_PATTERN),
      dateFrom,
      dateTo,
      inventoryTypeId: fields.isNull('inventoryTypeId')
        ? undefined
        : fields.id('inventoryTypeId', ID_PATTERN),
      dryRun: fields.boolean('dryRun', false) || undefined,
    };
  });
  if (request === undefined) return;
  const { propertyId, inventoryTypeId, dryRun } = request;
  const types = (await findTypes(deps.acts, propertyId)) ?? [];
  const named = { propertyId, inventoryTypeId: inventoryTypeId ?? types[0] ?? '' };
  if (!(await hasType(exchange, deps, named))) return;
  const change = await (action === 'close' ? closeAct : openAct).run(deps.acts, request);
  if (!change.ok) return presentConflict(exchange, change.problem);
  const inventoryTypeIds = inventoryTypeId === undefined ? types : [inventoryTypeId];
  if (!dryRun) tell(deps, exchange, `nights_${action}`, { propertyId, inventoryTypeIds });
  answerJson(exchange.response, change.value);
}

/** Undefined where there is no such property; otherwise its inventory types. */
async function findTypes({ storage }: ActPorts, propertyId: string): Promise<readonly string[] | undefined> {
  const stored = await storage.findProperty(propertyId);
  return stored?.property.inventoryTypes.map((type) => type.inventoryTypeId);
}

async function publishCalendar(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const key = typeOf(exchange);
  if (key === undefined || readSupplyQuery(exchange) === undefined) return;
  const published = await publishType(deps.acts, key);
  if (!published.ok) {
    const detail = sentence(published.problem);
    return presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'calendar_published', key);
  answerJson(exchange.response, { url: published.value.url, replaced: published.value.replaced }, 201);
}

async function unpublishCalendar(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const key = typeOf(exchange);
  if (key === undefined || readSupplyQuery(exchange) === undefined) return;
  if (!(await deps.acts.storage.unpublishCalendar(key))) {
    const detail = 'The calendar of this inventory type is not published.';
    return presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'calendar_unpublished', key);
  answerJson(exchange.response, key);
}

async function listPublished(exchange: OperatorExchange, { acts }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 2);
  if (place === undefined) return;
  const [propertyId = '', inventoryTypeId = ''] = place.key;
  const { limit } = place;
  const rows = await acts.storage.listPublishedCalendars({ propertyId, inventoryTypeId }, limit + 1);
  answerPage(exchange, 'calendars', { found: rows.map(viewPublished), limit }, (row) => [
    row.propertyId,
    row.inventoryTypeId,
  ]);
}

function typeOf(exchange: OperatorExchange) {
  const propertyId = idOf(exchange, 'propertyId');
  const inventoryTypeId = propertyId && idOf(exchange, 'inventoryTypeId');
  return propertyId === undefined || inventoryTypeId === undefined
    ? undefined
    : { propertyId, inventoryTypeId };
}

function presentConflict({ response }: OperatorExchange, problem: string): void {
  presentProblem(response, 'SUPPLY_CONFLICT', { detail: sentence(problem) });
}

/** A problem of a command as the detail of an answer. */
function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}
