/**
 * Other platforms in a story: each has a calendar of a property, which closes all of its nights or none, and answers those
 * who poll it, mostly. Each change that a poll makes is judged by what the platform has said.
 */
import { Wrong } from '../../src/domain/wrong.ts';
import { FEED_SOURCE_PREFIX } from '../../src/domain/layers.ts';
import type { SupplyAnswer, SupplyMessage } from '../../src/domain/ledger/message.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { sourceOfFeed } from '../../src/supply/ical/feed-layer.ts';
import type { FetchedFeed, Validators } from '../../src/supply/ical/fetch-feed.ts';
import { conditionOf, type Feed, type FeedState } from '../../src/storage/feeds/store.ts';
import { calendarText } from '../kit/feed-server.ts';
import { PROPERTIES } from './base.ts';
import { closingOf } from './known-truth.ts';
import { pick } from './quotes.ts';
import type { Process } from './scheduler.ts';
import { FIRST_NIGHT, LAST_NIGHT } from './shapes.ts';
import type { Step } from './story.ts';
import type { DoneCall } from './truth.ts';
import type { World } from './world.ts';

/** From a feed that is due to the end of its poll. */
const POLLED_MS = 3_000;
/** Most answers come sooner. */
const ANSWER_MS_MAX = 120;
/** From an answer to what is made of it. */
const STORED_MS = 1_000;
const BROKEN_MS_MAX = 1_500;
/** A closing that touches another is a stay of its own. */
const MIDDLE = FIRST_NIGHT + 3;
const CALENDARS = [
  [],
  [[FIRST_NIGHT, LAST_NIGHT + 1]],
  [
    [FIRST_NIGHT, MIDDLE],
    [MIDDLE, LAST_NIGHT + 1],
  ],
];

interface Platform {
  /** Which of `CALENDARS`. */
  calendar: number;
  brokenUntilMs: number;
  /** Answers without a stay, since the last with some; the true time of that. */
  emptyAnswers: number;
  closedAtMs: number;
}

export class Platforms {
  readonly #world: World;
  readonly #all = new Map(
    PROPERTIES.map((id): [string, Platform] => [
      id,
      { calendar: 1, brokenUntilMs: 0, emptyAnswers: 0, closedAtMs: 0 },
    ]),
  );
  /** Feeds that a person has begun to accept, or to unsubscribe: their nights may open. */
  readonly mayOpen = new Set<string>();
  /** By URL, the true time of the first answer since all calmed down. */
  readonly #quietAnswers = new Map<string, number>();
  /** By feed, the stays of the last calendar with some that was stored. */
  readonly #stays = new Map<string, { readonly count: number; readonly atMs: number }>();
  /** Feeds that a person has unsubscribed, with the true time. */
  readonly #ended = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Each feed has one of its own. */
  urlOf(propertyId: string, number: number): string {
    return `https://platform.example/${propertyId}/${number}`;
  }

  change([property, calendar, forMs, whether]: Step['numbers']): void {
    const world = this.#world;
    const propertyId = pick(PROPERTIES, property);
    const platform = this.#all.get(propertyId)!;
    if (whether % 4 === 0) platform.brokenUntilMs = world.nowMs + (forMs % BROKEN_MS_MAX);
    else platform.calendar = calendar % CALENDARS.length;
    const stays = CALENDARS[platform.calendar]!.length;
    world.tell(`platform of ${propertyId}`, whether % 4 === 0 ? 'is broken' : `has ${stays} stays`);
  }

  /** As `fetchFeed` answers. */
  async answer(process: Process, url: URL, { etag }: Validators): Promise<FetchedFeed> {
    const { scheduler, isQuiet } = this.#world;
    const platform = this.#all.get(url.pathname.split('/')[1]!)!;
    const draw = isQuiet ? 1 : scheduler.random();
    const travel = (): Promise<void> =>
      new Promise((resolve) => process.after((scheduler.random() * ANSWER_MS_MAX) / 2, resolve));
    await travel();
    const isBroken = draw < 0.1 || (!isQuiet && this.#world.nowMs < platform.brokenUntilMs);
    const { calendar } = platform;
    if (!isBroken) this.#noteAnswer(platform);
    if (isQuiet && !this.#quietAnswers.has(url.href)) this.#quietAnswers.set(url.href, this.#world.nowMs);
    await travel();
    if (isBroken)
      return { kind: 'failed', reason: new Wrong('serverStatus', { status: 503 }), retryAfter: '1' };
    const tag = `"${calendar}"`;
    if (etag === tag) return { kind: 'not-modified' };
    const body = Buffer.from(
      calendarText(...CALENDARS[calendar]!.map(([from, to]) => [text(from!), text(to!)] as const)),
    );
    return {
      kind: 'fetched',
      body,
      validators: { etag: tag, lastModified: null },
      mediaType: 'text/calendar',
    };
  }

  #noteAnswer(platform: Platform): void {
    if (CALENDARS[platform.calendar]!.length === 0) platform.emptyAnswers += 1;
    else Object.assign(platform, { emptyAnswers: 0, closedAtMs: this.#world.nowMs });
  }

  /** Before the checker follows it. */
  judgeCall({ name, args, result, process }: DoneCall): void {
    if (name === 'saveFeedState') this.#noteStays(String(args[0]), args[1] as FeedState);
    if (name !== 'applySupply') return;
    const message = args[0] as SupplyMessage;
    const closing = closingOf(message);
    const answer = result as SupplyAnswer;
    if (closing === undefined || answer.kind !== 'done' || answer.outcome.verdict === 'refused') return;
    const { propertyId, closes } = closing;
    const feedId = message.source.slice(FEED_SOURCE_PREFIX.length);
    const blame = (what: string): void =>
      this.#world.blame(process.name, `${what} ${propertyId} for ${feedId}`);
    this.#world.counts.checks += 1;
    if (this.#hasEnded(feedId)) blame('changes, after its end,');
    if (closes && this.#all.get(propertyId)!.closedAtMs === 0) blame('closes, as no calendar says,');
    const wasClosed = this.#world.known.newest.get(propertyId)?.units[message.source] === 0;
    if (!closes && wasClosed && !this.#canOpen(propertyId, feedId)) blame('opens too soon');
  }

  /** As the service knows them, and holds back a calendar with none. */
  #noteStays(feedId: string, { eventCount }: FeedState): void {
    if (eventCount !== null && eventCount > 0)
      this.#stays.set(feedId, { count: eventCount, atMs: this.#world.nowMs });
  }

  /** A calendar that opens all counts when it is said twice; one that had several stays only after hours. */
  #canOpen(propertyId: string, feedId: string): boolean {
    const { restoredAtMs } = this.#world;
    const { emptyAnswers, closedAtMs } = this.#all.get(propertyId)!;
    const stays = this.#stays.get(feedId);
    if (this.mayOpen.has(feedId) || restoredAtMs >= closedAtMs) return true;
    return emptyAnswers > 1 && (stays === undefined || stays.count === 1 || restoredAtMs >= stays.atMs);
  }

  /** Clocks that differ by minutes let two processes have a feed at once. */
  #hasEnded(feedId: string): boolean {
    const endedAtMs = this.#ended.get(feedId) ?? Number.POSITIVE_INFINITY;
    const { restoredAtMs, nowMs, story } = this.#world;
    return nowMs > endedAtMs && restoredAtMs < endedAtMs && story.steps.every(({ kind }) => kind !== 'jump');
  }

  noteEnded(feedId: string): void {
    this.#ended.set(feedId, this.#world.nowMs);
  }

  /** A feed that has ended closes nothing, nor when its property returns. */
  #judgeEnded(): void {
    for (const { propertyId, units } of this.#world.known.newest.values())
      for (const source of Object.keys(units)) {
        const feedId = source.slice(FEED_SOURCE_PREFIX.length);
        if (source.startsWith(FEED_SOURCE_PREFIX) && this.#hasEnded(feedId))
          this.#world.blame('the service', `keeps ${propertyId} closed for ${feedId}, which has ended`);
      }
  }

  /** When all has calmed down: feeds that are due are polled, and say what their platform says. */
  async judgeEnd(): Promise<void> {
    const world = this.#world;
    this.#judgeEnded();
    await world.sleep(2 * POLLED_MS);
    const { storage } = world.truth;
    for (const feed of await world.askDatabase(() => storage.listFeeds())) {
      const claimedUntilMs = await world.askDatabase(() => storage.readClaimEnd(`ical feed ${feed.feedId}`));
      const dueMs = Math.max(feed.nextPollAtMs, claimedUntilMs ?? 0) + POLLED_MS;
      world.counts.checks += 1;
      if (world.places.every(({ process }) => process.wallMs() > dueMs))
        world.blame(
          'the service',
          `does not poll ${feed.feedId}, which was due ${world.nowMs - dueMs} ms ago`,
        );
      if ((this.#quietAnswers.get(feed.url) ?? Infinity) < world.nowMs - STORED_MS) this.#judgeFeed(feed);
    }
  }

  #judgeFeed(feed: Feed): void {
    const { propertyId, feedId } = feed;
    const { newest } = this.#world.known;
    const stays = CALENDARS[this.#all.get(propertyId)!.calendar]!.length;
    const isClosed = newest.get(propertyId)?.units[sourceOfFeed(feedId)] === 0;
    const condition = conditionOf(feed);
    if (condition === 'failing' || newest.get(propertyId)?.isWithdrawn !== false) return;
    if (isClosed !== (stays > 0 || condition === 'held'))
      this.#world.blame(
        'the service',
        `has ${propertyId} ${isClosed ? 'closed' : 'open'}, and ${feedId} is ${condition}`,
      );
  }
}

function text(day: number): string {
  return formatLocalDate(day);
}
