import type { Command } from 'commander';
import type { Outcome } from '../../access/partner-changes.ts';
import { WEBHOOK_EVENTS } from '../../storage/webhooks/store.ts';
import { DELIVERIES_MAX } from '../../webhooks/delivery-retention.ts';
import {
  createWebhook,
  type CreatedWebhook,
  type DeliveryView,
  disableWebhook,
  enableWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhook,
  testWebhook,
  type WebhookDeps,
  type WebhookView,
} from '../../webhooks/webhook-acts.ts';
import { example } from '../terminal/example.ts';
import { unwrap } from '../terminal/failure.ts';
import { collect, oneOf, wholeNumber } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface CreateOptions {
  readonly partner: string;
  readonly url: string;
  readonly event?: readonly string[];
}

const KEEP = 'Keep the secret now: it is not shown again.';
const ID = ['<webhook-id>', 'id of the webhook, as "webhook list" shows it'] as const;

/** In the order of the help. */
export function addWebhookCommands(webhook: Command, session: Session): void {
  const answer = answerOf(session);
  addCreate(webhook, session, answer);
  addList(webhook, session);
  addActsOnOne(webhook, answer);
  addDeliveries(webhook, session, answer);
}

type Act = (deps: WebhookDeps) => Promise<Outcome<CreatedWebhook | WebhookView | DeliveryView>>;
type Answer = (act: Act, after?: string) => Promise<void>;

/** What an act comes to, shown field by field. */
function answerOf(session: Session): Answer {
  return async (act, after = '') => {
    const { clock, random } = session;
    const view = unwrap(await session.withStorage(async (storage) => act({ storage, clock, random })));
    session.answer(view, () => `${formatFields({ ...view })}${after}`);
  };
}

function addCreate(webhook: Command, session: Session, answer: Answer): void {
  webhook
    .command('create')
    .description('tell a partner what happens, by POST to an https URL; prints the secret once')
    .requiredOption('--partner <partner-id>', 'which partner')
    .requiredOption('--url <url>', 'https URL of its endpoint')
    .option(
      '--event <event>',
      `event to send; repeat for several; all unless given: ${WEBHOOK_EVENTS.join(', ')}`,
      collect(oneOf(WEBHOOK_EVENTS)),
    )
    .addHelpText('after', example('webhook create --partner acme --url https://acme.example/webhooks'))
    .action(async ({ partner, url, event }: CreateOptions) => {
      const { webhookAllowPrivate: allowsPrivate } = session.settings();
      await answer(
        (deps) => createWebhook(deps, { partnerId: partner, url, events: event, allowsPrivate }),
        `\n\n${KEEP}`,
      );
    });
}

function addList(webhook: Command, session: Session): void {
  webhook
    .command('list')
    .description('list webhooks, without their secrets')
    .addHelpText('after', example('webhook list'))
    .action(async () => {
      const views = await session.withStorage(async (storage) => listWebhooks({ storage }));
      session.answer(views, () =>
        formatTable(
          [
            'webhookId',
            'partnerId',
            'url',
            'events',
            'createdAt',
            'disabledAt',
            'disabledReason',
            'failingSince',
          ],
          views.map((view) => ({ ...view })),
          'There are no webhooks yet; "stayport webhook create" makes one.',
        ),
      );
    });
}

function addActsOnOne(webhook: Command, answer: Answer): void {
  webhook
    .command('test')
    .argument(...ID)
    .description('send the event webhook.test; "webhook deliveries" shows what came of it')
    .addHelpText('after', example('webhook test wh_5nWkD0XJ2yqLmT8v'))
    .action(async (webhookId: string) => answer((deps) => testWebhook(deps, webhookId)));

  webhook
    .command('rotate')
    .argument(...ID)
    .description('make a new secret and key; the old ones sign as well for 24 hours')
    .addHelpText('after', example('webhook rotate wh_5nWkD0XJ2yqLmT8v'))
    .action(async (webhookId: string) => answer((deps) => rotateWebhook(deps, webhookId), `\n\n${KEEP}`));

  webhook
    .command('disable')
    .argument(...ID)
    .description('send nothing more; what waits, and what happens until it is enabled, is dropped')
    .addHelpText('after', example('webhook disable wh_5nWkD0XJ2yqLmT8v'))
    .action(async (webhookId: string) => answer((deps) => disableWebhook(deps, webhookId)));

  webhook
    .command('enable')
    .argument(...ID)
    .description('send again what happens from now on')
    .addHelpText('after', example('webhook enable wh_5nWkD0XJ2yqLmT8v'))
    .action(async (webhookId: string) => answer((deps) => enableWebhook(deps, webhookId)));
}

function addDeliveries(webhook: Command, session: Session, answer: Answer): void {
  webhook
    .command('deliveries')
    .argument(...ID)
    .description('what was sent and what waits, newest first; kept for 30 days')
    .option('--limit <n>', 'how many', wholeNumber(1, DELIVERIES_MAX), 50)
    .addHelpText('after', example('webhook deliveries wh_5nWkD0XJ2yqLmT8v --limit 10'))
    .action(async (webhookId: string, { limit }: { readonly limit: number }) => {
      const views = unwrap(
        await session.withStorage(async (storage) => listDeliveries({ storage }, webhookId, limit)),
      );
      session.answer(views, () =>
        formatTable(
          ['deliveryId', 'event', 'status', 'attempts', 'lastStatus', 'nextAttemptAt', 'createdAt'],
          views.map((view) => ({ ...view })),
          'Nothing has been sent yet; "stayport webhook test" sends something.',
        ),
      );
    });

  webhook
    .command('replay')
    .argument('<delivery-id>', 'id of the delivery, as "webhook deliveries" shows it')
    .description('send a delivery once more, with the same webhook-id and the present secret')
    .addHelpText('after', example('webhook replay msg_0f2a5c1e7d9b4a6380c1d2e3f4a5b6c7'))
    .action(async (deliveryId: string) => answer((deps) => replayDelivery(deps, deliveryId)));
}
