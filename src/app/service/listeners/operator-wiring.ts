/** The operator listener, put together. */
import { refuse } from '../../../domain/outcome.ts';
import { inBoth, Wrong } from '../../../domain/wrong.ts';
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import { type ActPorts as OperatorPorts, boundedTurns } from '../../../operator/acts/act.ts';
import type { ActPorts, ServingPorts } from '../../../console/reading/console-page.ts';
import type { OwnCalls } from '../../../console/reading/own-calls.ts';
import { createPartnerView } from '../../../console/reading/partner-view.ts';
import { createPropertyNames } from '../../../console/reading/property-names.ts';
import type { ConsoleDeps, ConsoleLook } from '../../../console/http/console-exchange.ts';
import { buildConsole } from '../../../console/http/console-server.ts';
import { WRONG_ATTEMPTS_MAX } from '../../../console/http/sessions.ts';
import { rememberExceeded } from '../../../limits/remember-exceeded.ts';
import type { ListeningServer } from '../../../http/listener/listener.ts';
import { hostnameOf } from '../../../http/listener/request-head.ts';
import { iconAsset } from '../../../console/web/assets.ts';
import { chooseIcon, dataUrl } from '../../../traveller/web/assets.ts';
import { makePreview } from '../../../traveller/web/preview-page.ts';
import { TEST_PICTURE_HEIGHT, TEST_PICTURE_WIDTH, testPicture } from '../../../traveller/web/test-picture.ts';
import type { Settings } from '../../settings/settings.ts';
import { lookOf, operatorOf } from './web-wiring.ts';
import { makeSourceAddress } from '../../../http/listener/source-address.ts';
import { buildOperatorServer } from '../../../operator/listener/operator-server.ts';
import { buildMetrics } from '../../../http/observability/metrics/metrics.ts';
import { countHandoff } from '../../../http/observability/metrics/request-meter.ts';
import { type HandoffResolution, resolveHandoff } from '../../../partner/quotes/resolve-handoff.ts';
import type { RequestFilter } from '../../../storage/activity/store.ts';
import { randomMessageIds } from '../../../storage/supply/message-id.ts';
import type { MessageParser } from '../../../supply/messages/message-parser.ts';
import { createRevisionReader, type SupplyContext } from '../../../supply/messages/supply-context.ts';
import { wireHandoffCheck } from './handoff-wiring.ts';
import { listenerSettings } from './listen.ts';
import { perSettings } from '../context/live-settings.ts';
import type { MachineView } from '../context/machine.ts';
import type { ServiceContext } from '../context/service-context.ts';
import { makeStorePicture } from '../pictures/uploaded-pictures.ts';

const STOPPING = inBoth(new Wrong('serviceStopping'));

export interface OperatorContext extends ServiceContext {
  readonly parser: MessageParser;
  readonly isDraining: () => boolean;
  readonly ownCalls: OwnCalls;
}

export function wireOperatorServer(context: OperatorContext): ListeningServer {
  const { access, connections, isDraining, operatorMeter, settings, storage } = context;
  // One for all messages of this listener: those of one millisecond keep their order.
  const newMessageId = randomMessageIds(context.random);
  const acts = wireActs(context, newMessageId);
  const { readiness: machineReadiness, metrics, recentRequests } = wireMachineView(context);
  const readiness = async () => (isDraining() ? STOPPING : machineReadiness());
  return buildOperatorServer({
    ...context,
    metrics,
    readiness,
    acts,
    meter: operatorMeter,
    pages: buildConsole(wireConsole(context, { readiness, recentRequests, acts })),
    access: access.directory,
    conversions: storage,
    supply: wireSupply(context, newMessageId),
    resolveHandoff: wireResolve(context),
    settings: {
      ...listenerSettings(context, connections.operator),
      allowedHosts: [
        settings.operatorHost,
        hostnameOf(new URL(settings.consoleUrl).host),
        ...settings.operatorAllowedHosts,
      ],
    },
  });
}

function wireConsole(
  context: OperatorContext,
  own: Pick<ActPorts, 'recentRequests' | 'acts'> & Pick<ServingPorts, 'readiness'>,
): ConsoleDeps {
  const { catalogue, follower, limits, live, reports, settings } = context;
  const look = perSettings(live, wireLook);
  // A look that can't be shown stops the start.
  look();
  const names = createPropertyNames({
    catalogue,
    version: () => `${follower.freshness().revision} ${follower.losses.counts.catalogue}`,
  });
  const partnerView = createPartnerView(catalogue);
  const { horizonNights, partnerQuota, webImages } = settings;
  const storePicture = makeStorePicture(webImages, context.clock);
  return {
    ...context,
    ports: {
      ...context,
      ...own,
      horizonNights,
      partnerQuota,
      get bookingOrigins() {
        return live.now().bookingOrigins;
      },
      storePicture,
      samplePicture: {
        url: dataUrl('svg', testPicture().body),
        width: TEST_PICTURE_WIDTH,
        height: TEST_PICTURE_HEIGHT,
      },
      findNamed: (texts) => names.findNamed(texts),
    },
    makePage: reports.openPages({
      readiness: own.readiness,
      findRecent: (filter) => own.recentRequests.find(filter),
      findNames: (...about) => names.find(...about),
      prepareNames: () => names.prepare(),
      findSeenProperty: (...about) => partnerView.findProperty(...about),
      findSeenCities: (...about) => partnerView.findCities(...about),
    }),
    look,
    lookWith: (site) => wireLook(live.having(site)).preview,
    consoleUrl: settings.consoleUrl,
    wrongAttempts: rememberExceeded(limits.limits.ingress, WRONG_ATTEMPTS_MAX),
    sourceAddress: makeSourceAddress(settings.trustedProxies),
    requestTimeoutMs: settings.requestTimeoutSeconds * 1000,
  };
}

/** The operator's name and logo, and the traveller's page with them. */
function wireLook(settings: Settings): ConsoleLook {
  const look = lookOf(settings);
  const imageOrigins = settings.webImageOrigins;
  const operatorWith = (iconPath: string) => operatorOf(settings, look, iconPath);
  return {
    brand: { name: settings.webName, icon: iconAsset(chooseIcon(look)) },
    preview: { maker: makePreview(operatorWith, look, imageOrigins), imageOrigins },
  };
}

/** Metrics, readiness and last requests of all workers together; of this process where it is alone. */
function wireMachineView(context: ServiceContext): MachineView {
  const { activity, machine, readiness } = context;
  const registry = wireMetrics(context);
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

function wireMetrics(context: ServiceContext): Registry {
  const { activity, budget, catalogue, follower, limits, storage, supplyFreshness } = context;
  const { meter, operatorMeter, webRequestMeter } = context;
  return buildMetrics({
    ...context,
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

/** Counts what comes of each value, and the first time that a quote was resolved. */
function wireResolve(context: ServiceContext): (value: string) => Promise<HandoffResolution> {
  const { outcomes, tracing, visits } = context;
  const deps = wireHandoffCheck(context);
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

type NewMessageId = OperatorPorts['newMessageId'];

function wireSupply(context: OperatorContext, newMessageId: NewMessageId): SupplyContext {
  const { follower, live, settings } = context;
  const { horizonNights, publicUrl } = settings;
  return {
    ...context,
    newMessageId,
    horizonNights,
    get bookingOrigins() {
      return live.now().bookingOrigins;
    },
    publicUrl,
    readRevision: createRevisionReader({
      storage: context.storage,
      followed: () => ({ revision: follower.freshness().revision, history: follower.shown()?.history }),
      losses: () => ({ count: follower.losses.counts.catalogue, lastAtMs: follower.losses.lastAtMs }),
    }),
  };
}

/** With the same bounds on what is fetched as the poller and the commands have. */
function wireActs(
  { storage, clock, random, settings, live, site }: ServiceContext,
  newMessageId: NewMessageId,
): OperatorPorts {
  return {
    ...settings,
    get quoteTtlSeconds() {
      return live.now().quoteTtlSeconds;
    },
    get calendarsBaseUrl() {
      return live.now().calendarsBaseUrl;
    },
    site,
    storage,
    clock,
    random,
    newMessageId,
    holder: randomUUID(),
    fetching: { allowsPrivate: settings.icalAllowPrivate },
    inTurn: boundedTurns(),
    // A path that somebody sends must not open a file here.
    readSecret: () => Promise.resolve(refuse(new Wrong('keyByCommand'))),
    tell: () => undefined,
    note: () => undefined,
  };
}
