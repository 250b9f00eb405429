/** Dependencies shared by the listeners of a service. Each wiring picks those that it needs. */
import type { Logger } from 'pino';
import type { SiteDesk } from '../../../operator/acts/site-desk.ts';
import type { Activity } from '../../../operator/activity/activity.ts';
import type { VisitLog } from '../../../traveller/attribution/visit-log.ts';
import type { AskedQuestions } from './asked-questions.ts';
import type { CatalogueReader } from '../../../read-model/catalogue/catalogue-reader.ts';
import type { ChangeFeed } from '../../../partner/changes/change-feed.ts';
import type { LongPolls } from '../../../partner/changes/long-polls.ts';
import type { VisibleChanges } from '../../../partner/changes/visible-changes.ts';
import type { Follower } from '../../../read-model/following/follower.ts';
import type { WaitingBudget } from '../../../http/listener/waiting-budget.ts';
import type { OpenedLimits } from '../../../limits/open-limits.ts';
import type { AccountNumbers } from '../../../http/observability/metrics/account-families.ts';
import type { FeedNumbers } from '../../../http/observability/metrics/supply-families.ts';
import type { OutcomeMeter, RequestMeter } from '../../../http/observability/metrics/request-meter.ts';
import type { WebMeter } from '../../../http/observability/metrics/web-families.ts';
import type { Tracing } from '../../../http/observability/tracing.ts';
import type { DailyQuotes } from '../../../partner/quotes/daily-quotes.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { EventLoopWatch } from '../../../runtime/event-loop-watch.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Readiness } from '../../../runtime/readiness.ts';
import type { Sandbox } from '../../../partner/sandbox/sandbox.ts';
import type { PictureFolder } from '../../../http/pages/pictures.ts';
import type { Storage } from '../../../storage/storage.ts';
import type { WebhookNumbers } from '../../../http/observability/metrics/webhook-families.ts';
import type { FreshnessWatch } from '../../../supply/freshness/watch-freshness.ts';
import type { AccessCache } from './access-cache.ts';
import type { ConnectionShares } from './connection-shares.ts';
import type { Imports } from '../imports/imports.ts';
import type { FixedSettings, LiveSettings } from './live-settings.ts';
import type { Machine, SharedCatalogue } from './machine.ts';
import type { Reports } from './reports.ts';

export interface ServiceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Event-loop delay from which partners are refused; tests of answers set it high. */
  readonly lateMsMax?: number;
  /** Set if this thread is one of several workers. */
  readonly machine?: Machine;
  /** Set if another thread follows the properties; otherwise this one does. */
  readonly shared?: SharedCatalogue;
}

export interface ServiceContext extends ServiceDeps, ServiceMeters {
  /** Those of the environment: settings of the site are in `live`. */
  readonly settings: FixedSettings;
  readonly live: Pick<LiveSettings, 'now' | 'having'>;
  readonly site: SiteDesk;
  readonly connections: ConnectionShares;
  readonly storage: Storage;
  /** The storage calls of quotes and handoffs: each is a span in traces. */
  readonly quoteStorage: Pick<Storage, 'findProperty' | 'insertQuote' | 'findQuote'>;
  /** Undefined without a folder of pictures. */
  readonly pictures: PictureFolder | undefined;
  readonly changes: ChangeFeed & VisibleChanges;
  readonly longPolls: LongPolls;
  readonly access: AccessCache;
  /** Administrative acts by name. */
  readonly acts: Readonly<Record<string, number>>;
  readonly catalogue: CatalogueReader;
  readonly questions: AskedQuestions;
  readonly sandbox: Sandbox;
  readonly follower: Follower;
  readonly readiness: () => Readiness;
  readonly limits: OpenedLimits;
  readonly eventLoop: EventLoopWatch;
  readonly supplyFreshness: FreshnessWatch;
  readonly visits: VisitLog;
  readonly activity: Activity;
  readonly reports: Reports;
  readonly imports: Imports;
  readonly dailyQuotes: DailyQuotes;
  readonly accounts: AccountNumbers;
  readonly feeds: FeedNumbers;
  readonly webhooks: WebhookNumbers;
  readonly tracing: Tracing | undefined;
}

export interface ServiceMeters {
  /** Requests of the partner listener. */
  readonly meter: RequestMeter;
  /** Requests of listeners whose answers the metrics do not count. */
  readonly operatorMeter: RequestMeter;
  readonly webRequestMeter: RequestMeter;
  readonly outcomes: OutcomeMeter;
  readonly webMeter: WebMeter;
  /** Limits what clients can make the process hold, over all listeners. */
  readonly budget: WaitingBudget;
}
