/** The feed of changes over a real database and a real catalogue in memory, without listeners. */
import { CatalogueFeed } from '../../../src/partner/changes/catalogue-feed.ts';
import type { FeedAnswer, ListedChanges } from '../../../src/partner/changes/change-feed.ts';
import { Catalogue } from '../../../src/read-model/catalogue/catalogue.ts';
import { Wrong } from '../../../src/domain/wrong.ts';
import { parseHandoffKeys } from '../../../src/handoff/handoff-keys.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { silent } from '../../kit/follower-fixtures.ts';
import { HORIZON_NIGHTS, NOW_MS } from '../../kit/catalogue-samples.ts';
import { startFollower } from '../../kit/whole-follower.ts';
import { machineUptime } from '../../../src/runtime/clock.ts';

const parsedKeys = parseHandoffKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`);
assert.ok(!(parsedKeys instanceof Wrong));
export const keyring = parsedKeys;

export interface Serving {
  readonly catalogue: Catalogue;
  readonly feed: CatalogueFeed;
  /** Everything that is committed by now is shown. */
  readonly level: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface ServeOptions {
  readonly clock?: () => number;
  /** Between two rounds of following. */
  readonly pauseMs?: number;
}

/** A process that serves, without its listeners. */
export async function serveFeed(
  storage: Storage,
  { clock = () => NOW_MS, pauseMs = 3 }: ServeOptions = {},
): Promise<Serving> {
  const catalogue = new Catalogue({ clock, horizonNights: HORIZON_NIGHTS });
  const follower = startFollower({
    storage,
    catalogue: catalogue.writer,
    logger: silent,
    onAccess: () => undefined,
    clock,
    pause: () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
  });
  await follower.ready;
  const feed = new CatalogueFeed({
    storage,
    shown: () => follower.shown(),
    pause,
    uptimeMs: machineUptime,
    keys: () => keyring,
    clock,
    random: systemRandom,
    keptDays: 90,
  });
  return {
    catalogue,
    feed,
    async level() {
      const revision = await storage.readRevision();
      while ((follower.shown()?.revision ?? -1) < revision)
        await new Promise((resolve) => setTimeout(resolve, 1));
    },
    stop: () => follower.stop(),
  };
}

/** The answer, which must not be a refusal. */
export function toldOf(answer: FeedAnswer): ListedChanges {
  assert.ok(answer.refused === undefined, `refused: ${answer.refused}`);
  return answer;
}
