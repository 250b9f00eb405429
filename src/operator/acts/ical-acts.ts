/** iCal: calendars of other platforms that we read, and our own that they read. */
import { Wrong } from '../../domain/wrong.ts';
import * as schemas from '../../contract/operator/setup-schemas.ts';
import * as g from '../../domain/document/grammar.ts';
import type { Feed } from '../../storage/feeds/store.ts';
import * as feeds from '../../supply/ical/feed-changes.ts';
import { publishType, readPublished } from '../../supply/published/publish-changes.ts';
import { done, refuse } from '../../domain/outcome.ts';
import { act, type ActPorts, optional, required } from './act.ts';
import { typeOf } from './nights-acts.ts';
import { anyText, duration, orNone, supplyId, typedText } from './values.ts';

const HALF_HOUR_MS = 30 * 60_000;
const URL_LENGTH_MAX = 2_000;
const NAME_LENGTH_MAX = 200;
const FEED_PATH = '/supply/v1/feeds/{feedId}';
const PUBLISHED_PATH = '/supply/v1/inventory-types/{propertyId}/{inventoryTypeId}/published-calendar';
const ON_FEED = {
  problemCodes: ['SUPPLY_NOT_FOUND', 'SUPPLY_CONFLICT'],
  unknown: 'No feed has this id.',
} as const;

const feedName = typedText(g.text(NAME_LENGTH_MAX));
const feedUrl = typedText(g.text(URL_LENGTH_MAX));

const TYPE = {
  propertyId: required(supplyId, '--property <id>', 'property id'),
  inventoryTypeId: required(supplyId, '--type <id>', 'inventory type id'),
};
const NOTHING_TO_CHANGE = new Wrong('nothingToChange');
const FEED = { feedId: required(anyText, '<feed-id>', 'id of the feed, as "ical list" shows it') };

export const subscribeAct = act({
  name: 'ical subscribe',
  right: 'admin',
  about: 'subscribe to a calendar of another platform, and close the nights that it closes',
  input: {
    ...TYPE,
    url: required(feedUrl, '--url <url>', 'URL of the calendar at the platform; https, http or webcal'),
    every: optional(duration, '--every <duration>', 'how often it is fetched: 1s to 24h, 30m unless given'),
    name: optional(feedName, '--name <name>', 'name for your own lists'),
  },
  examples: [
    'ical subscribe --property hotel-ponte --type double --url "https://www.airbnb.com/calendar/ical/1.ics?s=abc"',
  ],
  audit: typeOf,
  async run(ports, { every = HALF_HOUR_MS, name = null, ...feed }) {
    const options = { ...feed, everySeconds: Math.round(every / 1000), name };
    const subscribed = await feeds.subscribeFeed(ports, options, ports.requestKey);
    if (subscribed.ok) ports.tell(null, termsOf(subscribed.value));
    return subscribed;
  },
  print: 'fields',
  http: {
    operationId: 'subscribeFeed',
    route: 'POST /supply/v1/feeds',
    summary: 'Subscribe to a calendar',
    description:
      'It is fetched as soon as the service can, under the same rules as on the command line: no private address ' +
      'unless `ICAL_ALLOW_PRIVATE` allows it. A repeated request with the same `Idempotency-Key` is answered with the ' +
      'same feed.',
    success: [201, 'Subscribed.', schemas.FeedSchema],
    problemCodes: ['SUPPLY_PROPERTY_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  },
});

export const updateFeedAct = act({
  name: 'ical update',
  right: 'admin',
  about: 'change URL, interval or name of a calendar; its closed nights stay until it is fetched again',
  input: {
    ...FEED,
    url: optional(feedUrl, '--url <url>', 'new URL of the calendar, which is fetched at once'),
    every: optional(duration, '--every <duration>', 'how often it is fetched: 1s to 24h'),
    name: optional(orNone(feedName), '--name <name>', 'name for your own lists; none clears it'),
  },
  examples: ['ical update feed_5nWkD0XJ2yqL --every 2h'],
  audit: ({ feedId }) => feedId,
  check: ({ url, every, name }) =>
    url === undefined && every === undefined && name === undefined ? NOTHING_TO_CHANGE : undefined,
  run(ports, { feedId, url, every, name }) {
    const everySeconds = every === undefined ? undefined : Math.round(every / 1000);
    const tell = (before: Feed, after: Feed): void => auditFeed(ports, before, after);
    return ports.inTurn(feedId, () => feeds.updateFeed(ports, feedId, { url, everySeconds, name }, tell));
  },
  print: 'fields',
});

const listFeedsAct = act({
  name: 'ical list',
  right: 'viewer',
  about: 'list subscribed calendars and the result of their last poll',
  input: {},
  examples: ['ical list'],
  audit: 'reads',
  run: async (ports) => done(await feeds.listFeeds(ports)),
  print: {
    columns: [
      'feedId',
      'name',
      'propertyId',
      'inventoryTypeId',
      'host',
      'state',
      'events',
      'nights',
      'confirmedAt',
      'nextPollAt',
      'failure',
    ],
    empty: 'No calendar is subscribed yet; "stayport ical subscribe" does it.',
  },
});

export const pollAct = act({
  name: 'ical poll',
  right: 'operator',
  about: 'fetch a calendar now; a running service polls by itself',
  input: FEED,
  examples: ['ical poll feed_5nWkD0XJ2yqL'],
  audit: ({ feedId }) => feedId,
  run: (ports, { feedId }) => ports.inTurn(feedId, () => feeds.pollNow(ports, feedId)),
  print: 'fields',
  http: {
    ...ON_FEED,
    operationId: 'pollFeed',
    route: `POST ${FEED_PATH}/poll`,
    summary: 'Fetch a calendar now',
    description: 'Waits for the fetch; a failure of the other server is an `outcome`, not a problem.',
    success: [200, 'The feed after it.', schemas.PolledSchema],
  },
});

export const acceptAct = act({
  name: 'ical accept',
  right: 'operator',
  about: 'apply a calendar that was held back because it would open half or more of the closed nights',
  input: FEED,
  examples: ['ical accept feed_5nWkD0XJ2yqL'],
  audit: ({ feedId }) => feedId,
  run: (ports, { feedId }) => ports.inTurn(feedId, () => feeds.acceptFeed(ports, feedId)),
  print: 'fields',
  http: {
    ...ON_FEED,
    operationId: 'acceptFeed',
    route: `POST ${FEED_PATH}/accept`,
    summary: 'Apply a held-back calendar',
    description: 'A calendar that would open half or more of the closed nights waits for this.',
    success: [200, 'The feed after it.', schemas.PolledSchema],
  },
});

export const unsubscribeAct = act({
  name: 'ical unsubscribe',
  right: 'admin',
  about: 'unsubscribe a calendar, and open the nights that only it closed',
  input: FEED,
  examples: ['ical unsubscribe feed_5nWkD0XJ2yqL'],
  audit: ({ feedId }) => feedId,
  async run(ports, { feedId }) {
    const deleted = await ports.inTurn(feedId, () => feeds.unsubscribeFeed(ports, feedId));
    if (deleted.ok) ports.tell(termsOf(deleted.value), 'done');
    return deleted;
  },
  print: ({ feedId }) => `The feed ${feedId} is unsubscribed; the nights that only it closed are open.`,
  http: {
    ...ON_FEED,
    operationId: 'unsubscribeFeed',
    route: `DELETE ${FEED_PATH}`,
    summary: 'Unsubscribe a calendar',
    description: 'Nights that only it closed open again.',
    success: [200, 'The deleted feed.', schemas.FeedSchema],
  },
});

/** Never a URL: it is as good as a password. A name may be of any length. */
function termsOf({ propertyId, inventoryTypeId, host, every, name }: feeds.FeedView) {
  return { propertyId, inventoryTypeId, host, every, name: name?.slice(0, NAME_TOLD_MAX) ?? null };
}

const NAME_TOLD_MAX = 200;

/** Records the terms that differ; a changed URL shows as its host, even if the host is the same. */
function auditFeed({ tell }: ActPorts, before: Feed, after: Feed): void {
  const [was, is] = [termsOf(feeds.viewFeed(before)), termsOf(feeds.viewFeed(after))];
  const isOther = (name: string): boolean =>
    name === 'host'
      ? before.url !== after.url
      : was[name as keyof typeof was] !== is[name as keyof typeof is];
  const pick = (terms: object) => Object.fromEntries(Object.entries(terms).filter(([name]) => isOther(name)));
  tell(pick(was), pick(is));
}

export const publishAct = act({
  name: 'ical publish',
  right: 'admin',
  about:
    'publish the closed nights of an inventory type, and print the URL, which is shown only once; an earlier URL of ' +
    'the type stops working',
  input: TYPE,
  examples: ['ical publish --property hotel-ponte --type double'],
  audit: typeOf,
  async run(ports, key) {
    const published = await publishType(ports, key);
    if (!published.ok) return published;
    ports.tell({ published: published.value.replaced }, { published: true });
    if (published.value.replaced) ports.note('The earlier URL of this calendar has stopped working.');
    if (ports.webPort === undefined)
      ports.note('Calendars are served by the web listener: the service needs WEB_PORT.');
    return published;
  },
  print: ({ url }) => url,
  document: ({ url }) => ({ url }),
  http: {
    operationId: 'publishCalendar',
    route: `POST ${PUBLISHED_PATH}`,
    summary: 'Publish a calendar',
    description:
      'A URL on the web listener under which other platforms read the closed nights. A type has one: a repeated ' +
      'request makes a new one, and the earlier one stops working within a second.',
    success: [201, 'Published.', schemas.PublishedUrlSchema],
    problemCodes: ['SUPPLY_PROPERTY_NOT_FOUND'],
  },
});

const publishedAct = act({
  name: 'ical published',
  right: 'viewer',
  about: 'list published calendars; their URLs are not stored',
  input: {},
  examples: ['ical published'],
  audit: 'reads',
  run: async ({ storage }) => done((await Array.fromAsync(readPublished(storage))).flat()),
  print: {
    columns: ['propertyId', 'inventoryTypeId', 'publishedAt'],
    empty: 'No calendar is published yet; "stayport ical publish" does it.',
  },
});

export const unpublishAct = act({
  name: 'ical unpublish',
  right: 'admin',
  about: 'stop publishing a calendar; its URL answers 404 within a second',
  input: TYPE,
  examples: ['ical unpublish --property hotel-ponte --type double'],
  audit: typeOf,
  async run({ storage, tell }, key) {
    if (await storage.unpublishCalendar(key)) {
      tell({ published: true }, { published: false });
      return done(key);
    }
    const { propertyId, inventoryTypeId } = key;
    return refuse(new Wrong('unknownPublished', { propertyId, typeId: inventoryTypeId }), 'unknown');
  },
  print: ({ propertyId, inventoryTypeId }) => `The URL of ${propertyId}, ${inventoryTypeId} no longer works.`,
  http: {
    operationId: 'unpublishCalendar',
    route: `DELETE ${PUBLISHED_PATH}`,
    summary: 'Unpublish a calendar',
    description: 'Its URL answers 404 within a second.',
    success: [200, 'Unpublished.', schemas.UnpublishedSchema],
    problemCodes: ['SUPPLY_NOT_FOUND'],
    unknown: 'The calendar of this inventory type is not published.',
  },
});

export const ICAL_ACTS = [
  subscribeAct,
  updateFeedAct,
  listFeedsAct,
  pollAct,
  acceptAct,
  unsubscribeAct,
  publishAct,
  publishedAct,
  unpublishAct,
];
