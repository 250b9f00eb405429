/** The operator listener, put together from the parts of the service. */
import { buildOperatorServer } from '../http/operator/operator-server.ts';
import type { ListeningServer } from '../http/listener/listener.ts';
import { buildMetrics } from '../observability/metrics/metrics.ts';
import { countHandoff } from '../observability/metrics/outcome-meter.ts';
import { type HandoffResolution, resolveHandoff } from '../quotes/resolve-handoff.ts';
import { makeSupplyApi } from '../supply/messages/supply-api.ts';
import type { MessageParser } from '../supply/messages/message-parser.ts';
import { randomMessageIds } from '../storage/message-id.ts';
import { listenerSettings, type Parts, tracedStorage } from './parts.ts';

const STOPPING = { reason: 'The service is being stopped.' };

/** Of several workers' metrics and readiness the machine makes one view; alone, a process shows its own. */
export function wireOperatorServer(parts: Parts, parser: MessageParser): ListeningServer {
  const { settings, storage, access, catalogue, limits, outcomes, clock, random, readiness, machine } = parts;
  const registry = buildMetrics({
    ...parts,
    freshness: () => parts.follower.freshness(),
    catalogueSize: () => catalogue.size(),
    sharing: limits.sharing,
    poolUse: storage.poolUse,
    supplyFreshness: () => parts.supplyFreshness.state(),
  });
  const own = { readiness, metrics: () => registry.metrics() };
  const resolveDeps = {
    storage: tracedStorage(parts),
    findTestProperty: (propertyId: string) => parts.sandbox.findAtHandoff(propertyId),
    handoffKeys: access.handoffKeys,
    findNewHandoffKeys: access.findNewHandoffKeys,
    horizonNights: settings.horizonNights,
    clock,
  };
  const resolve = (value: string): Promise<HandoffResolution> => {
    const work = (): Promise<HandoffResolution> => resolveHandoff(resolveDeps, value);
    return parts.tracing === undefined ? work() : parts.tracing.span('resolveHandoff', work);
  };
  const view = machine?.join({ readiness, metrics: () => registry.getMetricsAsJSON() }) ?? own;
  return buildOperatorServer({
    ...parts,
    ...view,
    readiness: () => (parts.isDraining() ? STOPPING : view.readiness()),
    access: access.directory,
    supply: makeSupplyApi({
      ...{ storage, clock, parser },
      newMessageId: randomMessageIds(random),
      horizonNights: settings.horizonNights,
      publicUrl: settings.publicUrl,
      followedRevision: () => parts.follower.freshness().revision,
    }),
    resolveHandoff: async (value) => countHandoff(outcomes, await resolve(value)),
    settings: {
      ...listenerSettings(settings, parts.connections.operator),
      allowedHosts: [settings.operatorHost, ...settings.operatorAllowedHosts],
    },
  });
}
