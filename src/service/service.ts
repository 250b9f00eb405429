/**
 * The composition root: puts the concrete parts together and starts them. `serve`, `demo` and the end-to-end tests
 * all start exactly this.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Catalogue } from '../catalogue/catalogue.ts';
import { startFollower } from '../following/follower.ts';
import { startQuoteRetention } from '../quotes/quote-retention.ts';
import { openLimits } from '../limits/open-limits.ts';
import { createOutcomeMeter } from '../observability/metrics/outcome-meter.ts';
import { createWebMeter } from '../observability/metrics/web-families.ts';
import { createRequestMeter } from '../observability/metrics/request-meter.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { type EventLoopWatch, watchEventLoop } from '../runtime/event-loop-watch.ts';
import { keepTickShape } from '../runtime/tick-shape.ts';
import { makeSandbox } from '../sandbox/sandbox.ts';
import type { Settings } from '../settings/settings.ts';
import { openStorage } from '../storage/open/open-storage.ts';
import type { AccessRows } from '../storage/port/access-store.ts';
import type { Storage } from '../storage/storage.ts';
import { auditAccess } from './access-audit.ts';
import type { Retention } from '../storage/retention.ts';

import { randomMessageIds } from '../storage/message-id.ts';
import { type FreshnessWatch, watchFreshness } from '../supply/freshness/watch-freshness.ts';
import { startSupplyRetention } from '../supply/messages/supply-retention.ts';
import { makeMessageParser } from '../supply/messages/message-parser.ts';
import { holdAccess } from './held-access.ts';
import { readDescriptorsMax, shareConnections } from './connection-shares.ts';
import { startFeeds } from './feed-wiring.ts';
import { judgeReadiness } from './judge-readiness.ts';
import { listen, listenerAddresses } from './listen.ts';
import { wireOperatorServer } from './operator-wiring.ts';
import type { Parts, ServiceDeps } from './parts.ts';
import { openWebListener } from './web-wiring.ts';
import { wirePartnerServer } from './partner-wiring.ts';

const MS_PER_SECOND = 1_000;

export interface Service {
  /** Where the listeners are, as `http://host:port`; port 0 in the settings has become a real one. */
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  /** `https://` where it has a certificate; undefined where no web listener is wanted. */
  readonly webUrl: string | undefined;
  /** Resolves when the catalogue is in memory; until then partners get 503. */
  readonly ready: Promise<void>;
  /** Rejects when a service that was ready can't go on; pending for ever otherwise. */
  readonly failed?: Promise<never>;
  /** Drains for DRAIN_SECONDS, finishes what is in flight, then lets go of everything. */
  close(): Promise<void>;
}

/** Resolves once all listeners accept connections. Creates or upgrades the schema first. */
export async function startService(settings: Settings, deps: ServiceDeps): Promise<Service> {
  keepTickShape();
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    // What was started last depends on what was started first.
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await start(settings, deps, { closers, close });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Closing {
  readonly closers: (() => Promise<void>)[];
  readonly close: () => Promise<void>;
}

async function start(settings: Settings, deps: ServiceDeps, { closers, close }: Closing): Promise<Service> {
  const { clock, logger } = deps;
  const onWarning = deps.machine === undefined ? (message: string) => logger.warn(message) : () => undefined;
  const storage = await openStorage(settings.databaseUrl, { clock, onWarning, reservesRoom: true });
  closers.push(() => storage.close());
  // Of several workers none does: the thread that started them has done it.
  if (deps.machine === undefined) await migrate(storage, logger);
  const access = await holdAccess(storage, settings, deps);
  const catalogue = new Catalogue({ clock, horizonNights: settings.horizonNights });
  const audit = auditAccess(logger);
  const onAccess = (rows: AccessRows): void => {
    access.take(rows);
    audit.take(rows);
  };
  const follower = startFollower({ storage, catalogue, onAccess, logger });
  closers.push(() => follower.stop());
  const limits = await openLimits({ redisUrl: settings.redisUrl, memory: deps.machine?.limits, logger });
  closers.push(async () => limits.close());
  const eventLoop = watchLoop(logger);
  closers.push(async () => eventLoop.stop());
  const supplyFreshness = startFreshness(settings, storage, deps);
  closers.push(() => supplyFreshness.stop());
  for (const retention of startRetentions(settings, storage, deps)) closers.push(() => retention.stop());
  const feeds = startFeeds(settings, storage, deps);
  closers.push(() => feeds.stop());
  const tracing = await openTracing(settings, logger);
  closers.push(async () => tracing?.close());

  const connections = shareConnections({
    wanted: settings.maxConnections,
    descriptorsMax: readDescriptorsMax(),
    workerCount: deps.machine?.workerCount ?? 1,
    hasWeb: settings.webPort !== undefined,
  });
  let isDraining = false;
  const drain = async (): Promise<void> => {
    isDraining = true;
    await sleep(settings.drainSeconds * MS_PER_SECOND);
  };
  const parts: Parts = {
    ...deps,
    connections,
    isDraining: () => isDraining,
    settings,
    storage,
    access,
    catalogue,
    sandbox: makeSandbox({ clock, horizonNights: settings.horizonNights }),
    follower,
    limits,
    readiness: () => judgeReadiness(follower.freshness(), settings.stalenessMaxSeconds),
    eventLoop,
    supplyFreshness,
    tracing,
    meter: createRequestMeter(),
    outcomes: createOutcomeMeter(),
    acts: audit.counts,
    webMeter: createWebMeter(),
    feeds,
  };
  const parser = makeMessageParser();
  closers.push(() => parser.close());
  const operator = wireOperatorServer(parts, parser);
  const addresses = listenerAddresses(settings);
  const sharesPorts = deps.machine !== undefined;
  const operatorUrl = await listen(operator, addresses.operator, sharesPorts);
  closers.push(() => operator.close());
  if (deps.machine?.joinsWhenReady === true) await follower.ready;
  const partner = wirePartnerServer(parts);
  const partnerUrl = await listen(partner, addresses.partner, sharesPorts);
  closers.push(() => partner.close());
  const web = await openWebListener(parts);
  if (web !== undefined) closers.push(() => web.close());
  const urls = { partnerUrl, operatorUrl, webUrl: web?.url };
  logger.info(urls, 'listening');
  return {
    ...urls,
    ready: follower.ready,
    async close() {
      await drain();
      await close();
    },
  };
}

async function migrate(storage: Storage, logger: Logger): Promise<void> {
  const { version } = await storage.migrate();
  logger.info({ version }, 'database schema is in place');
}

function watchLoop(logger: Logger): EventLoopWatch {
  return watchEventLoop((isOverloaded, lateMs) => {
    const message = isOverloaded
      ? 'new requests are refused: the event loop is late'
      : 'requests are taken again';
    logger.warn({ lateMs: Math.round(lateMs) }, message);
  });
}

/** What is deleted after a while; of all processes on a database one does it. */
function startRetentions(settings: Settings, storage: Storage, { clock, logger }: ServiceDeps): Retention[] {
  const { quoteRetentionDays, supplyHistoryDays } = settings;
  const deps = { storage, clock, logger, holder: randomUUID() };
  return [
    startQuoteRetention({ ...deps, retentionDays: quoteRetentionDays }),
    startSupplyRetention({ ...deps, retentionDays: supplyHistoryDays }),
  ];
}

/** Closes what no source confirms any more; of all processes on a database one does it. */
function startFreshness(
  { horizonNights }: Settings,
  storage: Storage,
  { clock, logger, random }: ServiceDeps,
): FreshnessWatch {
  const newMessageId = randomMessageIds(random);
  return watchFreshness({ storage, clock, logger, newMessageId, horizonNights, holder: randomUUID() });
}

/** The packages behind it are loaded only where they are wanted. */
async function openTracing({ otlpEndpoint }: Settings, logger: Logger): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openOtlpTracing } = await import('../observability/tracing/otlp-tracing.ts');
  return openOtlpTracing({ endpoint: otlpEndpoint, logger });
}
