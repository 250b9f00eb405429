/** Runs one story to its end, and judges it. */
import { PLAIN_TERMS, PROPERTIES, RICH_TERMS, writeBase } from './base.ts';
import { tellAfterwards } from './afterwards.ts';
import { judgeAnnouncements, judgeSharing } from './deadlines.ts';
import type { RedisCounts } from './limits.ts';
import { judgeCopy, searchEverywhere, untilLevel } from './ending.ts';
import { LAG_MS_MAX, type Story } from './story.ts';
import { Traffic } from './traffic.ts';
import { openTruth } from './truth.ts';
import { type Counts, type Told, World } from './world.ts';

const STARTING_MS = 120;
/** Of half a second: people wait one after the other for a feed that a process has, which has died. */
const WAITS_MAX = 600;

export interface Ending {
  /** Undefined: everything held. */
  readonly wrong: string | undefined;
  readonly told: readonly Told[];
  readonly counts: Counts;
}

export interface Stage {
  /** Limits of a story with Redis are counted by `counts`; undefined: by the model. */
  run(story: Story, counts?: RedisCounts): Promise<Ending>;
  close(): Promise<void>;
}

/** One database, for one story after the other. */
export async function openStage(): Promise<Stage> {
  const truth = await openTruth();
  const plain = await writeBase(truth, PLAIN_TERMS);
  const rich = await writeBase(truth, RICH_TERMS);
  return {
    run: (story, counts) => runStory(new World(story, truth, story.startsRich ? rich : plain), counts),
    close: () => truth.close(),
  };
}

async function runStory(world: World, counts: RedisCounts | undefined): Promise<Ending> {
  if (counts !== undefined && world.redis !== undefined) {
    counts.forget();
    world.redis.counts = counts;
  }
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
  for (let waits = 0; waits < WAITS_MAX && !isJudged && world.wrong === undefined; waits += 1)
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
  await world.platforms?.judgeEnd();
  await world.accounts?.judgeEnd();
  await untilLevel(world);
  await searchEverywhere(world, traffic);
  await judgeSharing(world);
  for (const copy of traffic.copies) if (copy.isLetIn) await judgeCopy(world, copy);
  await judgeStored(world);
  judgeDeliveries(world);
  await traffic.openQuotes();
  if (world.story.quietMs > 0) judgeAnnouncements(world);
  if (world.story.after !== undefined) await tellAfterwards(world, traffic, world.story.after);
}

/** What was acknowledged is there; what the checker knows is what the database has. */
async function judgeStored(world: World): Promise<void> {
  const { truth, known } = world;
  for (const quoteId of world.acknowledgedQuotes.keys()) {
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
