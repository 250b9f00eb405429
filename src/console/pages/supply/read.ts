/** Supply: sources by age, calendars that are held back, feeds, and the newest messages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { localToday } from '../../../domain/local-date.ts';
import { ID_PATTERN, type Locale, textFor } from '../../../domain/property.ts';
import type { Feed } from '../../../storage/feeds/store.ts';
import type { ConfirmedSupply, SupplyMessageRow } from '../../../storage/supply/store.ts';
import type { Storage } from '../../../storage/storage.ts';
import { presentFreshness, readConfirmations } from '../../../supply/freshness/read-freshness.ts';
import { listConnectionViews } from '../../../supply/connections/connection-view.ts';
import { failuresOf, viewFeed } from '../../../supply/ical/feed-changes.ts';
import { findLayer } from '../../../supply/ical/feed-layer.ts';
import { parseHeld } from '../../../supply/polling/held-back.ts';
import { nameOf } from '../../../supply/ical/poll-feed.ts';
import { mistakesOf, presentMessage } from '../../../supply/messages/read-supply.ts';
import {
  type ActPorts,
  type ActQuestion,
  firstPage,
  type PagePorts,
  type PageQuestion,
  type ShownBy,
} from '../../reading/console-page.ts';
import { isAnything, readAsked, withQuery } from '../../reading/paths.ts';
import { matchesSearch } from '../../reading/property-names.ts';
import { nightsIn } from '../../reading/night-rows.ts';

export type SupplyShown = ShownBy<typeof readSupply>;
/** A calendar that waits for `accept`: the nights that accepting would open and close, from today on. */
export type HeldFeed = Awaited<ReturnType<typeof presentHeld>>;

/** Rows of confirmations, of feeds and of mappings: those of forty flats, and a page under 150 KB. */
const ROWS_SHOWN = 40;
/** The limit for programs. */
export const JSON_ROWS_MAX = 10_000;
export const MESSAGES_SHOWN = 30;
/** Feeds that are held back or fail, together. */
const FEEDS_IN_NEED = 20;
const STRETCHES_SHOWN = 20;
/** Errors, and warnings, of one message. */
const MISTAKES_SHOWN = 3;

export async function readSupply(ports: PagePorts, { query, isJson, locale }: PageQuestion) {
  const { storage, clock, sourceAges } = ports;
  const nowMs = clock();
  const limit = isJson ? JSON_ROWS_MAX : ROWS_SHOWN;
  const { sources, oldest } = await sourceAges.get();
  const start = readStart(query.get('after') ?? '');
  const confirmed = isJson
    ? await firstConfirmations(storage, limit)
    : bySource(oldest).slice(start, start + limit);
  const end = start + confirmed.length;
  const all = sources.reduce((sum, { properties }) => sum + properties, 0);
  const { asked, unread } = readAsked(query, { search: isAnything });
  const { search } = asked;
  const feeds = firstPage(await findFeeds(storage, search, limit + 1), limit);
  const inNeed = await storage.listFeedsInNeed(FEEDS_IN_NEED);
  const held = inNeed.filter(({ heldNights }) => heldNights !== null);
  const mappings = firstPage(isJson ? [] : await storage.pageSupplyMappings(FIRST_MAPPING, limit + 1), limit);
  const messages = await storage.listSupplyMessages({ limit: MESSAGES_SHOWN });
  const shown = isJson ? [] : [...confirmed, ...feeds.page, ...inNeed, ...mappings.page];
  return {
    /** As `freshness`, `ical list` and `GET /supply/v1/messages`; messages only with their first errors. */
    rows: {
      freshness: confirmed.map((row) => presentFreshness(row, nowMs)),
      feeds: feeds.page.map(viewFeed),
      messages: messages.map(presentMessage).map(withFirstMistakes),
    },
    /** Names of the properties on the page, by id; a property that is gone has none. */
    names: await readNames(storage, new Set(shown.map(({ propertyId }) => propertyId)), locale),
    /** The first mistake of each message. */
    firstMistakes: new Map(messages.map((row) => [row.messageId, firstOf(row)])),
    /** Longest silent first. */
    sources,
    held: await Promise.all(held.map((feed) => presentHeld(storage, feed, nowMs))),
    connections: isJson ? [] : await listConnectionViews(ports.storage, ports.clock()),
    mappings: mappings.page,
    failures: failuresOf([...feeds.page, ...inNeed]),
    failing: inNeed.filter(({ failure }) => failure !== null).map(viewFeed),
    /** Next confirmations, if more are listed. */
    nextPath: !isJson && end < oldest.length ? withQuery(PATH, { after: String(end) }) : undefined,
    /** Whether `rows` leave some out; for `freshness`, all pages together. */
    more: {
      freshness: !isJson && end === oldest.length && end < all,
      feeds: feeds.last !== undefined,
      mappings: mappings.last !== undefined,
    },
    /** Words that a feed must contain. */
    search,
    unread,
  };
}

async function readNames(storage: Storage, propertyIds: ReadonlySet<string>, locale: Locale) {
  const names = new Map<string, string>();
  for (const propertyId of propertyIds) {
    const stored = await storage.findProperty(propertyId);
    if (stored !== undefined) names.set(propertyId, textFor(stored.property.name, locale));
  }
  return names as ReadonlyMap<string, string>;
}

/** By words of their property, type, name or host. */
async function findFeeds(storage: Storage, search: string | undefined, limit: number) {
  if (search === undefined) return await storage.listFeeds(limit);
  const all = await storage.listFeeds(JSON_ROWS_MAX);
  const isFound = (feed: Feed): boolean => {
    const { propertyId, inventoryTypeId, name, host } = viewFeed(feed);
    return matchesSearch([propertyId, inventoryTypeId, name ?? '', host], search);
  };
  return all.filter(isFound).slice(0, limit);
}

/** All come behind it. */
const FIRST_MAPPING = { source: '', externalKey: '' };
const PATH = '/console/supply';

/** Rows on the pages before; 0 if it can't be read. */
function readStart(text: string): number {
  return /^\d{1,4}$/.test(text) ? Number(text) : 0;
}

/** Sources by their oldest confirmation, oldest first; the rows of a source stay together in their order. */
function bySource(oldest: readonly ConfirmedSupply[]): readonly ConfirmedSupply[] {
  return [...Map.groupBy(oldest, ({ source }) => source).values()].flat();
}

function firstOf(row: SupplyMessageRow) {
  const { errors, warnings } = mistakesOf(row);
  return { errors: errors.named[0], warnings: warnings.named[0] };
}

/** Counts cover all errors and warnings. */
function withFirstMistakes(message: ReturnType<typeof presentMessage>) {
  const first = <Mistake>(mistakes: readonly Mistake[]) => mistakes.slice(0, MISTAKES_SHOWN);
  return { ...message, errors: first(message.errors), warnings: first(message.warnings) };
}

async function firstConfirmations(storage: Storage, limit: number) {
  const confirmed: ConfirmedSupply[] = [];
  for await (const rows of readConfirmations(storage)) {
    confirmed.push(...rows);
    if (confirmed.length >= limit) break;
    await nextTurn();
  }
  return confirmed.slice(0, limit);
}

/** `leftOut` counts the stretches of nights that are not shown. */
async function presentHeld(storage: Storage, feed: Feed, nowMs: number) {
  const layer = await findLayer({ storage }, nameOf(feed));
  const { closed } = parseHeld(feed.heldNights ?? '');
  // Without its property there is no night to open; accepting reports that.
  const today = layer.ok ? localToday(layer.value.timezone, nowMs) : 0;
  const allOpens = layer.ok ? nightsIn(layer.value.closed, closed, false, today) : [];
  const allCloses = layer.ok ? nightsIn(closed, layer.value.closed, false, today) : [];
  const opens = allOpens.slice(0, STRETCHES_SHOWN);
  const closes = allCloses.slice(0, STRETCHES_SHOWN);
  const leftOut = allOpens.length + allCloses.length - opens.length - closes.length;
  return { feed: viewFeed(feed), opens, closes, leftOut };
}

/** Whether the field `feedId` names a feed. */
export async function isFeed({ storage }: ActPorts, { form }: ActQuestion): Promise<boolean> {
  const feedId = form.get('feedId') ?? '';
  return ID_PATTERN.test(feedId) && (await storage.findFeed(feedId)) !== undefined;
}
