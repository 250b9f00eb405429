/**
 * Changes of the sandbox: one every few seconds, by the clock alone, so that a partner can try the feed with a test token.
 * Its properties stay as they are; reading them again finds what was there.
 */
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import { DAY_MS } from '../../domain/local-date.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion, ListedChange } from './change-feed.ts';
import { openCursor, sealCursor } from './feed-cursor.ts';

export const SANDBOX_CHANGE_MS = 5_000;
/** Older ones are answered as those of a database that was replaced. */
export const SANDBOX_CURSOR_DAYS = 1;

/** In turn. */
const CHANGES: readonly ListedChange[] = [
  { propertyId: 'test-always', change: 'calendar' },
  { propertyId: 'test-two-types', change: 'content' },
  { propertyId: 'test-weekend', change: 'calendar' },
];

const STAMP = 'sandbox';

/** In place of a cursor: the answer to one that is too old. */
const EXPIRED = 'test-expired';

export interface SandboxFeedDeps {
  readonly clock: Clock;
  readonly keys: () => HandoffKeyring;
  readonly random: Random;
}

export function sandboxFeed({ clock, keys, random }: SandboxFeedDeps): ChangeFeed {
  const version = (): number => Math.floor(clock() / SANDBOX_CHANGE_MS);

  function told(
    partnerId: string,
    from: number,
    changes: readonly ListedChange[],
    hasMore: boolean,
  ): FeedAnswer {
    const place = { revision: from, propertyId: '' };
    const since = { revision: from, stamp: STAMP };
    const cursor = { since, place, seen: since, atMs: clock() };
    const next = sealCursor(keys(), { partnerId, isTest: true }, cursor, random);
    return { changes, next, hasMore, version: from };
  }

  return {
    version,
    async ask({ partnerId, since, limit }: FeedQuestion) {
      const now = version();
      if (since === undefined) return told(partnerId, now, [], false);
      if (since === EXPIRED) return { refused: 'reset' };
      const cursor = openCursor(keys(), { partnerId, isTest: true }, since);
      if (cursor === undefined) return { refused: 'invalid' };
      if (cursor === 'retired') return { refused: 'reset' };
      const { revision } = cursor.since;
      const daysAgo = (clock() - cursor.atMs) / DAY_MS;
      // Also one of another day, as `Stayport-Test: today=` makes them.
      if (Math.abs(daysAgo) > SANDBOX_CURSOR_DAYS) return { refused: 'reset' };
      const count = Math.min(Math.max(0, now - revision), CHANGES.length);
      const all = Array.from({ length: count }, (_, index) => CHANGES[(now - index) % CHANGES.length]!);
      if (all.length <= limit) return told(partnerId, Math.max(now, revision), all, false);
      return told(partnerId, now - count + limit, all.toReversed().slice(0, limit), true);
    },
  };
}
