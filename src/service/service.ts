/**
 * The composition root: puts the concrete parts together and starts them. `serve`, `demo` and the end-to-end tests
 * all start exactly this.
 */
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Catalogue } from '../catalogue/catalogue.ts';
import { type Follower, startFollower } from '../following/follower.ts';
import type { Clock } from '../runtime/clock.ts';
import { type HandoffResolution, resolveHandoff } from '../quotes/resolve-handoff.ts';
import { type HeldAccess, holdAccess } from './held-access.ts';
import type { ListeningServer } from '../http/listener/listener.ts';
import { buildMetrics } from '../observability/metrics/metrics.ts';
import { buildOperatorServer } from '../http/operator/operator-server.ts';
import { buildPartnerServer } from '../http/partner/partner-server.ts';
import type { Readiness } from '../runtime/readiness.ts';
import { createRequestMeter, type RequestMeter } from '../observability/metrics/request-meter.ts';
import { openLimits, type OpenedLimits } from '../limits/open-limits.ts';
import { type EventLoopWatch, watchEventLoop } from '../runtime/event-loop-watch.ts';
import {
  countHandoff,
  countQuote,
  createOutcomeMeter,
  type OutcomeMeter,
} from '../observability/metrics/outcome-meter.ts';
import { traceStorage, type Tracing } from '../observability/tracing/tracing.ts';
import type { Random } from '../runtime/random-text.ts';
import { createQuote } from '../quotes/create-quote.ts';
import type { Settings } from '../settings/settings.ts';
import { openStorage } from '../storage/open/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { Machine } from './machine.ts';

export interface ServiceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where this process is one of several workers. */
  readonly machine?: Machine;
}

export interface Service {
  /** Where the listeners are, as `http://host:port`; port 0 in the settings has become a real one. */
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  /** Resolves when the catalogue is in memory; until then partners get 503. */
  readonly ready: Promise<void>;
  /** Rejects when a service that was ready can't go on; pending for ever otherwise. */
  readonly failed?: Promise<never>;
  /** Finishes what is in flight, then lets go of everything. */
  close(): Promise<void>;
}

/** The service can't start as it is set up; the message is one line for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Resolves once both listeners accept connections. Creates or upgrades the schema first. */
export async function startService(settings: Settings, deps: ServiceDeps): Promise<Service> {
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
  const storage = await openStorage(settings.databaseUrl, { clock });
  closers.push(() => storage.close());
  // Of several workers none does: the process that started them has done it.
  if (deps.machine === undefined) {
    const { version } = await storage.migrate();
    logger.info({ version }, 'database schema is in place');
  }

  const access = await holdAccess(storage, settings.handoffKeys, deps);
  const catalogue = new Catalogue({ clock, horizonNights: settings.horizonNights });
  const follower = startFollower({ storage, catalogue, onAccess: access.take, logger });
  closers.push(() => follower.stop());

  const { redisUrl } = settings;
  const limits = await openLimits({ redisUrl, machine: deps.machine?.limits, logger });
  closers.push(async () => limits.close());

  const eventLoop = watchEventLoop((isOverloaded, lateMs) => {
    const message = isOverloaded
      ? 'new requests are refused: the event loop is late'
      : 'requests are taken again';
    logger.warn({ lateMs: Math.round(lateMs) }, message);
  });
  closers.push(async () => eventLoop.stop());
  const tracing = await openTracing(settings, logger);
  closers.push(async () => tracing?.close());

  const readiness = (): Readiness => judgeReadiness(follower, settings.stalenessMaxSeconds);
  const parts: Parts = {
    ...deps,
    settings,
    storage,
    access,
    catalogue,
    follower,
    limits,
    readiness,
    eventLoop,
    tracing,
    meter: createRequestMeter(),
    outcomes: createOutcomeMeter(),
  };
  const operator = wireOperatorServer(parts);
  const operatorUrl = await listen(operator, settings.operatorHost, settings.operatorPort, 'OPERATOR_PORT');
  closers.push(() => operator.close());
  if (deps.machine?.joinsWhenReady === true) await follower.ready;
  const partner = wirePartnerServer(parts);
  const partnerUrl = await listen(partner, settings.host, settings.port, 'PORT');
  closers.push(() => partner.close());
  logger.info({ partnerUrl, operatorUrl }, 'listening');
  return { partnerUrl, operatorUrl, ready: follower.ready, close };
}

/** What both listeners are made of. */
interface Parts extends ServiceDeps {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly access: HeldAccess;
  readonly catalogue: Catalogue;
  readonly follower: Follower;
  readonly limits: OpenedLimits;
  readonly readiness: () => Readiness;
  readonly eventLoop: EventLoopWatch;
  readonly tracing: Tracing | undefined;
  readonly meter: RequestMeter;
  readonly outcomes: OutcomeMeter;
}

/** The packages behind it are loaded only where they are wanted. */
async function openTracing({ otlpEndpoint }: Settings, logger: Logger): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { openOtlpTracing } = await import('../observability/tracing/otlp-tracing.ts');
  return openOtlpTracing({ endpoint: otlpEndpoint, logger });
}

function tracedStorage({
  storage,
  tracing,
}: Parts): Pick<Storage, 'findProperty' | 'insertQuote' | 'findQuote'> {
  return tracing === undefined ? storage : traceStorage(storage, tracing);
}

function wirePartnerServer(parts: Parts): ListeningServer {
  const { settings, access, catalogue, limits, outcomes, clock, random } = parts;
  const quoteDeps = {
    storage: tracedStorage(parts),
    handoffKeys: access.handoffKeys,
    handoffBaseUrl: settings.handoffBaseUrl,
    quoteTtlSeconds: settings.quoteTtlSeconds,
    horizonNights: settings.horizonNights,
    clock,
    random,
  };
  return buildPartnerServer({
    ...parts,
    ...limits.limits,
    readModel: catalogue,
    access: access.directory,
    createQuote: async (request) => countQuote(outcomes, await createQuote(quoteDeps, request)),
    isOverloaded: parts.eventLoop.isOverloaded,
    // Field by field: no secret of the settings has any business in a listener.
    settings: {
      ...listenerSettings(settings),
      publicUrl: settings.publicUrl,
      ingressLimit: settings.ingressLimit,
      partnerQuota: settings.partnerQuota,
      quoteTtlSeconds: settings.quoteTtlSeconds,
      horizonNights: settings.horizonNights,
      trustedProxies: settings.trustedProxies,
    },
  });
}

function wireOperatorServer(parts: Parts): ListeningServer {
  const { settings, storage, access, catalogue, limits, outcomes, clock, readiness, machine } = parts;
  const registry = buildMetrics({
    ...parts,
    freshness: () => parts.follower.freshness(),
    catalogueSize: () => catalogue.size(),
    sharing: limits.sharing,
    poolUse: storage.poolUse,
  });
  const own = { readiness, metrics: () => registry.metrics() };
  const resolveDeps = {
    storage: tracedStorage(parts),
    handoffKeys: access.handoffKeys,
    reloadHandoffKeys: access.reloadHandoffKeys,
    horizonNights: settings.horizonNights,
    clock,
  };
  const resolve = (value: string): Promise<HandoffResolution> => {
    const work = (): Promise<HandoffResolution> => resolveHandoff(resolveDeps, value);
    return parts.tracing === undefined ? work() : parts.tracing.span('resolveHandoff', work);
  };
  return buildOperatorServer({
    ...parts,
    ...(machine?.join({ readiness, metrics: () => registry.getMetricsAsJSON() }) ?? own),
    access: access.directory,
    resolveHandoff: async (value) => countHandoff(outcomes, await resolve(value)),
    settings: listenerSettings(settings),
  });
}

function judgeReadiness(follower: Follower, stalenessMaxSeconds: number): Readiness {
  const { ready, contactAgeMs } = follower.freshness();
  if (!ready) return { reason: 'the catalogue is still being read into memory' };
  if (contactAgeMs <= stalenessMaxSeconds * 1000) return 'ready';
  return { reason: `the database has not answered for ${Math.floor(contactAgeMs / 1000)} seconds` };
}

function listenerSettings(settings: Settings) {
  return {
    problemsBaseUrl: settings.problemsBaseUrl,
    bodyLimitBytes: settings.bodyLimitBytes,
    headersTimeoutMs: settings.headersTimeoutSeconds * 1000,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
  };
}

/** The URL of the listener; a refusal of the operating system becomes a line that names the setting. */
async function listen(server: ListeningServer, host: string, port: number, setting: string): Promise<string> {
  try {
    return formatUrl(await server.listen(port, host));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartRefused(
        `${setting}: ${host}:${port} is taken by another program; stop it or set ${setting}`,
      );
    }
    if (code === 'EACCES') throw new StartRefused(`${setting}: this user may not listen on ${host}:${port}`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartRefused(`${setting.replace('PORT', 'HOST')}: ${host} is no address of this machine`);
    }
    throw error;
  }
}

function formatUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
