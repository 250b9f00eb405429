/** The world of one story: the scheduler, the truth, the services, and who uses them. */
import { createHmac } from 'node:crypto';
import type { PostResult } from '../../src/partner/webhooks/post-delivery.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Revision } from '../../src/storage/history/revision.ts';
import { seededBytes, seededRandom } from '../kit/catalogue-samples.ts';
import { Accounts } from './accounts.ts';
import { type Base, type Held, NEWBORN, START_MS } from './base.ts';
import { MINUTE_MS } from '../../src/domain/local-date.ts';
import { passed, setPassed } from './today.ts';
import { emptyDisk, readDisk, writeDisk } from './disk.ts';
import { KnownTruth, type Knowledge } from './known-truth.ts';
import { forgetDeadlines } from '../../src/http/listener/listener.ts';
import type { Validators } from '../../src/supply/ical/fetch-feed.ts';
import { Platforms } from './platforms.ts';
import { reach } from './reach.ts';
import { openRedisNetwork, type RedisNetwork } from './limits.ts';
import { Process, Scheduler } from './scheduler.ts';
import { catalogueFileOf, type Post, type Reader, type Service, startService } from './service.ts';
import type { Story } from './story.ts';
import { type Backup, closeSnapshots, type DoneCall, type Network, type Truth, type Way } from './truth.ts';

const CALM_MS_MAX = 6;
const KNOWN_MS = 1_000;
const DRIFT_MAX = 0.002;
/** The shortest is the service's own. */
const PAUSES_MS = [50, 120, 160, 200];
const START_OFFSET_MS_MAX = 400;
/** A client gives up after this. */
const CLIENT_MS_MAX = 1_500;
const NETWORK_MS_MAX = 4;
/** An endpoint of a partner answers within this, mostly. */
const ENDPOINT_MS_MAX = 200;

/** Longer than any deadline of the storage: the next story must find no timer of this one. */
const LAST_CALLS_MS = 60_000;

/** A line of the trace: who, when, what, at which revision. */
export interface Told {
  /** From the begin of the story. */
  readonly atMs: number;
  readonly who: string;
  readonly what: string;
  readonly revision: number;
}

export interface Counts {
  steps: number;
  events: number;
  failures: number;
  restarts: number;
  checks: number;
}

/** The place of a service in the story: a process there may die, and another takes its place. */
export interface Place {
  readonly name: string;
  readonly readerCount: number;
  process: Process;
  /** Undefined while it starts. */
  service: Service | undefined;
  /** Until this true time it may know less than it should. */
  disturbedUntilMs: number;
  catalogueDisturbedUntilMs: number;
  generation: number;
  isRunning: boolean;
}

/** A backup with what is known of its state. */
export interface KeptState {
  readonly backup: Backup;
  readonly knowledge: Knowledge;
}

interface Received {
  readonly atMs: number;
  readonly partnerId: string;
  readonly deliveryId: string;
  /** Of the event. */
  readonly type: string;
}

export class World {
  readonly story: Story;
  readonly base: Base;
  readonly truth: Truth;
  readonly scheduler: Scheduler;
  readonly known: KnownTruth;
  readonly places: readonly Place[];
  /** Sources, partners and the operator: they never die. */
  readonly clients: Process;
  readonly way: Way = {
    delayMsMax: CALM_MS_MAX,
    lossShare: 0,
    awayUntilMs: 0,
    fullUntilMs: 0,
    catalogueSlowUntilMs: 0,
  };
  readonly counts: Counts = { steps: 0, events: 0, failures: 0, restarts: 0, checks: 0 };
  readonly told: Told[] = [];
  /** Deliveries that an endpoint accepted. */
  readonly accepted: Received[] = [];
  /** By id. Those that a restore took are among the excused. */
  readonly acknowledgedQuotes = new Map<string, { readonly expiresAtMs: number }>();
  /** The quotes of bookings, by reference. */
  readonly acknowledgedBookings = new Map<string, string>();
  readonly excused = new Set<string>();
  /** Of these partners: they accept nothing. */
  readonly brokenEndpoints = new Set<string>();
  /** Of these partners' endpoints. */
  readonly rotatedKeys = new Set<string>();
  wrong: string | undefined;
  /** Of the partners at the begin, and of one that was created since. */
  held: readonly Held[];
  kept: KeptState | undefined;
  /** What the standby has that takes over next. */
  standby: KeptState | undefined;
  restoredAtMs = 0;
  restoredRevision = 0;
  isQuiet = false;
  readonly redis: RedisNetwork | undefined;
  /** Undefined: nobody's calendars are polled. */
  readonly platforms: Platforms | undefined;
  /** Undefined: nobody's account is read. */
  readonly accounts: Accounts | undefined;
  readonly network: Network;
  readonly #database: Process;
  readonly #files = new Map<string, Buffer[]>();
  #historyCount = 0;

  constructor(story: Story, truth: Truth, base: Base) {
    emptyDisk();
    forgetDeadlines();
    setPassed(0);
    truth.restore(base.backup);
    this.story = story;
    this.truth = truth;
    this.base = base;
    this.held = base.credentials;
    this.scheduler = new Scheduler(story.seed, START_MS);
    this.known = new KnownTruth(base.knowledge);
    this.clients = new Process(this.scheduler, 'clients');
    this.#database = new Process(this.scheduler, 'database');
    this.redis = story.hasRedis ? openRedisNetwork(this.scheduler) : undefined;
    this.platforms = story.hasFeeds ? new Platforms(this) : undefined;
    this.accounts = story.hasAccount ? new Accounts(this) : undefined;
    truth.postgres.chooseNext = (count) => this.scheduler.below(count);
    this.network = {
      scheduler: this.scheduler,
      truth,
      engine: story.engine,
      database: this.#database,
      onDone: (call) => this.#followCall(call),
      onDisturbed: (process) => this.#disturb(process),
      way: () => this.way,
      history: () => this.#historyCount,
      sizes: story.sizes,
      snapshots: new Set(),
    };
    this.places = story.readers.map((readerCount, index) => ({
      name: `service ${index + 1}`,
      readerCount,
      process: this.clients,
      service: undefined,
      disturbedUntilMs: 0,
      catalogueDisturbedUntilMs: 0,
      generation: 0,
      isRunning: false,
    }));
  }

  /** After so many milliseconds every process must know of a commit. */
  get knownMs(): number {
    return KNOWN_MS * this.story.pace;
  }

  get nowMs(): number {
    return this.scheduler.nowMs;
  }

  tell(who: string, what: string, revision = this.known.revision): void {
    this.told.push({ atMs: this.nowMs - START_MS, who, what, revision });
  }

  /** Notes what is wrong; the story ends at its next event. */
  blame(who: string, what: string): void {
    if (this.wrong === undefined) this.tell(who, `WRONG: ${what}`);
    this.wrong ??= what;
  }

  /** Starts a process in its place. */
  start(place: Place): void {
    const { scheduler } = this;
    place.generation += 1;
    place.isRunning = true;
    place.service = undefined;
    const name = `${place.name}.${place.generation}`;
    const process = new Process(scheduler, place.name, {
      wallOffsetMs: passed() + Math.round((scheduler.random() - 0.5) * 2 * START_OFFSET_MS_MAX),
      rate: 1 + (scheduler.random() - 0.5) * 2 * DRIFT_MAX,
    });
    place.process = process;
    place.disturbedUntilMs = Number.POSITIVE_INFINITY;
    const pauseMs = PAUSES_MS[scheduler.below(PAUSES_MS.length)]! * this.story.pace;
    const random = seededBytes(seededRandom(scheduler.below(2 ** 31)));
    scheduler.at(this.nowMs, process, () => {
      const options = {
        network: this.network,
        process,
        readerCount: place.readerCount,
        random,
        post: this.#post,
        redis: this.redis,
        log: (level: string, fields: object, message: string) => {
          const { err, reason } = fields as { readonly err?: Error; readonly reason?: string };
          this.tell(name, [message, reason, err?.stack].filter((part) => part !== undefined).join(': '));
          if (level === 'error') this.blame(name, `${message}: ${err?.message}`);
        },
        pauseMs,
        pace: this.story.pace,
        hasShortQuotes: this.story.isRich,
        watchesAge: this.story.after === 'hours',
        deletesOld: this.story.after === 'days',
        fetchFeed:
          this.platforms &&
          ((url: URL, validators: Validators) => this.platforms!.answer(process, url, validators)),
        openAccount: this.accounts?.opener(process),
      };
      const settle = async (): Promise<void> => {
        const service = await startService(options);
        if (process.isDead) return;
        place.service = service;
        this.tell(name, 'is started');
        await Promise.all(service.readers.map(({ follower }) => follower.ready));
        if (process.isDead) return;
        place.disturbedUntilMs = this.nowMs;
        this.tell(name, 'has the catalogue');
      };
      settle().catch((error: unknown) => this.blame(name, `does not start: ${String(error)}`));
    });
  }

  kill(place: Place): void {
    if (!place.isRunning) return;
    this.end(place.process);
    place.isRunning = false;
    place.service = undefined;
    this.counts.failures += 1;
    this.counts.restarts += 1;
  }

  /** Stops it in order: its catalogue is saved. */
  async stop(place: Place): Promise<void> {
    const { service, process, name } = place;
    if (service === undefined) return;
    // Its listeners are closed first.
    place.service = undefined;
    await this.within(process, () => service.stop());
    if (process.isDead) return;
    this.end(process);
    place.isRunning = false;
    this.counts.restarts += 1;
    const file = readDisk(catalogueFileOf(name));
    if (file !== undefined) this.#filesOf(name).push(file);
  }

  /** False if there is no older one. */
  putOldFileBack({ name }: Place, choice: number): boolean {
    const files = this.#filesOf(name);
    if (files.length === 0) return false;
    writeDisk(catalogueFileOf(name), files[choice % files.length]!);
    return true;
  }

  #filesOf(name: string): Buffer[] {
    if (!this.#files.has(name)) this.#files.set(name, []);
    return this.#files.get(name)!;
  }

  freeze(place: Place, forMs: number): void {
    const untilMs = this.nowMs + forMs;
    place.process.frozenUntilMs = Math.max(place.process.frozenUntilMs, untilMs);
    place.disturbedUntilMs = Math.max(place.disturbedUntilMs, untilMs);
    this.counts.failures += 1;
  }

  /** The clocks of all go on, as if nobody had asked anything for so long. */
  pass(ms: number): void {
    setPassed(passed() + ms);
    for (const { process } of this.places) process.wallOffsetMs += ms;
    this.tell('the story', `goes on ${Math.round(ms / MINUTE_MS)} minutes later`);
  }

  /** The database. */
  beAwayUntil(untilMs: number): void {
    this.way.awayUntilMs = Math.max(this.way.awayUntilMs, untilMs);
    this.disturbAll(untilMs);
  }

  disturbAll(untilMs: number): void {
    for (const place of this.places) place.disturbedUntilMs = Math.max(place.disturbedUntilMs, untilMs);
  }

  keep(): KeptState {
    return { backup: this.truth.backUp(), knowledge: this.known.keep() };
  }

  restore({ backup, knowledge }: KeptState): void {
    const { quotes, appliedKeys, booked } = this.known.now;
    for (const id of quotes.difference(knowledge.quotes)) this.excused.add(id);
    for (const id of appliedKeys.difference(knowledge.appliedKeys)) this.excused.add(id);
    for (const id of booked.difference(knowledge.booked)) this.excused.add(id);
    this.truth.restore(backup);
    this.known.goBack(knowledge, this.nowMs);
    this.#historyCount += 1;
    this.restoredAtMs = this.nowMs;
    this.restoredRevision = this.known.revision;
    // Those of later are lost; whether the one of the newborn partner is among the rows is not known.
    this.held = this.held.filter(
      (one) =>
        this.base.credentials.includes(one) ||
        (one.partnerId !== NEWBORN && knowledge.issued.has(one.credentialId)),
    );
    this.disturbAll(this.nowMs);
    this.counts.failures += 1;
  }

  /** Its code runs no more, and the database rolls back what it had begun. */
  end(process: Process): void {
    process.isDead = true;
    this.truth.postgres.breakConnections(process);
  }

  /** The database, as a process reaches it. */
  reach(process: Process): Storage {
    return reach(this.network, process);
  }

  /** Does something in a process; never settles if that dies. The way there and back takes time. */
  within<T>(process: Process, work: () => Promise<T>): Promise<T> {
    const { scheduler } = this;
    const travelMs = (): number => scheduler.random() * NETWORK_MS_MAX;
    return new Promise((resolve, reject) => {
      scheduler.at(this.nowMs + travelMs(), process, () => {
        const back = (settle: () => void): void =>
          void scheduler.at(this.nowMs + travelMs(), this.clients, settle);
        work().then(
          (value) => back(() => resolve(value)),
          (error: unknown) => back(() => reject(error as Error)),
        );
      });
    });
  }

  /** As a client does that gives up after a while: undefined then, or when the service is away. */
  async request<T>(
    place: Place,
    work: (service: Service) => Promise<T>,
    limitMs = CLIENT_MS_MAX,
  ): Promise<{ readonly value: T } | undefined> {
    const { service, process } = place;
    if (service === undefined) return undefined;
    const given = Promise.withResolvers<undefined>();
    const giveUp = this.clients.after(limitMs, () => given.resolve(undefined));
    const answer = this.within(process, () => work(service)).then(
      (value) => ({ value }),
      (error: unknown) => {
        if ((error as Error).name !== 'StorageUnavailable')
          this.blame(place.name, String((error as Error).stack));
        return undefined;
      },
    );
    const first = await Promise.race([answer, given.promise]);
    giveUp.run = undefined;
    return first;
  }

  /** Asks without a network between, for the judges. */
  askDatabase<T>(ask: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.scheduler.at(this.nowMs, this.#database, () => void ask().then(resolve, reject));
    });
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.clients.after(ms, resolve));
  }

  /** Whether a process should know by now what was committed a second ago, by its own clock. */
  knowsSince({ process, disturbedUntilMs }: Place, atMs: number): boolean {
    return (this.nowMs - Math.max(atMs, disturbedUntilMs)) * process.rate > this.knownMs;
  }

  /** What the database has been asked is still done: it serves the next story, too. */
  async close(): Promise<void> {
    this.counts.events = this.scheduler.eventCount;
    for (const { process } of [...this.places, { process: this.clients }]) process.isDead = true;
    await this.scheduler.runUntil(this.nowMs + LAST_CALLS_MS, () => true);
    closeSnapshots(this.network);
  }

  #disturb(process: Process): void {
    this.counts.failures += 1;
    for (const place of this.places)
      if (place.process === process)
        place.disturbedUntilMs = Math.max(place.disturbedUntilMs, this.nowMs + CALM_MS_MAX);
  }

  #followCall(call: DoneCall): void {
    const revision = this.truth.revision();
    const before: Revision = this.known.revision;
    this.platforms?.judgeCall(call);
    this.accounts?.judgeCall(call);
    const wrong = this.known.follow(call, revision, this.nowMs);
    if (revision !== before) this.tell(call.process.name, `commits ${call.name}`);
    if (wrong !== undefined) this.blame(call.process.name, wrong);
  }

  /** An endpoint of a partner: it knows its secret, and is as unreliable as the rest. */
  readonly #post: Post = async (process, url, { headers, body }, { signal }) => {
    const { scheduler } = this;
    const partnerId = url.hostname.split('.')[0]!;
    const deliveryId = headers['webhook-id'] ?? '';
    const draw = this.isQuiet ? 0 : scheduler.random();
    const takesMs = scheduler.random() * ENDPOINT_MS_MAX;
    const wait = (ms: number): Promise<void> => new Promise((resolve) => process.after(ms, resolve));
    this.#judgeListening(partnerId);
    await wait(takesMs);
    signal.throwIfAborted();
    const refused: PostResult = { kind: 'failed', wrong: { code: 'noAnswer', values: {} } };
    if (draw > 0.9 || this.brokenEndpoints.has(partnerId)) return refused;
    this.#judgeDelivery(partnerId, headers, body);
    if (draw > 0.8) return { kind: 'answered', status: 500, retryAfter: undefined };
    const { type } = JSON.parse(body) as { readonly type: string };
    this.accepted.push({ atMs: this.nowMs, partnerId, deliveryId, type });
    this.tell(`endpoint of ${partnerId}`, `accepts ${type}`);
    await wait(takesMs / 2);
    // The answer is lost on its way: the delivery is tried again.
    if (draw > 0.7) return refused;
    return { kind: 'answered', status: 204, retryAfter: undefined };
  };

  /** A partner that is stopped is told nothing. */
  #judgeListening(partnerId: string): void {
    const stopped = this.known.now.stopped.get(partnerId);
    const isKnown = this.nowMs - Math.max(this.restoredAtMs, stopped?.atMs ?? 0) > this.knownMs;
    if (stopped?.isStopped === true && isKnown)
      this.blame(`endpoint of ${partnerId}`, 'is told something after its partner was stopped');
  }

  #judgeDelivery(partnerId: string, headers: Readonly<Record<string, string>>, body: string): void {
    // The first secret signs for a day beside the next.
    if (this.rotatedKeys.has(partnerId) && passed() > 0) return;
    const secret = Buffer.from(this.base.webhooks.get(partnerId)!.secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const wanted = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
    if (headers['webhook-signature']?.split(' ').includes(wanted) !== true)
      this.blame(`endpoint of ${partnerId}`, 'a delivery is not signed for it');
  }

  /** The reader that numbers choose; undefined while its process starts. */
  readerOf(place: Place, number: number): Reader | undefined {
    return place.service?.readers[number % place.readerCount];
  }
}
