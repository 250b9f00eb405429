/** Stored things: keys, tokens, feeds, sources, webhooks. */
import { buildHandoffKeyring } from '../../handoff/handoff-keys.ts';
import type { SomeNames } from '../../storage/inspection/inspection.ts';
import { type Check, type Examined, fail, type Finding, ofContent, ok, warn } from './check.ts';
import { messageOf } from '../../runtime/message-of.ts';

export const OPERATION_CHECKS: readonly Check[] = [
  { name: 'handoff keys', run: checkKeys },
  { name: 'operator tokens', run: checkTokens },
  { name: 'feeds', run: checkFeeds },
  { name: 'sources', run: checkSources },
  { name: 'webhooks', run: checkWebhooks },
];

async function checkKeys(examined: Examined): Promise<Finding> {
  const { handoffKeys, quoteTtlSeconds } = examined.settings;
  if (handoffKeys !== undefined) return ok(`${handoffKeys.byHeader.size} from HANDOFF_KEYS`);
  return ofContent(examined, ({ keys }) => {
    if (keys.length === 0) return ok('the first start makes one');
    try {
      const rows = keys.map((key, index) => ({ ...key, revision: keys.length - index, retiredAtMs: null }));
      buildHandoffKeyring(rows, quoteTtlSeconds);
    } catch (error) {
      return fail(
        messageOf(error),
        'run "stayport handoff rotate-key", then "stayport handoff retire-key" with the damaged one',
      );
    }
    return ok(`${keys.length} in the database`);
  });
}

async function checkTokens(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ endlessTokens }) =>
    endlessTokens.count === 0
      ? ok('each has an end')
      : warn(
          `${endlessTokens.count} never end: ${listNames(endlessTokens)}`,
          'issue successors that expire ("stayport operator-token issue"), then revoke these',
        ),
  );
}

async function checkFeeds(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ failingFeeds, heldFeeds }) => {
    if (failingFeeds.count > 0)
      return warn(
        `${failingFeeds.count} can not be read: ${listNames(failingFeeds)}`,
        '"stayport ical list" says why; check the address at the other platform',
      );
    if (heldFeeds.count > 0)
      return warn(
        `${heldFeeds.count} are held back, because they would open half or more of the closed nights: ${listNames(heldFeeds)}`,
        'look at the calendar, then "stayport ical accept ID"',
      );
    return ok('all are read');
  });
}

async function checkSources(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ silentProperties, processes }) => {
    if (silentProperties.count > 0)
      return warn(
        `${silentProperties.count} properties are closed, because no source has confirmed them: ${listNames(silentProperties)}`,
        '"stayport freshness" says which source is silent; start it again',
      );
    // Only a process that serves closes what is silent.
    return processes.length === 0
      ? ok('not checked: no service runs here; "stayport freshness" lists silent sources')
      : ok('none has been silent for too long');
  });
}

async function checkWebhooks(examined: Examined): Promise<Finding> {
  return ofContent(examined, ({ failingWebhooks, stoppedWebhooks }) => {
    if (stoppedWebhooks.count > 0)
      return warn(
        `${stoppedWebhooks.count} were stopped, because they failed for 5 days or answered 410: ${listNames(stoppedWebhooks)}`,
        'ask the partner, then "stayport webhook enable ID", or "stayport webhook disable ID" to leave it so',
      );
    if (failingWebhooks.count > 0)
      return warn(
        `${failingWebhooks.count} fail, and are tried again: ${listNames(failingWebhooks)}`,
        '"stayport webhook deliveries ID" says what they answer; tell the partner',
      );
    return ok('none fails');
  });
}

function listNames({ count, names }: SomeNames): string {
  return count > names.length ? `${names.join(', ')} and ${count - names.length} more` : names.join(', ');
}
