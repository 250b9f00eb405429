/** iCal: calendars of other platforms that we read, and our own that they read. */
import type { Feed } from '../storage/feeds/store.ts';
import * as feeds from '../supply/ical/feed-changes.ts';
import { publishType, readPublished } from '../supply/published/publish-changes.ts';
import { act, type ActPorts, done, optional, refuse, required } from './act.ts';
import { typeOf } from './nights-acts.ts';
import { anyText, duration, notBlank, orNone } from './values.ts';

const HALF_HOUR_MS = 30 * 60_000;
const TYPE = {
  propertyId: required(notBlank, '--property <id>', 'property'),
  inventoryTypeId: required(notBlank, '--type <id>', 'inventory type'),
};
const NOTHING_TO_CHANGE = 'nothing to change: give --url, --every or --name';
const FEED = { feedId: required(anyText, '<feed-id>', 'id of the feed, as "ical list" shows it') };

export const subscribeAct = act({
  name: 'ical subscribe',
  right: 'admin',
  about: 'subscribe to a calendar of another platform, and close the nights that it closes',
  input: {
    ...TYPE,
    url: required(notBlank, '--url <url>', 'URL of the calendar at the platform; https, http or webcal'),
    everyMs: optional(duration, '--every <duration>', 'how often it is fetched: 1s to 24h, 30m unless given'),
    name: optional(notBlank, '--name <name>', 'name for your own lists'),
  },
  examples: [
    'ical subscribe --property hotel-ponte --type double --url "https://www.airbnb.com/calendar/ical/1.ics?s=abc"',
  ],
  audit: typeOf,
  async run(ports, { everyMs = HALF_HOUR_MS, name = null, ...feed }) {
    const options = { ...feed, everySeconds: Math.round(everyMs / 1000), name };
    const subscribed = await feeds.subscribeFeed(ports, options);
    if (subscribed.ok) ports.tell(null, termsOf(subscribed.value));
    return subscribed;
  },
  print: 'fields',
});

export const updateFeedAct = act({
  name: 'ical update',
  right: 'admin',
  about: 'change URL, interval or name of a calendar; its closed nights stay until it is fetched again',
  input: {
    ...FEED,
    url: optional(notBlank, '--url <url>', 'new URL of the calendar, which is fetched at once'),
    everyMs: optional(duration, '--every <duration>', 'how often it is fetched: 1s to 24h'),
    name: optional(orNone(notBlank), '--name <name>', 'name for your own lists; none clears it'),
  },
  examples: ['ical update feed_5nWkD0XJ2yqL --every 2h'],
  audit: ({ feedId }) => feedId,
  check: ({ url, everyMs, name }) =>
    url === undefined && everyMs === undefined && name === undefined ? NOTHING_TO_CHANGE : undefined,
  run(ports, { feedId, url, everyMs, name }) {
    const everySeconds = everyMs === undefined ? undefined : Math.round(everyMs / 1000);
    const tell = (before: Feed, after: Feed): void => tellFeed(ports, before, after);
    return ports.inTurn(() => feeds.updateFeed(ports, feedId, { url, everySeconds, name }, tell));
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
  run: (ports, { feedId }) => ports.inTurn(() => feeds.pollNow(ports, feedId)),
  print: 'fields',
  failure: ({ feedId, outcome, failure }) =>
    outcome === 'failed'
      ? `the feed ${feedId} could not be read, and its nights stay as they are: ${failure}`
      : undefined,
});

export const acceptAct = act({
  name: 'ical accept',
  right: 'operator',
  about: 'apply a calendar that was held back because it would open half or more of the closed nights',
  input: FEED,
  examples: ['ical accept feed_5nWkD0XJ2yqL'],
  audit: ({ feedId }) => feedId,
  run: (ports, { feedId }) => ports.inTurn(() => feeds.acceptFeed(ports, feedId)),
  print: 'fields',
});

export const unsubscribeAct = act({
  name: 'ical unsubscribe',
  right: 'admin',
  about: 'unsubscribe a calendar, and open the nights that only it closed',
  input: FEED,
  examples: ['ical unsubscribe feed_5nWkD0XJ2yqL'],
  audit: ({ feedId }) => feedId,
  async run(ports, { feedId }) {
    const deleted = await ports.inTurn(() => feeds.unsubscribeFeed(ports, feedId));
    if (deleted.ok) ports.tell(termsOf(deleted.value), 'done');
    return deleted;
  },
  print: ({ feedId }) => `The feed ${feedId} is unsubscribed; the nights that only it closed are open.`,
});

/** Never a URL: it is as good as a password. A name may be of any length. */
function termsOf({ propertyId, inventoryTypeId, host, every, name }: feeds.FeedView) {
  return { propertyId, inventoryTypeId, host, every, name: name?.slice(0, NAME_TOLD_MAX) ?? null };
}

const NAME_TOLD_MAX = 200;

/** What is different; of another URL its host, also where that is the same. */
function tellFeed({ tell }: ActPorts, before: Feed, after: Feed): void {
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
    ports.tell({ published: published.replaced }, { published: true });
    if (published.replaced) ports.note('The earlier URL of this calendar has stopped working.');
    if (ports.webPort === undefined)
      ports.note('Calendars are served by the web listener: the service needs WEB_PORT.');
    return done({ url: published.url });
  },
  print: ({ url }) => url,
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
    return refuse(
      `no calendar of ${propertyId}, ${inventoryTypeId} is published; "ical published" lists them`,
    );
  },
  print: ({ propertyId, inventoryTypeId }) => `The URL of ${propertyId}, ${inventoryTypeId} no longer works.`,
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
