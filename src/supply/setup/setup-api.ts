/** All that the operator's systems can set up, as the listener calls it: what the commands do, without a shell. */
import { createHash } from 'node:crypto';
import { DEFAULT_LOCALE, textFor } from '../../domain/property.ts';
import { type Storage, StorageUnavailable } from '../../storage/storage.ts';
import type { Feed } from '../../storage/feeds/store.ts';
import type { ListedProperty } from '../../storage/catalogue/store.ts';
import type { PublishedKey } from '../../storage/published/store.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { changeNights, type NightsChangeOptions } from '../manual-override/change-nights.ts';
import { presentNightsChange } from '../manual-override/present-changes.ts';
import {
  acceptFeed,
  type FeedDeps,
  type FeedView,
  type FeedOptions,
  type Outcome,
  pollNow,
  type PollView,
  subscribeFeed,
  unsubscribeFeed,
  viewFeed,
} from '../ical/feed-changes.ts';
import { type PublishedDeps, publishType, viewPublished } from '../published/publish-changes.ts';
import { listSources } from '../sources/list-sources.ts';
import { retireSource, type RetireOptions } from '../sources/retire-source.ts';

export interface SetupDeps extends FeedDeps, Omit<PublishedDeps, 'storage'> {
  readonly storage: Storage;
}

/** Rows of a list, and whether there are more. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly isLast: boolean;
}

/** Concurrent fetches on request. */
export const POLLS_ASKED_MAX = 4;
const FEED_ID_DIGITS = 24;

export type SetupApi = ReturnType<typeof createSetupApi>;

export function createSetupApi(deps: SetupDeps) {
  const { storage } = deps;
  let pollCount = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (pollCount >= POLLS_ASKED_MAX) throw new StorageUnavailable('too many calendars are being fetched');
    pollCount += 1;
    try {
      return await work();
    } finally {
      pollCount -= 1;
    }
  }

  return {
    listSources: () => listSources(storage),
    retireSource: (options: RetireOptions) => retireSource(deps, options),
    async pageProperties(after: string, limit: number, source?: string) {
      const rows = await storage.listProperties(after, limit + 1, source);
      return pageOf(rows, limit, viewProperty);
    },
    async pageMappings(
      after: Pick<SupplyMapping, 'source' | 'externalKey'>,
      limit: number,
      source?: string,
    ): Promise<Page<SupplyMapping>> {
      return pageOf(await storage.pageSupplyMappings(after, limit + 1, source), limit, (row) => row);
    },
    putMappings: (mappings: readonly SupplyMapping[]) => storage.putSupplyMappings(mappings),
    deleteMapping: (source: string, externalKey: string) => storage.deleteSupplyMapping(source, externalKey),
    async pageFeeds(after: string, limit: number): Promise<Page<FeedView>> {
      return pageOf(await storage.pageFeeds(after, limit + 1), limit, viewFeed);
    },
    async findFeed(feedId: string): Promise<FeedView | undefined> {
      const feed = await storage.findFeed(feedId);
      return feed && viewFeed(feed);
    },
    subscribe: (options: FeedOptions, key: string | null) => subscribeOnce(deps, options, key),
    pollFeed: (feedId: string): Promise<Outcome<PollView>> => inTurn(() => pollNow(deps, feedId)),
    acceptFeed: (feedId: string): Promise<Outcome<PollView>> => inTurn(() => acceptFeed(deps, feedId)),
    unsubscribeFeed: (feedId: string): Promise<Outcome<FeedView>> =>
      inTurn(() => unsubscribeFeed(deps, feedId)),
    /** Undefined where there is no such property; otherwise its inventory types. */
    async findTypes(propertyId: string): Promise<readonly string[] | undefined> {
      const stored = await storage.findProperty(propertyId);
      return stored?.property.inventoryTypes.map((type) => type.inventoryTypeId);
    },
    changeNights: async (options: NightsChangeOptions) =>
      presentNightsChange(options, await changeNights(deps, options)),
    publish: (key: PublishedKey) => publishType(deps, key),
    unpublish: (key: PublishedKey) => storage.unpublishCalendar(key),
    async pagePublished(after: PublishedKey, limit: number) {
      return pageOf(await storage.listPublishedCalendars(after, limit + 1), limit, viewPublished);
    },
  };
}

/** The query read one row more than the page has. */
function pageOf<Row, View>(rows: readonly Row[], limit: number, view: (row: Row) => View): Page<View> {
  return { rows: rows.slice(0, limit).map(view), isLast: rows.length <= limit };
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

/** `reused`: the key was used for another feed. */
export type Subscribed = Outcome<FeedView> | { readonly ok: false; readonly problem: 'reused' };

/** The id is made of the key, so that the same key can't make a second feed, in any process. */
async function subscribeOnce(deps: SetupDeps, options: FeedOptions, key: string | null): Promise<Subscribed> {
  if (key === null) return subscribeFeed(deps, options);
  const digits = createHash('sha256').update(key).digest('hex').slice(0, FEED_ID_DIGITS);
  const feedId = `feed_${digits}`;
  const known = await deps.storage.findFeed(feedId);
  if (known !== undefined) return answerKnown(known, options);
  try {
    return await subscribeFeed(deps, options, feedId);
  } catch (error) {
    // The same request through another process was faster.
    const faster = await deps.storage.findFeed(feedId);
    if (faster === undefined) throw error;
    return answerKnown(faster, options);
  }
}

function answerKnown(feed: Feed, options: FeedOptions): Subscribed {
  const isSame =
    feed.propertyId === options.propertyId &&
    feed.inventoryTypeId === options.inventoryTypeId &&
    feed.url === new URL(options.url.replace(/^\s*webcal:/i, 'https:')).href &&
    feed.everySeconds === options.everySeconds &&
    feed.name === options.name;
  return isSame ? { ok: true, value: viewFeed(feed) } : { ok: false, problem: 'reused' };
}
