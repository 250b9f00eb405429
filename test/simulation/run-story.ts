/** Runs one story to its end, and judges it. */
import { type Base, PROPERTIES, writeBase } from './base.ts';
import { judgeAnnouncements, judgeSharing } from './deadlines.ts';
import { LAG_MS_MAX, type Story } from './story.ts';
import { Traffic } from './traffic.ts';
import { openTruth, type Truth } from './truth.ts';
import { type Counts, type Told, World } from './world.ts';

/** Answers without a change, besides one of each reader, after which a copy must be right. */
const QUIET_ANSWERS = 2;
const STARTING_MS = 120;
/** By then, everybody shows everything. */
const LEVEL_MS = 250;
const ANSWERS_MAX = 400;

export interface Ending {
  /** Undefined: everything held. */
  readonly wrong: string | undefined;
  readonly told: readonly Told[];
  readonly counts: Counts;
}

export interface Stage {
  run(story: Story): Promise<Ending>;
  close(): Promise<void>;
}

/** One database, for one story after the other. */
export async function openStage(): Promise<Stage> {
  const truth = await openTruth();
  const base = await writeBase(truth);
  return { run: (story) => runStory(story, truth, base), close: () => truth.close() };
}

async function runStory(story: Story, truth: Truth, base: Base): Promise<Ending> {
  const world = new World(story, truth, base);
  const traffic = new Traffic(world);
  try {
    await play(world, traffic);
  } catch (error) {
    world.blame('the story', String((error as Error).stack));
  } finally {
    await world.close();
  }
  return { wrong: world.wrong, told: world.told, counts: world.counts };
}

async function play(world: World, traffic: Traffic): Promise<void> {
  const { scheduler, story, clients } = world;
  const run = (forMs: number): Promise<void> =>
    scheduler.runUntil(world.nowMs + forMs, () => world.wrong === undefined);
  for (const place of world.places) world.start(place);
  await run(STARTING_MS);
  const begunMs = world.nowMs;
  for (const step of story.steps) {
    const { atMs, kind, numbers } = step;
    scheduler.at(begunMs + atMs, clients, () => traffic.perform(step));
    const keep = (): unknown => (world.standby = world.keep());
    if (kind === 'failOver')
      scheduler.at(begunMs + Math.max(0, atMs - (numbers[0] % LAG_MS_MAX)), clients, keep);
  }
  await run((story.steps.at(-1)?.atMs ?? 0) + 1);
  if (world.wrong !== undefined) return;
  calmDown(world);
  await run(story.quietMs);
  if (world.wrong !== undefined) return;
  let isJudged = false;
  scheduler.at(world.nowMs, clients, () => {
    judgeEnd(world, traffic).then(
      () => (isJudged = true),
      (error: unknown) => world.blame('the story', String((error as Error).stack)),
    );
  });
  for (let waits = 0; waits < 60 && !isJudged && world.wrong === undefined; waits += 1)
    await run(500 * world.story.pace);
  if (!isJudged) world.blame('the story', 'does not come to its end');
}

/** From now on nothing fails, and everybody runs. */
function calmDown(world: World): void {
  world.isQuiet = true;
  world.tell('the story', 'calms down');
  Object.assign(world.way, {
    delayMsMax: 4,
    lossShare: 0,
    awayUntilMs: 0,
    fullUntilMs: Math.min(world.way.fullUntilMs, world.nowMs),
    catalogueSlowUntilMs: 0,
  });
  if (world.redis !== undefined) world.redis.awayUntilMs = 0;
}

async function judgeEnd(world: World, traffic: Traffic): Promise<void> {
  await traffic.settle();
  await Promise.all(world.places.map((place) => untilReady(world, place)));
  await world.sleep(LEVEL_MS * world.story.pace);
  await searchEverywhere(world, traffic);
  await judgeSharing(world);
  for (const copy of traffic.copies) if (copy.isLetIn) await judgeCopy(world, copy);
  await judgeStored(world);
  judgeDeliveries(world);
  await traffic.openQuotes();
  if (world.story.quietMs > 0) judgeAnnouncements(world);
}

async function searchEverywhere(world: World, traffic: Traffic): Promise<void> {
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

async function judgeCopy(world: World, copy: Traffic['copies'][number]): Promise<void> {
  const { places } = world;
  const readers = places.flatMap((place) =>
    Array.from({ length: place.readerCount }, (_, reader) => ({ place, reader })),
  );
  let quiet = 0;
  for (let count = 0; quiet < readers.length + QUIET_ANSWERS; count += 1) {
    if (count > ANSWERS_MAX) return world.blame(copy.partnerId, 'its feed does not come to rest');
    const { place, reader } = readers[count % readers.length]!;
    const mayHaveMore = await copy.ask(place, reader, { choice: count });
    if (mayHaveMore === undefined) await world.sleep(20);
    quiet = mayHaveMore === false ? quiet + 1 : 0;
  }
  const difference = copy.difference();
  if (difference !== undefined) world.blame(copy.partnerId, difference);
}

/** What was acknowledged is there; what the checker knows is what the database has. */
async function judgeStored(world: World): Promise<void> {
  const { truth, known } = world;
  for (const quoteId of world.acknowledgedQuotes) {
    if (world.excused.has(quoteId)) continue;
    if ((await world.askDatabase(() => truth.storage.findQuote(quoteId))) === undefined)
      world.blame('the service', `${quoteId} was acknowledged, and is gone`);
  }
  for (const [reference, quoteId] of world.acknowledgedBookings) {
    if (world.excused.has(reference)) continue;
    const stored = await world.askDatabase(() => truth.storage.listConversions(quoteId));
    if (stored.filter((one) => one.reference === reference).length !== 1)
      world.blame('the service', `${reference} was acknowledged, and is not stored once`);
  }
  for (const propertyId of PROPERTIES) {
    const stored = await world.askDatabase(() => truth.storage.findProperty(propertyId));
    const wanted = known.newest.get(propertyId);
    if ((stored === undefined) !== (wanted === undefined || wanted.isWithdrawn))
      world.blame('the database', `${propertyId} is not as it was acknowledged`);
  }
}

/** A delivery is done only when its endpoint accepted it. */
function judgeDeliveries(world: World): void {
  for (const { deliveryId, status } of world.truth.deliveries())
    if (status === 'delivered' && !world.accepted.some((one) => one.deliveryId === deliveryId))
      world.blame('the service', `${deliveryId} is marked as delivered, and its endpoint did not accept it`);
}
