/** A story: who takes part, and what happens when. All of it follows from the seed, and can be made shorter. */
import { seededRandom } from '../kit/catalogue-samples.ts';
import { drawSizes, SERVICE_SIZES, type Sizes } from './sizes.ts';
import { type Engine, ENGINES } from './truth.ts';

export const STEP_KINDS = {
  calendar: 'a source sends a calendar',
  ari: 'a source sends a message of ARI',
  document: 'a source sends a document',
  withdraw: 'a source withdraws a property',
  sameKey: 'a source sends something else with a key that it has used',
  import: 'the operator imports a file',
  calendarFile: 'the operator imports a calendar of an agency',
  sheet: 'the operator imports a sheet of rates',
  subscribe: 'the operator subscribes a calendar of another platform',
  unsubscribe: 'the operator unsubscribes one',
  accept: 'the operator accepts a calendar that is held back',
  platform: 'another platform changes its calendar, or breaks',
  mapRoom: 'the operator maps the rooms of an account, or ends a mapping',
  acceptRooms: 'the operator accepts readings of the account that are held back',
  disconnect: 'the operator removes the connection',
  account: 'the account has other units, or breaks',
  nights: 'the operator closes nights by hand, or opens them',
  priceByHand: 'the operator prices nights by hand',
  takeBack: 'the operator takes prices back',
  retire: 'the operator retires a source',
  search: 'a partner searches',
  askStays: 'a partner asks for flexible stays, days, counts, nearest openings or cities',
  quote: 'a partner asks for a quote',
  open: 'a traveller opens a quote',
  book: 'a booking system reports a booking',
  bookOther: 'a booking system reports a booking for another quote, too',
  sandbox: 'a partner tries the sandbox',
  follow: 'a partner follows the feed',
  wait: 'a partner waits for changes',
  foreignCursor: 'a partner sends the cursor of another',
  testCursor: 'a partner sends a cursor of its test token',
  spend: 'a partner asks more often than its limits allow',
  revoke: 'the operator revokes a credential',
  rotate: 'the operator rotates a credential',
  rotateKey: 'the operator rotates the key of an endpoint',
  stop: 'the operator stops a partner, or lets it in again',
  create: 'the operator creates a partner',
  kill: 'a process is killed',
  restart: 'a process is stopped in order and started again',
  oldFile: 'an older file of the catalogue is put back',
  freeze: 'a process is frozen',
  jump: 'a clock jumps',
  away: 'the database is away',
  lossy: 'questions and answers are lost',
  full: 'the database is full',
  slow: 'the database is slow',
  slowCatalogue: 'reading the catalogue takes long',
  backUp: 'the database is backed up',
  restore: 'the database goes back to the backup',
  failOver: 'a standby takes over that lags behind',
  redisAway: 'Redis does not answer',
  redisForgets: 'Redis is started again, and has forgotten its counts',
} as const;
export type StepKind = keyof typeof STEP_KINDS;

export type After = 'hours' | 'days';

type Weights = Readonly<Partial<Record<StepKind, number>>>;

const WEIGHTS: Readonly<Record<StepKind, number>> = {
  calendar: 14,
  ari: 6,
  document: 16,
  withdraw: 4,
  sameKey: 4,
  import: 5,
  calendarFile: 4,
  sheet: 3,
  subscribe: 20,
  unsubscribe: 4,
  accept: 8,
  platform: 40,
  mapRoom: 24,
  acceptRooms: 10,
  disconnect: 2,
  account: 40,
  nights: 4,
  priceByHand: 4,
  takeBack: 2,
  retire: 3,
  search: 12,
  askStays: 20,
  quote: 8,
  open: 5,
  book: 4,
  bookOther: 4,
  sandbox: 3,
  follow: 26,
  wait: 3,
  foreignCursor: 1,
  testCursor: 1,
  spend: 6,
  revoke: 2,
  rotate: 4,
  rotateKey: 2,
  stop: 3,
  create: 4,
  kill: 3,
  restart: 1,
  oldFile: 1,
  freeze: 3,
  jump: 2,
  away: 2,
  lossy: 2,
  full: 2,
  slow: 2,
  slowCatalogue: 2,
  backUp: 2,
  restore: 2,
  failOver: 2,
  redisAway: 6,
  redisForgets: 2,
};

/** Of a brief story: what is rarely met together in a long one. */
const BRIEF_WEIGHTS: Weights = {
  calendar: 2,
  document: 4,
  withdraw: 1,
  import: 1,
  search: 3,
  quote: 2,
  open: 1,
  follow: 8,
  wait: 1,
  revoke: 4,
  rotate: 2,
  stop: 4,
  create: 2,
  kill: 1,
  slow: 1,
  slowCatalogue: 1,
  restore: 6,
  failOver: 4,
};

/** Failures; a calm story has none of them. */
const FAILURES: ReadonlySet<StepKind> = new Set<StepKind>([
  'kill',
  'restart',
  'oldFile',
  'freeze',
  'jump',
  'away',
  'lossy',
  'full',
  'slow',
  'slowCatalogue',
  'backUp',
  'restore',
  'failOver',
  'redisAway',
  'redisForgets',
]);

const OF_FEEDS: ReadonlySet<StepKind> = new Set<StepKind>(['subscribe', 'unsubscribe', 'accept', 'platform']);
const OF_ACCOUNT: ReadonlySet<StepKind> = new Set<StepKind>([
  'mapRoom',
  'acceptRooms',
  'disconnect',
  'account',
]);
const OF_REDIS: ReadonlySet<StepKind> = new Set<StepKind>(['redisAway', 'redisForgets']);

/** A standby has what was committed so long ago; by the first number of its step. */
export const LAG_MS_MAX = 250;

/** What happens at a time; the numbers choose among who is there. */
export interface Step {
  /** From the begin of the story. */
  readonly atMs: number;
  readonly kind: StepKind;
  readonly numbers: readonly [number, number, number, number];
}

export interface Story {
  readonly seed: number;
  /** Of the one database. */
  readonly engine: Engine;
  /** Limits are counted in a Redis. */
  readonly hasRedis: boolean;
  /** Calendars of other platforms are polled. */
  readonly hasFeeds: boolean;
  /** The operator's account at a property management system is read. */
  readonly hasAccount: boolean;
  /** Reading threads of each process. */
  readonly readers: readonly number[];
  readonly steps: readonly Step[];
  /** Pauses between rounds are so many times as long, and so is the time in which a change becomes known. */
  readonly pace: number;
  /** After the last step, before the end is judged. */
  readonly quietMs: number;
  /** It goes on after its end was judged (`afterwards.ts`). */
  readonly after: After | undefined;
  readonly sizes: Sizes;
  /** Documents have several types, taxes, discounts and restrictions (`shapes.ts`). */
  readonly isRich: boolean;
  /** So do those at the begin. */
  readonly startsRich: boolean;
}

/** Until the claim of a process that died has ended, by whatever clock, and changes have been announced once more. */
const QUIET_OF_WEBHOOKS_MS = 50_000;
/** One story in so many is long enough for webhooks. */
const WEBHOOKS_EVERY = 100;
/** By seed. */
const AFTERWARDS: readonly (After | undefined)[] = [
  'hours',
  'days',
  ...Array.from({ length: 8 }, () => undefined),
];
const NUMBER_MAX = 2 ** 20;
const STEPS_MIN = 8;
const STEPS_MAX = 34;
const STEP_GAP_MS_MAX = 90;
/** Feeds and accounts are read once a second. */
const FEEDS_GAP_MS_MAX = 400;
const BRIEF_SHARE = 0.4;
const RICH_SHARE = 0.7;
const BRIEF_STEPS_MIN = 4;
const BRIEF_STEPS_MAX = 10;
const BRIEF_GAP_MS_MAX = 60;
const CALM_SHARE = 0.15;
const REDIS_SHARE = 0.3;
const FEEDS_SHARE = 0.3;
/** Most stories are small: these numbers are drawn from. */
const SERVICE_COUNTS = [1, 1, 2, 2, 3];
const READER_COUNTS = [1, 1, 1, 2, 3];

/** A day: it is quiet between bursts of steps, and services look less often. */
const DAY_MS = 24 * 60 * 60_000;
const DAY_PACE = 100;
const DAY_BURSTS = 8;
const DAY_BURST_STEPS = 7;
const DAY_READERS = [[1], [1], [2], [1, 1]] as const;
/** Judged by one window of the limits, or by one day. */
const SHORT_ONLY: ReadonlySet<StepKind> = new Set<StepKind>(['spend', 'askStays', 'rotate', 'rotateKey']);

class Chance {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seededRandom(seed ^ 0x51_4d_a7);
  }

  below(max: number): number {
    return Math.floor(this.random() * max);
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }
}

/** A story of seconds, or a brief one. */
export function makeStory(seed: number): Story {
  const chance = new Chance(seed);
  const readers = Array.from({ length: chance.pick(SERVICE_COUNTS) }, () => chance.pick(READER_COUNTS));
  const isBrief = chance.random() < BRIEF_SHARE;
  const hasRedis = !isBrief && chance.random() < REDIS_SHARE;
  const after = AFTERWARDS[seed % AFTERWARDS.length];
  // Hours later, feeds would have confirmed what they say.
  const isPolling = !isBrief && after === undefined && chance.random() < FEEDS_SHARE;
  const hasFeeds = isPolling && seed % 4 !== 0;
  const hasAccount = isPolling && seed % 2 === 0;
  const steps = isBrief ? drawBriefSteps(chance) : drawLongSteps(chance, { hasRedis, hasFeeds, hasAccount });
  const quietMs = seed % WEBHOOKS_EVERY === 0 ? QUIET_OF_WEBHOOKS_MS : 0;
  const engine = chance.pick(ENGINES);
  const sizes = drawSizes(chance.random);
  const isRich = chance.random() < RICH_SHARE;
  return {
    seed,
    engine,
    hasRedis,
    hasFeeds,
    hasAccount,
    readers,
    steps,
    pace: 1,
    quietMs,
    after,
    sizes,
    isRich,
    startsRich: isRich,
  };
}

function drawLongSteps(
  chance: Chance,
  { hasRedis, hasFeeds, hasAccount }: Pick<Story, 'hasRedis' | 'hasFeeds' | 'hasAccount'>,
): readonly Step[] {
  const gapMsMax = hasFeeds || hasAccount ? FEEDS_GAP_MS_MAX : STEP_GAP_MS_MAX;
  const timesMs = drawTimes(chance, STEPS_MIN + chance.below(STEPS_MAX - STEPS_MIN), gapMsMax);
  const isCalm = chance.random() < CALM_SHARE;
  const weights = only(
    (kind) =>
      (!isCalm || !FAILURES.has(kind)) &&
      (hasRedis || !OF_REDIS.has(kind)) &&
      (hasFeeds || !OF_FEEDS.has(kind)) &&
      (hasAccount || !OF_ACCOUNT.has(kind)),
  );
  return drawSteps(chance, timesMs, weights);
}

/** A few in a row, behind a backup. */
function drawBriefSteps(chance: Chance): readonly Step[] {
  const count = BRIEF_STEPS_MIN + chance.below(BRIEF_STEPS_MAX - BRIEF_STEPS_MIN);
  const [first, ...steps] = drawSteps(chance, drawTimes(chance, count, BRIEF_GAP_MS_MAX), BRIEF_WEIGHTS);
  return [{ ...first!, kind: 'backUp' }, ...steps];
}

function drawTimes(chance: Chance, count: number, gapMsMax: number): readonly number[] {
  let atMs = 0;
  return Array.from({ length: count }, () => (atMs += chance.random() * gapMsMax));
}

function only(isWanted: (kind: StepKind) => boolean): Weights {
  const kinds = Object.entries(WEIGHTS) as [StepKind, number][];
  return Object.fromEntries(kinds.filter(([kind]) => isWanted(kind)));
}

/** A story from noon to noon. */
export function makeDay(seed: number): Story {
  const chance = new Chance(seed);
  const begins = Array.from({ length: DAY_BURSTS - 1 }, () => chance.random() * DAY_MS);
  const timesMs = [...begins, DAY_MS]
    .toSorted((one, other) => one - other)
    .flatMap((beginMs) =>
      Array.from({ length: DAY_BURST_STEPS }, (_, step) => beginMs + step * STEP_GAP_MS_MAX * DAY_PACE),
    );
  const steps = drawSteps(
    chance,
    timesMs,
    only(
      (kind) => !SHORT_ONLY.has(kind) && !OF_REDIS.has(kind) && !OF_FEEDS.has(kind) && !OF_ACCOUNT.has(kind),
    ),
  );
  const readers = chance.pick(DAY_READERS);
  return {
    seed,
    engine: chance.pick(ENGINES),
    hasRedis: false,
    hasFeeds: false,
    hasAccount: false,
    readers,
    steps,
    pace: DAY_PACE,
    quietMs: 0,
    after: undefined,
    sizes: SERVICE_SIZES,
    isRich: false,
    startsRich: false,
  };
}

function drawSteps(chance: Chance, timesMs: readonly number[], weights: Weights): readonly Step[] {
  const kinds = Object.entries(weights) as [StepKind, number][];
  const total = kinds.reduce((sum, [, weight]) => sum + weight, 0);
  const draw = (): StepKind => {
    let left = chance.random() * total;
    return kinds.find(([, weight]) => (left -= weight) < 0)?.[0] ?? 'search';
  };
  const number = (): number => chance.below(NUMBER_MAX);
  return timesMs.map((atMs) => ({
    atMs: Math.round(atMs),
    kind: draw(),
    numbers: [number(), number(), number(), number()] as const,
  }));
}
