/** The handlers of the operations that set supply up; what the commands do is in `SetupApi`. */
import type { Logger } from 'pino';
import { parseDuration } from '../../access/parse-duration.ts';
import type { SETUP_OPERATIONS } from '../../contract/operator/setup-operations.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import type { NightsChangeOptions } from '../../supply/manual-override/change-nights.ts';
import { EVERY_SECONDS_MAX, EVERY_SECONDS_MIN, type FeedOptions } from '../../supply/ical/feed-changes.ts';
import { parseFeedUrl } from '../../supply/ical/fetch-feed.ts';
import { readMapping } from '../../supply/mapping/read-mapping.ts';
import { type MessageStore, readMessage } from '../../supply/messages/read-supply.ts';
import { Fields } from '../../domain/document/document-fields.ts';
import type { SetupApi } from '../../supply/setup/setup-api.ts';
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
  readonly setup: SetupApi;
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
    listSupplySources: withDeps(listSources),
    retireSupplySource: withDeps(retireSource),
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

async function listSources(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  if (readSupplyQuery(exchange) === undefined) return;
  const own = exchange.operator?.source ?? undefined;
  const all = await setup.listSources();
  answerJson(exchange.response, {
    sources: own === undefined ? all : all.filter(({ source }) => source === own),
  });
}

async function retireSource(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
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
  const outcome = await deps.setup.retireSource({ source, propertyId, dryRun: dryRun === 'true' });
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

async function listProperties(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 1);
  if (query === undefined || place === undefined) return;
  const page = await setup.pageProperties(place.key[0]!, place.limit, query['source']);
  answerPage(exchange, 'properties', page, ({ propertyId }) => [propertyId]);
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

async function listMappings(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const source = query && sourceToRead(exchange, query);
  if (query === undefined || source === null) return;
  const place = placeOf(exchange, query, 2);
  if (place === undefined) return;
  const [afterSource = '', externalKey = ''] = place.key;
  const page = await setup.pageMappings({ source: afterSource, externalKey }, place.limit, source);
  answerPage(exchange, 'mappings', page, (row) => [row.source, row.externalKey]);
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
  await deps.setup.putMappings(mappings);
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
  if (!(await deps.setup.deleteMapping(source, externalKey))) {
    const detail = 'The source has no mapping of this name.';
    return presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'mapping_deleted', { source, externalKey });
  answerJson(exchange.response, { source, externalKey });
}

async function listFeeds(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 1);
  if (place === undefined) return;
  const page = await setup.pageFeeds(place.key[0]!, place.limit);
  answerPage(exchange, 'feeds', page, ({ feedId }) => [feedId]);
}

async function getFeed(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  const feedId = nameOf(exchange, 'feedId');
  if (feedId === undefined || readSupplyQuery(exchange) === undefined) return;
  const feed = await setup.findFeed(feedId);
  if (feed === undefined) return presentNoFeed(exchange);
  answerJson(exchange.response, feed);
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
  const subscribed = await deps.setup.subscribe(request, ownKey);
  if (!subscribed.ok && subscribed.problem === 'reused') {
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
  { setup }: SetupHandlersDeps,
  { propertyId, inventoryTypeId }: { readonly propertyId: string; readonly inventoryTypeId: string },
): Promise<boolean> {
  const types = await setup.findTypes(propertyId);
  if (types?.includes(inventoryTypeId) === true) return true;
  if (types === undefined) presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND');
  else {
    const detail = `The property ${propertyId} has no such inventory type; it has ${types.join(', ')}.`;
    refuse(exchange, [{ pointer: '/inventoryTypeId', code: 'INVENTORY_TYPE_UNKNOWN', detail }]);
  }
  return false;
}

const FEED_ACTS = {
  pollFeed: 'feed_polled',
  acceptFeed: 'feed_accepted',
  unsubscribeFeed: 'feed_unsubscribed',
} as const;

async function actOnFeed(
  exchange: OperatorExchange,
  deps: SetupHandlersDeps,
  act: keyof typeof FEED_ACTS,
): Promise<void> {
  const feedId = nameOf(exchange, 'feedId');
  if (feedId === undefined || readSupplyQuery(exchange) === undefined) return;
  if ((await deps.setup.findFeed(feedId)) === undefined) return presentNoFeed(exchange);
  const done = await deps.setup[act](feedId);
  if (!done.ok) return presentConflict(exchange, done.problem);
  tell(deps, exchange, FEED_ACTS[act], { feedId });
  answerJson(exchange.response, done.value);
}

const NIGHTS_FIELDS = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'dryRun'];

async function changeNights(
  exchange: OperatorExchange,
  deps: SetupHandlersDeps,
  action: NightsChangeOptions['action'],
): Promise<void> {
  if (readSupplyQuery(exchange) === undefined) return;
  const request = readBody(exchange, NIGHTS_FIELDS, (fields) => {
    const from = fields.date('dateFrom');
    const to = fields.date('dateTo');
    if (to < from) fields.report('dateTo', 'must not be before dateFrom, both nights are included');
    return {
      propertyId: fields.id('propertyId', ID_PATTERN),
      from,
      to,
      type: fields.isNull('inventoryTypeId') ? undefined : fields.id('inventoryTypeId', ID_PATTERN),
      dryRun: fields.boolean('dryRun', false),
    };
  });
  if (request === undefined) return;
  const { type, ...nights } = request;
  const types = await deps.setup.findTypes(request.propertyId);
  const inventoryTypeId = type ?? types?.[0] ?? '';
  if (!(await hasType(exchange, deps, { propertyId: request.propertyId, inventoryTypeId }))) return;
  const inventoryTypeIds = type === undefined ? (types ?? []) : [type];
  const change = await deps.setup.changeNights({ ...nights, action, inventoryTypeIds });
  const { propertyId, dryRun } = request;
  if (!dryRun) tell(deps, exchange, `nights_${action}`, { propertyId, inventoryTypeIds });
  answerJson(exchange.response, change);
}

async function publishCalendar(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const key = typeOf(exchange);
  if (key === undefined || readSupplyQuery(exchange) === undefined) return;
  const published = await deps.setup.publish(key);
  if (!published.ok) {
    const detail = sentence(published.problem);
    return presentProblem(exchange.response, 'SUPPLY_PROPERTY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'calendar_published', key);
  answerJson(exchange.response, { url: published.url, replaced: published.replaced }, 201);
}

async function unpublishCalendar(exchange: OperatorExchange, deps: SetupHandlersDeps): Promise<void> {
  const key = typeOf(exchange);
  if (key === undefined || readSupplyQuery(exchange) === undefined) return;
  if (!(await deps.setup.unpublish(key))) {
    const detail = 'The calendar of this inventory type is not published.';
    return presentProblem(exchange.response, 'SUPPLY_NOT_FOUND', { detail });
  }
  tell(deps, exchange, 'calendar_unpublished', key);
  answerJson(exchange.response, key);
}

async function listPublished(exchange: OperatorExchange, { setup }: SetupHandlersDeps): Promise<void> {
  const query = readSupplyQuery(exchange);
  const place = query && placeOf(exchange, query, 2);
  if (place === undefined) return;
  const [propertyId = '', inventoryTypeId = ''] = place.key;
  const page = await setup.pagePublished({ propertyId, inventoryTypeId }, place.limit);
  answerPage(exchange, 'calendars', page, (row) => [row.propertyId, row.inventoryTypeId]);
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
