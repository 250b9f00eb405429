/** What is asked of everybody when a story has calmed down. */
import type { Traffic } from './traffic.ts';
import type { World } from './world.ts';

/** Answers without a change, besides one of each reader, after which a copy must be right. */
const QUIET_ANSWERS = 2;
/** By then, everybody shows everything. */
const LEVEL_MS = 250;
const ANSWERS_MAX = 400;

export async function searchEverywhere(world: World, traffic: Traffic): Promise<void> {
  for (const [index, { readerCount }] of world.places.entries())
    for (let reader = 0; reader < readerCount; reader += 1)
      for (const partnerId of new Set(world.held.map((held) => held.partnerId)))
        await traffic.search(index, reader, lastCredentialOf(world, partnerId));
}

/** Which is in force; all of them may have been revoked. */
function lastCredentialOf({ held: all, known }: World, partnerId: string): number {
  return all.findLastIndex(
    (held) => held.partnerId === partnerId && !known.now.revoked.has(held.credentialId),
  );
}

/** Until everybody shows everything. */
export async function untilLevel(world: World): Promise<void> {
  await Promise.all(world.places.map((place) => untilReady(world, place)));
  await world.sleep(LEVEL_MS * world.story.pace);
}

async function untilReady(world: World, place: (typeof world.places)[number]): Promise<void> {
  for (let waits = 0; waits < 200; waits += 1) {
    if (isLevel(world, place)) return;
    await world.sleep(50 * world.story.pace);
  }
  world.blame(place.name, 'does not catch up');
}

function isLevel({ known, nowMs }: World, { service, process }: World['places'][number]): boolean {
  if (service === undefined || process.frozenUntilMs > nowMs) return false;
  return service.readers.every(
    ({ readiness, follower }) => readiness() === 'ready' && follower.shown()?.revision === known.revision,
  );
}

export async function judgeCopy(world: World, copy: Traffic['copies'][number]): Promise<void> {
  const { places } = world;
  const readers = places.flatMap((place) =>
    Array.from({ length: place.readerCount }, (_, reader) => ({ place, reader })),
  );
  let quiet = 0;
  for (let count = 0; quiet < readers.length + QUIET_ANSWERS; count += 1) {
    // Its partner was stopped by what was still under way.
    if (!copy.isLetIn) return;
    if (count > ANSWERS_MAX) return world.blame(copy.partnerId, 'its feed does not come to rest');
    const { place, reader } = readers[count % readers.length]!;
    const mayHaveMore = await copy.ask(place, reader, { choice: count });
    if (mayHaveMore === undefined) await world.sleep(20);
    quiet = mayHaveMore === false ? quiet + 1 : 0;
  }
  const difference = copy.difference();
  if (difference !== undefined) world.blame(copy.partnerId, difference);
}
