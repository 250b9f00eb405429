/** What all listeners are made of, once storage, catalogue and limits are there. */
import type { FreshnessWatch } from '../supply/freshness/watch-freshness.ts';
import type { Logger } from 'pino';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Follower } from '../following/follower.ts';
import type { OpenedLimits } from '../limits/open-limits.ts';
import type { FeedNumbers } from '../observability/metrics/feed-families.ts';
import type { OutcomeMeter } from '../observability/metrics/outcome-meter.ts';
import type { WebMeter } from '../observability/metrics/web-families.ts';
import type { RequestMeter } from '../observability/metrics/request-meter.ts';
import { traceStorage, type Tracing } from '../observability/tracing/tracing.ts';
import type { Clock } from '../runtime/clock.ts';
import type { EventLoopWatch } from '../runtime/event-loop-watch.ts';
import type { Random } from '../runtime/random-text.ts';
import type { Readiness } from '../runtime/readiness.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Settings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { ConnectionShares } from './connection-shares.ts';
import type { HeldAccess } from './held-access.ts';
import type { Machine } from './machine.ts';

export interface ServiceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where this thread is one of several workers. */
  readonly machine?: Machine;
}

export interface Parts extends ServiceDeps {
  readonly connections: ConnectionShares;
  /** SIGTERM has come: /readyz says so, and everything else goes on until the listeners close. */
  readonly isDraining: () => boolean;
  readonly settings: Settings;
  readonly storage: Storage;
  readonly access: HeldAccess;
  readonly catalogue: Catalogue;
  readonly sandbox: Sandbox;
  readonly follower: Follower;
  readonly limits: OpenedLimits;
  readonly readiness: () => Readiness;
  readonly eventLoop: EventLoopWatch;
  readonly supplyFreshness: FreshnessWatch;
  readonly tracing: Tracing | undefined;
  readonly meter: RequestMeter;
  readonly outcomes: OutcomeMeter;
  readonly acts: Readonly<Record<string, number>>;
  readonly webMeter: WebMeter;
  readonly feeds: FeedNumbers;
}

/** The storage that quotes and resolutions use: each call is a span where requests are traced. */
export function tracedStorage({
  storage,
  tracing,
}: Parts): Pick<Storage, 'findProperty' | 'insertQuote' | 'findQuote'> {
  return tracing === undefined ? storage : traceStorage(storage, tracing);
}

/** What every listener is told of the settings. */
export function listenerSettings(settings: Settings, connectionsMax: number) {
  return {
    problemsBaseUrl: settings.problemsBaseUrl,
    bodyLimitBytes: settings.bodyLimitBytes,
    supplyBodyLimitBytes: settings.supplyBodyLimitBytes,
    headersTimeoutMs: settings.headersTimeoutSeconds * 1000,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
    writeTimeoutMs: settings.writeTimeoutSeconds * 1000,
    connectionsMax,
  };
}
