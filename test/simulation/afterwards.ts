/**
 * What becomes of a story hours and days later: nights come into reach, sources fall silent, tokens, quotes and cursors
 * end, and an endpoint fails for long. Nothing else fails by then.
 */
import { testWebhook } from '../../src/partner/webhooks/webhook-changes.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/local-date.ts';
import { type Held, PARTNERS, PROPERTIES } from './base.ts';
import { judgeAnnouncements } from './deadlines.ts';
import { DELIVERY_DAYS_MAX } from '../../src/partner/webhooks/delivery-retention.ts';
import { judgeCopy, searchEverywhere, untilLevel } from './ending.ts';
import { pick } from './quotes.ts';
import { QUOTE_DAYS, UNOPENED_DAYS } from './service.ts';
import { passed } from './today.ts';
import type { StoredDelivery } from './truth.ts';
import type { After, StepKind } from './story.ts';
import type { Traffic } from './traffic.ts';
import type { World } from './world.ts';

/** Less than the nights that memory holds beyond those that are offered. */
const WEEKS_MS = 29 * DAY_MS;
/** After two times as many, no cursor of before is valid. */
const MONTHS_MS = 40 * DAY_MS;
/** Until memory has the nights that came into reach. */
const REFILLED_MS = 1_500;
const MEANWHILE_MS_MAX = 500;
const SLOW_MS = 40;
const CALM_MS = 4;
/** Who deletes waits for other writers. */
const DELETED_MS = 1_500;
/** Visits are written behind. */
const VISITS_WRITTEN_MS = 1_000;
/** Of the sources: two of them are longer than they may be silent. */
const SILENCE_MS = 40 * MINUTE_MS;
/** Until everything that is due has been done once. */
const ROUND_MS = 1_200;
/** Until what was to be announced is, at its second try at most. */
const ANNOUNCED_MS = 8_000;
/** Each is longer than the next pause between two tries of a delivery; all are less than five days. */
const FAILING_MS = [2.5, 6, 12, 17, 24, 29].map((hours) => hours * HOUR_MS);
const LONG_OVERLAP_MS = 2 * DAY_MS;

export function tellAfterwards(world: World, traffic: Traffic, after: After): Promise<void> {
  return after === 'days' ? tellDays(world, traffic) : tellHours(world, traffic);
}

async function tellDays(world: World, traffic: Traffic): Promise<void> {
  // A calendar of an agency closes the nights that are offered on the day of its import.
  traffic.perform({ atMs: 0, kind: 'retire', numbers: [0, 0, 0, 1] });
  await traffic.settle();
  await world.sleep(VISITS_WRITTEN_MS);
  const deliveries = world.truth.deliveries();
  for (const kinds of [['withdraw', 'withdraw', 'document', 'sandbox'], ['sandbox']] as const) {
    world.pass(WEEKS_MS);
    world.way.delayMsMax = SLOW_MS;
    for (const kind of kinds) performSoon(world, traffic, kind);
    await world.sleep(REFILLED_MS);
    world.way.delayMsMax = CALM_MS;
    await traffic.settle();
    await untilLevel(world);
    await searchEverywhere(world, traffic);
    await judgeDeleted(world, deliveries);
  }
  world.pass(MONTHS_MS);
  await world.sleep(REFILLED_MS);
  await judgeDeleted(world, deliveries);
  for (const copy of traffic.copies) if (copy.isLetIn) await judgeCopy(world, copy);
}

/** Quotes that nobody opened go first, then the others; deliveries by their age; nothing goes earlier. */
async function judgeDeleted(world: World, deliveries: readonly StoredDelivery[]): Promise<void> {
  await world.sleep(DELETED_MS);
  const nowMs = world.nowMs + passed();
  const judge = (what: string, isThere: boolean, ageMs: number, keptDays: number): void => {
    const leftMs = keptDays * DAY_MS - ageMs;
    if (Math.abs(leftMs) < HOUR_MS) return;
    world.counts.checks += 1;
    if (isThere !== leftMs > 0)
      world.blame('the service', `${isThere ? 'keeps' : 'has deleted'} ${what} of ${ageMs / DAY_MS} days`);
  };
  for (const [quoteId, { expiresAtMs }] of world.acknowledgedQuotes) {
    if (world.excused.has(quoteId)) continue;
    const isThere = (await world.askDatabase(() => world.truth.storage.findQuote(quoteId))) !== undefined;
    const isOpened = world.known.now.visited.has(quoteId);
    judge(quoteId, isThere, nowMs - expiresAtMs, isOpened ? QUOTE_DAYS : UNOPENED_DAYS);
  }
  const left = new Set(world.truth.deliveries().map(({ deliveryId }) => deliveryId));
  for (const { deliveryId, createdAtMs } of deliveries)
    judge(deliveryId, left.has(deliveryId), nowMs - createdAtMs, DELIVERY_DAYS_MAX);
}

/** While memory takes the nights that came into reach. */
function performSoon(world: World, traffic: Traffic, kind: StepKind): void {
  const { scheduler, clients, nowMs } = world;
  const number = (): number => scheduler.below(2 ** 20);
  const step = { atMs: 0, kind, numbers: [number(), number(), number(), number()] } as const;
  scheduler.at(nowMs + scheduler.below(MEANWHILE_MS_MAX), clients, () => traffic.perform(step));
}

async function tellHours(world: World, traffic: Traffic): Promise<void> {
  const broken = pick(PARTNERS, world.story.seed);
  world.brokenEndpoints.add(broken);
  const { webhookId } = world.base.webhooks.get(broken)!;
  await world.request(world.places[0]!, ({ storage, process, random }) =>
    testWebhook({ storage, clock: process.wallMs, random }, webhookId),
  );
  await traffic.limitSilence();
  const moved = await moveEnd(world, traffic);
  world.pass(SILENCE_MS);
  for (const place of world.places) {
    world.kill(place);
    world.start(place);
  }
  await untilLevel(world);
  await world.sleep(ANNOUNCED_MS);
  judgeAnnouncements(world);
  if (moved !== undefined) judgeNotices(world, moved);
  const confirmedId = await speakMeanwhile(world, traffic);
  world.pass(SILENCE_MS);
  await world.sleep(ROUND_MS);
  judgeSilence(world, confirmedId);
  await untilLevel(world);
  await searchEverywhere(world, traffic);
  for (const ms of FAILING_MS) {
    world.pass(ms);
    await world.sleep(ROUND_MS);
  }
  await judgeBroken(world, webhookId);
}

interface Moved {
  readonly held: Held;
  /** Notices of its end before. */
  readonly noticeCount: number;
}

/** A credential that ends in some days ends sooner. */
async function moveEnd(world: World, traffic: Traffic): Promise<Moved | undefined> {
  const { revoked, stopped, credentials } = world.known.now;
  const held = world.base.credentials.find(
    ({ credentialId, partnerId }) =>
      !revoked.has(credentialId) &&
      stopped.get(partnerId)?.isStopped !== true &&
      Number(credentials.get(credentialId)?.expiresAtMs) > world.nowMs + LONG_OVERLAP_MS + DAY_MS,
  );
  if (held === undefined) return undefined;
  const noticeCount = countNotices(world, held.credentialId);
  const isRotated = await traffic.rotate(held, 0, LONG_OVERLAP_MS);
  return isRotated ? { held, noticeCount } : undefined;
}

/** Its partner is told of the new end, too. */
function judgeNotices(world: World, { held: { credentialId, partnerId }, noticeCount }: Moved): void {
  if (countNotices(world, credentialId) <= noticeCount)
    world.blame(partnerId, `is not told that ${credentialId} ends sooner`);
}

function countNotices({ truth }: World, credentialId: string): number {
  return truth
    .deliveries()
    .filter(({ event, body }) => event === 'credential.expiring' && body.includes(`"${credentialId}"`))
    .length;
}

/**
 * A source that may set no prices sends one, which confirms nothing, and a calendar of another property. Returns the one
 * that is confirmed by it; undefined where the source is retired after all.
 */
async function speakMeanwhile(world: World, traffic: Traffic): Promise<string | undefined> {
  const [first, second] = [world.scheduler.below(4), 1 + world.scheduler.below(3)];
  const refusedId = pick(PROPERTIES, first);
  const confirmedId = pick(PROPERTIES, first + second);
  await traffic.sendRefused(refusedId);
  await traffic.sendUnits('channel', confirmedId);
  if (world.scheduler.below(2) === 0) return confirmedId;
  traffic.perform({ atMs: 0, kind: 'retire', numbers: [1, 0, 0, 1] });
  await traffic.settle();
  return undefined;
}

/** Closed is what nobody has confirmed for an hour, and nothing else. */
function judgeSilence(world: World, confirmedId: string | undefined): void {
  for (const [id, { isWithdrawn, isAged, terms }] of world.known.newest) {
    if (isWithdrawn) continue;
    const isSilent = terms.maxSupplyAgeHours !== undefined && id !== confirmedId;
    world.counts.checks += 1;
    if (isAged !== isSilent)
      world.blame('the service', isAged ? `closes ${id}, which was confirmed` : `leaves ${id} open`);
  }
}

/** Of an endpoint that has failed for less than five days. */
async function judgeBroken(world: World, webhookId: string): Promise<void> {
  const all = await world.askDatabase(() => world.truth.storage.listWebhooks());
  const found = all.find((one) => one.webhookId === webhookId);
  if (found?.disabledReason === 'failing')
    world.blame('the service', `has given up ${webhookId}, which failed for less than five days`);
}
