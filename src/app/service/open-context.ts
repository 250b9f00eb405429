/** Opens and starts everything that the listeners use. The last part started is the first closed. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Logger } from 'pino';
import { startActivityRetention } from '../../operator/activity/activity-retention.ts';
import { startActivity } from '../../operator/activity/activity.ts';
import { startVisitLog, type VisitLog } from '../../traveller/attribution/visit-log.ts';
import { Catalogue } from '../../read-model/catalogue/catalogue.ts';
import { CatalogueFeed, startChangeRetention } from '../../partner/changes/catalogue-feed.ts';
import { LongPolls } from '../../partner/changes/long-polls.ts';
import { CatalogueReader } from '../../read-model/catalogue/catalogue-reader.ts';
import {
  type CatalogueSource,
  followCatalogue,
  startFollower,
  watchReadiness,
} from '../../read-model/following/follower.ts';
import { createWaitingBudget, waitingBytesOfHeap } from '../../http/listener/waiting-budget.ts';
import { openLimits } from '../../limits/open-limits.ts';
import { createOutcomeMeter, createRequestMeter } from '../../http/observability/metrics/request-meter.ts';
import { createWebMeter } from '../../http/observability/metrics/web-families.ts';
import { traceStorage, type Tracing } from '../../http/observability/tracing.ts';
import { startDailyQuotes } from '../../partner/quotes/daily-quotes.ts';
import { startQuoteRetention, startUnopenedRetention } from '../../partner/quotes/quote-retention.ts';
import { machineUptime } from '../../runtime/clock.ts';
import { type EventLoopWatch, watchEventLoop } from '../../runtime/event-loop-watch.ts';
import { createSandbox } from '../../partner/sandbox/sandbox.ts';
import { makeSiteDesk } from '../settings/site-desk.ts';
import type { Settings } from '../settings/settings.ts';
import { randomMessageIds } from '../../storage/supply/message-id.ts';
import { openStorage } from '../../storage/open.ts';
import type { AccessRows } from '../../storage/access/store.ts';
import type { Retention } from '../../storage/tasks/retention.ts';
import type { Storage } from '../../storage/storage.ts';
import { type FreshnessWatch, watchFreshness } from '../../supply/freshness/watch-freshness.ts';
import { startSupplyRetention } from '../../supply/messages/supply-retention.ts';
import { startDeliveryRetention } from '../../partner/webhooks/delivery-retention.ts';
import { startWebhooks, type Webhooks } from '../../partner/webhooks/start-webhooks.ts';
import { openQuestions } from './context/asked-questions.ts';
import { auditAccess, loadAccessCache } from './context/access-cache.ts';
import { type ConnectionShares, readDescriptorsMax, shareConnections } from './context/connection-shares.ts';
import { startConnections } from './connection-wiring.ts';
import { startFeeds } from './feed-wiring.ts';
import { startRegister } from './context/process-register.ts';
import { createLiveSettings, type LiveSettings } from './context/live-settings.ts';
import { startImports } from './imports/imports.ts';
import { openPictures } from './listeners/pictures.ts';
import { type Reports, startReports } from './context/reports.ts';
import { remakeLogo } from './pictures/remade-logo.ts';
import type { ServiceContext, ServiceDeps, ServiceMeters } from './context/service-context.ts';

/** Everything that needs closing is on `closing`, even if this rejects. */
export async function openContext(
  settings: Settings,
  deps: ServiceDeps,
  closing: AsyncDisposableStack,
): Promise<ServiceContext> {
  const { clock, logger, machine } = deps;
  const storage = closing.adopt(await openServiceStorage(settings, deps), (it) => it.close());
  // With several workers, the thread that starts them migrates for all.
  if (machine === undefined) await migrate(storage, logger);
  closing.adopt(await startRegister({ storage, clock, logger }), (it) => it.stop());
  const live = createLiveSettings(settings, logger);
  const { access, audit, onAccess } = await openAccess(settings, deps, storage, live);
  const { catalogue, source } = openCatalogue(settings, deps, storage);
  const follower = startFollower({ storage, source, onAccess, logger, clock });
  closing.defer(() => follower.stop());
  const limits = closing.adopt(await openSharedLimits(settings, deps), (it) => it.close());
  const eventLoop = closing.adopt(watchLoop(deps), (it) => it.stop());
  const supplyFreshness = closing.adopt(startFreshness(settings, storage, deps), (it) => it.stop());
  for (const retention of startRetentions(settings, storage, deps)) closing.defer(() => retention.stop());
  const meters = createMeters(settings);
  const visits = closing.adopt(openVisits(storage, meters, deps), (it) => it.close());
  const activity = closing.adopt(openActivity(settings, deps, storage, catalogue), (it) => it.close());
  const readiness = watchReadiness(follower, settings.stalenessMaxSeconds);
  const reports = openReports(settings, deps, { storage, catalogue, readiness });
  closing.defer(() => reports.stop());
  const dailyQuotes = closing.adopt(startDailyQuotes({ storage, clock, logger }), (it) => it.close());
  const polled = startPolled(settings, deps, storage, closing);
  const shown = openChanges(settings, deps, { storage, follower, access });
  closing.defer(() => shown.webhooks.stop());
  const tracing = closing.adopt(await openTracing(settings, logger), (it) => it?.close());
  return {
    ...deps,
    ...meters,
    settings,
    live,
    site: makeSiteDesk(settings, remakeLogo),
    storage,
    access,
    catalogue,
    questions: openQuestions(catalogue.questions, clock, deps.shared?.askReader),
    follower,
    limits,
    pictures: openPictures(settings, clock),
    ...shown,
    eventLoop,
    supplyFreshness,
    visits,
    activity,
    dailyQuotes,
    ...polled,
    tracing,
    connections: shareOfConnections(settings, machine?.workerCount ?? 1),
    quoteStorage: tracing === undefined ? storage : traceStorage(storage, tracing),
    acts: audit.counts,
    sandbox: createSandbox({ clock, horizonNights: settings.horizonNights }),
    reports,
    imports: closing.adopt(openImports(settings, deps, live), (it) => it.stop()),
    readiness,
  };
}

/** Whatever is read by the clock. */
function startPolled(settings: Settings, deps: ServiceDeps, storage: Storage, closing: AsyncDisposableStack) {
  return {
    feeds: closing.adopt(startFeeds(settings, storage, deps), (it) => it.stop()),
    accounts: closing.adopt(startConnections(settings, storage, deps), (it) => it.stop()),
  };
}

/** Access and the settings of the site, which are followed together. */
async function openAccess(
  { handoffKeys }: Settings,
  deps: ServiceDeps,
  storage: Storage,
  live: LiveSettings,
) {
  live.take({ siteSettings: await storage.readSiteSettings() });
  const quoteTtlSeconds = (): number => live.now().quoteTtlSeconds;
  const access = await loadAccessCache(storage, { handoffKeys, quoteTtlSeconds }, deps);
  const audit = auditAccess(deps.logger);
  const onAccess = (rows: AccessRows): void => [live, access, audit].forEach((taker) => taker.take(rows));
  return { access, audit, onAccess };
}

function openSharedLimits({ redisUrl }: Settings, { machine, logger }: ServiceDeps) {
  return openLimits({ redisUrl, memory: machine?.limits, logger });
}

function openImports(settings: Settings, deps: ServiceDeps, live: LiveSettings) {
  return startImports(settings, { ...deps, bookingOrigins: () => live.now().bookingOrigins });
}

/** Reports changes to partners: the feed, and webhooks, which one of all processes on a database sends. */
function openChanges(
  { changesDays: keptDays, webhookAllowPrivate: allowsPrivate }: Settings,
  { clock, random, logger, machine }: ServiceDeps,
  { storage, follower, access }: Pick<ServiceContext, 'storage' | 'follower' | 'access'>,
): Pick<ServiceContext, 'changes' | 'longPolls'> & { readonly webhooks: Webhooks } {
  const shown = () => follower.shown();
  const changes = new CatalogueFeed({
    storage,
    shown,
    pause: setTimeout,
    uptimeMs: machineUptime,
    keys: access.handoffKeys,
    clock,
    random,
    keptDays,
  });
  const sending = { holder: randomUUID(), addresses: { allowsPrivate } };
  return {
    changes,
    longPolls: new LongPolls(machineUptime, machine?.workerCount),
    webhooks: startWebhooks({ storage, clock, random, logger, changes, ...sending }),
  };
}

function openReports(
  settings: Settings,
  { clock, logger }: ServiceDeps,
  { storage, catalogue, readiness }: Pick<ServiceContext, 'storage' | 'catalogue' | 'readiness'>,
): Reports {
  return startReports(settings, {
    storage,
    clock,
    logger,
    isReady: () => readiness() === 'ready',
    propertiesOf: (city, country) => catalogue.propertiesOf(city, country),
  });
}

function openActivity(
  { requestLogDays, demandDays }: Settings,
  deps: ServiceDeps,
  storage: Storage,
  catalogue: Pick<Catalogue, 'marketOf'>,
): ServiceContext['activity'] {
  return startActivity({
    ...deps,
    storage,
    marketOf: (propertyId) => catalogue.marketOf(propertyId),
    keepsRequests: requestLogDays > 0,
    keepsDemand: demandDays > 0,
  });
}

/** The machine's catalogue if another thread follows it, otherwise this thread's own. */
function openCatalogue(
  { horizonNights }: Settings,
  { clock, logger, shared }: ServiceDeps,
  storage: Storage,
): { readonly catalogue: CatalogueReader; readonly source: CatalogueSource } {
  if (shared !== undefined) {
    const { memory, reading } = shared.view();
    const catalogue = new CatalogueReader({ clock, horizonNights }, memory, reading);
    shared.onReplaced((view) => catalogue.readFrom(view.memory, view.reading));
    return { catalogue, source: shared.follow() };
  }
  const catalogue = new Catalogue({ clock, horizonNights });
  // Shows properties as soon as they are read, as when another thread follows.
  return { catalogue, source: followCatalogue({ storage, catalogue: catalogue.writer, logger, clock }) };
}

function openServiceStorage({ databaseUrl }: Settings, { clock, logger, machine }: ServiceDeps) {
  const onWarning = machine === undefined ? (message: string) => logger.warn(message) : () => undefined;
  return openStorage(databaseUrl, { clock, onWarning, reservesRoom: true });
}

async function migrate(storage: Storage, logger: Logger): Promise<void> {
  const { version } = await storage.migrate();
  logger.info({ version }, 'database schema is in place');
}

function watchLoop({ logger, lateMsMax }: ServiceDeps): EventLoopWatch {
  return watchEventLoop((isOverloaded, lateMs) => {
    const message = isOverloaded
      ? 'new requests are refused: the event loop is late'
      : 'requests are accepted again';
    logger.warn({ lateMs: Math.round(lateMs) }, message);
  }, lateMsMax);
}

/** Closes properties that no source confirms any longer; one of all processes on a database does it. */
function startFreshness(
  { horizonNights }: Settings,
  storage: Storage,
  { clock, logger, random }: ServiceDeps,
): FreshnessWatch {
  const newMessageId = randomMessageIds(random);
  return watchFreshness({ storage, clock, logger, newMessageId, horizonNights, holder: randomUUID() });
}

/** Starts the deletion of old rows; one of all processes on a database does it. */
function startRetentions(settings: Settings, storage: Storage, { clock, logger }: ServiceDeps): Retention[] {
  const { changesDays, quoteRetentionDays, quoteUnopenedDays, requestLogDays, demandDays } = settings;
  const { supplyHistoryDays, supplyHistoryMessages: messagesMax } = settings;
  const deps = { storage, clock, logger, holder: randomUUID() };
  return [
    startQuoteRetention({ ...deps, retentionDays: quoteRetentionDays }),
    startUnopenedRetention({ ...deps, retentionDays: quoteUnopenedDays }),
    startSupplyRetention({ ...deps, retentionDays: supplyHistoryDays, messagesMax }),
    startChangeRetention({ ...deps, retentionDays: changesDays }),
    startActivityRetention({ ...deps, requestLogDays, demandDays }),
    startDeliveryRetention(deps),
  ];
}

function openVisits(storage: Storage, { webMeter }: ServiceMeters, { logger }: ServiceDeps): VisitLog {
  const onLost = (count: number): void => void (webMeter.visitsLost += count);
  return startVisitLog({ storage, onLost, logger });
}

function createMeters({ waitingBytesMax }: Settings): ServiceMeters {
  return {
    meter: createRequestMeter(),
    operatorMeter: createRequestMeter(),
    webRequestMeter: createRequestMeter(),
    outcomes: createOutcomeMeter(),
    webMeter: createWebMeter(),
    budget: createWaitingBudget(waitingBytesMax === 'auto' ? waitingBytesOfHeap() : waitingBytesMax),
  };
}

/** Loads the packages only if tracing is enabled. */
async function openTracing({ otlpEndpoint }: Settings, logger: Logger): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openOtlpTracing } = await import('../../http/observability/otlp-tracing.ts');
  return openOtlpTracing({ endpoint: otlpEndpoint, logger });
}

function shareOfConnections({ maxConnections, webPort }: Settings, workerCount: number): ConnectionShares {
  return shareConnections({
    wanted: maxConnections,
    descriptorsMax: readDescriptorsMax(),
    heapBytes: getHeapStatistics().heap_size_limit,
    workerCount,
    hasWeb: webPort !== undefined,
  });
}
