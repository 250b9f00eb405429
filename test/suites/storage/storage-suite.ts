/**
 * What every storage adapter must do, tried on the real thing. An adapter's own test calls `describeStorage` and
 * adds what only its engine can do wrong.
 */
import { after, describe } from 'node:test';
import { describeAccess } from './access-suite.ts';
import { describeActivity } from './activity-suite.ts';
import { describeAttribution } from './attribution-suite.ts';
import { describeCatalogue } from './catalogue-suite.ts';
import { formatChanges } from './change-suite.ts';
import { describeDetails } from './details-suite.ts';
import { describeDiscounts } from './discount-suite.ts';
import { describeConversions } from './conversion-suite.ts';
import { closeShared, type OpenFixture } from './fixture.ts';
import { describeHistory } from './history-suite.ts';
import { describeFreshness } from './freshness-suite.ts';
import { describeMappings } from './mapping-suite.ts';
import { describeModel } from './model-suite.ts';
import { describePartialMessages } from './partial-suite.ts';
import { describePublished } from './published-suite.ts';
import { describeProcesses } from './process-suite.ts';
import { describeQuotes } from './quote-suite.ts';
import { describeSchema } from './schema-suite.ts';
import { describeSnapshot } from './snapshot-suite.ts';
import { describeConnections } from './connection-suite.ts';
import { describeFeeds } from './feed-suite.ts';
import { describeLargeMessages } from './large-message-suite.ts';
import { describeSources } from './source-suite.ts';
import { describeSupplyModel } from './supply-model-suite.ts';
import { describeLayers } from './layer-suite.ts';
import { describeSupplyMessages } from './supply-message-suite.ts';
import { describeSupplyKeys } from './supply-key-suite.ts';
import { describeSupplyHistory } from './supply-history-suite.ts';
import { describeSenderRace } from './sender-race-suite.ts';
import { describeSweepRace } from './sweep-race-suite.ts';
import { describeSetup } from './setup-suite.ts';
import { describeSiteSettings } from './site-suite.ts';
import { describeTasks } from './task-suite.ts';
import { describeValues } from './value-suite.ts';
import { describeWebhooks } from './webhook-suite.ts';

export function describeStorage(name: string, open: OpenFixture): void {
  describe(`${name} storage`, () => {
    after(() => closeShared(open));
    describeSchema(open);
    describeCatalogue(open);
    describeDetails(open);
    describeValues(open);
    describeDiscounts(open);
    formatChanges(open);
    describeHistory(open);
    describeSnapshot(open);
    describeAccess(open);
    describeQuotes(open);
    describeTasks(open);
    describeSetup(open);
    describeSiteSettings(open);
    describeProcesses(open);
    describeAttribution(open);
    describeConversions(open);
    describeWebhooks(open);
    describeActivity(open);
    describeLayers(open);
    describeSupplyMessages(open);
    describeSupplyKeys(open);
    describeSupplyHistory(open);
    describeMappings(open);
    describeSenderRace(open);
    describeLargeMessages(open);
    describePartialMessages(open);
    describeConnections(open);
    describeFeeds(open);
    describePublished(open);
    describeSources(open);
    describeFreshness(open);
    describeSweepRace(open);
    describeSupplyModel(open);
    describeModel(open);
  });
}
