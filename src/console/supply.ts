/** What comes in: sources by age, calendars that are held back, feeds, and the newest messages. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EpochDay, localToday } from '../domain/local-date.ts';
import { type NightRuns, visitStretches } from '../domain/night-runs.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Feed, FeedStore } from '../storage/feeds/store.ts';
import type { ConfirmedSupply, SupplyStore } from '../storage/supply/store.ts';
import { presentFreshness, readConfirmations } from '../supply/freshness/read-freshness.ts';
import { type FeedView, viewFeed } from '../supply/ical/feed-changes.ts';
import { findLayer } from '../supply/ical/feed-layer.ts';
import { parseHeld } from '../supply/ical/held-back.ts';
import { nameOf } from '../supply/ical/poll-feed.ts';
import { presentMessage } from '../supply/messages/read-supply.ts';
import type { PageQuestion } from './console-page.ts';
import { type NightsRow, nightsRow } from './property.ts';
import type { SourceAge, SourceAges } from './source-ages.ts';

export interface SupplyDeps {
  readonly storage: Pick<FeedStore, 'listFeeds' | 'listFeedsInNeed'> &
    Pick<SupplyStore, 'findLayers' | 'listConfirmations' | 'listSupplyMessages'>;
  readonly clock: Clock;
  readonly sourceAges: SourceAges;
}

/** A calendar that waits for `accept`: what that would open, and close, from today on. */
export interface HeldFeed {
  readonly feed: FeedView;
  readonly opens: readonly NightsRow[];
  readonly closes: readonly NightsRow[];
  /** Stretches of nights that are not among them. */
  readonly leftOut: number;
}

type Message = ReturnType<typeof presentMessage>;
/** At most MISTAKES_SHOWN errors and warnings; the counts are of all. */
type MessageRow = Omit<Message, 'errors' | 'warnings'> & {
  readonly errors: readonly Message['errors'][number][];
  readonly warnings: readonly Message['errors'][number][];
};

export interface SupplyShown {
  readonly rows: {
    /** As `freshness`. */
    readonly freshness: readonly ReturnType<typeof presentFreshness>[];
    /** As `ical list`. */
    readonly feeds: readonly FeedView[];
    /** As `GET /supply/v1/messages`, without entries and with the first mistakes alone. */
    readonly messages: readonly MessageRow[];
  };
  /** The longest silent first. */
  readonly sources: readonly SourceAge[];
  readonly held: readonly HeldFeed[];
  readonly failing: readonly FeedView[];
  /** Whether `rows` leaves out confirmations, feeds. */
  readonly more: { readonly freshness: boolean; readonly feeds: boolean };
}

/** Of confirmations, and of feeds: a page under 60 KB. */
const ROWS_SHOWN = 50;
/** The same for programs. */
const JSON_ROWS_MAX = 10_000;
const MESSAGES_SHOWN = 30;
/** Feeds that are held back or fail, together. */
const FEEDS_IN_NEED = 20;
const STRETCHES_SHOWN = 20;
/** Errors, and warnings, of one message. */
const MISTAKES_SHOWN = 3;

export async function readSupply(
  { storage, clock, sourceAges }: SupplyDeps,
  { isJson }: Pick<PageQuestion, 'isJson'>,
): Promise<SupplyShown> {
  const nowMs = clock();
  const limit = isJson ? JSON_ROWS_MAX : ROWS_SHOWN;
  const confirmed = await firstConfirmations(storage, limit + 1);
  const feeds = await storage.listFeeds(limit + 1);
  const inNeed = await storage.listFeedsInNeed(FEEDS_IN_NEED);
  const messages = await storage.listSupplyMessages({ limit: MESSAGES_SHOWN });
  return {
    rows: {
      freshness: confirmed.slice(0, limit).map((row) => presentFreshness(row, nowMs)),
      feeds: feeds.slice(0, limit).map(viewFeed),
      messages: messages.map(presentMessage).map(withFirstMistakes),
    },
    sources: await sourceAges.get(),
    held: await Promise.all(
      inNeed.filter(({ heldNights }) => heldNights !== null).map((feed) => showHeld(storage, feed, nowMs)),
    ),
    failing: inNeed.filter(({ failure }) => failure !== null).map(viewFeed),
    more: { freshness: confirmed.length > limit, feeds: feeds.length > limit },
  };
}

function withFirstMistakes(message: Message): MessageRow {
  const { errors, warnings } = message;
  return { ...message, errors: errors.slice(0, MISTAKES_SHOWN), warnings: warnings.slice(0, MISTAKES_SHOWN) };
}

async function firstConfirmations(storage: SupplyDeps['storage'], limit: number) {
  const confirmed: ConfirmedSupply[] = [];
  for await (const rows of readConfirmations(storage)) {
    confirmed.push(...rows);
    if (confirmed.length >= limit) break;
    await nextTurn();
  }
  return confirmed;
}

async function showHeld(storage: SupplyDeps['storage'], feed: Feed, nowMs: number): Promise<HeldFeed> {
  const layer = await findLayer({ storage }, nameOf(feed));
  const { closed } = parseHeld(feed.heldNights ?? '');
  // Without its property there is nothing to open, and accepting says so.
  if (!layer.ok) return { feed: viewFeed(feed), opens: [], closes: [], leftOut: 0 };
  const today = localToday(layer.timezone, nowMs);
  const opens = nightsOnlyIn(layer.closed, closed, today);
  const closes = nightsOnlyIn(closed, layer.closed, today);
  return {
    feed: viewFeed(feed),
    opens: opens.slice(0, STRETCHES_SHOWN),
    closes: closes.slice(0, STRETCHES_SHOWN),
    leftOut: Math.max(0, opens.length - STRETCHES_SHOWN) + Math.max(0, closes.length - STRETCHES_SHOWN),
  };
}

/** Nights from today on that `one` closes and `other` does not. */
function nightsOnlyIn(one: NightRuns, other: NightRuns, today: EpochDay): NightsRow[] {
  const rows: NightsRow[] = [];
  visitStretches([one, other], (from, until, [first, second]) => {
    if (first !== undefined && second === undefined && until > today)
      rows.push(nightsRow(Math.max(from, today), until));
  });
  return rows;
}
