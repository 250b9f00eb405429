/** Webhooks: endpoints of partners, and what was sent to them. */
import { WEBHOOK_EVENTS } from '../../storage/webhooks/store.ts';
import { DELIVERIES_MAX } from '../../partner/webhooks/delivery-retention.ts';
import * as webhooks from '../../partner/webhooks/webhook-changes.ts';
import { done } from '../../domain/outcome.ts';
import { act, repeated, required, withFallback } from './act.ts';
import { anyText, oneOf, wholeNumber } from './values.ts';

/** Keys are known at the moment of their making alone. */
const KEEP = 'Keep the secret now: it is not shown again.';
const WEBHOOK = {
  webhookId: required(anyText, '<webhook-id>', 'id of the webhook, as "webhook list" shows it'),
};

export const createWebhookAct = act({
  name: 'webhook create',
  right: 'admin',
  about: 'tell a partner what happens, by POST to an https URL; prints the secret once',
  input: {
    partnerId: required(anyText, '--partner <partner-id>', 'which partner'),
    url: required(anyText, '--url <url>', 'https URL of its endpoint'),
    events: repeated(
      oneOf(WEBHOOK_EVENTS),
      '--event <event>',
      `event to send; repeat for several; all unless given: ${WEBHOOK_EVENTS.join(', ')}`,
    ),
  },
  examples: ['webhook create --partner acme --url https://acme.example/webhooks'],
  audit: 'signed',
  run: (ports, input) =>
    webhooks.createWebhook(ports, { ...input, allowsPrivate: ports.webhookAllowPrivate }),
  print: { below: KEEP },
});

const listWebhooksAct = act({
  name: 'webhook list',
  right: 'viewer',
  about: 'list webhooks, without their secrets',
  input: {},
  examples: ['webhook list'],
  audit: 'reads',
  run: async (ports) => done(await webhooks.listWebhooks(ports)),
  print: {
    columns: [
      ...(['webhookId', 'partnerId', 'url', 'events', 'createdAt'] as const),
      ...(['disabledAt', 'disabledReason', 'failingSince'] as const),
    ],
    empty: 'There are no webhooks yet; "stayport webhook create" makes one.',
  },
});

export const testWebhookAct = act({
  name: 'webhook test',
  right: 'operator',
  about: 'send the event webhook.test; "webhook deliveries" shows what came of it',
  input: WEBHOOK,
  examples: ['webhook test wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.testWebhook(ports, webhookId),
  print: 'fields',
});

export const rotateWebhookAct = act({
  name: 'webhook rotate',
  right: 'admin',
  about: 'make a new secret and key; the old ones sign as well for 24 hours',
  input: WEBHOOK,
  examples: ['webhook rotate wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.rotateWebhook(ports, webhookId),
  print: { below: KEEP },
});

export const disableWebhookAct = act({
  name: 'webhook disable',
  right: 'admin',
  about: 'send nothing more; what waits, and what happens until it is enabled, is dropped',
  input: WEBHOOK,
  examples: ['webhook disable wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.disableWebhook(ports, webhookId),
  print: 'fields',
});

export const enableWebhookAct = act({
  name: 'webhook enable',
  right: 'admin',
  about: 'send again what happens from now on',
  input: WEBHOOK,
  examples: ['webhook enable wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.enableWebhook(ports, webhookId),
  print: 'fields',
});

export const updateWebhookAct = act({
  name: 'webhook update',
  right: 'admin',
  about: 'send to another URL; what waits goes there too, and the secret stays',
  input: { ...WEBHOOK, url: required(anyText, '--url <url>', 'new https URL of the endpoint') },
  examples: ['webhook update wh_5nWkD0XJ2yqLmT8v --url https://acme.example/hooks'],
  audit: 'signed',
  run: (ports, input) =>
    webhooks.updateWebhook(ports, { ...input, allowsPrivate: ports.webhookAllowPrivate }),
  print: 'fields',
});

export const deleteWebhookAct = act({
  name: 'webhook delete',
  right: 'admin',
  about: 'remove a webhook with its secrets and deliveries',
  input: WEBHOOK,
  examples: ['webhook delete wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.deleteWebhook(ports, webhookId),
  print: 'fields',
});

export const endOldKeysAct = act({
  name: 'webhook end-old-keys',
  right: 'admin',
  about: 'end the secrets and keys before the last "webhook rotate" at once, for one that has leaked',
  input: WEBHOOK,
  examples: ['webhook end-old-keys wh_5nWkD0XJ2yqLmT8v'],
  audit: 'signed',
  run: (ports, { webhookId }) => webhooks.endOldKeys(ports, webhookId),
  print: 'fields',
});

const deliveriesAct = act({
  name: 'webhook deliveries',
  right: 'viewer',
  about: 'what was sent and what waits, newest first; kept for 30 days',
  input: { ...WEBHOOK, limit: withFallback(wholeNumber(1, DELIVERIES_MAX), '--limit <n>', 'how many', 50) },
  examples: ['webhook deliveries wh_5nWkD0XJ2yqLmT8v --limit 10'],
  audit: 'reads',
  run: (ports, { webhookId, limit }) => webhooks.listDeliveries(ports, webhookId, limit),
  print: {
    columns: [
      ...(['deliveryId', 'event', 'status', 'attempts', 'lastStatus', 'lastError'] as const),
      ...(['nextAttemptAt', 'createdAt'] as const),
    ],
    empty: 'Nothing has been sent yet; "stayport webhook test" sends something.',
  },
});

export const replayDeliveryAct = act({
  name: 'webhook replay',
  right: 'operator',
  about: 'send a delivery once more, with the same webhook-id and the present secret',
  input: {
    deliveryId: required(anyText, '<delivery-id>', 'id of the delivery, as "webhook deliveries" shows it'),
  },
  examples: ['webhook replay msg_0f2a5c1e7d9b4a6380c1d2e3f4a5b6c7'],
  audit: 'signed',
  run: (ports, { deliveryId }) => webhooks.replayDelivery(ports, deliveryId),
  print: 'fields',
});

export const WEBHOOK_ACTS = [
  createWebhookAct,
  listWebhooksAct,
  testWebhookAct,
  rotateWebhookAct,
  disableWebhookAct,
  enableWebhookAct,
  updateWebhookAct,
  deleteWebhookAct,
  endOldKeysAct,
  deliveriesAct,
  replayDeliveryAct,
];
