/** Endpoints of a partner; for one endpoint its sent and pending deliveries. */
import type { Storage } from '../../../storage/storage.ts';
import {
  type DeliveryView,
  listWebhooks,
  presentDelivery,
  type WebhookView,
  whyUnanswered,
} from '../../../partner/webhooks/webhook-changes.ts';
import {
  type ActPorts,
  type ActQuestion,
  firstPage,
  type PagePorts,
  type PageQuestion,
} from '../../reading/console-page.ts';
import type { ShownBy } from '../../reading/console-page.ts';

/** As `webhook deliveries` prints, and a page under 60 KB. */
const DELIVERIES_SHOWN_MAX = 50;

export type WebhookShown = ShownBy<typeof readWebhook>;
export type DeliveryShown = DeliveryView;
export type { CreatedWebhook } from '../../../partner/webhooks/webhook-changes.ts';

/** Shows only the host: the URL may be as good as a password, and viewers see the page. */
export interface EndpointShown extends Omit<WebhookView, 'url'> {
  readonly host: string;
}

/** Oldest first. */
export async function endpointsOf(
  storage: Pick<Storage, 'listWebhooks'>,
  partnerId: string,
): Promise<readonly EndpointShown[]> {
  const webhooks = await listWebhooks({ storage: storage as Storage });
  return webhooks.filter((webhook) => webhook.partnerId === partnerId).map(withoutUrl);
}

function withoutUrl({ url, ...webhook }: WebhookView): EndpointShown {
  return { ...webhook, host: new URL(url).host };
}

/** `rows` as `webhook deliveries` prints them; `wrongs` are the codes of their last errors. */
export async function readWebhook({ storage }: PagePorts, { segments }: PageQuestion) {
  const webhookId = segments['webhookId']!;
  const webhook = (await listWebhooks({ storage })).find((one) => one.webhookId === webhookId);
  if (webhook === undefined) return undefined;
  const stored = await storage.listDeliveries(webhookId, DELIVERIES_SHOWN_MAX + 1);
  const { page, last } = firstPage(stored, DELIVERIES_SHOWN_MAX);
  return {
    rows: page.map(presentDelivery),
    wrongs: page.map(whyUnanswered),
    endpoint: withoutUrl(webhook),
    hasMore: last !== undefined,
  };
}

export async function isWebhook({ storage }: ActPorts, { segments }: ActQuestion): Promise<boolean> {
  return (await storage.findWebhook(segments['webhookId']!)) !== undefined;
}
