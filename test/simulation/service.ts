/**
 * A whole service as one process runs it, without sockets: real following, memory, access, feed, quotes, webhooks and
 * supply, put together as `app/service/` does. Its reading threads are readers of one memory, each with the state that
 * last reached it.
 */
import { followForMachine } from '../../src/app/service/context/machine-catalogue.ts';
import { type ProcessRegister, startRegister } from '../../src/app/service/context/process-register.ts';
import { type AccessCache, loadAccessCache } from '../../src/app/service/context/access-cache.ts';
import { type GivenSegment, openPlace } from '../../src/app/workers/catalogue-place.ts';
import { CatalogueFeed, startChangeRetention } from '../../src/partner/changes/catalogue-feed.ts';
import { LongPolls } from '../../src/partner/changes/long-polls.ts';
import { startQuoteRetention, startUnopenedRetention } from '../../src/partner/quotes/quote-retention.ts';
import { createSandbox, type Sandbox } from '../../src/partner/sandbox/sandbox.ts';
import { startDeliveryRetention } from '../../src/partner/webhooks/delivery-retention.ts';
import { startVisitLog, type VisitLog } from '../../src/traveller/attribution/visit-log.ts';
import { parseAddress } from '../../src/access/networks.ts';
import {
  type Authenticator,
  authenticatorWithin,
  rememberingAuthenticator,
} from '../../src/partner/http/authenticator.ts';
import { createWebMeter } from '../../src/http/observability/metrics/web-families.ts';
import { makeTraveller, type Traveller } from '../../src/traveller/http/traveller.ts';
import type { ReviewDeps } from '../../src/partner/quotes/check-handoff.ts';
import type { QuoteDeps } from '../../src/partner/quotes/create-quote.ts';
import type { PostOptions, PostResult } from '../../src/partner/webhooks/post-delivery.ts';
import { ROUND_MS, startWebhooks } from '../../src/partner/webhooks/start-webhooks.ts';
import { CatalogueReader } from '../../src/read-model/catalogue/catalogue-reader.ts';
import { allocateLimits } from '../../src/limits/own-limits.ts';
import { allocatePublication } from '../../src/read-model/catalogue/memory/publication.ts';
import {
  type CatalogueSource,
  type Follower,
  startFollower,
  watchReadiness,
} from '../../src/read-model/following/follower.ts';
import { pauseFor } from '../../src/read-model/following/retry-loop.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { Readiness } from '../../src/runtime/readiness.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { randomMessageIds } from '../../src/storage/supply/message-id.ts';
import { mapAriValues, readAriValues } from '../../src/supply/messages/ari-message.ts';
import { readCalendarMessage } from '../../src/supply/messages/calendar-message.ts';
import type { openAccount } from '../../src/supply/connections/open-account.ts';
import { createReadCounts, startConnectionPoller } from '../../src/supply/connections/connection-poller.ts';
import { createPollCounts, startFeedPoller } from '../../src/supply/ical/feed-poller.ts';
import type { PollDeps } from '../../src/supply/ical/poll-feed.ts';
import { hashOf } from '../../src/supply/messages/message-body.ts';
import type { MessageParser } from '../../src/supply/messages/message-parser.ts';
import { readPropertyMessage } from '../../src/supply/messages/property-message.ts';
import { watchFreshness } from '../../src/supply/freshness/watch-freshness.ts';
import type { SupplyDeps } from '../../src/supply/messages/receive-message.ts';
import { keyring } from '../suites/changes/feed-fixture.ts';
import type { Process } from './scheduler.ts';
import { simulatedPath } from './disk.ts';
import { openSimulatedLimits, type RedisNetwork, type ServiceLimits } from './limits.ts';
import { reach } from './reach.ts';
import { feedSizesOf } from './sizes.ts';
import type { Network } from './truth.ts';

export const HORIZON_NIGHTS = 30;
export const STALENESS_MAX_SECONDS = 60;
const QUOTE_TTL_SECONDS = 900;
/** Of a story whose quotes end in its course. */
const SHORT_TTL_SECONDS = 1;
const KEPT_DAYS = 90;
/** Of a story of days. */
export const QUOTE_DAYS = 60;
export const UNOPENED_DAYS = 20;
const RETENTION_MS = 400;
const POLLS_MS = 100;
/** From the thread that writes memory to one that reads it. */
const STATE_MS_MAX = 30;

/** Of the booking site. */
const BOOKING_URL = 'https://book.example/{propertyId}?in={checkIn}&out={checkOut}&guests={guests}';
const NO_VISITS: VisitLog = {
  opened: () => undefined,
  continued: () => undefined,
  resolved: () => undefined,
  close: () => Promise.resolve(),
};

/** Answers for an endpoint of a partner. */
export type Post = (
  process: Process,
  url: URL,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  options: PostOptions,
) => Promise<PostResult>;

export interface ServiceOptions {
  readonly network: Network;
  readonly process: Process;
  readonly readerCount: number;
  readonly random: Random;
  readonly post: Post;
  /** Undefined: each process counts limits for itself. */
  readonly redis: RedisNetwork | undefined;
  /** A line of the log. */
  readonly log: (level: string, fields: object, message: string) => void;
  /** Between two rounds of following. */
  readonly pauseMs: number;
  /** Other rounds pause so many times as long as they usually do. */
  readonly pace: number;
  readonly hasShortQuotes: boolean;
  /** Closes properties whose sources are silent. */
  readonly watchesAge: boolean;
  /** Notes visits of travellers, and deletes quotes and deliveries. */
  readonly deletesOld: boolean;
  /** Answers for other platforms; undefined: there are none. */
  readonly fetchFeed: PollDeps['fetchFeed'];
  /** Opens the operator's account; undefined: there is none. */
  readonly openAccount: typeof openAccount | undefined;
}

/** What one serving thread of the process answers with. */
export interface Reader {
  readonly number: number;
  readonly access: AccessCache;
  readonly authenticator: Authenticator;
  /** Of its clients, by what they show. */
  readonly sockets: Map<string, object>;
  readonly traveller: Traveller;
  readonly visits: VisitLog;
  readonly sandbox: Sandbox;
  readonly catalogue: CatalogueReader;
  /** The thread for long questions, of all serving threads. */
  readonly longCatalogue: CatalogueReader;
  readonly follower: Follower;
  readonly readiness: () => Readiness;
  readonly register: ProcessRegister;
  readonly feed: CatalogueFeed;
  readonly longPolls: LongPolls;
  readonly quoteDeps: QuoteDeps;
  readonly handoffDeps: ReviewDeps;
  readonly limits: ServiceLimits;
}

export interface Service {
  readonly process: Process;
  readonly storage: Storage;
  readonly readers: readonly Reader[];
  readonly supply: SupplyDeps;
  readonly random: Random;
  /** In order, with the catalogue saved. */
  stop(): Promise<void>;
}

/** Path of a service's file of the catalogue. */
export function catalogueFileOf(name: string): string {
  return simulatedPath(`${name}.cache`);
}

/** Resolves when it can be asked; its readers may not be ready yet. Call it within its process. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { network, process, readerCount, random, post, redis, log, pauseMs, pace } = options;
  const { wallMs: clock, uptimeMs } = process;
  const storage = reach(network, process);
  const logger = {
    info: (fields: object, message: string) => log('info', fields, message),
    warn: (fields: object, message: string) => log('warn', fields, message),
    error: (fields: object, message: string) => log('error', fields, message),
  };
  const publication = allocatePublication(readerCount + 1);
  const generation = { number: 1, publication };
  const places = Array.from({ length: readerCount }, (_, reader) =>
    openPlace({ generation, reader }, { uptimeMs }),
  );
  // The thread for long questions takes segments when it answers.
  const sent: GivenSegment[] = [];
  const takeSent = (): void => sent.splice(0).forEach((given) => long.take(given));
  const long = openPlace({ generation, reader: readerCount }, { uptimeMs, takeSent });
  const longView = long.view();
  const longCatalogue = new CatalogueReader(
    { clock, horizonNights: HORIZON_NIGHTS },
    longView.memory,
    longView.reading,
  );
  const later = (run: () => void): Promise<void> =>
    new Promise((resolve) => process.after(network.scheduler.random() * STATE_MS_MAX, () => resolve(run())));
  // Messages to one thread arrive in their order.
  const last: Promise<unknown>[] = places.map(() => Promise.resolve());
  const source = followForMachine({
    storage,
    clock,
    uptimeMs,
    logger,
    horizonNights: HORIZON_NIGHTS,
    publication,
    readsFile: true,
    changesPerRead: network.sizes.follower,
    file: fileOf(process.name),
    pause: pauseFor(pauseMs, pauseMs / 5),
    announce(segment) {
      const given = { generation, segment };
      sent.push(given);
      return Promise.all(places.map((place) => later(() => void place.take(given))));
    },
    emitState: (state) =>
      places.forEach((place, index) => {
        last[index] = Promise.all([last[index], later(() => undefined)]).then(() => place.receive(state));
      }),
  });
  const counted = allocateLimits({ bucketCount: 1 });
  const readers: Reader[] = [];
  for (const [number, place] of places.entries()) {
    const limits = await openSimulatedLimits(process, counted, redis);
    readers.push(await startReader(options, storage, { number, place, longCatalogue, logger, limits }));
  }
  const webhooks = startWebhooks({
    storage,
    clock,
    uptimeMs,
    random,
    logger,
    changes: readers[0]!.feed,
    holder: `${process.name} ${network.scheduler.nowMs}`,
    addresses: { allowsPrivate: true },
    roundMs: ROUND_MS * pace,
    triesAtOnce: network.sizes.tries,
    postDelivery: (url, message, how) => post(process, url, message, how),
  });
  const deleting = {
    storage,
    clock,
    logger,
    holder: `${process.name} ${network.scheduler.nowMs}`,
    pauses: { roundMs: RETENTION_MS * pace, sliceMs: 100 },
  };
  const retentions = [
    startChangeRetention({ ...deleting, retentionDays: KEPT_DAYS, sliceMax: network.sizes.batch }),
    ...(options.deletesOld
      ? [
          startQuoteRetention({ ...deleting, retentionDays: QUOTE_DAYS }),
          startUnopenedRetention({ ...deleting, retentionDays: UNOPENED_DAYS }),
          startDeliveryRetention(deleting),
        ]
      : []),
  ];
  const newMessageId = randomMessageIds(random);
  const freshness = options.watchesAge
    ? watchFreshness({
        ...deleting,
        newMessageId,
        horizonNights: HORIZON_NIGHTS,
      })
    : undefined;
  const feeds =
    options.fetchFeed &&
    startFeedPoller({
      ...deleting,
      random,
      newMessageId,
      horizonNights: HORIZON_NIGHTS,
      publicUrl: 'https://partners.example',
      fetching: { allowsPrivate: true },
      fetchFeed: options.fetchFeed,
      counts: createPollCounts(),
      roundMs: POLLS_MS * pace,
    });
  const account =
    options.openAccount &&
    startConnectionPoller({
      ...deleting,
      random,
      newMessageId,
      horizonNights: HORIZON_NIGHTS,
      calling: { allowsPrivate: true },
      openAccount: options.openAccount,
      counts: createReadCounts(),
      roundMs: POLLS_MS * pace,
    });
  return {
    process,
    storage,
    readers,
    random,
    supply: {
      storage,
      parser: parseHere,
      clock,
      newMessageId,
      horizonNights: HORIZON_NIGHTS,
      bookingOrigins: [],
    },
    async stop() {
      for (const { longPolls, limits } of readers) {
        longPolls.end();
        limits.close();
      }
      await Promise.all([
        webhooks.stop(),
        ...retentions.map((retention) => retention.stop()),
        ...readers.map(({ visits }) => visits.close()),
        freshness?.stop(),
        feeds?.stop(),
        account?.stop(),
        ...readers.map(({ follower }) => follower.stop()),
        ...readers.map(({ register }) => register.stop()),
      ]);
      await source.stop();
    },
  };
}

function fileOf(name: string) {
  // The layout names the sources, which do not change in a story.
  return { path: catalogueFileOf(name), isSet: true, database: 'truth', layout: 'simulated' };
}

interface StartedPlace {
  readonly number: number;
  readonly place: ReturnType<typeof openPlace>;
  readonly longCatalogue: CatalogueReader;
  readonly logger: Parameters<typeof startFollower>[0]['logger'];
  readonly limits: ServiceLimits;
}

async function startReader(
  { network, process, random, pauseMs, hasShortQuotes, deletesOld, log }: ServiceOptions,
  storage: Storage,
  { number, place, longCatalogue, logger, limits }: StartedPlace,
): Promise<Reader> {
  const { wallMs: clock, uptimeMs } = process;
  const quoteTtlSeconds = hasShortQuotes ? SHORT_TTL_SECONDS : QUOTE_TTL_SECONDS;
  const settings = { handoffKeys: keyring, quoteTtlSeconds: () => quoteTtlSeconds };
  const named = { machine: process.name, pid: 1 };
  const register = await untilAnswered(() => startRegister({ storage, clock, logger, place: named }));
  const access = await untilAnswered(() => loadAccessCache(storage, settings, { clock, random }));
  const { memory, reading } = place.view();
  const catalogue = new CatalogueReader({ clock, horizonNights: HORIZON_NIGHTS }, memory, reading);
  const source: CatalogueSource = place.follow();
  const pause = pauseFor(pauseMs);
  const follower = startFollower({ storage, source, onAccess: access.take, logger, clock, uptimeMs, pause });
  follower.ready.catch(() => undefined);
  const feed = new CatalogueFeed({
    storage,
    shown: () => follower.shown(),
    pause: (ms) => new Promise((resolve) => process.after(ms, resolve)),
    uptimeMs,
    keys: access.handoffKeys,
    clock,
    random,
    keptDays: KEPT_DAYS,
    sizes: feedSizesOf(network.sizes),
  });
  const sandbox = createSandbox({ clock, horizonNights: HORIZON_NIGHTS });
  const visits = deletesOld
    ? startVisitLog({
        storage,
        logger,
        onLost: (count) => log('error', {}, `${count} visits are lost`),
      })
    : NO_VISITS;
  const handoffDeps = {
    storage,
    findTestProperty: (propertyId: string) => sandbox.findAtHandoff(propertyId),
    handoffKeys: access.handoffKeys,
    horizonNights: HORIZON_NIGHTS,
    clock,
    findDetails: (propertyId: string) => storage.findDetails(propertyId),
  };
  return {
    number,
    access,
    authenticator: authenticatorWithin(
      rememberingAuthenticator(() => access.directory(), clock),
      ({ socket }) => parseAddress(socket.remoteAddress),
    ),
    sockets: new Map(),
    traveller: makeTraveller({
      ...handoffDeps,
      visits,
      findName: ({ propertyId, locale, partnerId }) => catalogue.findName(propertyId, locale, partnerId),
      sites: { bookingUrlTemplate: BOOKING_URL, bookingOrigins: [] },
      meter: createWebMeter(),
    }),
    visits,
    sandbox,
    register,
    catalogue,
    longCatalogue,
    follower,
    readiness: watchReadiness(follower, STALENESS_MAX_SECONDS, uptimeMs),
    feed,
    longPolls: new LongPolls(uptimeMs),
    limits,
    handoffDeps,
    quoteDeps: {
      storage,
      isVisible: (propertyId, partnerId) => catalogue.isVisible(propertyId, partnerId),
      handoffKeys: access.handoffKeys,
      handoffBaseUrl: 'https://stay.example/',
      quoteTtlSeconds,
      horizonNights: HORIZON_NIGHTS,
      isTest: false,
      noteStored: () => undefined,
      clock,
      random,
    },
  };
}

/** A service that finds no database at its start is started again by its supervisor. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** Reads every message on this thread. */
export const parseHere: MessageParser = {
  readEmpty: async (sent) => ({ bodyHash: hashOf(sent) }),
  readCalendars: async (sent, options) => ({
    ...readCalendarMessage(sent.body, options),
    bodyHash: hashOf(sent),
  }),
  readProperty: async (sent, options) => ({
    ...readPropertyMessage(sent.body, options),
    bodyHash: hashOf(sent),
  }),
  readAri: async (sent, findMappings) => {
    const values = readAriValues(sent.body);
    return { ...mapAriValues(values, await findMappings(values.externalKeys)), bodyHash: hashOf(sent) };
  },
  readLine: () => Promise.reject(new Error('not simulated')),
  close: () => Promise.resolve(),
};
