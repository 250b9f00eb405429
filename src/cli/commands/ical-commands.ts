import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import type { Storage } from '../../storage/storage.ts';
import {
  acceptFeed,
  type FeedDeps,
  listFeeds,
  type Outcome,
  pollNow,
  subscribeFeed,
  unsubscribeFeed,
} from '../../supply/ical/feed-changes.ts';
import { type PublishedDeps, publishType, readPublished } from '../../supply/published/publish-changes.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure, unwrap } from '../terminal/failure.ts';
import { duration, notBlank } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface SubscribeOptions {
  readonly property: string;
  readonly type: string;
  readonly url: string;
  readonly every?: number;
  readonly name?: string;
}

const HALF_HOUR_MS = 30 * 60_000;
const FEED_ID = 'id of the feed, as "ical list" shows it';

export function addIcalCommands(ical: Command, session: Session): void {
  addSubscribe(ical, session);
  ical
    .command('list')
    .description('list subscribed calendars and the result of their last poll')
    .addHelpText('after', example('ical list'))
    .action(async () => {
      const feeds = await session.withStorage(async (storage) => listFeeds({ storage }));
      const columns = [
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
      ] as const;
      const empty = 'No calendar is subscribed yet; "stayport ical subscribe" does it.';
      session.answer(feeds, () => formatTable(columns, feeds, empty));
    });
  addAct(ical, session, {
    name: 'poll',
    description: 'fetch a calendar now; a running service polls by itself',
    act: pollNow,
    readable: (view) => formatFields({ ...view }),
    failureOf: ({ feedId, outcome, failure }) =>
      outcome === 'failed'
        ? `the feed ${feedId} could not be read, and its nights stay as they are: ${failure}`
        : undefined,
  });
  addAct(ical, session, {
    name: 'accept',
    description:
      'apply a calendar that was held back because it would open half or more of the closed nights',
    act: acceptFeed,
    readable: (view) => formatFields({ ...view }),
  });
  addAct(ical, session, {
    name: 'unsubscribe',
    description: 'unsubscribe a calendar, and open the nights that only it closed',
    act: unsubscribeFeed,
    readable: ({ feedId }) => `The feed ${feedId} is unsubscribed; the nights that only it closed are open.`,
  });
  addPublish(ical, session);
}

interface TypeOptions {
  readonly property: string;
  readonly type: string;
}

const PUBLISHED_TYPE = '--property hotel-ponte --type double';

function addPublish(ical: Command, session: Session): void {
  const ofType = (name: string, description: string): Command =>
    ical
      .command(name)
      .description(description)
      .requiredOption('--property <id>', 'property', notBlank)
      .requiredOption('--type <id>', 'inventory type', notBlank)
      .addHelpText('after', example(`ical ${name} ${PUBLISHED_TYPE}`));
  ofType(
    'publish',
    'publish the closed nights of an inventory type, and print the URL, which is shown only once; an earlier URL of ' +
      'the type stops working',
  ).action(async ({ property: propertyId, type: inventoryTypeId }: TypeOptions) => {
    const published = await session.withStorage(async (storage) =>
      publishType(publishedDeps(session, storage), { propertyId, inventoryTypeId }),
    );
    const { url, replaced } = unwrap(
      published.ok ? { ok: true, value: published } : { ok: false, problem: published.problem },
    );
    if (replaced) session.note('The earlier URL of this calendar has stopped working.');
    if (session.settings().webPort === undefined) {
      session.note('Calendars are served by the web listener: the service needs WEB_PORT.');
    }
    session.answer({ url }, () => url);
  });
  ical
    .command('published')
    .description('list published calendars; their URLs are not stored')
    .addHelpText('after', example('ical published'))
    .action(async () => {
      const rows = await session.withStorage(async (storage) =>
        (await Array.fromAsync(readPublished(storage))).flat(),
      );
      const columns = ['propertyId', 'inventoryTypeId', 'publishedAt'] as const;
      const empty = 'No calendar is published yet; "stayport ical publish" does it.';
      session.answer(rows, () =>
        formatTable(
          columns,
          rows.map((row) => ({ ...row })),
          empty,
        ),
      );
    });
  ofType('unpublish', 'stop publishing a calendar; its URL answers 404 within a second').action(
    async ({ property: propertyId, type: inventoryTypeId }: TypeOptions) => {
      const key = { propertyId, inventoryTypeId };
      const isEnded = await session.withStorage(async (storage) => storage.unpublishCalendar(key));
      if (!isEnded) {
        throw new CommandFailure(
          `no calendar of ${propertyId}, ${inventoryTypeId} is published; "ical published" lists them`,
        );
      }
      session.answer(key, () => `The URL of ${propertyId}, ${inventoryTypeId} no longer works.`);
    },
  );
}

function publishedDeps(session: Session, storage: Storage): PublishedDeps {
  const { clock, random } = session;
  return { storage, clock, random, calendarsBaseUrl: session.settings().calendarsBaseUrl };
}

function addSubscribe(ical: Command, session: Session): void {
  ical
    .command('subscribe')
    .description('subscribe to a calendar of another platform, and close the nights that it closes')
    .requiredOption('--property <id>', 'property', notBlank)
    .requiredOption('--type <id>', 'inventory type', notBlank)
    .requiredOption('--url <url>', 'URL of the calendar at the platform; https, http or webcal', notBlank)
    .option('--every <duration>', 'how often it is fetched: 1s to 24h, 30m unless given', duration)
    .option('--name <name>', 'name for your own lists', notBlank)
    .addHelpText(
      'after',
      example(
        'ical subscribe --property hotel-ponte --type double --url "https://www.airbnb.com/calendar/ical/1.ics?s=abc"',
      ),
    )
    .action(async (options: SubscribeOptions) => {
      const { property, type, url, every = HALF_HOUR_MS, name = null } = options;
      const everySeconds = Math.round(every / 1000);
      const request = { propertyId: property, inventoryTypeId: type, url, everySeconds, name };
      const view = await withFeeds(session, (deps) => subscribeFeed(deps, request));
      session.answer(view, () => formatFields({ ...view }));
    });
}

interface Act<View> {
  readonly name: string;
  readonly description: string;
  readonly act: (deps: FeedDeps, feedId: string) => Promise<Outcome<View>>;
  readonly readable: (view: View & Readonly<Record<string, string | null>>) => string;
  /** Why the command fails although it has an answer, which is printed too. */
  readonly failureOf?: (view: View) => string | undefined;
}

function addAct<View extends object>(
  ical: Command,
  session: Session,
  { name, description, act, readable, failureOf }: Act<View>,
) {
  ical
    .command(name)
    .argument('<feed-id>', FEED_ID)
    .description(description)
    .addHelpText('after', example(`ical ${name} feed_5nWkD0XJ2yqL`))
    .action(async (feedId: string) => {
      const view = await withFeeds(session, (deps) => act(deps, feedId));
      session.answer(view, () => readable(view as View & Readonly<Record<string, string | null>>));
      const failure = failureOf?.(view);
      if (failure !== undefined) throw new CommandFailure(failure);
    });
}

async function withFeeds<T>(session: Session, work: (deps: FeedDeps) => Promise<Outcome<T>>): Promise<T> {
  return unwrap(await session.withStorage(async (storage) => work(feedDeps(session, storage))));
}

/** What a command works with on feeds. */
export function feedDeps(session: Session, storage: Storage): FeedDeps {
  const { clock, random } = session;
  const { horizonNights, publicUrl, icalAllowPrivate: allowsPrivate } = session.settings();
  const newMessageId = randomMessageIds(random);
  const holder = randomUUID();
  const fetching = { allowsPrivate };
  return { storage, clock, random, holder, newMessageId, horizonNights, publicUrl, fetching };
}
