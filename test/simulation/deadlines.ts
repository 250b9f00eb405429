/** What must not be late: polls that sleep over a change, limits that stay alone, announcements that wait. */
import { PARTNERS, PROPERTIES, START_MS } from './base.ts';
import { wantedOf } from './judge.ts';
import { passed } from './today.ts';
import type { Place, World } from './world.ts';

/** From one look of a poll to the next, with what a poll may be late by. */
const POLL_LOOK_MS = 800;
/** From one question whether Redis is back to the next, with the longest that an answer takes. */
const SHARED_AGAIN_MS = 1_000;
/** A process that died held the claim of webhooks for so long, and one more look. */
const SENDING_MS = 30_000;
const CHANGES = 'changes.available';

/** A poll that ends: it did not sleep over a change that its partner sees. */
export function judgePoll(world: World, place: Place, partnerId: string, begunAtMs: number): void {
  const { states, timesMs } = world.known.now;
  const isCalm = place.disturbedUntilMs < begunAtMs && place.catalogueDisturbedUntilMs < begunAtMs;
  if (!isCalm || world.restoredAtMs >= begunAtMs) return;
  const slept = timesMs.findIndex(
    (atMs, revision) =>
      atMs > begunAtMs &&
      world.nowMs - atMs > (world.knownMs + POLL_LOOK_MS) / place.process.rate &&
      hasChanged(partnerId, states, revision),
  );
  if (slept >= 0)
    world.blame(place.name, `lets ${partnerId} wait, and has known of the change at ${slept} for long`);
}

/** Whether a partner can read something else since this revision. */
export function hasChanged(
  partnerId: string,
  states: World['known']['now']['states'],
  revision: number,
): boolean {
  const read = (at: number, id: string): string => JSON.stringify(wantedOf(partnerId, states[at]?.get(id)));
  return revision > 0 && PROPERTIES.some((id) => read(revision, id) !== read(revision - 1, id));
}

/** A while after Redis is back, all count there again. */
export async function judgeSharing(world: World): Promise<void> {
  if (world.redis === undefined) return;
  await world.sleep(SHARED_AGAIN_MS);
  for (const place of world.places)
    await world.request(place, async ({ readers }) => {
      for (const { number, limits } of readers)
        if (limits.isOwn(await limits.ingress.hit('anybody')))
          world.blame(place.name, `reader ${number} still counts alone`);
    });
}

/** Each partner was told of its last change, or is to be told, and will be soon. */
export function judgeAnnouncements(world: World): void {
  const { known, truth, accepted } = world;
  const { states, timesMs } = known.now;
  const deliveries = truth.deliveries();
  for (const partnerId of PARTNERS) {
    // Nothing is announced to a partner that is stopped.
    if (known.now.stopped.has(partnerId)) continue;
    const last = states.findLastIndex((_state, revision) => hasChanged(partnerId, states, revision));
    const changedAtMs = timesMs[last];
    if (changedAtMs === undefined || changedAtMs <= START_MS || last <= world.restoredRevision) continue;
    const isTold = accepted.some(
      (one) => one.type === CHANGES && one.partnerId === partnerId && one.atMs >= changedAtMs,
    );
    const isWaiting = deliveries.some(
      (one) =>
        one.event === CHANGES &&
        one.partnerId === partnerId &&
        one.status === 'pending' &&
        Number(one.nextAttemptAtMs) > world.nowMs + passed() - SENDING_MS,
    );
    if (!isTold && !isWaiting) world.blame(partnerId, `was not told of its change at ${last}`);
  }
}
