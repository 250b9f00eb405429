/** Stored things: keys, tokens, feeds, sources, webhooks. */
import { buildHandoffKeyring } from '../../handoff/handoff-keys.ts';
import type { SomeNames } from '../../storage/inspection/inspection.ts';
import {
  asItIs,
  type Check,
  type Examined,
  fail,
  type Finding,
  firstOf,
  ofContent,
  ok,
  warn,
} from './check.ts';
import { Wrong } from '../../domain/wrong.ts';
import { messageOf } from '../../runtime/message-of.ts';

export const OPERATION_CHECKS: readonly Check[] = [
  { name: 'handoff keys', run: checkKeys },
  { name: 'operator tokens', run: checkTokens },
  { name: 'connections', run: checkConnections },
  { name: 'feeds', run: checkFeeds },
  { name: 'sources', run: checkSources },
  { name: 'webhooks', run: checkWebhooks },
];

async function checkKeys(examined: Examined): Promise<Finding> {
  const { handoffKeys, quoteTtlSeconds } = examined.settings;
  if (handoffKeys !== undefined)
    return ok(new Wrong('keysOfEnvironment', { count: handoffKeys.byHeader.size }));
  return ofContent(examined, ({ keys }) => {
    if (keys.length === 0) return ok(new Wrong('keysLater'));
    try {
      const rows = keys.map((key, index) => ({ ...key, revision: keys.length - index, retiredAtMs: null }));
      buildHandoffKeyring(rows, quoteTtlSeconds);
    } catch (error) {
      return fail(asItIs(messageOf(error)), new Wrong('fixKeys'));
    }
    return ok(new Wrong('keysOfDatabase', { count: keys.length }));
  });
}

async function checkTokens(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ endlessTokens }) =>
    endlessTokens.count === 0
      ? ok(new Wrong('tokensEnd'))
      : warn(new Wrong('tokensEndless', told(endlessTokens)), new Wrong('fixTokens')),
  );
}

async function checkConnections(examined: Examined): Promise<Finding> {
  if (examined.settings.connectionsAllowPrivate)
    return warn(new Wrong('connectionsPrivate'), new Wrong('fixConnectionsPrivate'));
  return ofContent(examined, ({ refusedConnections, lateConnections, endingConnections }) => {
    if (refusedConnections.count > 0)
      return warn(new Wrong('connectionsRefused', told(refusedConnections)), new Wrong('fixAccounts'));
    if (lateConnections.count > 0)
      return warn(new Wrong('connectionsLate', told(lateConnections)), new Wrong('fixAccounts'));
    if (endingConnections.count > 0)
      return warn(new Wrong('connectionKeysEnd', told(endingConnections)), new Wrong('fixConnectionKeys'));
    return ok(new Wrong('accountsRead'));
  });
}

async function checkFeeds(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ failingFeeds, heldFeeds }) => {
    if (failingFeeds.count > 0)
      return warn(new Wrong('feedsFailing', told(failingFeeds)), new Wrong('fixFeeds'));
    if (heldFeeds.count > 0) return warn(new Wrong('feedsHeld', told(heldFeeds)), new Wrong('fixFeedsHeld'));
    return ok(new Wrong('feedsRead'));
  });
}

async function checkSources(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ silentProperties, processes }) => {
    if (silentProperties.count > 0)
      return warn(new Wrong('sourcesSilent', told(silentProperties)), new Wrong('fixSources'));
    // Only a process that serves closes what is silent.
    return ok(processes.length === 0 ? new Wrong('sourcesUnchecked') : new Wrong('sourcesHeard'));
  });
}

async function checkWebhooks(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ failingWebhooks, stoppedWebhooks }) => {
    if (stoppedWebhooks.count > 0)
      return warn(new Wrong('webhooksStopped', told(stoppedWebhooks)), new Wrong('fixWebhooksStopped'));
    if (failingWebhooks.count > 0)
      return warn(new Wrong('webhooksFailing', told(failingWebhooks)), new Wrong('fixWebhooks'));
    return ok(new Wrong('webhooksWell'));
  });
}

function told({ count, names }: SomeNames) {
  return { count, names: firstOf(names, names.length, count) };
}
