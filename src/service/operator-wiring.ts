/** The operator listener, put together. */
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { ActPorts, ServingPorts } from '../console/console-page.ts';
import { createPartnerView } from '../console/partner-view.ts';
import { createPropertyNames } from '../console/property-names.ts';
import type { ConsoleDeps } from '../http/console/console-exchange.ts';
import { buildConsole } from '../http/console/console-server.ts';
import type { ListeningServer } from '../http/listener/listener.ts';
import { hostnameOf } from '../http/listener/request-head.ts';
import { iconAsset } from '../web/console/assets.ts';
import { chooseIcon } from '../web/traveller/assets.ts';
import { lookOf } from './web-wiring.ts';
import { makeSourceAddress } from '../http/listener/source-address.ts';
import { buildOperatorServer } from '../http/operator/operator-server.ts';
import { buildMetrics } from '../observability/metrics/metrics.ts';
import { countHandoff } from '../observability/metrics/request-meter.ts';
import { type HandoffResolution, resolveHandoff } from '../quotes/resolve-handoff.ts';
import type { RequestFilter } from '../storage/activity/store.ts';
import { randomMessageIds } from '../storage/supply/message-id.ts';
import type { MessageParser } from '../supply/messages/message-parser.ts';
import { createSupplyApi, type SupplyApi } from '../supply/messages/supply-api.ts';
import { createSetupApi, type SetupApi, type SetupDeps } from '../supply/setup/setup-api.ts';
import { type HandoffInputs, wireHandoffCheck } from './handoff-wiring.ts';
import { listenerSettings } from './listen.ts';
import type { MachineView } from './machine.ts';
import type { ServiceContext, ServiceMeters } from './service-context.ts';

const STOPPING = { reason: 'The service is being stopped.' };

type OperatorInputs = MetricInputs &
  ResolveInputs &
  SupplyInputs &
  SetupInputs &
  Pick<ServiceContext, 'connections' | 'logger' | 'machine' | 'reports'> & {
    readonly isDraining: () => boolean;
  };

export function wireOperatorServer(inputs: OperatorInputs): ListeningServer {
  const {
    access,
    budget,
    clock,
    connections,
    isDraining,
    logger,
    operatorMeter,
    settings,
    storage,
    tracing,
  } = inputs;
  // One for all messages of this listener: those of one millisecond keep their order.
  const newMessageId = randomMessageIds(inputs.random);
  const setup = wireSetup(inputs, newMessageId);
  const { readiness: machineReadiness, metrics, recentRequests } = wireMachineView(inputs);
  const readiness = async () => (isDraining() ? STOPPING : machineReadiness());
  return buildOperatorServer({
    budget,
    clock,
    logger,
    metrics,
    readiness,
    tracing,
    meter: operatorMeter,
    console: buildConsole(wireConsole({ ...inputs, readiness, recentRequests, setup })),
    access: access.directory,
    conversions: storage,
    supply: wireSupply(inputs, newMessageId),
    setup,
    resolveHandoff: wireResolve(inputs),
    settings: {
      ...listenerSettings(inputs, connections.operator),
      allowedHosts: [
        settings.operatorHost,
        hostnameOf(new URL(settings.consoleUrl).host),
        ...settings.operatorAllowedHosts,
      ],
    },
  });
}

type ConsoleInputs = Pick<
  ServiceContext,
  'catalogue' | 'clock' | 'follower' | 'limits' | 'logger' | 'random' | 'reports' | 'settings' | 'storage'
> &
  Pick<ActPorts, 'recentRequests' | 'setup'> &
  Pick<ServingPorts, 'readiness'>;

function wireConsole({
  catalogue,
  clock,
  follower,
  limits,
  logger,
  random,
  readiness,
  recentRequests,
  reports,
  settings,
  setup,
  storage,
}: ConsoleInputs): ConsoleDeps {
  const names = createPropertyNames({ catalogue, revision: () => follower.freshness().revision });
  const partnerView = createPartnerView(catalogue);
  const { horizonNights, partnerQuota } = settings;
  return {
    ports: {
      clock,
      horizonNights,
      partnerQuota,
      random,
      recentRequests,
      setup,
      storage,
      catalogue,
    },
    makePage: reports.openPages({
      readiness,
      findRecent: (filter) => recentRequests.find(filter),
      findNames: (...about) => names.find(...about),
      prepareNames: () => names.prepare(),
      findSeenProperty: (...about) => partnerView.findProperty(...about),
      findSeenCities: (...about) => partnerView.findCities(...about),
    }),
    brand: { name: settings.webName, icon: iconAsset(chooseIcon(lookOf(settings))) },
    consoleUrl: settings.consoleUrl,
    wrongAttempts: limits.limits.ingress,
    sourceAddress: makeSourceAddress(settings.trustedProxies),
    logger,
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
  };
}

type MetricInputs = ServiceMeters &
  Pick<
    ServiceContext,
    'activity' | 'acts' | 'catalogue' | 'clock' | 'eventLoop' | 'feeds' | 'follower' | 'limits' | 'readiness'
  > &
  Pick<ServiceContext, 'machine' | 'storage' | 'supplyFreshness' | 'webhooks'>;

/** Metrics, readiness and last requests of all workers together; of this process where it is alone. */
function wireMachineView(inputs: MetricInputs): MachineView {
  const { activity, machine, readiness } = inputs;
  const registry = wireMetrics(inputs);
  const recentRequests = (filter: RequestFilter) => activity.recent(filter);
  const own = { readiness, metrics: () => registry.getMetricsAsJSON(), recentRequests };
  return (
    machine?.join(own) ?? {
      readiness: async () => readiness(),
      metrics: () => registry.metrics(),
      recentRequests: { find: async (filter) => recentRequests(filter) },
    }
  );
}

function wireMetrics(inputs: MetricInputs): Registry {
  const { activity, acts, budget, catalogue, clock, eventLoop, feeds, follower, limits } = inputs;
  const { meter, operatorMeter, outcomes, readiness, storage, supplyFreshness } = inputs;
  const { webhooks, webMeter, webRequestMeter } = inputs;
  return buildMetrics({
    acts,
    clock,
    eventLoop,
    feeds,
    meter,
    outcomes,
    readiness,
    webhooks,
    webMeter,
    activity: activity.meter,
    freshness: () => follower.freshness(),
    losses: follower.losses.counts,
    catalogueSize: () => catalogue.size(),
    sharing: limits.sharing,
    poolUse: storage.poolUse,
    supplyFreshness: () => supplyFreshness.state(),
    doors: {
      meters: {
        partner: meter.connections,
        operator: operatorMeter.connections,
        web: webRequestMeter.connections,
      },
      ...budget,
    },
  });
}

type ResolveInputs = HandoffInputs & Pick<ServiceContext, 'outcomes' | 'tracing' | 'visits'>;

/** Counts what comes of each value, and the first time that a quote was resolved. */
function wireResolve(inputs: ResolveInputs): (value: string) => Promise<HandoffResolution> {
  const { outcomes, tracing, visits } = inputs;
  const deps = wireHandoffCheck(inputs);
  const resolve = (value: string): Promise<HandoffResolution> => {
    const work = (): Promise<HandoffResolution> => resolveHandoff(deps, value);
    return tracing === undefined ? work() : tracing.span('resolveHandoff', work);
  };
  return async (value) => {
    const resolution = await resolve(value);
    if (resolution.refusal === undefined) visits.resolved(resolution.quoteId);
    return countHandoff(outcomes, resolution);
  };
}

type NewMessageId = SetupDeps['newMessageId'];
type SupplyInputs = Pick<ServiceContext, 'clock' | 'follower' | 'settings' | 'storage'> & {
  readonly parser: MessageParser;
};

function wireSupply(inputs: SupplyInputs, newMessageId: NewMessageId): SupplyApi {
  const { clock, follower, parser, settings, storage } = inputs;
  const { horizonNights, publicUrl } = settings;
  return createSupplyApi({
    storage,
    clock,
    parser,
    newMessageId,
    horizonNights,
    publicUrl,
    followedRevision: () => follower.freshness().revision,
    losses: () => ({ count: follower.losses.counts.catalogue, lastAtMs: follower.losses.lastAtMs }),
  });
}

type SetupInputs = Pick<ServiceContext, 'clock' | 'random' | 'settings' | 'storage'>;

/** With the same bounds on what is fetched as the poller and the commands have. */
function wireSetup({ storage, clock, random, settings }: SetupInputs, newMessageId: NewMessageId): SetupApi {
  const { horizonNights, publicUrl, calendarsBaseUrl, icalAllowPrivate } = settings;
  return createSetupApi({
    storage,
    clock,
    random,
    horizonNights,
    publicUrl,
    calendarsBaseUrl,
    newMessageId,
    holder: randomUUID(),
    fetching: { allowsPrivate: icalAllowPrivate },
  });
}
